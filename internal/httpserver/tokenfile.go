package httpserver

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	// maxTokenFile bounds a token file in bytes.
	maxTokenFile = 1 << 20
	// minToken and maxToken bound a token in characters. Shorter ones are
	// words that somebody thought of.
	minToken, maxToken = 16, 512
	maxName            = 64
	sumPrefix          = "sha256:"
)

// ReadTokens reads a file of tokens, one a line:
//
//	NAME TOKEN-or-sha256:HEX [worker=NAME] [tools=a,b]
//
// Empty lines and lines that begin with # are passed over. A file that others
// can read or change is refused; so are two lines of one name or one token. An
// error names the line and never shows a token.
func ReadTokens(path string) (*Tokens, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the token file: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	if err := private(f); err != nil {
		return nil, fmt.Errorf("the token file %s %w", path, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return nil, fmt.Errorf("the token file: %w", err)
	}
	if len(text) > maxTokenFile {
		return nil, fmt.Errorf("the token file %s is longer than %d bytes", path, maxTokenFile)
	}
	t, err := parseTokens(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return t, nil
}

func parseTokens(text []byte) (*Tokens, error) {
	t := &Tokens{}
	names, sums := map[string]int{}, map[tokenSum]int{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxTokenFile+1)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		c, err := parseToken(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("%d: %w", number, err)
		}
		if before := names[c.principal.Name]; before > 0 {
			return nil, fmt.Errorf("%d: the name %s is that of line %d already; each token has a name of its own", number, c.principal.Name, before)
		}
		if before := sums[c.sum]; before > 0 {
			return nil, fmt.Errorf("%d: the token is that of line %d already; each name has a token of its own", number, before)
		}
		names[c.principal.Name], sums[c.sum] = number, number
		t.known = append(t.known, c)
	}
	if len(t.known) == 0 {
		return nil, errors.New("1: there is no token in it; write lines of the form: NAME TOKEN [worker=NAME] [tools=a,b]")
	}
	return t, nil
}

func parseToken(fields []string) (credential, error) {
	if len(fields) < 2 {
		return credential{}, errors.New("a line is: NAME TOKEN-or-sha256:HEX [worker=NAME] [tools=a,b]")
	}
	if !isName(fields[0]) {
		return credential{}, fmt.Errorf("the name of a token is 1 to %d letters, digits, '.', '_' or '-'", maxName)
	}
	c := credential{principal: Principal{Name: fields[0]}}
	var err error
	if c.sum, err = sumOf(fields[1]); err != nil {
		return credential{}, err
	}
	for _, field := range fields[2:] {
		key, value, _ := strings.Cut(field, "=")
		switch {
		case key == "worker" && value != "" && c.principal.Worker == "":
			c.principal.Worker = value
		case key == "tools" && value != "" && c.principal.Tools == nil:
			c.principal.Tools = strings.Split(value, ",")
		default:
			// The field is not shown: somebody may have put a blank in a token.
			return credential{}, errors.New("after the token there may be worker=NAME and tools=a,b, each once and without blanks")
		}
	}
	return c, nil
}

func isName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-') {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

// sumOf is the sum of a token that a person wrote.
func sumOf(token string) (tokenSum, error) {
	if hexa, ok := strings.CutPrefix(token, sumPrefix); ok {
		raw, err := hex.DecodeString(hexa)
		if err != nil || len(raw) != sha256.Size {
			return tokenSum{}, errors.New("sha256: is followed by 64 hexadecimal digits; make them with: printf %s TOKEN | sha256sum")
		}
		return tokenSum(raw), nil
	}
	if !isToken(token) {
		return tokenSum{}, fmt.Errorf("a token is %d to %d letters, digits or any of -._~+/=", minToken, maxToken)
	}
	return tokenSum(sha256.Sum256([]byte(token))), nil
}

// isToken tells whether a text can be sent as a bearer token (RFC 6750).
func isToken(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~+/=", r)) {
			return false
		}
	}
	return len(s) >= minToken && len(s) <= maxToken
}
