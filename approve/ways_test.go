package approve_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"paddock"
	"paddock/approve"
	"paddock/policy"
)

type way func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error)

func (w way) Request(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	return w(ctx, r)
}

func always(answer paddock.Answer, a policy.Assurance, by string) way {
	return func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		return paddock.Decision{Answer: answer, Assurance: a, By: by}, nil
	}
}

func fails(err error) way {
	return func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		return paddock.Decision{}, err
	}
}

func TestFixedWays(t *testing.T) {
	r := paddock.ApprovalRequest{Tool: "delete"}
	if d, err := approve.AutoAllow.Request(t.Context(), r); err != nil || d.Answer != paddock.Approve || d.Assurance != policy.ByProgram {
		t.Errorf("AutoAllow: %+v, %v", d, err)
	}
	if d, err := approve.AutoDeny.Request(t.Context(), r); err != nil || d.Answer != paddock.Reject || d.Reason == "" {
		t.Errorf("AutoDeny: %+v, %v", d, err)
	}
	if d, err := approve.None.Request(t.Context(), r); !errors.Is(err, policy.ApprovalDenied) || d.Answer != "" {
		t.Errorf("None: %+v, %v", d, err)
	}
	r.Allowed = []paddock.Answer{paddock.Reject}
	if d, err := approve.AutoAllow.Request(t.Context(), r); err != nil || d.Answer != paddock.Reject {
		t.Errorf("AutoAllow where no approval is taken: %+v, %v", d, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := approve.AutoAllow.Request(gone, r); err == nil || d.Answer != "" {
		t.Errorf("AutoAllow of a call that is over: %+v, %v", d, err)
	}
}

func TestCallback(t *testing.T) {
	r := paddock.ApprovalRequest{Tool: "delete"}
	ask := approve.Callback(always(paddock.Approve, policy.ByPerson, ""))
	if d, err := ask.Request(t.Context(), r); err != nil || d.Answer != paddock.Approve || d.Assurance != policy.ByProgram || d.By != "callback" {
		t.Errorf("a function passes for a person: %+v, %v", d, err)
	}
	broken := approve.Callback(func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		return paddock.Decision{Answer: paddock.Approve}, errors.New("no connection")
	})
	if d, err := broken.Request(t.Context(), r); err == nil || d.Answer != "" {
		t.Errorf("an error with a yes: %+v, %v", d, err)
	}
	panics := approve.Callback(func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) { panic("boom") })
	if d, err := panics.Request(t.Context(), r); err == nil || d.Answer != "" {
		t.Errorf("a panic: %+v, %v", d, err)
	}
	var cannot *approve.CannotAsk
	if _, err := approve.Callback(nil).Request(t.Context(), r); !errors.As(err, &cannot) {
		t.Errorf("no function: %v", err)
	}
}

func TestChain(t *testing.T) {
	cannot := fails(&approve.CannotAsk{Way: "terminal", Why: "this process has no terminal", Err: errors.New("open /dev/tty")})
	broken := fails(errors.New("the line broke"))
	yes, no := always(paddock.Approve, policy.ByPerson, "yes"), always(paddock.Reject, policy.ByPerson, "no")
	weak, weakNo := always(paddock.Approve, policy.ByProgram, "weak"), always(paddock.Reject, policy.ByProgram, "weak no")
	r := paddock.ApprovalRequest{AtLeast: policy.ByPerson}
	for name, c := range map[string]struct {
		ways []paddock.Approver
		by   string // "" for an error
	}{
		"the first decides":          {[]paddock.Approver{no, yes}, "no"},
		"who cannot ask is passed":   {[]paddock.Approver{cannot, cannot, yes, no}, "yes"},
		"a weak yes is passed":       {[]paddock.Approver{weak, no}, "no"},
		"a weak no counts":           {[]paddock.Approver{weakNo, yes}, "weak no"},
		"a broken way ends it":       {[]paddock.Approver{broken, yes}, ""},
		"chains nest":                {[]paddock.Approver{approve.Chain(cannot), cannot, yes}, "yes"},
		"a chain of none":            {nil, ""},
		"a chain that cannot ask":    {[]paddock.Approver{cannot}, ""},
		"a chain of weak yeses only": {[]paddock.Approver{weak, weak}, ""},
	} {
		d, err := approve.Chain(c.ways...).Request(t.Context(), r)
		if d.By != c.by || (err == nil) != (c.by != "") {
			t.Errorf("%s: got %+v, %v", name, d, err)
		}
	}
	_, err := approve.Chain(cannot).Request(t.Context(), r)
	if !errors.Is(err, policy.ApprovalTimeout) || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("a chain that comes to its end: %v", err)
	}
	var told interface{ ForAgent() string }
	if !errors.As(err, &told) || strings.Contains(told.ForAgent(), "/dev") {
		t.Errorf("the agent would be told %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := approve.Chain(yes).Request(gone, r); !errors.Is(err, context.Canceled) {
		t.Errorf("a chain for a call that is over: %v", err)
	}
}
