package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkGrep searches a tree of 2,000 files by grep and by the plainest
// loop there is, so that the ratio of one run can be read off.
func BenchmarkGrep(b *testing.B) {
	g, base, _ := folder(b, nil)
	line := strings.Repeat("func something(with text) { return nil }\n", 150)
	for i := range 2000 {
		dir := filepath.Join(base, fmt.Sprintf("d%02d", i%40))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(line+fmt.Sprintf("needle%d\n", i%100)), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				content, err := os.ReadFile(path)
				bytes.Contains(content, []byte("needle77"))
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, c := range []struct{ name, args string }{
		{"literal", `{"pattern":"needle77"}`},
		{"ignore case", `{"pattern":"NEEDLE77","ignore_case":true}`},
		{"regex led by a literal", `{"pattern":"needle7[7]$","regex":true}`},
		{"regex", `{"pattern":"^[m-o]e+dle77$","regex":true}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if r := Run(context.Background(), g, grepFiles(), json.RawMessage(c.args), nil); r.IsError {
					b.Fatal(r.Text)
				}
			}
		})
	}
}
