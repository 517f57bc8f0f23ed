package tool

import (
	"context"
	"io"
	"strings"

	"paddock"
	"paddock/internal/gitignore"
)

// maxIgnoreFile bounds how much of one ignore file is read, in bytes: the file
// is somebody else's.
const maxIgnoreFile = 256 << 10

// ignoreFiles are the ignore files of the folders that a walk is in: git's, and
// those that search programs have beside it. They are read through the Guard
// like any file: one that the agent may not read does not count, and a link is
// not followed.
type ignoreFiles struct {
	ctx  context.Context
	call *paddock.Call
	open []ignoreLevel // outermost first
}

type ignoreLevel struct {
	rel  string // the folder, as Visit.Rel has it
	list *gitignore.List
}

// enter reads the ignore files of a folder that the walk goes into.
func (g *ignoreFiles) enter(v *paddock.Visit) error {
	g.leave(v.Rel)
	var lines []string
	for _, name := range []string{".gitignore", ".ignore"} { // the last one prevails
		if e, ok := v.Entry(name); ok && e.Kind == paddock.KindFile && !e.Locked {
			lines = append(lines, g.read(e.Path)...)
		}
	}
	if err := g.ctx.Err(); err != nil {
		return err
	}
	if len(lines) == 0 {
		return nil
	}
	list, err := gitignore.Compile(lines)
	if err != nil {
		return nil // read leaves out the lines for which this could be
	}
	g.open = append(g.open, ignoreLevel{v.Rel, list})
	return nil
}

// leave forgets the folders that do not hold rel.
func (g *ignoreFiles) leave(rel string) {
	for len(g.open) > 0 {
		if top := g.open[len(g.open)-1].rel; top == "." && rel != "." || strings.HasPrefix(rel, top+"/") {
			return
		}
		g.open = g.open[:len(g.open)-1]
	}
}

// read is the lines of an ignore file; none where it may not be read.
func (g *ignoreFiles) read(name string) []string {
	f, err := g.call.Open(g.ctx, name)
	if err != nil {
		return nil
	}
	defer f.Close() // only read
	text, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return nil
	}
	var lines []string
	for each := range strings.Lines(string(text)) {
		each = strings.TrimSuffix(each, "\n")
		if len(each) <= gitignore.MaxLine && strings.IndexByte(each, 0) < 0 {
			lines = append(lines, each)
		}
	}
	return lines
}

// ignored tells whether an object is left out. As git has it the innermost
// folder prevails, and there the last line.
func (g *ignoreFiles) ignored(v *paddock.Visit, dir bool) bool {
	if dir && v.Name == ".git" {
		return true
	}
	g.leave(v.Rel)
	for i := len(g.open) - 1; i >= 0; i-- {
		rel := v.Rel
		if top := g.open[i].rel; top != "." {
			rel = rel[len(top)+1:]
		}
		if out, matched, _ := g.open[i].list.MatchOne(rel, dir); matched {
			return out
		}
	}
	return false
}
