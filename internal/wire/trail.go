package wire

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links the kernel follows in one path.
const maxLinks = 40

// trail lists the objects by which an absolute path leads where it leads: each
// symbolic link on the way, by the real path of its name, and last the real
// path of the end, whether it is there or not. Who replaces one of them changes
// what the path means.
func trail(path string) (links []string, end string) {
	parts := split(path)
	at := "/"
	for followed := 0; len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		if part == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		target, err := os.Readlink(next)
		if err != nil || followed == maxLinks {
			at = next
			continue
		}
		followed++
		links = append(links, next)
		if filepath.IsAbs(target) {
			at = "/"
		}
		parts = append(split(target), parts...)
	}
	return links, at
}

// split takes a path apart without cleaning it: a/../b is not b when a is a
// link.
func split(path string) []string {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}
