package command

// A sample is a generated line that may run the program zap.
type sample struct {
	line string
	// seen: the line shows by itself that zap runs, so a list that denies zap
	// must deny it. Else only a list that allows other things must not allow it.
	seen bool
	// decoy: zap is mentioned and not run, and every command is harmless.
	decoy bool
}

// A production is one way of running zap. In its text Z stands for the name in
// some spelling, N for an argument, and zap for itself.
type production struct {
	text string
	seen bool
}

// spellings of the name that bash reads as zap whatever the line says before.
var zapSpellings = []string{
	"zap", "zap", "zap", `'zap'`, `"zap"`, `z"a"p`, `\zap`, `z\ap`, `$'zap'`, `$'\x7aap'`, `$'\172ap'`, `z$'a'p`,
	`za''p`, `""zap`, "za\\\np", "bin/zap", "./bin/zap", `b'in/z'ap`, `$'z\u0061p'`,
}

var zapDirect = []production{
	{"Z", true}, {"Z N", true}, {"Z >f N", true}, {">f Z", true}, {"2>&1 Z </dev/null", true}, {"A=1 Z", true}, {"A=1 B=$A Z N", true},
	{"! Z", true}, {"time Z", true}, {"time -p Z", true}, {"Z &\nwait", true}, {"Z; Z", true}, {"Z <<<N", true}, {"Z <<E\nN\nE", true},
	{"env Z", true}, {"env A=1 Z N", true}, {"env -u A -- Z", true}, {"env --unset=A Z", true}, {"nohup Z", true}, {"timeout 9 Z", true},
	{"timeout -s KILL 9 Z", true}, {"timeout --signal=KILL 9 Z", true}, {"timeout -k 1 9 Z", true}, {"nice Z", true}, {"nice -n 5 Z", true},
	{"nice -5 Z", true}, {"command Z", true}, {"exec Z", true}, {"exec -a x Z", true}, {"builtin command Z", true}, {"stdbuf -oL Z", true},
	{"stdbuf -o L Z", true}, {"setsid -w Z", true}, {"setsid Z; sleep 0.05", true}, {"nohup timeout 9 nice -n 1 env A=1 Z N", true},
	{"env -S 'zap N'", true}, {"env -S'zap N'", true}, {"env --split-string='zap N'", true}, {"flock f Z", true}, {"xargs Z </dev/null", true},
	{"echo N | xargs Z", true}, {"echo N | xargs -n 1 -I{} Z {}", true}, {"echo zap | xargs -I{} {}", true}, {"echo zap | xargs env", true},
	{"echo zap | xargs -I% env %", true}, {"find . -maxdepth 0 -exec zap {} \\;", true}, {"find . -maxdepth 0 -exec zap {} +", true},
	{"find . -maxdepth 0 -exec env zap {} \\;", true}, {"find . -maxdepth 0 -exec sh -c zap \\;", true}, {"(command -v echo; Z)", true},
	{"ionice -c 3 Z", true}, {"builtin exec Z", true}, {"{ Z; } 2>/dev/null", true},
}

var zapInside = []production{
	{"echo $(Z)", true}, {"echo `Z`", true}, {`echo "x $(Z) y"`, true}, {"echo \"x `Z` y\"", true}, {"cat <(Z)", true}, {"echo x > >(Z); sleep 0.05", true},
	{"echo ${u:-$(Z)}", true}, {"echo ${u:=`Z`}", true}, {`echo "${u:-$(Z)}"`, true}, {`echo "${u-"$(Z)"}"`, true}, {"echo ${HOME+$(Z)}", true},
	{"echo ${HOME#$(Z)}", true}, {"echo ${HOME/$(Z)/x}", true}, {"echo ${HOME:$(Z)0:1}", true}, {"echo $(( $(Z)0 + 1 ))", true}, {"echo $[ $(Z)0 + 1 ]", true},
	{"a=$(Z)", true}, {"a=$(Z) true", true}, {"a=(x $(Z))", true}, {"a+=( [1]=$(Z) )", true}, {"a[$(Z)0]=1", true}, {"export a=$(Z)", true},
	{"declare a=$(Z) b", true}, {"readonly r=`Z`", true}, {"let x=$(Z)1", true}, {"(( x = $(Z)0 ))", true}, {"[[ -n $(Z) ]]", true}, {"[[ x == $(Z)* ]]", true},
	{"[ -n \"$(Z)\" ]", true}, {"cat <<E\n$(Z)\nE", true}, {"cat <<-E\n\t`Z`\n\tE", true}, {"cat <<<$(Z)", true}, {"cat <<E; echo N\n${u:-$(Z)}\nE", true},
	{"case $(Z) in *) echo N;; esac", true}, {"case x in $(Z)x) echo N;; esac", true}, {"for i in $(Z); do echo $i; done", true},
	{"for ((i=$(Z)0; i<1; i++)); do echo $i; done", true}, {"echo $(echo $(echo $(Z)))", true}, {"echo `echo \\`Z\\``", true}, {"echo \"$(echo \"$(Z)\")\"", true},
	{"echo > $(Z)f", true}, {"echo {a,$(Z)}", true}, {"echo N | cat - <(Z)", true}, {"f() { echo $(Z); }; f", true}, {"echo $(cat <<E\n$(Z)\nE\n)", true},
	{"echo $\\\n(Z)", true}, {"ls | Z", true}, {"ls |& Z", true}, {"true && Z", true}, {"false || Z", true}, {"echo N; Z # comment", true}, {"echo N &\nZ; wait", true},
	{"echo N # comment\nZ", true}, {"echo 'a\nb'\nZ", true}, {"echo \"a\n\"; Z", true}, {"cat <<'E'\n$(true)\nE\nZ", true},
	{"if Z; then echo N; fi", true}, {"if true; then Z; fi", true}, {"if false; then echo; elif Z; then echo; fi", true}, {"if false; then echo; else Z; fi", true},
	{"while Z; do break; done", true}, {"until Z; do break; done", true}, {"for i in 1; do Z; done", true}, {"for i in 1; { Z; }", true}, {"case x in x) Z;; esac", true},
	{"case x in (x) Z;& y) echo N;; esac", true}, {"f() { Z; }; f", true}, {"function f { Z; }; f", true}, {"f() ( Z ); f", true}, {"coproc Z; wait", true},
	{"coproc C { Z; }; wait", true}, {"(Z)", true}, {"((Z) )", true}, {"{ Z; }", true}, {"( ( Z ) )", true}, {"$(Z)", true}, {"echo() { Z; }; echo N", true},
	{"echo N\n\n\n   Z", true}, {"echo N;\tZ", true}, {"echo N&&Z", true}, {"echo N|Z", true}, {"echo \"$(case x in x) Z;; esac)\"", true},
	{"select i in 1; do Z; break; done <<<1", true}, {"[[ -z x || -n $(Z) ]]", true}, {"echo ${a[$(Z)0]}", true}, {"echo \"${a[@]:$(Z)0}\"", true},
	{"echo ok\r\nZ", true}, {"! { ! Z; }", true},
}
