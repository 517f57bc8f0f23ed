package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "paddock"

// pkg is one package of the repository, as its files have it.
type pkg struct {
	path  string // of import
	files []file
}

type file struct {
	name string // from the repository's root
	test bool
	ast  *ast.File
	text string
}

// imports are those of the files that are no tests.
func (p *pkg) imports() map[string]string {
	all := map[string]string{}
	for _, f := range p.files {
		if f.test {
			continue
		}
		for _, i := range f.ast.Imports {
			path, _ := strconv.Unquote(i.Path.Value) // it was parsed
			all[path] = f.name
		}
	}
	return all
}

// repository parses every Go file there is, for every system.
func repository(t *testing.T) []*pkg {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*pkg{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		at := module
		if dir := filepath.ToSlash(filepath.Dir(rel)); dir != "." {
			at += "/" + dir
		}
		if byPath[at] == nil {
			byPath[at] = &pkg{path: at}
		}
		byPath[at].files = append(byPath[at].files, file{name: rel, test: strings.HasSuffix(rel, "_test.go"), ast: parsed, text: string(text)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []*pkg
	for _, p := range byPath {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	if len(all) < 10 {
		t.Fatalf("only %d packages were found below %s", len(all), root)
	}
	return all
}
