package policy

import "paddock/internal/command"

// Redirect is a file that a command line itself opens: a path in the shell's
// view, for the caller to judge.
type Redirect = command.Redirect

// CommandDecision is the answer to a command line.
type CommandDecision struct {
	Verdict   Verdict
	Line      string
	Redirects []Redirect // of every file the line names literally
	Reason    string     // why, where no pattern spoke
	Part      string     // the simple command that it was about

	spoken []spoken
}

// Command judges a shell command line by the command lists of every context
// of the chain; the strictest verdict holds.
func (p *Policy) Command(line string) CommandDecision {
	d := CommandDecision{Verdict: Allow, Line: line}
	for q := p; q != nil; q = q.parent {
		v, redirects := q.commands.Line(line)
		d.Redirects = redirects
		if !d.take(q, v) {
			break
		}
	}
	return d
}

// CommandArgv judges a program and its arguments, run without a shell, as the
// line that a shell would need for them.
func (p *Policy) CommandArgv(argv []string) CommandDecision {
	d := CommandDecision{Verdict: Allow, Line: command.Quote(argv)}
	for q := p; q != nil; q = q.parent {
		if !d.take(q, q.commands.Argv(argv)) {
			break
		}
	}
	return d
}

func (d *CommandDecision) take(q *Policy, v command.Verdict) bool {
	at := spoken{q, q.commandLine(v)}
	switch v.Outcome {
	case command.Deny:
		d.Verdict, d.Reason, d.Part, d.spoken = Deny, v.Reason, v.Part, []spoken{at}
		return false
	case command.Ask:
		d.Verdict, d.Part = Ask, v.Part
		d.spoken = append(d.spoken, at)
	default:
		if d.Verdict == Allow {
			d.spoken = append(d.spoken, at)
		}
	}
	return true
}

// commandLine is the line of the policy that a verdict comes from.
func (p *Policy) commandLine(v command.Verdict) line {
	switch {
	case v.List == "":
		return line{"", v.Reason}
	case v.Index >= 0 && (v.List != command.ListDenied || p.ctx.DeniedCommands != nil):
		return line{index(v.List, v.Index), v.List + ": " + v.Pattern}
	case v.Index >= 0:
		return line{v.List, "default " + v.List + ": " + v.Pattern}
	case p.ctx.UnlistedCommands == "" && len(p.ctx.AllowedCommands) > 0:
		return line{command.ListAllowed, "allowed_commands: " + v.Reason}
	default:
		return line{v.List, v.List + ": " + v.Reason}
	}
}

// Because lists the lines that spoke, for a person.
func (d *CommandDecision) Because() []Because {
	out := make([]Because, 0, len(d.spoken))
	for _, s := range d.spoken {
		out = append(out, s.policy.explain(s.line))
	}
	return out
}

// Denial makes the error of a refused command, nil for another.
func (d *CommandDecision) Denial() *Denial {
	if d.Verdict != Deny {
		return nil
	}
	out := &Denial{Kind: CommandDenied, Asked: "run this command", Because: d.Because(), Reason: d.Reason}
	if capped := d.spoken[0].policy.notice; capped != "" {
		out.Reason = capped
	}
	return out
}

// CheckCommand judges a command line by the lists (check_command in the context model). The
// error is a *Denial.
func (p *Policy) CheckCommand(line string) (needsApproval bool, err error) {
	d := p.Command(line)
	if denial := d.Denial(); denial != nil {
		return false, denial
	}
	return d.Verdict == Ask, nil
}

// Asking adds to a decision the lines by which a command needs approval.
func (d Decision) Asking(c CommandDecision) Decision {
	d.Verdict = Ask
	d.spoken = append(d.spoken[:len(d.spoken):len(d.spoken)], c.spoken...)
	return d
}
