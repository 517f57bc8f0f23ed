package paddock_test

import (
	"context"
	"errors"
	"testing"

	"paddock"
)

// events keeps what is recorded; it refuses all when full is set.
type events struct {
	all  []paddock.Event
	full bool
}

func (e *events) Record(_ context.Context, event paddock.Event) error {
	if e.full {
		return errors.New("the record is full")
	}
	e.all = append(e.all, event)
	return nil
}

func TestThroughRecordsElsewhere(t *testing.T) {
	g, _ := sessionGuard(t)
	var kept events
	through := g.Through(nil, &kept)
	sessionWrite(t, through, "/notes/a.txt", "x")
	if err := through.Close(); err != nil {
		t.Fatal(err)
	}
	if len(kept.all) == 0 || kept.all[0].Tool != "write_file" {
		t.Errorf("recorded: %+v", kept.all)
	}
	before := len(kept.all)
	sessionWrite(t, g, "/notes/b.txt", "x")
	if len(kept.all) != before {
		t.Error("the first Guard records there too")
	}
	// The mounts are shared, and are open still.
	if text, err := sessionRead(t, g, "/notes/a.txt"); text != "x" {
		t.Errorf("read %q, %v", text, err)
	}
	kept.full = true
	c := through.Begin("write_file", nil)
	_, err := c.Write(t.Context(), "/notes/c.txt", []byte("x"), paddock.WriteOptions{Create: true})
	c.End(err)
	if err == nil {
		t.Error("it was written without a record")
	}
}
