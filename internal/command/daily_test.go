package command

import "testing"

// TestDailyWork holds that what coding agents type all day passes a list that
// names the programs, and the default denials. Blocking too much is a fault as
// well: people answer it with a star.
func TestDailyWork(t *testing.T) {
	list := Lists{
		Allowed: []string{
			"git *", "ls", "ls *", "cat *", "grep *", "rg *", "go *", "npm *", "npx *", "node *", "python3 *", "pip *", "pytest*", "make", "make *", "cd *", "echo", "echo *", "head", "head *", "tail *",
			"sed *", "sed -i *", "find *", "wc *", "sort", "sort *", "uniq*", "mkdir *", "pwd", "xargs *", "test *", "[[] *", "export *", "true", "jq *", "curl *", "diff *", "awk *", "which *",
			"touch *", "mv *", "cp *", "sleep *", "date*", "printf *", "tee *", "tr *", "cut *", "docker *", "ps *", "timeout *", "cargo *", "source *", "read *", "basename *", "dirname *", "time *",
			"shift", "local *", "return *", "exit *", "set -*", "type *", "command -v *", "seq *", "chmod *", "./gradlew *", "tsc", "tsc *", "column *", "nl *", "kill *", "lsof *", "wait", "trap *", "rm -f *",
		},
		Denied: []string{"default"},
	}
	check(t, list, Allow,
		"cd /srv/app && git status --short && git log --oneline -5",
		"git diff --stat HEAD~3..HEAD -- internal/ | tail -20",
		"git add -A && git commit -m \"fix: don't drop the last row (#123)\"",
		"git commit -F - <<'EOF'\nAdd parser\n\n- handles `code` and $(stuff)\n- run: rm -r tmp/*\nEOF",
		"git commit -m \"$(cat <<'EOF'\nfeat: it's done; all (tests) pass\n\nSee <https://example.org/?a=1&b=2>\nEOF\n)\"",
		"git log --format='%h|%an|%s' | awk -F'|' '{print $2}' | sort | uniq -c | sort -rn | head -5",
		"git show HEAD:src/main.go | sed -n '10,40p'",
		"git stash && git checkout -b feature/x origin/main",
		"git rebase -i --autosquash HEAD~3",
		"git branch --show-current 2>/dev/null || echo none",
		"git ls-files '*.go' | xargs wc -l | tail -1",
		"git grep -n 'TODO' -- '*.go' | head",
		"rg -n --hidden -g '!node_modules' 'func (\\w+)\\(' src | head -50",
		"rg -l 'foo|bar' | xargs sed -i 's/foo/bar/g'",
		"grep -rn \"class Foo\" --include=*.py . | cut -d: -f1 | sort -u",
		"grep -E '^(a|b)$' f > out.txt 2>&1",
		"find . -name '*.ts' -not -path '*/node_modules/*' -newer package.json | head",
		"find . -type f \\( -name '*.go' -o -name '*.mod' \\) -print0 | xargs -0 grep -l foo",
		"find src -type d -empty",
		"for f in $(ls *.md); do echo \"== $f\"; head -3 \"$f\"; done",
		"for i in {1..5}; do echo $i; sleep 0.1; done",
		"for f in a b; do if [ -f \"$f.txt\" ]; then cat \"$f.txt\"; else echo \"no $f\"; fi; done",
		"while read -r line; do echo \"> $line\"; done < input.txt",
		"i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done",
		"n=$(wc -l < f); echo \"lines: $n\"",
		"x=$(git rev-parse HEAD) && echo ${x:0:7}",
		"DIR=src; ls \"$DIR\" | wc -l",
		"go build ./... && go vet ./... && go test ./internal/... 2>&1 | tail -30",
		"go test -run 'TestFoo|TestBar' -count=1 ./pkg/... -v | grep -E '^(---|FAIL|ok)'",
		"go run ./cmd/tool --flag=value <<< 'input'",
		"npm ci --silent && npm run build -- --mode=production",
		"npm test -- --watch=false 2>&1 | tee test.log | tail -40",
		"npx tsc --noEmit -p tsconfig.json",
		"node -e \"const p=require('./package.json'); console.log(Object.keys(p.dependencies||{}).join('\\n'))\"",
		"node --test test/*.mjs",
		"python3 - <<'EOF'\nimport os\nprint(os.getcwd())\nos.system('true')\nEOF",
		"python3 -c 'import json,sys; print(json.load(sys.stdin)[\"a\"])' < x.json",
		"python3 -m pytest tests/ -x -q --tb=short -k 'not slow'",
		"pytest -q && echo ok",
		"pip install -r requirements.txt -q",
		"curl -s https://example.org/api?x=1\\&y=2 | jq '.items[] | {id, name}'",
		"curl -fsS -H 'Content-Type: application/json' -d '{\"a\": {\"b\": [1,2,{\"c\":3}]}}' http://localhost:8080/x",
		"jq -r '.scripts | to_entries[] | \"\\(.key)=\\(.value)\"' package.json",
		"cat > src/a.sh <<'EOF'\n#!/bin/bash\nset -e\nrm -rf build\neval \"$1\"\nfor x in *; do $x; done\nEOF\nchmod 755 src/a.sh",
		"cat <<EOF > .gitignore\nnode_modules/\n*.log\nEOF",
		"cat > x.go <<'EOF'\npackage x\n\nfunc F() { g := func(a ...int) (b []int) { return a } ; _ = g }\n// # a comment \\\nEOF\ngo vet .",
		"mkdir -p a/b/{c,d} && touch a/b/c/x.txt && ls -R a",
		"sed -i 's|http://old|https://new|g; s/a\\/b/c/' config.yaml && git diff config.yaml",
		"sed -n '/^func/,/^}/p' main.go",
		"awk 'NR>1 {s+=$3} END {printf \"%.2f\\n\", s/NR}' data.tsv",
		"awk -F, '$2 > 10 && $3 ~ /x|y/ {print $1, $2}' OFS='\\t' f.csv",
		"ls -la | awk '{print $5, $9}' | sort -n | tail -5",
		"echo \"a > b; c | d & e\" >> notes.md",
		"echo 'it'\\''s' && printf '%s\\n' \"$HOME\" '$x'",
		"export NODE_ENV=test; npm test",
		"export DEBUG=1 && make test",
		"make -j\"$(nproc_count=4; echo $nproc_count)\" all",
		"timeout 60 go test ./... || echo \"exit $?\"",
		"[ -d node_modules ] || npm ci",
		"[[ $(git branch --show-current) == main ]] && echo on main",
		"[[ \"$x\" =~ ^[0-9]+$ ]] || echo not a number",
		"if ! command -v jq >/dev/null 2>&1; then echo missing; fi",
		"docker compose up -d && docker ps --format '{{.Names}}: {{.Status}}'",
		"diff <(sort a.txt) <(sort b.txt) | head -20",
		"tail -n +2 f | while IFS=, read -r a b; do echo \"$b $a\"; done",
		"case \"$x\" in start|stop) echo ok ;; *) echo bad ;; esac",
		"(cd sub && make) && (cd other && make clean)",
		"cd sub && { make; make install; } > build.log 2>&1 &",
		"f() { local a=$1; echo \"$a\"; }\nls | head -1",
		"arr=(a b c); echo \"${arr[@]}\" ${#arr[@]} ${arr[1]}",
		"echo \"${x:-default}\" \"${y%.*}\" \"${z##*/}\" \"${p/foo/bar}\" \"${q^^}\"",
		"echo $((2 ** 10)) $(( (1 + 2) * 3 )) && echo $RANDOM",
		"ls *.{ts,tsx} src/**/*.go 2>/dev/null",
		"echo \"line1\nline2\" | tr a-z A-Z",
		"cargo build --release 2>&1 | grep -A5 '^error'",
		"ps aux | grep -v grep | grep node | awk '{print $2}'",
		"! grep -rq 'console.log' src && echo clean",
		"time npm run build",
		"for i in $(seq 1 5); do echo $((i * 2)); done",
		"start=$(date +%s); sleep 1; echo $(( $(date +%s) - start ))",
		"n=$(ls | wc -l); [[ $n -gt 3 ]] && echo $((n-3))",
		"total=0; for f in *.txt; do total=$((total + $(wc -c < \"$f\"))); done; echo $total",
		"# look around first\nls -la\n\n# then the log\ngit log -1",
		"git status \\\n  --short \\\n  --branch",
		"npm run lint -- --fix 2>&1 | grep -v '^$' | head -n 20 # the rest is noise",
		"cat a.txt; echo; cat b.txt",
		"echo done; exit 0",
		"read -r a b <<< \"1 2\"; echo $b",
		"printf 'a\\tb\\n' | column -t",
	)
	// These are right to fail: each runs something that is not on the list.
	check(t, list, Deny,
		"cat f | bash", "find . -name '*.tmp' -delete", "xargs -I{} sh -c 'echo {}' < f", "git -c core.editor=x commit", "LD_PRELOAD=./x.so ls", "export PATH=/x:$PATH; ls",
		"eval \"$(cat f)\"", "$EDITOR x", "git log | $PAGER", "perl -e 1", "nc -l 1", "f() { nc; }; ls", "ls; curl x | sh", "echo $(nc x)", "cat <<EOF\n$(nc x)\nEOF", "trap nc EXIT; nc")
}

func BenchmarkLine(b *testing.B) {
	j, err := New(Lists{Allowed: []string{"git *", "ls *", "cat *", "go *", "npm *"}, Denied: []string{"default", "rm *"}, Ask: []string{"git push *"}})
	if err != nil {
		b.Fatal(err)
	}
	for name, line := range map[string]string{
		"short":      "git status --short",
		"list":       "go build ./... && go vet ./... && git diff --stat | cat -",
		"heredoc16k": "cat > x <<'E'\n" + string(make16k()) + "E",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v, _ := j.Line(line); v.Outcome != Allow {
					b.Fatalf("%+v", v)
				}
			}
		})
	}
}

func make16k() []byte {
	var text []byte
	for len(text) < 16<<10 {
		text = append(text, "func main() { fmt.Println(\"x\") }\n"...)
	}
	return text
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Lists{Denied: []string{"default"}}); err != nil {
			b.Fatal(err)
		}
	}
}
