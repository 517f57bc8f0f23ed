package paddock_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paddock"
	"paddock/policy"
)

// act is one way to use a path, as tools do.
type act struct {
	name  string
	right policy.Permission // the one that the path needs, None for any
	do    func(c *paddock.Call, path string) (string, error)
}

// acts are all the calls that take a path.
func acts(g *paddock.Guard) []act {
	ctx := context.Background()
	authorize := func(right policy.Permission) func(*paddock.Call, string) (string, error) {
		return func(_ *paddock.Call, path string) (string, error) {
			return g.Authorize(ctx, paddock.Request{Tool: "custom", Path: path, Rights: right})
		}
	}
	command := func(line, workdir string) func(*paddock.Call, string) (string, error) {
		return func(c *paddock.Call, path string) (string, error) {
			dir := workdir
			if dir == "PATH" {
				dir = path
			}
			return c.AuthorizeCommand(ctx, strings.ReplaceAll(line, "PATH", "'"+strings.TrimLeft(path, "/")+"'"), nil, dir)
		}
	}
	return []act{
		{"stat", policy.None, func(c *paddock.Call, p string) (string, error) { return shown(c.Stat(ctx, p)) }},
		{"lstat", policy.None, func(c *paddock.Call, p string) (string, error) { return shown(c.Lstat(ctx, p)) }},
		{"open", policy.Read, func(c *paddock.Call, p string) (string, error) {
			f, err := c.Open(ctx, p)
			if err != nil {
				return "", err
			}
			return f.Info().Path, f.Close()
		}},
		{"list", policy.Read, func(c *paddock.Call, p string) (string, error) {
			all, err := c.List(ctx, p)
			var names []string
			for _, i := range all {
				names = append(names, i.Path)
			}
			return strings.Join(names, " "), err
		}},
		{"walk", policy.Read, func(c *paddock.Call, p string) (string, error) {
			var names []string
			err := c.Walk(ctx, p, paddock.WalkOptions{Mounts: true}, func(v *paddock.Visit) error {
				names = append(names, v.Path)
				return nil
			})
			return strings.Join(names, " "), err
		}},
		{"create", policy.Write, func(c *paddock.Call, p string) (string, error) {
			r, err := c.Write(ctx, p, []byte("x"), paddock.WriteOptions{Create: true})
			return r.Path, err
		}},
		{"write", policy.Write, func(c *paddock.Call, p string) (string, error) {
			r, err := c.Write(ctx, p, []byte("x"), paddock.WriteOptions{Create: true, Replace: true, Parents: true})
			return r.Path, err
		}},
		{"edit", policy.Read | policy.Write, func(c *paddock.Call, p string) (string, error) {
			r, err := c.Edit(ctx, p, func(old []byte) ([]byte, error) { return append(old, '+'), nil })
			return r.Path, err
		}},
		{"mkdir", policy.Write, func(c *paddock.Call, p string) (string, error) { return shown(c.Mkdir(ctx, p, false)) }},
		{"mkdir parents", policy.Write, func(c *paddock.Call, p string) (string, error) { return shown(c.Mkdir(ctx, p, true)) }},
		{"delete", policy.Delete, func(c *paddock.Call, p string) (string, error) {
			n, err := c.Delete(ctx, p, paddock.DeleteOptions{})
			return fmt.Sprint(n), err
		}},
		{"delete recursive", policy.Delete, func(c *paddock.Call, p string) (string, error) {
			n, err := c.Delete(ctx, p, paddock.DeleteOptions{Recursive: true})
			return fmt.Sprint(n), err
		}},
		{"move from", policy.Delete, func(c *paddock.Call, p string) (string, error) { return "", c.Move(ctx, p, "/moved", false) }},
		{"move to", policy.Write, func(c *paddock.Call, p string) (string, error) { return "", c.Move(ctx, "/movable", p, true) }},
		{"copy from", policy.Read, func(c *paddock.Call, p string) (string, error) {
			n, err := c.Copy(ctx, p, "/copied", false)
			return fmt.Sprint(n), err
		}},
		{"copy to", policy.Write, func(c *paddock.Call, p string) (string, error) {
			n, err := c.Copy(ctx, "/movable", p, true)
			return fmt.Sprint(n), err
		}},
		{"authorize read", policy.Read, authorize(policy.Read)},
		{"authorize write", policy.Write, authorize(policy.Write)},
		{"authorize execute", policy.Execute, authorize(policy.Execute)},
		{"authorize delete", policy.Delete, authorize(policy.Delete)},
		{"run in", policy.Execute, command("true", "PATH")},
		{"redirect from", policy.Read, command("cat < PATH", "")},
		{"redirect to", policy.Write, command("echo > PATH", "")},
	}
}

func shown(i paddock.Info, err error) (string, error) { return i.Path, err }

// run does one act as a tool call of its own.
func (a act) run(g *paddock.Guard, path string) (string, error) {
	c := g.Begin("tool", nil)
	out, err := a.do(c, path)
	c.End(err)
	return out, err
}

// outcome says how a call ended, with the text that the agent sees.
func outcome(out string, err error) string {
	var pathErr *paddock.PathError
	switch {
	case err == nil:
		return "ok " + out
	case kind(err) != "":
		return "denied " + err.Error()
	case errors.As(err, &pathErr):
		return "error " + err.Error()
	default:
		return "OTHER " + err.Error()
	}
}
