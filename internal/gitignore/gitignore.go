// Package gitignore matches paths against a list of patterns in git's exclude dialect, exactly as git does on a
// case-sensitive file system: the same verdict, decided by the same line.
//
// Call [Compile] once and [List.Match] for each path. The package is pure: it knows no file system, so the caller says
// whether a path is a directory, and a symbolic link is none. Matching is by bytes, as in git: `?` stands for one byte.
//
// A deny list is only as good as its slowest match, because whoever names a path chooses how hard it is to match. So
// matching never recurses; its cost is bounded by the length of the path times the length of the patterns that could
// match it, and those are found by the fixed text that they demand, not by trying them all.
package gitignore

import (
	"fmt"
	"slices"
	"strings"
)

// MaxLine is the length in bytes above which a line is refused.
const MaxLine = 1024

// A List is a compiled pattern list. It is immutable and safe for concurrent use. The zero List ignores nothing.
type List struct {
	negated []bool // by line: whether the pattern of the line re-includes
	base    scope  // patterns judged by the last component alone
	path    scope  // patterns judged by the whole path
	inert   []int  // lines whose pattern can match nothing
	some    bool   // there is a pattern
}

// A LineError says which line a list was refused for.
type LineError struct {
	Index  int    // index into the lines given to Compile
	Line   string // the line as given
	Reason string
}

// Error names the line, quoted so that it can be printed anywhere, and what is wrong with it.
func (e *LineError) Error() string {
	line := e.Line
	if len(line) > 64 {
		line = line[:64] + "..."
	}
	return fmt.Sprintf("ignore pattern %d, %q: %s", e.Index+1, line, e.Reason)
}

// Compile compiles lines, each a line of an exclude file without its line feed: comments, blank lines, `!`, trailing
// blanks, a carriage return at the end and a byte order mark on the first line mean what they mean to git. A pattern
// that git takes but that can match nothing, as `[a`, is taken too; [List.Inert] lists those. An error is a *LineError:
// a line longer than [MaxLine], or one that holds a NUL or a line feed, which no single line of such a file can.
func Compile(lines []string) (*List, error) {
	l := &List{negated: make([]bool, len(lines))}
	base, path := builder{names: true}, builder{}
	for i, line := range lines {
		switch {
		case len(line) > MaxLine:
			return nil, &LineError{i, line, fmt.Sprintf("longer than %d bytes", MaxLine)}
		case strings.IndexByte(line, 0) >= 0:
			return nil, &LineError{i, line, "holds a NUL byte"}
		case strings.IndexByte(line, '\n') >= 0:
			return nil, &LineError{i, line, "holds a line break: write one pattern a line"}
		}
		p, ok := parseLine(line, i == 0)
		if !ok {
			continue
		}
		l.some = true
		l.negated[i] = p.negated
		ops, whole, ok := compile(p)
		if !ok {
			l.inert = append(l.inert, i)
			continue
		}
		r := rule{line: int32(i), dirOnly: p.dirOnly, ops: ops}
		if whole {
			path.add(r)
		} else {
			base.add(r)
		}
	}
	l.base = base.build()
	l.path = path.build()
	return l, nil
}

// Empty reports whether the list holds no pattern at all.
func (l *List) Empty() bool { return !l.some }

// Inert returns the lines whose pattern can match nothing, such as one with an unclosed bracket, as indexes into the
// compiled lines. Whoever wrote such a line meant something by it: to deny a file it is as good as absent.
func (l *List) Inert() []int { return slices.Clone(l.inert) }

// Match reports whether path is ignored and which line decided, as an index into the compiled lines, or -1 when no
// pattern matched. path is relative to the folder of the list, with single slashes between components and none at
// either end; dir says whether it is a directory. Each ancestor is judged first, as a directory: below an ignored one
// everything is ignored by that line, whatever follows it. Match allocates nothing.
func (l *List) Match(path string, dir bool) (ignored bool, line int) {
	start := 0 // of the last component seen
	for {
		n := strings.IndexByte(path[start:], '/')
		if n < 0 {
			break
		}
		if at := l.last(path[:start+n], start, true); at >= 0 && !l.negated[at] {
			return true, int(at)
		}
		start += n + 1
	}
	at := l.last(path, start, dir)
	return at >= 0 && !l.negated[at], int(at)
}

// MatchOne is [List.Match] without the ancestors: it says what the patterns make of this one name. matched reports that
// a pattern matched, be it one that re-includes.
func (l *List) MatchOne(path string, dir bool) (ignored, matched bool, line int) {
	at := l.last(path, strings.LastIndexByte(path, '/')+1, dir)
	return at >= 0 && !l.negated[at], at >= 0, int(at)
}

// last returns the line of the last pattern that matches path, whose last component begins at base, or -1.
func (l *List) last(path string, base int, dir bool) int32 {
	if base == len(path) {
		return -1 // the folder of the list itself, which no pattern is about
	}
	at := l.base.last(path[base:], dir, -1)
	return l.path.last(path, dir, at)
}
