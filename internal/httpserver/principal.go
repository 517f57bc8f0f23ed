package httpserver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
)

// Principal is who calls. It never changes.
type Principal struct {
	// Name tells principals apart, in limits, sessions and records.
	Name string
	// Worker is the worker of the policy whose rights this principal has, ""
	// for those of the policy itself.
	Worker string
	// Tools are the tools this principal sees; nil means all.
	Tools []string
}

// tokenSum is the SHA-256 of a token. Only sums are kept and compared, so the
// time of a comparison tells nothing of a token.
type tokenSum [sha256.Size]byte

// Tokens tell which principal a bearer token stands for.
type Tokens struct {
	known []credential
	// open is the principal of every caller where no token is wanted.
	open *Principal
}

type credential struct {
	sum       tokenSum
	principal Principal
}

// NoToken lets everybody in who reaches the socket, in one name. Listen and
// New take it for loopback addresses alone.
func NoToken(name string) *Tokens { return &Tokens{open: &Principal{Name: name}} }

// OneToken knows a single token, or its "sha256:HEX".
func OneToken(name, token string) (*Tokens, error) {
	sum, err := sumOf(token)
	if err != nil {
		return nil, err
	}
	return &Tokens{known: []credential{{sum, Principal{Name: name}}}}, nil
}

// NewToken makes a token that cannot be guessed.
func NewToken() string { return rand.Text() + rand.Text() }

// Principals are all the principals, in the order of the file.
func (t *Tokens) Principals() []Principal {
	if t.open != nil {
		return []Principal{*t.open}
	}
	all := make([]Principal, len(t.known))
	for i := range t.known {
		all[i] = t.known[i].principal
	}
	return all
}

// Open tells that no token is wanted.
func (t *Tokens) Open() bool { return t.open != nil }

// find looks a token up. It compares with every known one, so that its time
// does not tell which of them was meant.
func (t *Tokens) find(token string) *Principal {
	sum := tokenSum(sha256.Sum256([]byte(token)))
	var found *Principal
	for i := range t.known {
		if subtle.ConstantTimeCompare(sum[:], t.known[i].sum[:]) == 1 {
			found = &t.known[i].principal
		}
	}
	return found
}

type principalKey struct{}

// PrincipalOf tells whose request a context belongs to, nil for a context that
// belongs to none.
func PrincipalOf(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}
