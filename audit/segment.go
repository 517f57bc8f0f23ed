package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// segmentName writes the name of the n-th file of a log; names sort by age.
func segmentName(n int) string { return fmt.Sprintf("audit-%06d.jsonl", n) }

// segments lists a log's files, oldest first.
func segments(dir string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "audit-[0-9][0-9][0-9][0-9][0-9][0-9].jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	return all, nil
}

// Size tells how large a log is, in bytes: another size means other records.
func Size(dir string) (int64, error) {
	all, err := segments(dir)
	if err != nil {
		return 0, err
	}
	var size int64
	for _, file := range all {
		info, err := os.Stat(file)
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	return size, nil
}

func segmentNumber(file string) int {
	var n int
	_, _ = fmt.Sscanf(filepath.Base(file), "audit-%06d.jsonl", &n) // segments lists no other name
	return n
}

// lastLine finds the last whole line of a file and how many bytes stand after
// it: those of a record that was being written when its writer died.
func lastLine(f *os.File, size int64) (line []byte, torn int64, err error) {
	const chunk = 64 << 10
	var tail []byte
	for at := size; at > 0; {
		n := min(int64(chunk), at)
		at -= n
		part := make([]byte, n)
		if _, err := f.ReadAt(part, at); err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, err
		}
		tail = append(part, tail...)
		end := bytes.LastIndexByte(tail, '\n')
		if end < 0 {
			continue
		}
		if begin := bytes.LastIndexByte(tail[:end], '\n'); begin >= 0 || at == 0 {
			return tail[begin+1 : end], int64(len(tail) - end - 1), nil
		}
	}
	return nil, int64(len(tail)), nil
}
