//go:build amd64 || arm64

package sandbox_test

import (
	"os"
	"testing"

	"paddock/policy"
)

// TestWork does what agents do all day. A program that this machine does not
// have among the system's own is named, and its part left out.
func TestWork(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes: left to the run without -short")
	}
	for _, job := range []struct{ needs, line, want string }{
		{"/usr/bin/git", `git init -q r && cd r && echo a >a && git add -A && git commit -qm one && git branch b && git worktree add -q ../wt b &&
			cd ../wt && echo b >>a && git commit -qam two && cd ../r && git merge -q b && git stash list && git gc -q && git log --oneline | wc -l`, "2\n"},
		{"/usr/bin/sort", `seq 1000 | grep 7 | sort -rn | head -1; cat <<X
here $((1+1))
X
			bash -c 'diff <(echo a) <(echo a) && echo same'; mktemp -d >/dev/null && echo temp; printf x | tee f | wc -c; tar cf a.tar f && tar tf a.tar`, "997\nhere 2\nsame\ntemp\n1\nf\n"},
		{"/usr/bin/gcc", `printf 'all: a b\n\t./a\na b:\n\techo "int main(){puts(\\"$@\\");return 0;}" | gcc -w -include stdio.h -xc -o $@ -\n' >Makefile && make -s -j4`, "a\n"},
		{"/usr/bin/python3", `python3 -c 'import sqlite3,multiprocessing,tempfile,socket
c = sqlite3.connect("x.db"); c.execute("pragma journal_mode=wal"); c.execute("create table t(a)"); c.commit()
print(multiprocessing.Pool(2).map(abs, [-1, -2]), tempfile.TemporaryFile().write(b"x"), len(socket.socketpair()))'`, "[1, 2] 1 2\n"},
		{"/usr/bin/node", `node -e 'const c = require("child_process"); console.log(c.execSync("echo child").toString().trim(), c.spawnSync("cat", {input: "in"}).stdout.toString())'`, "child in\n"},
		{"/usr/bin/perl", `perl -e 'print "ok\n" if open my $p, "-|", "echo x"'`, "ok\n"},
	} {
		t.Run(job.needs, func(t *testing.T) {
			if _, err := os.Stat(job.needs); err != nil {
				t.Skipf("this machine has no %s", job.needs)
			}
			both(t, func(t *testing.T) {
				w := openWorld(t, policy.Limits{})
				out, r := w.run("export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n" + job.line)
				if out != job.want || r.ExitCode != 0 {
					t.Errorf("%+v\n%s", r, out)
				}
			})
		})
	}
}
