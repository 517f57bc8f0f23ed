// Package trust remembers which found policy files a person has vouched for.
//
// A policy that lies in a cloned repository was written by a stranger. Until a
// person trusts it, it grants little; what is trusted is the content at a place,
// so that a later commit that changes the file has to be looked at again, and a
// copy of it elsewhere too. Trust is kept in the state folder, one small file
// for each policy file.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Store is the trusted files of one state folder. It is safe for concurrent
// use, by several processes too: each change is one rename or one removal.
type Store struct{ dir string }

// Entry is one trusted file.
type Entry struct {
	Path   string    `json:"path"`   // real, absolute
	Digest string    `json:"digest"` // see Digest
	Since  time.Time `json:"since"`
}

// In is the store inside a state folder. Nothing is read or made yet.
func In(state string) *Store { return &Store{filepath.Join(state, "trust")} }

// Digest names the content of a file at a place: the SHA-256 of the real path,
// a NUL and the bytes, in hexadecimal.
func Digest(path string, content []byte) string {
	h := sha256.New()
	h.Write([]byte(path))
	h.Write([]byte{0})
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// Trusted tells whether this very content was trusted at this real path. Pass
// the bytes that are to be loaded, never read the file twice: it could be
// exchanged in between. An error means that the store cannot be relied on, and
// the answer is no.
func (s *Store) Trusted(path string, content []byte) (bool, error) {
	e, err := s.read(s.file(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return e.Path == path && e.Digest == Digest(path, content), nil
}

// Trust vouches for the content at a real path, in place of what was trusted
// there before.
func (s *Store) Trust(path string, content []byte) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("trust %q: the path must be absolute", path)
	}
	if err := MakePrivate(s.dir); err != nil {
		return err
	}
	text, err := json.Marshal(Entry{Path: path, Digest: Digest(path, content), Since: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return fmt.Errorf("trust %q: %w", path, err)
	}
	if err := replace(s.file(path), append(text, '\n')); err != nil {
		return fmt.Errorf("trust %q: %w", path, err)
	}
	return nil
}

// Revoke forgets a path; false when it was not trusted.
func (s *Store) Revoke(path string) (bool, error) {
	err := os.Remove(s.file(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("revoke trust in %q: %w", path, err)
	}
	return true, nil
}

// List is what is trusted, by path. Entries that cannot be read are left out
// and named by the error.
func (s *Store) List() ([]Entry, error) {
	names, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the trust store: %w", err)
	}
	var all []Entry
	var problems []error
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), suffix) {
			continue
		}
		e, err := s.read(filepath.Join(s.dir, name.Name()))
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return all, errors.Join(problems...)
}

const suffix = ".json"

// maxEntry is above the longest path and its frame.
const maxEntry = 64 << 10

func (s *Store) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:])+suffix)
}

// read reads an entry, if nobody else could have written it.
func (s *Store) read(file string) (Entry, error) {
	var e Entry
	if err := ours(s.dir, os.ModeDir); err != nil {
		return e, fmt.Errorf("the trust store: %w", err)
	}
	if err := ours(file, 0); err != nil {
		return e, fmt.Errorf("the trust store: %w", err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return e, fmt.Errorf("the trust store: %w", err)
	}
	if info.Size() > maxEntry {
		return e, fmt.Errorf("the trust store: %q is not an entry: it has %d bytes", file, info.Size())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return e, fmt.Errorf("the trust store: %w", err)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("the trust store: %q is not an entry: %w", file, err)
	}
	return e, nil
}
