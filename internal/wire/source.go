package wire

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"paddock/internal/trust"
	"paddock/policy"
)

// FileName is the name under which a policy is found.
const FileName = "paddock.yaml"

// Source is the policy file that was chosen. Its content was read once; nothing
// reads the file again.
type Source struct {
	Path    string // as it was named or found; for messages
	Real    string // every link resolved
	Content []byte
	// Trusted says that a person stands behind the file: it was named by the
	// person, or found and vouched for. Any other is capped.
	Trusted bool
	Found   bool // nobody named it
	// Notices are sentences for the person, such as a broken trust store.
	Notices []string
}

// ErrNoPolicy says that no policy was named and none was found.
var ErrNoPolicy = errors.New("there is no policy")

// Choose finds the policy file: the one that flag or $PADDOCK_POLICY names,
// else the nearest paddock.yaml from the working directory upwards. A found one
// is trusted only if this very content was vouched for.
func Choose(flag string, e Environment) (*Source, error) {
	for _, named := range []struct{ path, by string }{{flag, ""}, {e.Getenv("PADDOCK_POLICY"), "$PADDOCK_POLICY: "}} {
		if named.path == "" {
			continue
		}
		s, err := read(e.absolute(named.path), named.path)
		if err != nil {
			return nil, fmt.Errorf("%s%w", named.by, err)
		}
		s.Trusted = true
		return s, nil
	}
	return e.find()
}

func (e Environment) find() (*Source, error) {
	for _, candidate := range e.candidates() {
		s, err := read(candidate, candidate)
		if _, absent := os.Lstat(candidate); errors.Is(err, fs.ErrNotExist) && errors.Is(absent, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			// A file that cannot be read may be the one that denies; passing
			// it over would load a wider one from further up.
			return nil, err
		}
		if s.Dir() != filepath.Dir(candidate) {
			// A folder from anywhere could hold a link to the policy of a
			// place that matters, and be started with the rights there.
			return nil, fmt.Errorf("the policy %q is a link to %q, in another folder, and was found there and not named; name it with --policy", candidate, s.Real)
		}
		s.Found = true
		if rel, err := filepath.Rel(e.Dir, candidate); err == nil {
			s.Path = rel
		}
		e.vouched(s)
		return s, nil
	}
	return nil, fmt.Errorf("%w: no %s in %s or above; write one with paddock init, or name one with --policy FILE", ErrNoPolicy, FileName, e.Dir)
}

// vouched looks the file up in the trust store.
func (e Environment) vouched(s *Source) {
	state, err := e.StateFolder()
	if err == nil {
		s.Trusted, err = trust.In(state).Trusted(s.Real, s.Content)
	}
	if err != nil {
		s.Notices = append(s.Notices, fmt.Sprintf("%s counts as not trusted: %v", s.Path, err))
	}
}

// candidates are the names from which a policy could be found, nearest first:
// from the working directory upwards, ending with the home folder if it lies
// on the way. Above a home folder nothing is the person's own.
func (e Environment) candidates() []string {
	home := ""
	if h := e.Getenv("HOME"); filepath.IsAbs(h) {
		home = realPath(h)
	}
	var names []string
	for dir := e.Dir; ; dir = filepath.Dir(dir) {
		names = append(names, filepath.Join(dir, FileName))
		if dir == home || dir == "/" {
			return names
		}
	}
}

// read reads a policy file that is a regular file; anything else could block
// the start for ever.
func read(path, shown string) (*Source, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("the policy %q cannot be read: %w", shown, bare(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("the policy %q cannot be read: %w", shown, bare(err))
	}
	if info.IsDir() {
		return nil, fmt.Errorf("the policy %q is a folder; name the file in it, such as %s", shown, filepath.Join(shown, FileName))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the policy %q is no regular file (%s)", shown, info.Mode().Type())
	}
	// One byte more than is allowed, so that Parse sees that it is too long.
	content, err := io.ReadAll(io.LimitReader(f, policy.MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("the policy %q cannot be read: %w", shown, bare(err))
	}
	_, real := trail(path)
	return &Source{Path: shown, Real: real, Content: content}, nil
}

// bare is an error without the operation and path that the caller says better.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Dir is the folder that the file's relative paths begin in: the real file's,
// so that a link to a trusted policy elsewhere cannot point it at other
// folders.
func (s *Source) Dir() string { return filepath.Dir(s.Real) }

// Parse reads the policy, see policy.Parse.
func (s *Source) Parse() (*policy.SecurityContext, error) { return policy.Parse(s.Path, s.Content) }
