package tool

import "strings"

// looksLikeRegex tells whether a literal pattern that found nothing was meant
// as a regular expression. Brackets, stars and anchors alone are common in
// code; alternation, .* and escaped signs are not.
func looksLikeRegex(pattern string) bool {
	if strings.Contains(pattern, "|") || strings.Contains(pattern, ".*") || strings.Contains(pattern, ".+") {
		return true
	}
	for i := 0; i+1 < len(pattern); i++ {
		if pattern[i] == '\\' && strings.IndexByte(`.*+?()[]{}^$|/dswbDSWB`, pattern[i+1]) >= 0 {
			return true
		}
	}
	return false
}
