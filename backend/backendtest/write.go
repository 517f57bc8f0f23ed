package backendtest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"paddock/backend"
)

func (s suite) writeTable(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	for _, test := range []struct {
		there           string // "", "file" or "folder"
		create, replace bool
		want            error
		created         bool
	}{
		{"", false, false, fs.ErrNotExist, false},
		{"", false, true, fs.ErrNotExist, false},
		{"", true, false, nil, true},
		{"", true, true, nil, true},
		{"file", false, false, fs.ErrExist, false},
		{"file", true, false, fs.ErrExist, false},
		{"file", false, true, nil, false},
		{"file", true, true, nil, false},
		{"folder", false, false, backend.ErrIsDir, false},
		{"folder", true, false, backend.ErrIsDir, false},
		{"folder", false, true, backend.ErrIsDir, false},
		{"folder", true, true, backend.ErrIsDir, false},
	} {
		name, old := "d/f", ""
		switch test.there {
		case "file":
			old = "the old and longer content"
			put(t, b, name, old)
		case "folder":
			name = "d"
		}
		res, err := b.Write(ctx, name, strings.NewReader("new"), backend.WriteOptions{Create: test.create, Replace: test.replace})
		is(t, "write", err, test.want)
		if (err == nil) != (test.want == nil) || res.Created != test.created || res.InPlace {
			t.Errorf("%+v: got %+v, %v", test, res, err)
		}
		switch {
		case err == nil:
			holds(t, b, name, "new")
			if res.Info != stat(t, b, name) || res.Info.Size != 3 {
				t.Errorf("%+v: the result is %+v, the file %+v", test, res.Info, stat(t, b, name))
			}
		case old != "":
			holds(t, b, name, old)
		}
		if test.there != "folder" && (err == nil || old != "") {
			is(t, "remove", b.Remove(ctx, name, stat(t, b, name)), nil)
		}
	}
}

func (s suite) judged(t *testing.T, b backend.Backend) {
	first := put(t, b, "f", "first")
	res, err := b.Write(ctx, "f", strings.NewReader("second"), backend.WriteOptions{Replace: true, Judged: &first})
	if err != nil {
		t.Fatalf("write over the judged file: %v", err)
	}
	o := backend.WriteOptions{Create: true, Replace: true, Judged: &first}
	_, err = b.Write(ctx, "f", strings.NewReader("third"), o)
	is(t, "write over another file", err, backend.ErrSwapped)
	holds(t, b, "f", "second")
	is(t, "remove", b.Remove(ctx, "f", res.Info), nil)
	_, err = b.Write(ctx, "f", strings.NewReader("third"), o)
	is(t, "write where the judged file was", err, backend.ErrSwapped)
	absent(t, b, "f")
	o.Replace = false
	put(t, b, "f", "there")
	_, err = b.Write(ctx, "f", strings.NewReader("third"), o)
	is(t, "write without replace", err, fs.ErrExist)
	holds(t, b, "f", "there")
}

func (s suite) judgedChanged(t *testing.T, b backend.Backend) {
	info := put(t, b, "f", "old")
	s.o.Append(t, b, "f", "er")
	_, err := b.Write(ctx, "f", strings.NewReader("new"), backend.WriteOptions{Replace: true, Judged: &info})
	is(t, "write over a changed file", err, backend.ErrSwapped)
	holds(t, b, "f", "older")
	// It changes while the content is read: the last moment the caller sees.
	info = stat(t, b, "f")
	content := &lateReader{Reader: strings.NewReader("new"), last: func() { s.o.Append(t, b, "f", "!") }}
	_, err = b.Write(ctx, "f", content, backend.WriteOptions{Replace: true, Judged: &info})
	is(t, "write over a file that changes meanwhile", err, backend.ErrSwapped)
	holds(t, b, "f", "older!")
}

// lateReader calls last once, before it says that it has ended.
type lateReader struct {
	io.Reader
	last func()
}

func (r *lateReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF && r.last != nil {
		r.last()
		r.last = nil
	}
	return n, err
}

func (s suite) failingContent(t *testing.T, b backend.Backend) {
	broken := errors.New("the content ended early")
	content := func() io.Reader {
		return io.MultiReader(strings.NewReader(big('n')), iotest.ErrReader(broken))
	}
	put(t, b, "f", "old")
	_, err := b.Write(ctx, "f", content(), backend.WriteOptions{Replace: true})
	is(t, "replace", err, broken)
	holds(t, b, "f", "old")
	_, err = b.Write(ctx, "g", content(), backend.WriteOptions{Create: true})
	is(t, "create", err, broken)
	absent(t, b, "g")
	// An error of the content keeps its own meaning: another disk is full.
	_, err = b.Write(ctx, "g", iotest.ErrReader(syscall.ENOSPC), backend.WriteOptions{Create: true})
	is(t, "create", err, syscall.ENOSPC)
	if errors.Is(err, backend.ErrFull) {
		t.Errorf("an error of the content became %v", err)
	}
	noTemporaries(t, b, ".")
	// What is refused anyhow is not read.
	_, err = b.Write(ctx, "f", iotest.ErrReader(broken), backend.WriteOptions{Create: true})
	is(t, "refused", err, fs.ErrExist)
}

func (s suite) canceled(t *testing.T, b backend.Backend) {
	info := put(t, b, "f", "old")
	dead, cancel := context.WithCancel(ctx)
	cancel()
	_, err := b.Stat(dead, "f")
	is(t, "stat", err, context.Canceled)
	_, err = b.Open(dead, "f")
	is(t, "open", err, context.Canceled)
	_, err = b.ReadDir(dead, ".")
	is(t, "list", err, context.Canceled)
	_, err = b.Write(dead, "f", strings.NewReader("new"), backend.WriteOptions{Replace: true})
	is(t, "write", err, context.Canceled)
	is(t, "make folder", b.Mkdir(dead, "d", 0), context.Canceled)
	is(t, "remove", b.Remove(dead, "f", info), context.Canceled)
	is(t, "rename", b.Rename(dead, "f", "g", info, false), context.Canceled)
	// The context ends while the content is read.
	live, cancel := context.WithCancel(ctx)
	content := &lateReader{Reader: io.MultiReader(strings.NewReader(big('n')), &endless{after: cancel})}
	_, err = b.Write(live, "f", content, backend.WriteOptions{Replace: true})
	is(t, "write", err, context.Canceled)
	holds(t, b, "f", "old")
	noTemporaries(t, b, ".")
}

// endless goes on for far longer than a canceled write may read.
type endless struct {
	after func()
	reads int
}

func (e *endless) Read(p []byte) (int, error) {
	e.after()
	if e.reads++; e.reads > 1000 {
		return 0, io.EOF
	}
	p[0] = 'x'
	return 1, nil
}

func (s suite) keptMode(t *testing.T, b backend.Backend) {
	res, err := b.Write(ctx, "f", strings.NewReader("x"), backend.WriteOptions{Create: true, Mode: 0o600})
	if err != nil || res.Info.Mode != 0o600 {
		t.Fatalf("create with mode 600: %o, %v", res.Info.Mode, err)
	}
	res, err = b.Write(ctx, "f", strings.NewReader("y"), backend.WriteOptions{Replace: true, Mode: 0o644})
	if err != nil || res.Info.Mode != 0o600 {
		t.Errorf("replace: mode %o, %v; want 600 kept", res.Info.Mode, err)
	}
	res, err = b.Write(ctx, "g", strings.NewReader("x"), backend.WriteOptions{Create: true})
	if err != nil || res.Info.Mode&^0o644 != 0 || res.Info.Mode&0o600 != 0o600 {
		t.Errorf("create: mode %o, %v; want 644 less the umask", res.Info.Mode, err)
	}
	res, err = b.Write(ctx, "h", strings.NewReader("x"), backend.WriteOptions{Create: true, Mode: fs.ModeSetuid | fs.ModeSticky | 0o700})
	if err != nil || res.Info.Mode != 0o700 || stat(t, b, "h").Mode != 0o700 {
		t.Errorf("create: mode %v, %v; want 700 and nothing more", res.Info.Mode, err)
	}
}
