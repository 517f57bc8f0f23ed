package approve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"paddock"
	"paddock/internal/show"
	"paddock/policy"
)

// Bounds of what one question puts on the screen before it says that more is
// hidden. Both ends stay visible: padding must not push a second command out of
// view.
const (
	headLines, tailLines = 40, 10
	headBytes, tailBytes = 1200, 600 // of one line
	maxBlanks            = 12        // in a row
	maxIndent            = 60        // in a row of a diff
	maxEmpty             = 4         // lines in a row
	maxBecause           = 8
)

// prompt writes a question for a person. hidden says that something was left
// out, which whole shows.
func prompt(r paddock.ApprovalRequest) (text string, hidden bool) {
	lines := layout(r)
	for i, l := range lines {
		var cut bool
		lines[i], cut = shorten(l)
		hidden = hidden || cut
	}
	if lost := len(lines) - headLines - tailLines; lost > 0 {
		hidden = true
		middle := fmt.Sprintf("  … %d lines are not shown here …", lost)
		lines = append(append(lines[:headLines:headLines], middle), lines[len(lines)-tailLines:]...)
	}
	return strings.Join(lines, "\n") + "\n", hidden
}

// whole is the question with nothing left out.
func whole(r paddock.ApprovalRequest) string { return strings.Join(layout(r), "\n") + "\n" }

// layout puts a question together, line by line. Nothing of the agent's reaches
// the screen but by show, so that it cannot move the cursor and paint another
// question.
func layout(r paddock.ApprovalRequest) []string {
	lines := []string{"", "Paddock: an agent needs your approval."}
	row := func(label, value string) {
		lines = append(lines, fmt.Sprintf("  %-8s %s", label, squeeze(show.Line(value), maxBlanks)))
	}
	row("agent", r.Agent)
	row("tool", r.Tool)
	row("wants", r.Asked)
	if r.Target != "" {
		row("target", r.Target)
	}
	if r.Rights != policy.None {
		row("rights", r.Rights.String())
	}
	for i, because := range r.Because {
		if i == maxBecause {
			row("", fmt.Sprintf("and %d more lines of the policy", len(r.Because)-i))
			break
		}
		label := ""
		if i == 0 {
			label = "because"
		}
		row(label, place(because)+because.Text)
	}
	detail := r.Detail
	if detail == "" && len(r.Args) > 0 {
		detail = "arguments: " + indent(r.Args)
	}
	if detail != "" {
		lines = append(lines, barred(show.Text(detail))...)
	}
	if !r.Deadline.IsZero() {
		row("until", r.Deadline.Local().Format(time.TimeOnly)+", then it counts as no")
	}
	return lines
}

// barred puts a bar before each line, which keeps a line of the agent's from
// passing for one of ours. Rows of empty lines are counted, not shown.
func barred(text string) []string {
	var lines []string
	empty := 0
	flush := func() {
		if empty > maxEmpty {
			lines = append(lines, fmt.Sprintf("  | ‹%d empty lines›", empty))
		} else {
			lines = append(lines, slices.Repeat([]string{"  |"}, empty)...)
		}
		empty = 0
	}
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if strings.Trim(l, blanks) == "" {
			empty++
			continue
		}
		flush()
		lines = append(lines, "  | "+squeeze(l, maxIndent))
	}
	flush()
	return lines
}

const blanks = " \t\u3000"

// shorten keeps both ends of a long line.
func shorten(s string) (string, bool) {
	if len(s) <= headBytes+tailBytes {
		return s, false
	}
	head := s[:show.Boundary(s, headBytes)]
	tail := s[show.Boundary(s, len(s)-tailBytes):]
	return fmt.Sprintf("%s … %d bytes are not shown here … %s", head, len(s)-len(head)-len(tail), tail), true
}

// squeeze counts a long run of blanks instead of showing it: a screen full of
// them hides what comes after.
func squeeze(s string, limit int) string {
	var b strings.Builder
	for s != "" {
		run := len(s) - len(strings.TrimLeft(s, blanks))
		if run == 0 {
			next := strings.IndexAny(s, blanks)
			if next < 0 {
				next = len(s)
			}
			b.WriteString(s[:next])
			s = s[next:]
			continue
		}
		if n := len([]rune(s[:run])); n > limit {
			fmt.Fprintf(&b, "‹%d blanks›", n)
		} else {
			b.WriteString(s[:run])
		}
		s = s[run:]
	}
	return b.String()
}

func place(b policy.Because) string {
	switch {
	case b.File == "":
		return ""
	case b.Line == 0:
		return b.File + ": "
	default:
		return fmt.Sprintf("%s:%d: ", b.File, b.Line)
	}
}

// indent writes arguments so that they can be read; what is no JSON is shown as
// it came.
func indent(args json.RawMessage) string {
	var value any
	if err := json.Unmarshal(args, &value); err != nil {
		return string(args)
	}
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return string(args)
	}
	return string(text)
}
