package paddock

import (
	"context"
	"strings"

	"paddock/policy"
)

// Request is what a tool of an embedder's own asks for.
type Request struct {
	Tool   string
	Asked  string            // for the record and the person: "send /report.pdf"; made of rights and path when empty
	Path   string            // "" for a request without a path
	Rights policy.Permission // all of them are needed
}

// Authorize decides, asks and records for a tool that then acts by itself, and
// returns the resolved real path: guard() in the context model. What happens to the path
// between this call and the tool's own use of it is not Paddock's to see: the
// file calls of Call act on the very object that was judged, and are to be
// preferred.
func (g *Guard) Authorize(ctx context.Context, r Request) (real string, err error) {
	c := g.Begin(r.Tool, nil)
	defer func() { c.End(err) }()
	verb, asked, _ := strings.Cut(r.Asked, " ")
	if r.Asked == "" {
		verb, asked = r.Rights.String(), r.Path
	}
	if r.Path == "" {
		n := need{decision: g.policy.Pathless(r.Rights), asked: strings.TrimSpace(verb + " " + asked)}
		return "", c.permit(ctx, n)
	}
	n, err := c.decide(verb, policy.Request{Path: r.Path, Perm: r.Rights})
	if err != nil {
		return "", err
	}
	if err = c.refuse(n); err == nil {
		err = c.guard.mounts.onDisk(n.decision.Real)
	}
	if err == nil {
		err = c.hardLinks(ctx, &n.decision)
	}
	if err == nil {
		err = c.permit(ctx, n)
	}
	if err != nil {
		return "", failed(r.Path, err)
	}
	return n.decision.Real, nil
}
