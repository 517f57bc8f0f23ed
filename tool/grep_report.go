package tool

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// grepped is the structured content of grep.
type grepped struct {
	Pattern   string    `json:"pattern"`
	Path      string    `json:"path"`
	Mode      string    `json:"output_mode"`
	Files     []matched `json:"files"`
	Matches   int       `json:"match_count"`
	Truncated bool      `json:"truncated"`
}

// matched is a file with hits.
type matched struct {
	Path    string `json:"path"`
	Matches *int   `json:"matches,omitempty"`
	Lines   []hit  `json:"lines,omitempty"`
	text    string // as it stands in the answer
}

// report puts the answer of grep together, file by file, until it is full.
type report struct {
	grepped
	limit   int // hits that are shown
	room    *budget
	capped  bool // there are more hits than limit
	full    bool // there is no room for more
	late    bool // the time was up within a file
	clipped bool
	binary  int
	unsure  int
	failed  error
	// Files that were not searched: the walk counts them.
	denied, unread atomic.Int64
}

// take adds the hits of a file; false when no more are wanted.
func (r *report) take(path string, res fileResult) bool {
	if r.capped || r.full {
		return false
	}
	r.note(res)
	if res.matches == 0 {
		return true
	}
	left := r.limit - r.Matches
	if left == 0 {
		r.capped = true
		return false
	}
	m := matched{Path: Spell(path)}
	n := 1
	if r.Mode != modeFiles {
		n = min(res.matches, left)
		m.Matches = &n
	}
	if r.Mode == modeContent {
		m.Lines = firstMatches(res.lines, n)
	}
	if !r.write(m, n) {
		r.full = true
		return false
	}
	r.Matches += n
	r.capped = n < res.matches && r.Mode != modeFiles || res.more
	return !r.capped
}

func (r *report) note(res fileResult) {
	if res.binary {
		r.binary++
	}
	if res.unsure && res.matches == 0 {
		r.unsure++
	}
	r.late = r.late || res.stopped
	var ours *bug
	switch {
	case errors.As(res.err, &ours):
		r.failed = ours
	case res.err != nil:
		r.unread.Add(1)
	}
}

// firstMatches cuts the lines behind the n-th hit.
func firstMatches(lines []hit, n int) []hit {
	for i, h := range lines {
		if !h.Context {
			if n--; n < 0 {
				lines = lines[:i]
				break
			}
		}
	}
	return lines
}

// write adds a file to the answer. In content it can be that only a part of
// its lines has room.
func (r *report) write(m matched, n int) bool {
	switch r.Mode {
	case modeFiles:
		m.text = m.Path + "\n"
	case modeCount:
		m.text = fmt.Sprintf("%s: %d\n", m.Path, n)
	default:
		return r.writeLines(m)
	}
	if !r.room.add(m.text) {
		return false
	}
	r.Files = append(r.Files, m)
	return true
}

func (r *report) writeLines(m matched) bool {
	around := slices.ContainsFunc(m.Lines, func(h hit) bool { return h.Context })
	m.text = m.Path + ":\n"
	whole := r.room.add(m.text)
	kept, hits := 0, 0
	for i, h := range m.Lines {
		row := fmt.Sprintf("  %d: %s\n", h.Line, h.Text)
		if h.Context {
			row = fmt.Sprintf("  %d- %s\n", h.Line, h.Text)
		}
		if around && i > 0 && h.Line > m.Lines[i-1].Line+1 {
			row = "  --\n" + row
		}
		if whole = whole && r.room.add(row); !whole {
			break
		}
		m.text += row
		r.clipped = r.clipped || h.Clipped
		kept++
		if !h.Context {
			hits++
		}
	}
	if !whole && hits > 0 {
		m.Lines, m.Matches = m.Lines[:kept], &hits
		r.Matches += hits
	}
	if whole || hits > 0 {
		r.Files = append(r.Files, m)
	}
	return whole
}

// finish puts the files in the order of their paths.
func (r *report) finish() {
	slices.SortFunc(r.Files, func(a, b matched) int { return strings.Compare(a.Path, b.Path) })
}

// render writes the answer with all that a reader must know about it.
func (r *report) render(notes []string, a grepArgs) string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if r.capped {
		add("the search stopped at %s and there are more. Use a more specific pattern or a narrower path, or raise max_count", plural(r.limit, "hit", "hits"))
	}
	if r.full {
		add("the answer is full and there are more hits. Use a more specific pattern or a narrower path, or another output_mode")
	}
	if r.clipped {
		add("long lines are clipped around the hit, with … where text is left away")
	}
	if r.unsure > 0 {
		add("%s of very long lines, of which only the beginning was searched: without regex they are searched whole", plural(r.unsure, "file", "files"))
	}
	if n := int(r.denied.Load()); n > 0 {
		add("%s not searched: the policy does not grant reading", plural(n, "file was", "files were"))
	}
	if n := int(r.unread.Load()); n > 0 {
		add("%s not be read", plural(n, "file could", "files could"))
	}
	if r.binary > 0 {
		add("%s passed over, not being text", plural(r.binary, "file was", "files were"))
	}
	text := newBudget()
	for _, m := range r.Files {
		text.add(m.text)
	}
	out := text.text("No matches found", append(all, notes...))
	if len(r.Files) == 0 && !a.Regex && looksLikeRegex(a.Pattern) {
		out += "\n\nNote: grep matches literal text unless regex is true, so characters like `|`, `.*`, and `\\.` were searched verbatim. Set regex to true if you meant a regular expression."
	}
	return out
}
