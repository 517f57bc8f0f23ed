package tool

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"

	"paddock"
)

// hashOf starts a digest. MD5 and SHA-1 are there to compare with lists of
// others; nothing is decided by them.
func hashOf(algorithm string) (hash.Hash, error) {
	switch algorithm {
	case "sha256":
		return sha256.New(), nil
	case "sha512":
		return sha512.New(), nil
	case "sha1":
		return sha1.New(), nil
	case "md5":
		return md5.New(), nil
	}
	return nil, errorf("algorithm must be sha256, sha512, sha1 or md5, and not %s", quoted(algorithm))
}

// fileHash computes a digest of a file of any size, in bounded memory.
func fileHash(ctx context.Context, c *paddock.Call, path, algorithm string, progress Progress) (Result, error) {
	h, err := hashOf(algorithm)
	if err != nil {
		return Result{}, err
	}
	f, err := c.Open(ctx, path)
	if err != nil {
		return Result{}, err
	}
	defer f.Close() // only read
	info := f.Info()
	size, err := io.CopyBuffer(h, cancelled{ctx, watched(f, info.Size, &clock{limit: math.MaxInt64}, progress)}, make([]byte, blockSize))
	if err != nil {
		return Result{}, readFailed(path, err)
	}
	out := fileAnswer{
		Operation: "hash", Path: Spell(info.Path), Algorithm: algorithm, Digest: hex.EncodeToString(h.Sum(nil)), described: described{Size: &size},
	}
	return Result{Text: fmt.Sprintf("%s  %s\n\n[%s of %s]", out.Digest, out.Path, algorithm, plural(int(size), "byte", "bytes")), Structured: out}, nil
}

// cancelled is a reader that ends with the call.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
