//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The first stage talks to its parent over one socket. The parent sends the
// spec, then a byte for each signal to pass on; its end closing means that the
// parent is gone. The stage sends one byte, with the terminal attached if there
// is one, then messages.

// message is what a stage tells.
type message struct {
	Error  string  `json:",omitempty"` // it did not start
	Code   int     `json:",omitempty"` // of Error: what a shell would exit with
	Report *Report `json:",omitempty"` // it started
	Done   bool    `json:",omitempty"` // it ended, as the next two say
	Exit   int     `json:",omitempty"`
	Signal int     `json:",omitempty"`
	Killed string  `json:",omitempty"`
}

const maxSpec = 64 << 20

// sendFrame writes a value with its length before it.
func sendFrame(w io.Writer, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(body) > maxSpec {
		return errors.New("arguments and environment are too long")
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}

func readFrame(r io.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxSpec {
		return fmt.Errorf("a message of %d bytes", n)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}
