package house

import (
	"go/ast"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every package says what it is for.
func TestPackagesAreDescribed(t *testing.T) {
	for _, p := range repository(t) {
		code, described := false, false
		for _, f := range p.files {
			if f.test {
				continue
			}
			code = true
			described = described || f.ast.Doc != nil && len(strings.Fields(f.ast.Doc.Text())) > 5
		}
		if code && !described {
			t.Errorf("%s has no comment that says what it is for", p.path)
		}
	}
}

// Nothing is left for later in the code: what is missing is told elsewhere.
func TestNothingIsLeftForLater(t *testing.T) {
	later := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX|HA` + `CK)\b`)
	for _, p := range repository(t) {
		for _, f := range p.files {
			for _, group := range f.ast.Comments {
				if word := later.FindString(group.Text()); word != "" {
					t.Errorf("%s: a comment says %s", f.name, word)
				}
			}
		}
	}
}

// A regular expression of a package variable is compiled at every start of
// the program, which has a budget of milliseconds.
func TestNoRegexpAtStart(t *testing.T) {
	for _, p := range repository(t) {
		for _, f := range p.files {
			if f.test {
				continue
			}
			for _, d := range f.ast.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range g.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok {
						continue
					}
					for _, value := range v.Values {
						if compiles(value) {
							t.Errorf("%s: %s is compiled at start", f.name, v.Names[0])
						}
					}
				}
			}
		}
	}
}

// compiles tells whether an expression calls regexp.MustCompile when it is
// evaluated, not when a function in it is called.
func compiles(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, later := n.(*ast.FuncLit); later {
			return false
		}
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "regexp" && strings.HasPrefix(s.Sel.Name, "MustCompile") {
				found = true
			}
		}
		return true
	})
	return found
}

// The decision corpus says how to read it.
func TestCorpusIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../../testdata/decisions/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"source", "policy"} {
		if !strings.Contains(string(text), word) {
			t.Errorf("testdata/decisions/README.md does not speak of %q", word)
		}
	}
}
