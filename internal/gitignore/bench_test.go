package gitignore_test

import (
	"fmt"
	"strings"
	"testing"

	"paddock/internal/gitignore"
)

// benchLines makes a list of n patterns as people write them, one in ten with a wildcard in the middle.
func benchLines(n int) []string {
	lines := make([]string, 0, n)
	for i := range n {
		var line string
		switch i % 20 {
		case 0:
			line = fmt.Sprintf("gen%d*tmp", i)
		case 1:
			line = fmt.Sprintf("src/*/part%d", i)
		case 2, 3, 4:
			line = fmt.Sprintf("*.x%d", i)
		case 5, 6:
			line = fmt.Sprintf("cache%d*", i)
		case 7, 8:
			line = fmt.Sprintf("/out%d/", i)
		case 9:
			line = fmt.Sprintf("vendor/pkg%d/**", i)
		case 10:
			line = fmt.Sprintf("!keep%d.txt", i)
		case 11, 12:
			line = fmt.Sprintf("**/temp%d/", i)
		case 13, 14:
			line = fmt.Sprintf("/docs/api/page%d.html", i)
		default:
			line = fmt.Sprintf("name%d.log", i)
		}
		lines = append(lines, line)
	}
	return lines
}

// hardLines makes lists in which every pattern has wildcards in the middle.
var hardLines = map[string]func(i int) string{
	"inner":   func(i int) string { return fmt.Sprintf("*mid%d*", i) },
	"dirs":    func(i int) string { return fmt.Sprintf("src/**/x%d*.go", i) },
	"letters": func(i int) string { return fmt.Sprintf("*%c*%c*%c*", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26) },
	"classes": func(i int) string { return fmt.Sprintf("[a-m]*[0-%d]?%c*%c", i%9+1, 'a'+i/9%26, 'a'+i/234%26) },
	"sets": func(i int) string {
		return fmt.Sprintf("[%c-z]*[a-%c]?[!%d]*[%c_]", 'a'+i%23, 'c'+i/23%23, i%10, 'a'+i/529%19)
	},
	"questions": func(i int) string { return strings.Repeat("?", i%100+1) + strings.Repeat("*?", i/100+1) },
	"folders":   func(i int) string { return fmt.Sprintf("**/[a-%c]*/**/*%c*/**/?%d*", 'b'+i%24, 'a'+i/24%24, i%10) },
	"samedirs":  func(i int) string { return fmt.Sprintf("src/**/*%d?/**/*_test.go", i) },
	"between":   func(i int) string { return fmt.Sprintf("s*%d*t.go", i) },
}

const benchPath = "src/server/handlers/account/settings_page_test.go"

func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("usual/%d", n), func(b *testing.B) { benchMatch(b, benchLines(n)) })
	}
	for name, line := range hardLines {
		lines := make([]string, 10_000)
		for i := range lines {
			lines[i] = line(i)
		}
		b.Run(name+"/10000", func(b *testing.B) { benchMatch(b, lines) })
	}
}

func benchMatch(b *testing.B, lines []string) {
	list, err := gitignore.Compile(lines)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		list.Match(benchPath, false)
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		lines := benchLines(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := gitignore.Compile(lines); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
