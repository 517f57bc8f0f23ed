package paddock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"paddock/policy"
)

// question is what an approver is asked for a call: all of its needs at once.
type question struct {
	call    *Call
	because []policy.Because
	asked   []string
	more    int // needs that are not named
	target  string
	details []string
	rights  policy.Permission
	cause   error // the approver's own, for the record only
}

// maxListed bounds how many needs of one call a question names one by one.
const maxListed = 20

func (q *question) add(n need) {
	q.rights |= n.decision.Perm
	if q.target == "" {
		q.target = n.decision.Virtual()
	}
	if len(q.asked) < maxListed {
		q.asked = append(q.asked, n.asked)
	} else {
		q.more++
	}
	if n.detail != nil {
		q.details = append(q.details, n.detail())
	}
}

// ask puts the question and takes nothing but a clear yes for one.
func (q *question) ask(ctx context.Context) error {
	c := q.call
	p := c.guard.policy
	asked := strings.Join(q.asked, ", ")
	if q.more > 0 {
		asked += fmt.Sprintf(" and %d more", q.more)
	}
	if err := c.record(ctx, Event{Step: StepAsked, Asked: asked, Rights: q.rights, Verdict: policy.Ask.String(), Because: q.because}); err != nil {
		return err
	}
	refused := func(kind policy.Kind, reason string) *Denial {
		return &Denial{Kind: kind, Asked: asked, Because: q.because, Reason: reason}
	}
	if c.guard.approver == nil {
		return q.answered(ctx, Decision{}, refused(ApprovalDenied, "it needs approval, and there is nobody to ask here"))
	}
	timeout := p.ApprovalTimeout()
	on, _, _ := p.InterruptOn(c.gate)
	allowed := make([]Answer, 0, len(on.AllowedDecisions))
	for _, word := range on.AllowedDecisions {
		allowed = append(allowed, Answer(word))
	}
	waiting, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	deadline, _ := waiting.Deadline()
	answer, err := c.guard.approver.Request(waiting, ApprovalRequest{
		Agent: p.Name(), Tool: c.tool, Args: c.args, Asked: asked, Target: q.target, Detail: strings.Join(q.details, "\n"),
		Rights: q.rights, Because: q.because, AtLeast: p.AtLeast(q.rights), Allowed: allowed, Deadline: deadline,
	})
	q.cause = err
	switch {
	case ctx.Err() != nil:
		return q.answered(ctx, answer, ctx.Err())
	case err != nil && waiting.Err() != nil:
		return q.answered(ctx, answer, refused(ApprovalTimeout, fmt.Sprintf("nobody answered within %s", timeout)))
	case errors.Is(err, ApprovalTimeout):
		return q.answered(ctx, answer, refused(ApprovalTimeout, askFailed(err, "nobody answered in time")))
	case waiting.Err() != nil: // a late yes is no yes
		return q.answered(ctx, answer, refused(ApprovalTimeout, fmt.Sprintf("the answer came after %s", timeout)))
	case err != nil:
		return q.answered(ctx, answer, refused(ApprovalDenied, "no answer could be had: "+askFailed(err, "the way to ask failed")))
	case !answer.Assurance.Enough(p.AtLeast(q.rights)) || answer.Assurance == "":
		return q.answered(ctx, answer, refused(ApprovalDenied, fmt.Sprintf("the answer came by %s, and the policy wants at least %s", orNobody(answer.Assurance), p.AtLeast(q.rights))))
	case len(allowed) > 0 && !slices.Contains(allowed, answer.Answer):
		return q.answered(ctx, answer, refused(ApprovalDenied, fmt.Sprintf("the policy does not take %q as an answer here", answer.Answer)))
	}
	return q.answered(ctx, answer, q.meaning(answer, refused))
}

// meaning is what an answer comes to; nil is a yes.
func (q *question) meaning(answer Decision, refused func(policy.Kind, string) *Denial) error {
	switch answer.Answer {
	case Approve:
		return nil
	case Edit:
		return &Edited{Args: answer.Args}
	case Respond:
		return &Responded{Text: answer.Reason}
	case Reject:
		if answer.Reason != "" {
			return refused(ApprovalDenied, "rejected: "+answer.Reason)
		}
		return refused(ApprovalDenied, "rejected")
	default:
		return refused(ApprovalDenied, "no clear answer was given")
	}
}

// answered records what the question came to, also when the caller went away.
func (q *question) answered(ctx context.Context, answer Decision, outcome error) error {
	e := Event{Step: StepAnswered, Rights: q.rights, Verdict: string(answer.Answer), By: answer.By}
	if outcome != nil {
		e.Error = outcome.Error()
		if q.cause != nil {
			e.Error += ": " + q.cause.Error()
		}
		var denial *Denial
		if errors.As(outcome, &denial) {
			e.Kind = denial.Kind
		}
	}
	if err := q.call.record(context.WithoutCancel(ctx), e); err != nil {
		return err
	}
	return outcome
}

// askFailed is what the agent is told of an approver's error: the error's own
// words for an agent if it has any, else others. The error itself may name
// hosts and paths; it is in the record.
func askFailed(err error, others string) string {
	var told interface{ ForAgent() string }
	if errors.As(err, &told) {
		return told.ForAgent()
	}
	return others
}

func orNobody(a policy.Assurance) string {
	if a == "" {
		return "nobody"
	}
	return string(a)
}
