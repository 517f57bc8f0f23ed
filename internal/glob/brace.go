package glob

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// expand returns the alternatives of pattern, in bash's order and without repetitions. Backslashes stay.
//
// The bounds are kept while expanding: a pattern of a few bytes can stand for more alternatives than there is memory.
func expand(pattern string) ([]string, error) {
	if pattern == "" {
		return nil, &PatternError{pattern, "it is empty"}
	}
	if len(pattern) > MaxPattern {
		return nil, &PatternError{pattern, fmt.Sprintf("longer than %d bytes", MaxPattern)}
	}
	if strings.IndexByte(pattern, 0) >= 0 {
		return nil, &PatternError{pattern, "it holds a NUL byte, which no path does"}
	}
	all, reason := expandBraces(pattern)
	if reason != "" {
		return nil, &PatternError{pattern, reason}
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(s string) bool {
		again := seen[s]
		seen[s] = true
		return again
	}), nil
}

const tooMany = "its braces expand to more than 256 alternatives"

// expandBraces expands the first brace expression of s and what follows it. reason is not empty when it refuses.
func expandBraces(s string) (all []string, reason string) {
	open, end := findBraces(s)
	if open < 0 {
		return []string{s}, ""
	}
	body := s[open+1 : end]
	members, reason := expandBody(body)
	if reason != "" {
		return nil, reason
	}
	if members == nil {
		members = []string{s[open : end+1]} // neither a list nor a range: ordinary text
	}
	tails, reason := expandBraces(s[end+1:])
	if reason != "" {
		return nil, reason
	}
	if len(members)*len(tails) > MaxExpansions {
		return nil, tooMany
	}
	for _, member := range members {
		for _, tail := range tails {
			all = append(all, s[:open]+member+tail)
		}
	}
	return all, ""
}

// expandBody expands what stands between two braces; nil means that it is ordinary text.
func expandBody(body string) (members []string, reason string) {
	commas := topCommas(body)
	if len(commas) == 0 {
		if strings.Contains(unescaped(body), ",") { // only inside of inner braces
			return expandBraces(body)
		}
		return expandRange(body)
	}
	start := 0
	for _, comma := range append(commas, len(body)) {
		more, reason := expandBraces(body[start:comma])
		if reason != "" {
			return nil, reason
		}
		if members = append(members, more...); len(members) > MaxExpansions {
			return nil, tooMany
		}
		start = comma + 1
	}
	return members, ""
}

// findBraces finds the first opening brace that has a closing one which makes it an expression: between them stands a
// comma or `..`, outside of inner braces. A closing brace that comes before is ordinary text, as in bash.
func findBraces(s string) (open, end int) {
	if strings.HasPrefix(s, "{}") {
		open = 2 // bash passes these over, for the sake of find and xargs
	}
	for ; open < len(s); open++ {
		switch s[open] {
		case '\\':
			open++
		case '{':
			if end = closing(s, open); end >= 0 {
				return open, end
			}
		}
	}
	return -1, -1
}

// closing returns the index of the brace that closes the expression opened at open, or -1.
func closing(s string, open int) int {
	depth, separated := 0, false
	for i := open + 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '}' && depth == 0 && separated:
			return i
		case s[i] == '{':
			depth++
		case s[i] == '}' && depth > 0:
			depth--
		case s[i] == ',' && depth == 0:
			separated = true
		case strings.HasPrefix(s[i:], "..") && depth == 0 && !strings.HasPrefix(s[i+2:], "}"):
			separated = true
		}
	}
	return -1
}

// topCommas returns the places of the commas that stand outside of inner braces.
func topCommas(s string) (at []int) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				at = append(at, i)
			}
		}
	}
	return at
}

// unescaped drops each backslash with the byte behind it.
func unescaped(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// expandRange expands first..last or first..last..step, of whole numbers or of letters.
func expandRange(body string) (members []string, reason string) {
	fields := strings.Split(body, "..")
	if len(fields) != 2 && len(fields) != 3 {
		return nil, ""
	}
	step := 1
	if len(fields) == 3 {
		n, ok := number(fields[2])
		if !ok {
			return nil, ""
		}
		step = max(n, -n, 1)
	}
	first, last := fields[0], fields[1]
	if isLetter(first) && isLetter(last) {
		if (first[0] >= 'a') != (last[0] >= 'a') {
			return nil, "the range {" + body + "} runs from one letter case to the other"
		}
		from, to := int(first[0]), int(last[0])
		for _, n := range count(from, to, step) {
			members = append(members, string(rune(n)))
		}
		return members, ""
	}
	from, ok1 := number(first)
	to, ok2 := number(last)
	if !ok1 || !ok2 {
		return nil, ""
	}
	if (max(from, to)-min(from, to))/step >= MaxExpansions {
		return nil, tooMany
	}
	width := 0
	if padded(first) || padded(last) {
		width = max(len(first), len(last))
	}
	for _, n := range count(from, to, step) {
		members = append(members, fmt.Sprintf("%0*d", width, n))
	}
	return members, ""
}

// count lists the numbers from one to the other.
func count(from, to, step int) (all []int) {
	if from > to {
		for n := from; n >= to; n -= step {
			all = append(all, n)
		}
		return all
	}
	for n := from; n <= to; n += step {
		all = append(all, n)
	}
	return all
}

func isLetter(s string) bool {
	return len(s) == 1 && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}

// number reads a whole number of at most nine digits, so that no sum of two overflows on any machine.
func number(s string) (int, bool) {
	if len(strings.TrimLeft(s, "+-")) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// padded reports whether a number is written with zeros in front.
func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}
