//go:build !unix

package disk

import (
	"os"

	"paddock/backend"
)

const (
	nonblock   = 0
	folderSync = false
)

// identity is not in what this system tells of a file by its name.
func identity(os.FileInfo) (backend.ID, uint64) { return backend.ID{}, 0 }
