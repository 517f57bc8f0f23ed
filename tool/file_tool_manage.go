package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"paddock"
)

// managed is a copy, a move or a delete, of a file by file_tool or of a folder
// by directory_tool.
type managed struct {
	operation string
	path, to  string
	overwrite bool
	recursive bool
	file      bool // by file_tool
}

// outcome is what came of it, or would.
type outcome struct {
	text    string
	objects int // removed, or copied
	dry
}

func (m *managed) run(ctx context.Context, c *paddock.Call, dryRun bool) (outcome, error) {
	act := func() (int, error) { return m.act(ctx, c) }
	if wrong := m.wrongKind(ctx, c); wrong != nil {
		// The policy speaks first: what is there is not for everybody to know.
		if _, err := c.DryRun(func() error { _, err := act(); return err }); isDenied(err) {
			return outcome{}, err
		}
		return outcome{}, wrong
	}
	if dryRun {
		plan, err := c.DryRun(func() error { _, err := act(); return err })
		if err != nil {
			return outcome{}, m.explained(ctx, c, err)
		}
		return outcome{text: dryText(plan, m.would(ctx, c, plan)), objects: plan.Objects, dry: dryOf(plan)}, nil
	}
	n, err := act()
	if err != nil {
		return outcome{}, m.explained(ctx, c, err)
	}
	return outcome{text: m.done(n), objects: n}, nil
}

func (m *managed) act(ctx context.Context, c *paddock.Call) (int, error) {
	switch m.operation {
	case "copy":
		return c.Copy(ctx, m.path, m.to, m.overwrite)
	case "move":
		return 1, c.Move(ctx, m.path, m.to, m.overwrite)
	default:
		return c.Delete(ctx, m.path, paddock.DeleteOptions{Recursive: m.recursive})
	}
}

// wrongKind tells whether the other tool is the one for what is there. Where
// nothing may be known of it, or nothing is there, the operation says so.
func (m *managed) wrongKind(ctx context.Context, c *paddock.Call) error {
	stat := c.Lstat
	if m.operation == "copy" {
		stat = c.Stat // a copy is one of what a link leads to
	}
	info, err := stat(ctx, m.path)
	if err != nil {
		return nil // said above
	}
	return kindError(info, m.file)
}

// kindError refuses an object that is not of the kind a tool is for.
func kindError(info paddock.Info, file bool) error {
	name := quoted(Spell(info.Path))
	switch {
	case file && info.Kind == paddock.KindDir:
		return errorf("%s is a folder, not a file; use directory_tool", name)
	case !file && info.Kind == paddock.KindLink:
		return errorf("%s is a link, not a folder; use file_tool", name)
	case !file && info.Kind != paddock.KindDir:
		return errorf("%s is not a folder; use file_tool", name)
	}
	return nil
}

// explained adds to an error how the call could be made instead.
func (m *managed) explained(ctx context.Context, c *paddock.Call, err error) error {
	switch {
	case m.operation == "delete" && errors.Is(err, paddock.ErrNotEmpty) && !m.recursive && !m.file:
		return errorf("%s is a folder that is not empty; with recursive true it is deleted with all it holds", quoted(Spell(m.path)))
	case m.operation != "delete" && errors.Is(err, fs.ErrExist):
		to := quoted(Spell(m.to))
		there, lookErr := c.Stat(ctx, m.to)
		switch {
		case lookErr == nil && there.Kind == paddock.KindDir:
			return errorf("%s exists already and is a folder: destination is the new name itself, and not the folder to put it in", to)
		case m.file && !m.overwrite:
			return errorf("%s exists already; with overwrite true it is replaced", to)
		}
	}
	return err
}

func (m *managed) done(n int) string {
	from, to := Spell(m.path), Spell(m.to)
	switch m.operation {
	case "copy":
		if m.file {
			return fmt.Sprintf("Copied %s to %s", from, to)
		}
		return fmt.Sprintf("Copied %s to %s: %s", from, to, plural(n, "file", "files"))
	case "move":
		return fmt.Sprintf("Moved %s to %s", from, to)
	default:
		return "Deleted " + from + inIt(n)
	}
}

// would says what a call would do.
func (m *managed) would(ctx context.Context, c *paddock.Call, plan paddock.Plan) string {
	from, to := Spell(m.path), Spell(m.to)
	if m.operation == "delete" {
		return "delete " + from + inIt(plan.Objects)
	}
	text := fmt.Sprintf("%s %s to %s", m.operation, from, to)
	if there, err := c.Lstat(ctx, m.to); err == nil {
		text += fmt.Sprintf(" and replace the %s that is there", kindName(there.Kind))
	}
	if m.operation == "copy" && !m.file {
		text += ", with what may be read in it"
	}
	return text
}

// inIt counts what a folder holds out of the number of all objects.
func inIt(n int) string {
	if n <= 1 {
		return ""
	}
	return fmt.Sprintf(" and the %s in it", plural(n-1, "object", "objects"))
}

func isDenied(err error) bool {
	var denial *paddock.Denial
	return errors.As(err, &denial)
}
