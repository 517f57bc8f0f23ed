package cases

import (
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
)

// A testStep is something that the test does between the calls.
var testSteps = []struct {
	says *regexp.Regexp
	do   func(r *run, part []string) answer
}{
	{regexp.MustCompile(`^load policy`), func(r *run, _ []string) answer { return r.loaded() }},
	{regexp.MustCompile(`^start the guard`), func(r *run, _ []string) answer { return r.loaded() }},
	{regexp.MustCompile(`^replace (/\S+) by a link to (/\S+)$`), func(r *run, part []string) answer {
		r.check(os.Rename(part[1], part[1]+".before"))
		r.check(os.Symlink(part[2], part[1]))
		return answer{verdict: "ok"}
	}},
	{regexp.MustCompile(`^another process appends (\S+) to (/\S+)$`), func(r *run, part []string) answer {
		f, err := os.OpenFile(part[2], os.O_APPEND|os.O_WRONLY, 0)
		r.check(err)
		_, err = f.WriteString(part[1] + "\n")
		r.check(err)
		r.check(f.Close())
		return answer{verdict: "ok"}
	}},
	{regexp.MustCompile(`^(?:another process )?(?:renames|moves|rename|move) (/\S+) to (/\S+)$`), func(r *run, part []string) answer {
		r.check(os.Rename(part[1], part[2]))
		return answer{verdict: "ok"}
	}},
	{regexp.MustCompile(`^(?:another process )?(?:writes|write) (\S+) to (/\S+)$`), func(r *run, part []string) answer {
		r.write(part[2], []byte(part[1]+"\n"))
		return answer{verdict: "ok"}
	}},
	{regexp.MustCompile(`^(?:another process )?(?:makes|creates|make|create) (?:the folder |a folder )?(/\S+)$`), func(r *run, part []string) answer {
		r.mkdir(part[1])
		return answer{verdict: "ok"}
	}},
	{regexp.MustCompile(`^(?:another process )?(?:removes|deletes|remove|delete) (/\S+)$`), func(r *run, part []string) answer {
		r.check(os.RemoveAll(part[1]))
		return answer{verdict: "ok"}
	}},
	{regexp.MustCompile(`^limit file size to (\d+) bytes`), func(r *run, part []string) answer {
		r.limitFileSize(10)
		return answer{verdict: "ok"}
	}},
}

// testStep does what a case asks the test to do.
func (r *run) testStep(says string) answer {
	for _, step := range testSteps {
		if part := step.says.FindStringSubmatch(says); part != nil {
			return step.do(r, part)
		}
	}
	r.t.Errorf("the runner does not know the step %q", says)
	return answer{verdict: "error"}
}

func (r *run) loaded() answer {
	if r.loadErr != nil {
		return answer{verdict: "load-error", text: r.loadErr.Error()}
	}
	return answer{verdict: "ok"}
}

// limitFileSize makes the disk refuse what is longer, until the case ends.
func (r *run) limitFileSize(bytes uint64) {
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	r.check(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	limit := syscall.Rlimit{Cur: bytes, Max: old.Max}
	r.check(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	r.restore = func() {
		r.check(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old))
		signal.Reset(syscall.SIGXFSZ)
	}
}

// swapNote is a remark that something is exchanged all the while.
var swapNote = regexp.MustCompile(`swap\w* (\$P/[\w/.-]+).*link to (\$[A-Z])`)

// background starts what a case's note says goes on meanwhile.
func (r *run) background() (stop func()) {
	note := swapNote.FindStringSubmatch(r.c.Input.Note)
	if note == nil {
		return func() {}
	}
	return r.swapping(filepath.Clean(r.place(note[1])), r.place(note[2]))
}
