package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"paddock"
)

// Record is one line of a log.
type Record struct {
	Seq   uint64        `json:"seq"`
	Prev  string        `json:"prev"`
	Event paddock.Event `json:"event"`
	Hash  string        `json:"hash"`
}

const (
	hashStart = `,"hash":"`
	hashEnd   = `"}`
	hashSize  = 2 * sha256.Size
)

// appendLine writes an event as the line after (seq, prev), with its newline,
// and tells the line's hash.
func appendLine(to []byte, seq uint64, prev string, event []byte) ([]byte, string) {
	begin := len(to)
	to = append(to, `{"seq":`...)
	to = strconv.AppendUint(to, seq, 10)
	to = append(to, `,"prev":"`...)
	to = append(to, prev...)
	to = append(to, `","event":`...)
	to = append(to, event...)
	sum := sha256.Sum256(to[begin:])
	hash := hex.EncodeToString(sum[:])
	to = append(to, hashStart...)
	to = append(to, hash...)
	to = append(to, hashEnd...)
	return append(to, '\n'), hash
}

// parseLine reads a line without its newline and checks its own hash.
func parseLine(text []byte) (Record, error) {
	tail := len(hashStart) + hashSize + len(hashEnd)
	cut := len(text) - tail
	if cut < 0 || !bytes.HasPrefix(text[cut:], []byte(hashStart)) || !bytes.HasSuffix(text, []byte(hashEnd)) {
		return Record{}, fmt.Errorf("it is not a record: no hash at its end")
	}
	sum := sha256.Sum256(text[:cut])
	if said := string(text[cut+len(hashStart) : len(text)-len(hashEnd)]); said != hex.EncodeToString(sum[:]) {
		return Record{}, fmt.Errorf("its content does not have the hash it names")
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return Record{}, fmt.Errorf("it is not a record: %w", err)
	}
	return r, nil
}
