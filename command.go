package paddock

import (
	"context"

	"paddock/backend"
	"paddock/policy"
)

// AuthorizeCommand lets a command run or not: pathless EXECUTE, the command
// lists, the files its line redirects to, and EXECUTE on the folder it runs
// in. One of line (for a shell) and argv is given. It returns the real path of
// the working directory; "" stands for the root entry's.
func (c *Call) AuthorizeCommand(ctx context.Context, line string, argv []string, workdir string) (dir string, err error) {
	needs, err := c.commandNeeds(line, argv, workdir)
	if err != nil {
		return "", failed(workdir, err)
	}
	last := needs[len(needs)-1].decision
	if last.Verdict != policy.Deny && last.Node.Kind != policy.Dir {
		return "", failed(workdir, backend.ErrNotDir)
	}
	return last.Real, failed(workdir, c.permit(ctx, needs...))
}

// commandNeeds decides about a command; the last need is the working
// directory's. A refusal by the command lists is the error.
func (c *Call) commandNeeds(line string, argv []string, workdir string) ([]need, error) {
	p := c.guard.policy
	if workdir == "" {
		workdir = "/"
	}
	run := need{decision: p.Pathless(policy.Execute), asked: "run a command"}
	if run.decision.Verdict == policy.Deny {
		return nil, run.decision.Denial(run.asked)
	}
	verdict := p.Command(line)
	if argv != nil {
		verdict = p.CommandArgv(argv)
	}
	if denial := verdict.Denial(); denial != nil {
		return nil, denial
	}
	if verdict.Verdict == policy.Ask {
		run.decision = run.decision.Asking(verdict)
	}
	run.detail = func() string { return verdict.Line }
	needs := []need{run}
	where, err := c.decide("run in", policy.Request{Path: workdir, Perm: policy.Needs(policy.ActWorkdir)})
	if err != nil {
		return nil, err
	}
	for _, r := range verdict.Redirects {
		n, ok, err := c.redirect(where.decision.Real, r)
		if err != nil {
			return nil, err
		}
		if ok {
			needs = append(needs, n)
		}
	}
	return append(needs, where), nil
}

// redirect judges a file that the line itself opens. One outside every mount
// is the kernel's business, and so is one whose name the line computes.
func (c *Call) redirect(dir string, r policy.Redirect) (need, bool, error) {
	if !r.Literal || r.Path == "" {
		return need{}, false, nil
	}
	var perm policy.Permission
	if r.Read {
		perm |= policy.Needs(policy.ActOpenRead)
	}
	if r.Write {
		perm |= policy.Needs(policy.ActOpenWrite)
	}
	at := r.Path
	if r.Dir != "" && at[0] != '/' {
		at = join(r.Dir, at)
	}
	d, err := c.guard.policy.DecideFrom(dir, at, perm, c.guard.mounts)
	if err != nil {
		return need{}, false, nil //nolint:nilerr // the shell will say so itself
	}
	if d.Entry() == "" {
		return need{}, false, nil
	}
	return need{decision: d, asked: perm.String() + " " + r.Path}, true, nil
}
