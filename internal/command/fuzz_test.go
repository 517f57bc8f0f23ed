package command

import "testing"

// FuzzLine holds that no line makes the judge panic, and that what is denied
// stays denied when it is wrapped.
func FuzzLine(f *testing.F) {
	for _, s := range []string{
		"zap", "echo $(zap)", "z''ap x", "cat <<E\n$(zap)\nE", "f() { zap; }; f", "x=zap; $x", "eval 'zap'", "bash -c 'zap'", "a=(1 $(zap))", "(( x[$(zap)] ))",
		"[[ -v 'a[$(zap)]' ]]", "find . -exec zap {} +", "for i in zap; do $i; done", "case x in x) zap;; esac", "echo \r zap", "za\\\np",
		"sed -n '1e zap'", "awk 'BEGIN{system(\"zap\")}'", "git -c a=b push", "env -S 'zap x'", "{zap,x}", "${x@P}", "echo zap | xargs -I{} {}", "<(", "\xff", "((", "coproc zap", "$'\\x7aap'",
	} {
		f.Add(s)
	}
	deny, err := New(Lists{Denied: []string{"zap*", `re:\bpush\b`, "rm *"}})
	if err != nil {
		f.Fatal(err)
	}
	list, err := New(Lists{Allowed: []string{"echo *", "cat *", "find *"}, Denied: []string{"default"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		list.line(line)
		before, _ := deny.line(line)
		if before.Outcome != Deny || len(line) > maxLine-16 {
			return
		}
		// A wrapped line is the same commands only if it is complete.
		if src := parse(line); src.err != nil || len(src.stmts) == 0 {
			return
		}
		for _, wrapped := range []string{"(" + line + "\n)", "{ " + line + "\n}", "true && { " + line + "\n}"} {
			if src := parse(wrapped); src.err != nil {
				continue
			}
			if after, _ := deny.line(wrapped); after.Outcome != Deny {
				t.Errorf("%q is denied (%+v), %q is not", line, before, wrapped)
			}
		}
	})
}
