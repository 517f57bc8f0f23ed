package paddock

import (
	"context"
	"io/fs"

	"paddock/backend"
	"paddock/policy"
)

// AuthorizeCommand lets a command run or not: pathless EXECUTE, the command
// lists, the files its line redirects to, and EXECUTE on the folder it runs
// in. One of line (for a shell) and argv is given. It returns the real path of
// the working directory; "" stands for the root entry's.
func (c *Call) AuthorizeCommand(ctx context.Context, line string, argv []string, workdir string) (dir string, err error) {
	needs, err := c.commandNeeds(ctx, line, argv, workdir)
	if denied := c.refuse(needs...); denied != nil {
		return "", denied
	}
	if err != nil {
		return "", failed(workdir, err)
	}
	where := needs[len(needs)-1].decision
	switch where.Node.Kind {
	case policy.Dir:
	case policy.Missing:
		return "", failed(workdir, fs.ErrNotExist)
	default:
		return "", failed(workdir, backend.ErrNotDir)
	}
	if err := c.guard.mounts.onDisk(where.Real); err != nil {
		return "", failed(workdir, err)
	}
	if err := c.permit(ctx, needs...); err != nil {
		return "", failed(workdir, err)
	}
	return where.Real, nil
}

// commandNeeds decides about a command; the last need is the working
// directory's. The needs come with an error too: a refusal by the command
// lists is one.
func (c *Call) commandNeeds(ctx context.Context, line string, argv []string, workdir string) ([]need, error) {
	p := c.guard.policy
	if workdir == "" {
		workdir = "."
	}
	run := need{decision: p.Pathless(policy.Execute), asked: "run a command"}
	needs := []need{run}
	if run.decision.Verdict == policy.Deny {
		return needs, nil
	}
	var verdict policy.CommandDecision
	if argv != nil {
		verdict = p.CommandArgv(argv)
	} else {
		verdict = p.Command(line)
	}
	if denial := verdict.Denial(); denial != nil {
		return needs, denial
	}
	if verdict.Verdict == policy.Ask {
		run.decision = run.decision.Asking(verdict)
	}
	run.detail = func() string { return verdict.Line }
	needs[0] = run
	where, err := c.decide("run in", policy.Request{Path: workdir, Perm: policy.Needs(policy.ActWorkdir)})
	if err != nil {
		return needs, err
	}
	if where.decision.Verdict != policy.Deny {
		for _, r := range verdict.Redirects {
			n, ok, err := c.redirect(ctx, where.decision.Real, r)
			if err != nil {
				return needs, err
			}
			if ok {
				needs = append(needs, n)
			}
		}
	}
	return append(needs, where), nil
}

// redirect judges a file that the line itself opens. One outside every mount
// is the kernel's business, and so is one whose name the line computes.
func (c *Call) redirect(ctx context.Context, dir string, r policy.Redirect) (n need, inside bool, err error) {
	if !r.Literal || r.Path == "" {
		return n, false, nil
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
	n = need{asked: perm.String() + " " + r.Path, from: dir}
	n.decision, err = c.guard.policy.DecideFrom(dir, at, perm, c.guard.mounts)
	if err != nil || n.decision.Virtual() == "" {
		return n, false, nil // the shell will say so itself
	}
	return n, true, c.hardLinks(ctx, &n.decision)
}
