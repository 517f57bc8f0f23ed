package command

import (
	"strings"
	"unicode/utf8"
)

// judge decides on the parts of a line. Denied beats ask, ask beats allowed,
// and the strictest part decides for the line.
func (j *Judge) judge(parts []part, line string) Verdict {
	for i := range parts {
		if e, ok := speaks(j.denied, &parts[i]); ok {
			return e.verdict(Deny, ListDenied, parts[i].show)
		}
	}
	asked := make([]bool, len(parts))
	var asks, unlisted *Verdict
	for i := range parts {
		if e, ok := speaks(j.ask, &parts[i]); ok {
			asked[i] = true
			if asks == nil {
				v := e.verdict(Ask, ListAsk, parts[i].show)
				asks = &v
			}
		}
	}
	allowed, needed := Verdict{}, 0
	for i := range parts {
		if parts[i].free {
			continue
		}
		needed++
		if asked[i] {
			continue
		}
		if e, ok := j.permits(&parts[i], line); ok {
			if allowed.Index == 0 && allowed.List == "" {
				allowed = e.verdict(Allow, ListAllowed, parts[i].show)
			}
			continue
		}
		if unlisted == nil {
			v := Verdict{Outcome: j.unlisted, List: ListUnlisted, Index: -1, Part: shown(parts[i].show), Reason: j.reason(&parts[i])}
			unlisted = &v
		}
	}
	if needed == 0 && asks == nil {
		unlisted = &Verdict{Outcome: j.unlisted, List: ListUnlisted, Index: -1, Reason: "the line runs no command"}
	}
	switch {
	case unlisted != nil && unlisted.Outcome == Deny:
		return *unlisted
	case asks != nil:
		return *asks
	case unlisted != nil:
		return *unlisted
	}
	return allowed
}

func (e entry) verdict(o Outcome, list, part string) Verdict {
	return Verdict{Outcome: o, List: list, Index: e.index, Pattern: e.Text, Part: shown(part)}
}

// shown cuts a part that people will read.
func shown(part string) string {
	const most = 240
	if len(part) <= most {
		return part
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(part[cut]) {
		cut--
	}
	return part[:cut] + "…"
}

// speaks finds the first entry that matches one of the spellings.
func speaks(list []entry, p *part) (entry, bool) {
	for _, e := range list {
		for i, s := range p.spellings {
			if e.match(s, p.folded[i]) {
				return e, true
			}
		}
	}
	return entry{}, false
}

// reason says why no entry allows the part.
func (j *Judge) reason(p *part) string {
	for _, m := range p.marks {
		for _, e := range j.allowed {
			if e.matchesPart(p) && !e.covers(m, p) {
				return m.why + ", which no entry allows by name"
			}
		}
	}
	switch {
	case len(p.marks) > 0:
		return "not listed; " + p.marks[0].why
	case len(j.allowed) == 0:
		return "no entry speaks about it"
	}
	return "not listed"
}

// permits finds the entry that allows a part.
func (j *Judge) permits(p *part, line string) (entry, bool) {
	for _, e := range j.allowed {
		// A plain entry that is the whole line was written for it.
		if e.Kind == Plain && strings.EqualFold(strings.TrimSpace(e.Text), line) || e.all() {
			return e, true
		}
	}
next:
	for _, e := range j.allowed {
		if !e.matchesPart(p) {
			continue
		}
		for _, m := range p.marks {
			if !e.covers(m, p) && !j.coversInside(m, p.inner) {
				continue next
			}
		}
		for i := range p.inner {
			if !j.permitsInner(e, &p.inner[i], line) {
				continue next
			}
		}
		return e, true
	}
	return entry{}, false
}

// coversInside reports whether a command in the wrapper has an entry that names
// the mark: xargs * and sed -i * together allow xargs sed -i x.
func (j *Judge) coversInside(m mark, inner []part) bool {
	for i := range inner {
		for _, e := range j.allowed {
			if e.matchesPart(&inner[i]) && e.covers(m, &inner[i]) {
				return true
			}
		}
		if j.coversInside(m, inner[i].inner) {
			return true
		}
	}
	return false
}

// permitsInner reports whether the command in a wrapper goes with the entry that
// allows the wrapper. A plain entry such as env was written for env and not for
// env rm, so what is inside must be named by it or listed itself.
func (j *Judge) permitsInner(e entry, inner *part, line string) bool {
	if e.Kind != Plain {
		return true
	}
	if !strings.Contains(e.folded, fold(inner.name)) {
		_, ok := j.permits(inner, line)
		return ok
	}
	for i := range inner.inner {
		if !j.permitsInner(e, &inner.inner[i], line) {
			return false
		}
	}
	return true
}

// all reports an entry that is for every command there is.
func (e entry) all() bool {
	switch e.Text {
	case "*", "re:.*", "re:^.*$", "re:.+", "re:^.+$":
		return true
	}
	return false
}

// matchesPart reports whether the entry allows the text of the part.
//
// A plain entry is found anywhere in a command, but it may not be a piece of the
// program's name: ls is no entry for lsof, nor git for legitimate. A version
// number may follow, so python is an entry for python3.
func (e entry) matchesPart(p *part) bool {
	for _, t := range p.texts {
		if !e.Match(t) {
			continue
		}
		if e.Kind != Plain || clearOfName(fold(t), e.folded, len(fold(p.name))) {
			return true
		}
	}
	return e.Kind == Glob && strings.HasSuffix(e.Text, "*") && p.redirected != "" && e.Match(p.redirected)
}

// clearOfName reports an occurrence of entry in command that does not cut the
// name, the first n bytes of command.
func clearOfName(command, entry string, n int) bool {
	for from := 0; ; {
		at := strings.Index(command[from:], entry)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(entry)
		cutsFront := 0 < at && at < n
		cutsBack := at < n && end < n && strings.Trim(command[end:n], "0123456789.") != ""
		if !cutsFront && !cutsBack {
			return true
		}
		from = at + 1
	}
}

// covers reports whether the entry names what the mark is about, or is the part
// itself.
func (e entry) covers(m mark, p *part) bool {
	if e.Kind == Plain {
		for _, t := range p.texts {
			if strings.EqualFold(strings.TrimSpace(e.Text), strings.TrimSpace(t)) {
				return true
			}
		}
	}
	if m.needs == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(e.Text[from:], m.needs)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(m.needs)
		if (at == 0 || !joins(e.Text[at-1], m.needs[0])) && (end == len(e.Text) || !joins(e.Text[end], m.needs[len(m.needs)-1])) {
			return true
		}
		from = at + 1
	}
}

// joins reports whether the byte c beside a word would make it another word.
func joins(c, edge byte) bool {
	letter := func(c byte) bool { return c == '_' || c == '-' || 'a' <= c|0x20 && c|0x20 <= 'z' }
	return letter(c) && letter(edge)
}
