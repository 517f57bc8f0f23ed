package disk

import "io/fs"

// failed names the operation and the object in an error. It carries the
// backend's name, never a path of the host.
func failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}
