package glob_test

import (
	"fmt"
	"testing"

	"paddock/internal/glob"
)

// manyGlobs makes n rules as people write them, one in ten with wildcards in the middle.
func manyGlobs(tb testing.TB, n int) []*glob.Glob {
	globs := make([]*glob.Glob, 0, n)
	for i := range n {
		var pattern string
		switch i % 20 {
		case 0:
			pattern = fmt.Sprintf("/root/gen%d*tmp/x", i)
		case 1:
			pattern = fmt.Sprintf("/root/**/part%d/*.go", i)
		case 2, 3, 4:
			pattern = fmt.Sprintf("/**/*.x%d", i)
		case 5, 6, 7, 8:
			pattern = fmt.Sprintf("/root/secret%d/**", i)
		case 9, 10:
			pattern = fmt.Sprintf("/**/temp%d", i)
		case 11:
			pattern = fmt.Sprintf("/reports/{a,b}%d.pdf", i)
		default:
			pattern = fmt.Sprintf("/root/docs/page%d.html", i)
		}
		globs = append(globs, mustCompile(tb, pattern))
	}
	return globs
}

var benchNames = []string{"/root/src/server/handlers/account/settings_page_test.go", "/src/server/handlers/account/settings_page_test.go"}

func BenchmarkSetFirst(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		set := glob.NewSet(manyGlobs(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				set.First(benchNames...)
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, pattern := range []string{"/root/src/**", "/**/*_test.go", "/root/**/account/*page*.go", "/root/src/server/main.go"} {
		g := mustCompile(b, pattern)
		b.Run(pattern[1:], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Match(benchNames[0])
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		glob.NewSet(manyGlobs(b, 10_000))
	}
}

// TestNoAllocation holds the promise that matching allocates nothing.
func TestNoAllocation(t *testing.T) {
	globs := manyGlobs(t, 1_000)
	set := glob.NewSet(globs)
	names := []string{benchNames[0], "/root/a/part1/x.go", "/root/secret5/x", "/reports/a11.pdf"}
	if n := testing.AllocsPerRun(100, func() { set.First(names...) }); n != 0 {
		t.Errorf("Set.First allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, g := range globs {
			g.Match(names[0])
		}
	}); n != 0 {
		t.Errorf("Glob.Match allocates %v times", n)
	}
	in, err := glob.CompileInclude("src/**/[a-z]*_{test,x}.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { in.Match("src/server/handlers/settings_test.go") }); n != 0 {
		t.Errorf("Include.Match allocates %v times", n)
	}
}
