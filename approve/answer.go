package approve

import (
	"encoding/json"
	"slices"
	"strings"

	"paddock"
)

// takes tells whether a request accepts an answer of this kind.
func takes(r paddock.ApprovalRequest, a paddock.Answer) bool {
	return len(r.Allowed) == 0 || slices.Contains(r.Allowed, a)
}

// parseAnswer reads the line that a person typed. Only the whole words y and
// yes approve; everything that is not understood is a no. again says that the
// line was a slip worth another try (arguments that are no JSON object).
func parseAnswer(line string, r paddock.ApprovalRequest) (d paddock.Decision, again bool) {
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	reject := paddock.Decision{Answer: paddock.Reject}
	switch strings.ToLower(word) {
	case "y", "yes":
		// "yes, but only the first file" is not a yes.
		if rest == "" && takes(r, paddock.Approve) {
			return paddock.Decision{Answer: paddock.Approve}, false
		}
	case "n", "no":
		reject.Reason = rest
	case "a":
		if rest != "" && takes(r, paddock.Respond) {
			return paddock.Decision{Answer: paddock.Respond, Reason: rest}, false
		}
	case "e":
		if !takes(r, paddock.Edit) {
			break
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(rest), &object); err != nil || object == nil {
			return reject, true
		}
		return paddock.Decision{Answer: paddock.Edit, Args: json.RawMessage(rest)}, false
	}
	return reject, false
}

// choices is the question line: deny first, and what Enter means in capitals.
func choices(r paddock.ApprovalRequest) string {
	words := []string{"N = no", "n REASON = no, and the agent is told why"}
	if takes(r, paddock.Approve) {
		words = append(words, "y = yes, once")
	}
	if takes(r, paddock.Edit) {
		words = append(words, "e {JSON} = with other arguments")
	}
	if takes(r, paddock.Respond) {
		words = append(words, "a TEXT = answer in its place")
	}
	return strings.Join(words, ", ")
}
