package disk

import (
	"fmt"
	"io"
	"os"
	"slices"

	"paddock/backend"
)

// Where a folder takes "Secret.ENV" for "secret.env", one object has many
// spellings, and a pattern that denies one of them denies nothing. So a tree that
// folds names takes only the spelling that its listing shows.

// errSpelling refuses the others. It does not tell the right one: that name may
// be hidden.
var errSpelling = fmt.Errorf("%w: it is spelled differently here", backend.ErrName)

// listed says whether an open folder shows a name exactly so.
func listed(folder *os.File, part string) (bool, error) {
	for {
		names, err := folder.Readdirnames(1024)
		if slices.Contains(names, part) {
			return true, nil
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}
