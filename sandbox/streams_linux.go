//go:build amd64 || arm64

package sandbox

import (
	"io"
	"os"
)

// streams makes the command's three streams: pipes, so that no handle on
// anything of ours is inside. closeTheirs closes the far ends here.
func (p *Process) streams(c Command) (closeTheirs func(), err error) {
	var theirs []*os.File
	closeTheirs = func() {
		for _, f := range theirs {
			f.Close()
		}
		theirs = nil
	}
	if c.TTY {
		return closeTheirs, nil // exec.Cmd gives the stage /dev/null
	}
	r, w, err := os.Pipe()
	if err != nil {
		return closeTheirs, err
	}
	theirs = append(theirs, r)
	p.init.Stdin, p.stdin = r, w
	if c.Stdin == nil {
		w.Close()
	} else {
		go func() {
			io.Copy(w, c.Stdin)
			w.Close()
		}()
	}
	out, err := p.output(c.Stdout, c.MaxOutput)
	if err != nil {
		return closeTheirs, err
	}
	theirs = append(theirs, out)
	p.init.Stdout, p.init.Stderr = out, out
	if c.Stderr != c.Stdout {
		errs, err := p.output(c.Stderr, c.MaxOutput)
		if err != nil {
			return closeTheirs, err
		}
		theirs = append(theirs, errs)
		p.init.Stderr = errs
	}
	return closeTheirs, nil
}

// output makes a pipe that is copied to a writer.
func (p *Process) output(w io.Writer, most int64) (*os.File, error) {
	if w == nil {
		w = io.Discard
	}
	r, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &bounded{w: w, left: most, endless: most == 0}
	p.outputs = append(p.outputs, b)
	p.copying.Go(func() {
		io.Copy(b, r)
		r.Close()
	})
	return theirs, nil
}
