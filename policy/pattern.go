package policy

import (
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"paddock/internal/gitignore"
)

// patternList is one denied_path_regex list and the directory it is relative
// to.
type patternList struct {
	base    string
	list    *gitignore.List
	nfc     *gitignore.List // the same in NFC; nil when that is no different
	lines   []string
	address string
}

// newPatternList compiles a list; an empty one is nil.
func newPatternList(base string, lines []string, address string) (*patternList, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	list, err := gitignore.Compile(lines)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	l := &patternList{base: base, list: list, lines: lines, address: address}
	normal, same := make([]string, len(lines)), true
	for i, text := range lines {
		normal[i] = norm.NFC.String(text)
		same = same && normal[i] == text
	}
	if !same {
		if l.nfc, err = gitignore.Compile(normal); err != nil {
			return nil, fmt.Errorf("%s: %w", address, err)
		}
	}
	return l, nil
}

// denies tells whether the list shuts a real path, and by which of its lines.
func (l *patternList) denies(base, real string, dir bool) (bool, int) {
	if l == nil || len(real) <= len(base) || !within(real, base) {
		return false, -1
	}
	rel := real[len(base):]
	if rel[0] == '/' {
		rel = rel[1:]
	}
	if ignored, at := l.list.Match(rel, dir); ignored {
		return true, at
	}
	return l.deniesNormal(rel, dir)
}

// deniesNormal compares once more in NFC. A file system may hold "é" as one
// character or as two; a name that was made in the other form must not slip
// past a pattern. This can only add a denial.
func (l *patternList) deniesNormal(rel string, dir bool) (bool, int) {
	normal := ascii(rel) || norm.NFC.IsNormalString(rel)
	if normal && l.nfc == nil {
		return false, -1
	}
	if !normal {
		rel = norm.NFC.String(rel)
	}
	list := l.nfc
	if list == nil {
		list = l.list
	}
	return list.Match(rel, dir)
}

// ascii tells of most names, in no time, that they have one form only.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// line is the pattern that spoke.
func (l *patternList) line(i int) line {
	return line{index(l.address, i), fmt.Sprintf("denied_path_regex: %s", l.lines[i])}
}

// shut tells whether a pattern of the context, of the governing entry or of
// an entry above it denies the object: each list on its own.
func (p *Policy) shut(m *mount, real string, dir bool) (line, bool) {
	if p.lists != nil {
		base := p.lists.base
		if !within(real, base) && m != nil {
			// Outside the root entry the top-level entry takes its place.
			base = m.top().base()
		}
		denied, at := p.lists.denies(base, real, dir)
		if !denied && p.root != nil && p.root.parent != nil && within(real, p.root.real) {
			// The root entry lies in another one: a folder on the way to
			// it that is shut there is shut whole.
			denied, at = p.lists.denies(p.root.top().base(), p.root.real, true)
		}
		if denied {
			return p.lists.line(at), true
		}
	}
	for ; m != nil; m = m.parent {
		for _, l := range m.lists {
			if denied, at := l.denies(l.base, real, dir); denied {
				return l.line(at), true
			}
		}
	}
	return line{}, false
}

// base is the directory that patterns about m are relative to. Those of a
// single file are about its name.
func (m *mount) base() string {
	if m.file {
		dir, _ := up(m.real)
		return dir
	}
	return m.real
}

// top is the outermost entry above m.
func (m *mount) top() *mount {
	for m.parent != nil {
		m = m.parent
	}
	return m
}
