package httpserver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// KeptToken reads the one token that a file holds, or makes it: a client that
// was set up once works after each start. The folder must be private. The file
// holds the token and nothing else, so that a shell can put it into a command.
func KeptToken(path, name string) (*Tokens, error) {
	token, err := readKept(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKept(path); err == nil {
			token, err = readKept(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the token in %s: %w", path, err)
	}
	t, err := OneToken(name, token)
	if err != nil {
		return nil, fmt.Errorf("the token in %s is not whole: %w; remove the file, and the next start makes a new one", path, err)
	}
	return t, nil
}

func readKept(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	if err := private(f); err != nil {
		return "", fmt.Errorf("the file %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxToken+2))
	return strings.TrimSpace(string(text)), err
}

// makeKept puts a new token in place whole. When another process was faster,
// its token stays.
func makeKept(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // after Link it is a second name
	_, err = f.WriteString(NewToken() + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
