package approve

import (
	"context"
	"fmt"
	"strings"

	"paddock"
	"paddock/internal/show"
	"paddock/policy"
)

// Terminal asks the person at the terminal that started Paddock. It opens the
// controlling terminal itself and never touches standard input or output: those
// carry the protocol of the agent, who could answer there for the person.
//
// It asks one question at a time, so share one Terminal among all askers. It
// cannot ask (*CannotAsk) when there is no terminal, when Paddock runs in the
// background of it, or when another program has taken it over for a full-screen
// display: keys meant for that program could then answer the question.
//
// It is safe for concurrent use.
type Terminal struct {
	device string
	turn   chan struct{} // holds a token while a question is on the screen
}

var _ paddock.Approver = (*Terminal)(nil)

// NewTerminal asks at the controlling terminal of the process.
func NewTerminal() *Terminal {
	return TerminalAt("/dev/tty")
}

// TerminalAt asks at a terminal device of the caller's choice, for programs that
// own another one. Whoever types there counts as a person.
func TerminalAt(device string) *Terminal {
	return &Terminal{device: device, turn: make(chan struct{}, 1)}
}

// maxTries bounds how often one question is put again after a slip.
const maxTries = 5

// Request shows what is asked and waits for one whole line. Approval takes the
// word y or yes; Enter alone, end of input and everything not understood is a
// no. What was typed before the question was on the screen is thrown away, and
// so is a line that is still unfinished when ctx ends: then the error is ctx's.
func (t *Terminal) Request(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	var d paddock.Decision
	err := t.hold(ctx, func(screen *tty) error {
		var err error
		d, err = ask(screen, r)
		return err
	}, func() string { return outcome(d) })
	if err != nil {
		return paddock.Decision{}, err
	}
	d.Assurance, d.By = policy.ByPerson, "terminal"
	return d, nil
}

// Confirm asks the person a question of Paddock's own, after a text that may
// be anybody's. Only y or yes is true. The error is that of Request.
func (t *Terminal) Confirm(ctx context.Context, text, question string) (bool, error) {
	yes := false
	err := t.hold(ctx, func(screen *tty) error {
		screen.say("\n" + strings.Join(barred(show.Text(text)), "\n") + "\n")
		if err := screen.flush(); err != nil {
			return err
		}
		screen.say(show.Line(question) + " (N = no, y = yes) [N] ")
		typed, complete, err := screen.read()
		word := strings.ToLower(strings.TrimSpace(typed))
		yes = complete && (word == "y" || word == "yes")
		return err
	}, func() string { return "" })
	return yes && err == nil, err
}

// hold takes the terminal for one conversation, and says last what after
// tells.
func (t *Terminal) hold(ctx context.Context, talk func(*tty) error, after func() string) error {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	screen, err := openTTY(t.device)
	if err != nil {
		return err
	}
	defer screen.close()
	stop := context.AfterFunc(ctx, screen.interrupt)
	defer stop()

	err = talk(screen)
	if ctx.Err() != nil {
		// The answer may have come in the same moment. Late is no.
		screen.last("\nThis question is over: no answer was taken.\n")
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("asking at the terminal: %w", err)
	}
	screen.say(after())
	return nil
}

// ask shows the request and reads the answer.
func ask(t *tty, r paddock.ApprovalRequest) (paddock.Decision, error) {
	text, hidden := prompt(r)
	t.say(text)
	question := "Allow it? (" + choices(r)
	if hidden {
		question += ", v = show all of it"
	}
	question += ") [N] "
	for range maxTries {
		// An agent can guess when a question comes and a person types ahead:
		// only what is typed with the question on the screen may answer it.
		if err := t.flush(); err != nil {
			return paddock.Decision{}, err
		}
		t.say(question)
		typed, complete, err := t.read()
		if err != nil {
			return paddock.Decision{}, err
		}
		if !complete {
			return paddock.Decision{Answer: paddock.Reject}, nil
		}
		if hidden && strings.TrimSpace(typed) == "v" {
			t.say(whole(r))
			continue
		}
		d, again := parseAnswer(typed, r)
		if !again {
			return d, nil
		}
		t.say("The arguments must be one JSON object, such as e {\"path\": \"/notes.txt\"}. Nothing was approved.\n")
	}
	return paddock.Decision{Answer: paddock.Reject}, nil
}

// outcome confirms what was understood.
func outcome(d paddock.Decision) string {
	switch d.Answer {
	case paddock.Approve:
		return "Allowed, this once.\n"
	case paddock.Edit:
		return "The call starts again with your arguments.\n"
	case paddock.Respond:
		return "The agent is given your answer.\n"
	default:
		return "Not allowed.\n"
	}
}
