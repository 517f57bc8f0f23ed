package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An arg is one word of a command as bash would pass it on, as far as the line
// itself tells.
type arg struct {
	text string // without quotes; what is not known stands as written
	open bool   // some of it is known to bash alone
	// loose: open and not quoted, so it may become several words or none.
	loose bool
	glob  bool // holds an unquoted pattern: file names may take its place
	brace bool // comes out of a brace expansion
	file  *text
}

// text is the content of a stream as far as the line tells.
type text struct {
	known bool
	s     string
}

// Caps on guessing. What lies beyond is still open, and so never allowed by an
// entry for something else; only a denial may be missed.
const (
	maxReadings = 16 // readings of one word, and of one command
	maxBraces   = 64 // words out of one brace expansion
)

// An expander reads words with what facts say about the variables of the line.
// When empty is set, what is not known is taken to be empty, which is what bash
// does with most of it: z$@ap is zap.
type expander struct {
	src   *source
	facts *facts
	empty bool
	depth int
	work  *int // bytes put together so far, all readings of all words
}

// spend counts work and reports whether there is any left. Without, what is
// asked for is unknown, and the line is refused in the end.
func (x *expander) spend(n int) bool {
	*x.work += n + 8
	return *x.work <= maxWork
}

// args lists the readings of a row of words.
func (x *expander) args(words []*syntax.Word) [][]arg {
	readings := [][]arg{nil}
	for _, w := range words {
		alts := x.word(w)
		if len(alts) == 1 {
			for i := range readings {
				readings[i] = append(readings[i], alts[0]...)
			}
			continue
		}
		var next [][]arg
		for _, alt := range alts {
			for _, r := range readings {
				if len(next) < maxReadings {
					next = append(next, append(r[:len(r):len(r)], alt...))
				}
			}
		}
		readings = next
	}
	return readings
}

// word lists the readings of one word; each is the fields it becomes.
func (x *expander) word(w *syntax.Word) [][]arg {
	if w == nil || len(w.Parts) == 0 {
		return [][]arg{nil}
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(split) {
		return x.plain(w.Parts)
	}
	var fields []arg
	for _, parts := range braces(split.Parts, 0) {
		alts := x.plain(parts)
		fields = append(fields, alts[0]...)
	}
	for i := range fields {
		fields[i].brace = true
	}
	return [][]arg{fields}
}

// A build is a word in the making.
type build struct {
	done []arg
	cur  arg
	some bool // cur holds something, be it an empty quoted text
}

func (b build) flush() build {
	if b.some {
		b.done = append(b.done[:len(b.done):len(b.done)], b.cur)
	}
	return build{done: b.done}
}

// A piece is one reading of a part of a word: fields that are joined to what
// stands before and after it.
type piece struct {
	fields []string
	quoted bool
	open   bool
	split  bool // one field, which bash splits at blanks
	glob   bool
	file   *text
}

func (b build) add(p piece) build {
	if len(p.fields) > 1 { // one copy, not one for each field
		b.done = append(make([]arg, 0, len(b.done)+len(p.fields)), b.done...)
	}
	for i, f := range p.fields {
		if i > 0 {
			b.done = append(b.done, b.cur)
			b.cur, b.some = arg{}, false
		}
		b.some = b.some || p.quoted || f != "" || len(p.fields) > 1
		b.cur.text += f
		b.cur.open = b.cur.open || p.open
		b.cur.loose = b.cur.loose || p.open && !p.quoted
		b.cur.glob = b.cur.glob || p.glob
		if p.file != nil {
			b.cur.file = p.file
		}
	}
	// A part that is no text at all still leaves a trace: z$@ap is not known.
	b.cur.open = b.cur.open || p.open
	return b
}

// addSplit adds text that bash splits at blanks.
func (b build) addSplit(s string) build {
	fields := strings.Fields(s)
	if s != "" && isBlank(s[0]) {
		b = b.flush()
	}
	b = b.add(piece{fields: fields, open: true})
	if s != "" && isBlank(s[len(s)-1]) {
		b = b.flush()
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// plain reads a word without brace expansions.
func (x *expander) plain(parts []syntax.WordPart) [][]arg {
	builds := []build{{}}
	for _, part := range parts {
		pieces := x.part(part, false)
		var next []build
		for _, p := range pieces {
			for _, b := range builds {
				if len(next) == maxReadings || !x.spend(len(b.cur.text)) {
					break
				}
				if p.split {
					next = append(next, b.addSplit(p.fields[0]))
				} else {
					next = append(next, b.add(p))
				}
			}
		}
		if builds = next; len(builds) == 0 {
			return [][]arg{{{open: true, loose: true}}} // out of work
		}
	}
	alts := make([][]arg, len(builds))
	for i, b := range builds {
		alts[i] = b.flush().done
	}
	return alts
}

// part lists the readings of a part of a word. There is at least one.
func (x *expander) part(part syntax.WordPart, quoted bool) []piece {
	pieces := x.pieces(part, quoted)
	for _, p := range pieces {
		size := 32 * len(p.fields)
		for _, f := range p.fields {
			size += len(f)
		}
		if !x.spend(size) {
			return []piece{{open: true, quoted: quoted}}
		}
	}
	return pieces
}

func (x *expander) pieces(part syntax.WordPart, quoted bool) []piece {
	switch n := part.(type) {
	case *syntax.Lit:
		s := x.src.restore(n.Value)
		if quoted {
			return []piece{{fields: []string{unescapeDouble(s)}, quoted: true}}
		}
		s, glob := unescape(s)
		return []piece{{fields: []string{s}, glob: glob}}
	case *syntax.SglQuoted:
		s := x.src.restore(n.Value)
		if n.Dollar {
			s = unescapeANSI(s)
		}
		return []piece{{fields: []string{s}, quoted: true}}
	case *syntax.DblQuoted:
		return x.double(n.Parts)
	case *syntax.ParamExp:
		return x.param(n, quoted)
	case *syntax.CmdSubst:
		if out := x.output(n.Stmts); out.known {
			return []piece{{fields: []string{strings.TrimRight(out.s, "\n")}, quoted: quoted, open: true, split: !quoted}}
		}
	case *syntax.ProcSubst:
		out := x.output(n.Stmts)
		return []piece{{fields: []string{x.src.of(n)}, quoted: true, open: true, file: &out}}
	case *syntax.ExtGlob:
		return []piece{{fields: []string{x.src.of(n)}, open: true, glob: true, quoted: true}}
	}
	return []piece{x.unknown(part, quoted)}
}

// unknown is a part that only bash can tell.
func (x *expander) unknown(n syntax.Node, quoted bool) piece {
	s := x.src.of(n)
	if x.empty {
		s = ""
	}
	return piece{fields: []string{s}, quoted: quoted, open: true}
}

// double reads what stands in double quotes or in a here-document.
func (x *expander) double(parts []syntax.WordPart) []piece {
	whole := []piece{{fields: []string{""}, quoted: true}}
	for _, part := range parts {
		var next []piece
		for _, p := range x.part(part, true) {
			for _, w := range whole {
				if len(next) == maxReadings {
					break
				}
				joined := joinPieces(w, p)
				if size := len(strings.Join(joined.fields, " ")); size > maxLine || !x.spend(size) {
					joined = piece{open: true, quoted: true}
				}
				next = append(next, joined)
			}
		}
		whole = next
	}
	return whole
}

// joinPieces puts b behind a: the last field of a and the first of b are one.
func joinPieces(a, b piece) piece {
	fields := append([]string(nil), a.fields...)
	for i, f := range b.fields {
		if i == 0 && len(fields) > 0 {
			fields[len(fields)-1] += f
		} else {
			fields = append(fields, f)
		}
	}
	if len(b.fields) == 0 && len(a.fields) == 1 && a.fields[0] == "" {
		fields = nil // "$@" without parameters is no word at all
	}
	return piece{fields: fields, quoted: true, open: a.open || b.open, glob: b.glob}
}

// literal is the text of a word that holds no expansion of any kind.
func (x *expander) literal(w *syntax.Word) (string, bool) {
	alts := x.word(w)
	if len(alts) != 1 || len(alts[0]) > 1 {
		return "", false
	}
	if len(alts[0]) == 0 {
		return "", len(w.Parts) == 0
	}
	a := alts[0][0]
	return a.text, !a.open && !a.glob && !a.brace
}
