package command

import "testing"

// TestParserDisagrees holds texts that the parser reads differently from bash,
// found by comparing the two.
func TestParserDisagrees(t *testing.T) {
	lines := []string{
		"echo a #\\\nzap", "echo a # b \\\nzap", "x=(a)#; zap", "echo `<<E`\nzap\nE", "echo $(cat <<E)\nzap\nE", "echo $(cat <<E\nE)\nzap\nE\n)", "x[x{]=1x'' zap", "((echo a); zap)", "echo a\rb\nzap",
		"if true; then # c \\\nzap; fi", "cat <<E\n$(zap)", "zap\nif", "echo a\n)\n", "$((echo a); zap)",
	}
	for _, line := range lines {
		if line != "echo a\n)\n" {
			check(t, Lists{Denied: []string{"zap*"}}, Deny, line)
		}
		check(t, Lists{Allowed: []string{"re:^echo( |$)", "cat *"}}, Deny, line)
	}
}

// TestDisguises holds a denied command in the disguises that people and models
// have used, beside a list of harmless ones.
func TestDisguises(t *testing.T) {
	list := Lists{Allowed: []string{"ls", "ls *", "echo *", "cat *"}, Denied: []string{"touch *", "rm *"}, Unlisted: UnlistedAsk}
	check(t, list, Deny,
		"ls ; touch M", "ls || touch M", "ls\ntouch M", "ls\n\ttouch M", "ls;touch M", "ls&&touch M", "echo 'a'; touch M", "echo \"a\"&&touch M", "echo `touch M`", "{ touch M; }", "cat <<E\n$(touch M)\nE", "cat <<E $(touch M)\nx\nE",
		"echo ${x:-$(touch M)}", "echo $(( $(touch M) ))", "sh -c 'touch M'", "sh -c \"touch M\"", "source <(echo touch M)", "t\\ouch M", "\"touch\" M", "'tou'ch M", "tou$@ch M", "tou${x}ch M", "./touch M", "../../bin/touch M",
		"env touch M", "env -i touch M", "env A=1 touch M", "A=1 touch M", "sudo touch M", "sudo -u x touch M", "xargs touch M", "echo M | xargs touch", "busybox touch M", "builtin command touch M", "exec touch M", "alias ls='touch M'; ls",
		"for i in 1; do touch M; done", "while touch M; do break; done", "until touch M; do :; done", "case x in x) touch M;; esac", "coproc touch M", "function f { touch M; }; f", "f() (touch M); f", "! touch M", "touch M &", "(ls; (touch M))",
		"[[ -n $(touch M) ]]", "ls > $(touch M)", "ls 2>&1 >/dev/null; touch M", "ls # x\ntouch M", "ls \\\n; touch M", "touch \\\n M", "tou\\\nch M", "TOUCH M", "touch\tM", "  touch M", "$'touch' M", "$'\\164ouch' M", "$\"touch\" M", "x=touch; $x M",
		"x=touch\n$x M", "x='touch M'; eval $x", "eval \"touch M\"", "bash <<< 'touch M'", "bash <<E\ntouch M\nE", "echo 'touch M' | sh", "printf 'touch M' | bash -s", "find . -exec touch M \\;", "trap 'touch M' EXIT", "set -- touch M; \"$@\"",
		"a=(touch M); ${a[@]}", "{touch,M}", "/bin/tou?h M", "/bin/[t]ouch M", "time touch M", "nohup touch M &", "timeout 5 touch M", "stdbuf -o0 touch M", "rm f", "ls && cd x && rm f", "echo \"$(rm f)\"", "echo \"$(echo \"$(rm f)\")\"", "awk 'BEGIN{system(\"rm f\")}'",
		"echo hi > >(touch M)", "cat <(touch M)", "ls | tee >(touch M)", "ls |& touch M", "export X=$(touch M)", "local x=$(touch M)", "readonly x=`touch M`", "x=$(touch M)", "x+=$(touch M)", "x[0]=$(touch M)", "(( x = $(touch M) ))", "let x=$(touch M)")
	check(t, list, Ask,
		"$UNKNOWN M", "$(cat x) M", "echo dG91Y2g= | base64 -d | sh", "python3 -c 'x'", "lsblk", "lsof -i", "./x.sh", "bash x.sh", "echo \"unterminated", "ls =(touch)", "touch\u00a0M", "git diff --", "curl http://x", "source ./x", "touch")
	check(t, list, Allow,
		"ls", "ls -la | cat -", "echo touch M", "echo 'touch M'", "echo \"rm f; touch M\"", "cat <<'E'\ntouch M\nE", "cat <<E\nrm f\nE", "echo a # touch M", "ls 2>/dev/null", "echo x > touch", "echo \\; touch M", "echo a\\\n touch M", "cat touch", "x=touch; echo $x M")
	reading := Lists{Allowed: []string{"make *", "vim *", "uniq *", "xxd *", "cargo *", "less *"}}
	check(t, reading, Allow, "make -f x all", "vim +12 f", "uniq -c f", "uniq -f 1 f", "xxd -l 16 f", "cargo build --release", "less +5 f")
	check(t, reading, Deny, "make -f - <<E\nx:;rm y\nE", "make -f /dev/stdin", "make -f <(echo x)", "make --file=-", "vim '+!rm x' f", "vim -c '!rm x'", "uniq f g", "uniq -f 1 f g", "xxd f g", "cargo --config x build", "less '+!rm x' f")
}
