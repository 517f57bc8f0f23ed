package paddock

import (
	"errors"
	"testing"
)

// What is held has a bound, and what is given back is there again.
func TestRoom(t *testing.T) {
	var r room
	release, err := r.take(maxHeld - 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.take(2); !errors.Is(err, errBusy) {
		t.Errorf("more than there is: %v", err)
	}
	last, err := r.take(1)
	if err != nil {
		t.Errorf("the last byte: %v", err)
	}
	release()
	last()
	if again, err := r.take(maxHeld); err != nil {
		t.Errorf("after it was given back: %v", err)
	} else {
		again()
	}
}
