//go:build unix

package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"paddock"
	"paddock/backend/disk"
	"paddock/tool"
)

// peer is one search, and the same by another program.
type peer struct {
	name, tool, args string
	argv             []string
}

// rg is a ripgrep that leaves as little out as grep does.
func rg(more ...string) []string {
	return append([]string{"rg", "--no-ignore", "--hidden", "--no-messages", "-j2"}, more...)
}

func fd(more ...string) []string {
	return append([]string{"fd", "--no-ignore", "--hidden", "-j2"}, more...)
}

// peers are searches that find little, so that all of a tree is searched.
var peers = []peer{
	{"literal, rare", "grep", `{"pattern":"reallyRareNeedle"}`, rg("-l", "-F", "reallyRareNeedle", ".")},
	{"literal, counted", "grep", `{"pattern":"ErrUnexpectedEOF","output_mode":"count"}`, rg("-c", "-F", "ErrUnexpectedEOF", ".")},
	{"literal, lines", "grep", `{"pattern":"errTooManyNeedles","output_mode":"content","context":1}`, rg("-n", "-C1", "-F", "errTooManyNeedles", ".")},
	{"literal, any case", "grep", `{"pattern":"REALLYRARENEEDLE","ignore_case":true}`, rg("-l", "-i", "-F", "REALLYRARENEEDLE", ".")},
	{"regex led by a literal", "grep", `{"pattern":"reallyRare[A-Z]\\w+le\\b","regex":true}`, rg("-l", `reallyRare[A-Z]\w+le\b`, ".")},
	{"regex with a literal", "grep", `{"pattern":"\\w+RareNeedle\\d*","regex":true}`, rg("-l", `\w+RareNeedle\d*`, ".")},
	{"regex, alternatives", "grep", `{"pattern":"reallyRareNeedle|utterlyLostPin","regex":true}`, rg("-l", `reallyRareNeedle|utterlyLostPin`, ".")},
	{"regex, any case", "grep", `{"pattern":"really(rare|lost)needle","regex":true,"ignore_case":true}`, rg("-l", "-i", `really(rare|lost)needle`, ".")},
	{"regex, no literal", "grep", `{"pattern":"[A-Z]{6}[0-9]{5}[a-z]{3}","regex":true}`, rg("-l", `[A-Z]{6}[0-9]{5}[a-z]{3}`, ".")},
	{"names, by ending", "glob", `{"pattern":"*_windows_test.go"}`, fd("-g", "*_windows_test.go")},
	{"names, by path", "glob", `{"pattern":"**/testdata/**/*.golden"}`, fd("-p", "-g", "**/testdata/**/*.golden")},
}

// BenchmarkPeers searches the tree BENCH_TREE by grep and glob and by the
// programs people use for it, in turns that change sides, and tells the ratio
// of the medians, and of the processor time, which a busy machine distorts less. scripts/bench-search makes a tree and runs it.
func BenchmarkPeers(b *testing.B) {
	root := os.Getenv("BENCH_TREE")
	if root == "" {
		b.Skip("BENCH_TREE names no folder to search: see scripts/bench-search")
	}
	tree, err := disk.Open(root)
	if err != nil {
		b.Fatal(err)
	}
	g, err := paddock.NewUnrestricted(tree)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	tools := map[string]tool.Tool{}
	for _, one := range tool.Rules() {
		tools[one.Name] = one
	}
	for _, p := range peers {
		b.Run(p.name, func(b *testing.B) {
			exe, err := exec.LookPath(p.argv[0])
			if p.argv[0] == "fd" && err != nil {
				exe, err = exec.LookPath("fdfind")
			}
			if err != nil {
				b.Skip("no peer to compare with: ", err)
			}
			var busy, peerBusy time.Duration // of all processors
			found, peerFound := 0, 0
			ours := func() {
				begun := busyTime(b)
				defer func() { busy += busyTime(b) - begun }()
				r := tool.Run(context.Background(), g, tools[p.tool], json.RawMessage(p.args), nil)
				if r.IsError {
					b.Fatal(r.Text)
				}
				found = filesOf(b, r)
			}
			theirs := func() {
				cmd := exec.Command(exe, p.argv[1:]...)
				cmd.Dir = root
				var out, errs bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errs
				if err := cmd.Run(); err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) {
					b.Fatalf("%v: %v: %s", p.argv, err, errs.String())
				}
				peerFound = bytes.Count(out.Bytes(), []byte("\n"))
				peerBusy += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			ours() // both find a warm cache
			theirs()
			if !slices.Contains(p.argv, "-n") && found != peerFound {
				b.Errorf("%d files are found, and %d by %s", found, peerFound, p.argv[0])
			}
			var us, them []time.Duration
			took := func(f func()) time.Duration {
				begun := time.Now()
				f()
				return time.Since(begun)
			}
			for i := 0; b.Loop(); i++ {
				if i%2 == 0 {
					us = append(us, took(ours))
					them = append(them, took(theirs))
				} else {
					them = append(them, took(theirs))
					us = append(us, took(ours))
				}
			}
			a, z := median(us), median(them)
			b.ReportMetric(0, "ns/op") // of both together: no use
			b.ReportMetric(a.Seconds()*1e3, "ms")
			b.ReportMetric(z.Seconds()*1e3, "peer-ms")
			b.ReportMetric(float64(a)/float64(z), "ratio")
			b.ReportMetric(float64(busy)/float64(peerBusy), "cpu-ratio")
		})
	}
}

// filesOf is how many files an answer is about.
func filesOf(b *testing.B, r tool.Result) int {
	b.Helper()
	text, err := json.Marshal(r.Structured)
	if err != nil {
		b.Fatal(err)
	}
	var of struct{ Files []json.RawMessage }
	if err := json.Unmarshal(text, &of); err != nil {
		b.Fatal(err)
	}
	return len(of.Files)
}

// busyTime is the processor time that this process has had.
func busyTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}
