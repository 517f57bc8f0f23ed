package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"paddock"
	"paddock/internal/show"
	"paddock/policy"
)

// Problem is an error in words for the model.
type Problem struct{ Text string }

func (p *Problem) Error() string { return p.Text }

func errorf(format string, args ...any) error { return &Problem{fmt.Sprintf(format, args...)} }

// failure tells the model what went wrong, so that it can act on it.
func failure(err error) Result {
	var (
		responded *paddock.Responded
		denial    *paddock.Denial
		path      *paddock.PathError
		problem   *Problem
		ours      *bug
	)
	switch {
	case errors.As(err, &ours):
		return failed("the tool failed by a mistake of its own; the record has the details")
	case errors.As(err, &responded):
		return Result{Text: responded.Text}
	case errors.As(err, &denial):
		return Result{Text: "Denied: " + line(denial.Error()), IsError: true, Denied: true, Kind: denial.Kind}
	case errors.Is(err, context.Canceled):
		return failed("the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return failed("the call ran out of time")
	case errors.As(err, &problem):
		return failed(problem.Text)
	case errors.As(err, &path):
		return failed(pathProblem(path))
	default:
		return failed(line(err.Error()))
	}
}

func failed(text string) Result { return Result{Text: "Error: " + text, IsError: true} }

// maxShown bounds what an error repeats of what the model sent, in bytes.
const maxShown = 2000

// line shows a text that holds what somebody else wrote.
func line(s string) string { return show.Cut(show.Line(s), maxShown) }

// quoted shows a path or a text in quotes.
func quoted(s string) string { return "'" + line(s) + "'" }

// pathProblem says what is the matter with a path and what to do instead.
func pathProblem(e *policy.PathError) string {
	name := quoted(Spell(e.Path))
	switch {
	case errors.Is(e, policy.ErrNoFolder):
		return name + " not found: a folder on the way does not exist"
	case errors.Is(e, fs.ErrNotExist):
		return name + " not found"
	case errors.Is(e, fs.ErrExist):
		return name + " exists already"
	case errors.Is(e, fs.ErrPermission):
		return name + ": the file permissions of the system do not allow it"
	case errors.Is(e, paddock.ErrIsDir):
		return name + " is a folder, not a file"
	case errors.Is(e, paddock.ErrNotDir):
		return name + " is not a folder"
	case errors.Is(e, paddock.ErrSpecial):
		return name + " is a FIFO, a socket or a device: it is not a regular file, and is not opened"
	case errors.Is(e, paddock.ErrSwapped):
		return name + ": somebody else changed it at the same moment; look at it and try again"
	case errors.Is(e, context.Canceled), errors.Is(e, context.DeadlineExceeded):
		return "the call was cancelled"
	}
	return name + ": " + line(e.Reason.Error())
}
