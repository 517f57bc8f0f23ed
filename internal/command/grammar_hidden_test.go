package command

// zapText are ways in which zap runs out of a text. Most show it by themselves,
// as the text is literal or given to a variable in the same line.
var zapText = []production{
	{"eval zap", true}, {"eval 'zap N'", true}, {`eval "z""ap"`, true}, {"eval z ; eval za''p", true}, {"eval eval zap", true}, {"eval 'echo N; zap'", true},
	{"bash -c zap", true}, {"bash -c 'echo N; zap'", true}, {"sh -c 'z\"a\"p'", true}, {"bash -ec zap", true}, {"bash --norc -c zap", true},
	{"bash -o errexit -c zap", true}, {`bash -c "bash -c 'zap'"`, true}, {`sh -c '"$@"' x zap`, true}, {"sh -c '$1' x zap", true}, {"env bash -c zap", true},
	{"timeout 9 sh -c 'true; zap'", true}, {"bash <<<zap", true}, {"bash <<E\nzap\nE", true}, {"bash <<'E'\nzap\nE", true}, {"sh -s <<<zap", true},
	{"echo zap | bash", true}, {"echo zap | sh -s", true}, {"printf 'zap\\n' | bash", true}, {"printf '%s\\n' zap | bash", true}, {"echo zap | cat | bash", true},
	{"cat <<E | bash\nzap\nE", true}, {"bash <(echo zap)", true}, {". <(echo zap)", true}, {"source <(printf zap)", true}, {". /dev/stdin <<<zap", true},
	{"bash /dev/stdin <<<zap", true}, {"trap zap EXIT", true}, {"trap 'zap N' 0", true}, {"trap -- zap EXIT", true}, {"trap zap DEBUG; true", true},
	{"shopt -s expand_aliases\nalias q=zap\nq", true}, {"echo x | mapfile -C zap -c 1 a", true}, {"mapfile -t a <<<zap; $a", true},
	{"x=zap; $x", true}, {"x=zap; ${x}", true}, {`x=zap; "$x" N`, true}, {"x=za; ${x}p", true}, {"x='zap N'; $x", true}, {"x=za; x+=p; $x", true},
	{"x=y; y=zap; ${!x}", true}, {"set -- zap; $1", true}, {`set -- zap N; "$@"`, true}, {`a=(zap N); "${a[@]}"`, true}, {"a=(x zap); ${a[1]}", true},
	{"$(echo zap)", true}, {"`echo zap` N", true}, {"$(printf %s zap)", true}, {"$(echo za)p", true}, {`"$(printf zap)"`, true}, {"z$@ap", true}, {"z${u}ap", true},
	{"z${u-}ap", true}, {"${u:-zap}", true}, {"${u:=zap} N", true}, {"$u zap", true}, {"${HOME:+zap}", true}, {"for i in zap; do $i; done", true},
	{"for i in true zap; do $i; done", true}, {"read c <<<zap; $c", true}, {"echo zap | { read c; $c; }", true}, {"echo zap | while read c; do $c; done", true},
	{"while read c; do $c; done <<<zap", true}, {"printf -v c %s zap; $c", true}, {"f() { $1; }; f zap", true}, {`f() { "$@"; }; f zap N`, true},
	{`f() { shift; "$@"; }; f x zap`, true}, {"x=ZAP; ${x,,}", true}, {"{zap,N}", true}, {"{,zap}", true}, {"{z,}ap", false}, {"bin/z?p", true}, {"bin/za*", true},
	{"bin/[z]ap", true}, {"eval \"$(echo zap)\"", true}, {"x='zap'; eval $x", true}, {`x=zap; bash -c "$x"`, true}, {"x=zap; export x; bash -c '$x'", true},
	{"declare x=zap; $x", true}, {"export x=zap; $x", true}, {"x=xzap; ${x#x}", true}, {"zap${IFS}N", true}, {"x=bin; $x/zap", true}, {"~/bin/zap", true},
	{"cd bin; ./zap", true}, {"cd bin && ./zap N", true}, {`"$PWD"/bin/zap`, true}, {"$HOME/bin/zap", true},
	{"test -v 'a[$(zap)]'", true}, {"[ -v 'a[$(zap)]' ]", true}, {"[[ -v 'a[$(zap)]' ]]", true}, {"unset 'a[$(zap)]'", true}, {"read 'a[$(zap)]' <<<N", true},
	{"printf -v 'a[$(zap)]' N", true}, {"declare 'a[$(zap)]=1'", true}, {"x='a[$(zap)]'; echo $((x))", true}, {"x='a[$(zap)]'; (( x ))", true},
	{"x='a[$(zap)]'; echo ${x[x]}", true}, {"x='a[$(zap)]'; echo ${HOME:x}", true}, {"x='a[$(zap)]'; [[ $x -eq 0 ]]", true}, {"[[ 'a[$(zap)]' -eq 0 ]]", true},
	{"x='a[$(zap)]'; echo ${!x}", true}, {"x='$(zap)'; echo ${x@P}", true}, {"declare -i x='a[$(zap)]'", true}, {"let 'x=a[$(zap)]'", true},
	{"set -- 'a[$(zap)]'; echo $(( $1 ))", true}, {"x='a[$(zap)]'; y=x; echo $((y))", true}, {"declare -n r='a[$(zap)]'; echo $r", true},
	{"read x <<<'a[$(zap)]'; echo $((x))", true}, {"for ((i='a[$(zap)]'; i<0; i++)); do :; done", true}, {"PS4='$(zap)'; set -x; echo N", true},
	{"awk 'BEGIN{system(\"zap\")}'", true}, {"awk 'BEGIN{\"zap\" | getline}'", true}, {"awk 'BEGIN{print | \"zap\"}'", true}, {"echo x | sed '1e zap'", true},
	{"echo x | sed 's/x/zap/e'", true}, {"hash -p bin/zap q; q", false}, {"sort -S1 --compress-program=zap f", true}, {"GIT_PAGER=zap; env | cat; $GIT_PAGER", true},
	{"BASH_ENV=<(echo zap) bash -c true", false}, {"echo 'zap' > q; bash q", false}, {"echo zap > q; . ./q", false}, {"cp bin/zap q; ./q", false},
	{"ln -s bin/zap q; ./q", false}, {"x=$(echo emFw | base64 -d); $x", false}, {"echo emFw | base64 -d | bash", false}, {"echo paz | rev | bash", false},
	{"x=paz; ${x:2:1}${x:1:1}${x:0:1}", false}, {"c=$(ls bin); $c", false}, {"cd bin; for i in *; do ./$i; done", false}, {"bin/*", true}, {"x=zzz; ${x//zz/}ap", false},
	{"python3 -c 'import os; os.system(\"zap\")'", false}, {"perl -e 'system(\"zap\")'", false}, {"printf 'z%sp' a | bash", true}, {"printf '\\x7aap' | bash", true},
	{"echo -e '\\x7aap' | bash", true}, {"tr b z <<<bap | bash", false}, {"cat <<E | sh\n${u}zap\nE", true}, {"find bin -name 'z*' -exec {} \\;", false},
	{"find . {-maxdepth,0,-exec,zap,\\;}", true}, {"x='-exec zap ;'; find . -maxdepth 0 $x", true}, {"find . -maxdepth 0 $(echo -exec zap \\;)", true},
	{"find . -maxdepth 0 $(cat q)", false}, {"compgen -C zap", true}, {"exec 3< <(zap); cat <&3", true}, {"!(zap)", true}, {"x=1 ! zap", false},
	{"shopt -s extglob\n!(zap)", false}, {"echo @(zap)", false}, {"((zap) )", true}, {"((zap); zap)", true}, {"$((zap); zap)", true}, {"echo $( (zap); (zap))", true},
	{"zap\nif", true}, {"echo N\nzap\n)", true}, {"cat <<E\n$(zap)", true}, {"bash <<E\nzap", true}, {"echo 'N\nzap", false}, {"exec -c bin/zap", true},
	{"(exec zap)", true}, {"command -p bin/zap", true}, {"env -i bin/zap", true}, {"env - bin/zap", true}, {"coproc zap { true; }", false},
	{"time -- zap", true}, {"function zap2 { zap; }; zap2", true}, {"a=(); a[0]=zap; $a", true}, {"IFS=_; x=zap_N; $x", false}, {"IFS=x; $(echo xzapxN)", false},
	{"type() { zap; }; type N", true}, {"[[ $(zap) =~ x ]]", true}, {"echo N >&2 | zap", true}, {"{ echo zap; } | bash", true}, {"(echo zap) | bash", true},
	{"{ echo true; echo zap; } | bash", false}, {"cat <<E | while read l; do $l; done\nzap\nE", true}, {"wait -n -p 'a[$(zap)]' & wait", false},
}

// zapPath are ways of changing what an allowed ls runs, or of running zap by an
// allowed program. A list that denies zap can't see these.
var zapPath = []production{
	{"PATH=evil; ls", false}, {"PATH=evil ls", false}, {"export PATH=evil; ls", false}, {"declare PATH=evil; ls", false}, {"PATH=evil:$PATH; ls", false},
	{"printf -v PATH evil; ls", false}, {"printf -vPATH evil; ls", false}, {"read PATH <<<evil; ls", false}, {"mapfile -t PATH <<<evil; ls", false}, {"for PATH in evil; do ls; done", false},
	{"for ((PATH=1; PATH<2; PATH++)); do ls; done", false}, {"(( PATH = 1 )); ls", false}, {"let PATH=1; ls", false}, {"PATH[0]=evil; ls", false}, {"echo $((PATH=1)); ls", false},
	{"declare -n r=PATH; r=evil; ls", false}, {"unset PATH; echo ${PATH:=evil}; ls", false}, {"x=PATH; read $x <<<evil; ls", false}, {"x=PATH; printf -v $x evil; ls", false},
	{"x=PATH; export $x=evil; ls", false}, {"export \"PATH=evil\"; ls", false}, {"export 'PATH'=evil; ls", false}, {"read -r a PATH <<<'x evil'; ls", false}, {"export {PATH=evil,x=1}; ls", false},
	{"cd evil; ./ls", false}, {"evil/ls", false}, {"ls() { evil/ls; }; ls", false}, {"f() { local PATH=evil; ls; }; f", false}, {"while read PATH; do ls; done <<<evil", false},
	{"select PATH in evil; do ls; break; done <<<1", false}, {"declare -x PATH=evil; ls", false}, {"readonly PATH=evil; ls", false}, {"PATH+=x PATH=evil; ls", false},
	{"sort --compress-program=evil/ls -S1 f; find . -maxdepth 0 -execdir \"$PWD\"/evil/ls \\;", false}, {"awk 'BEGIN { \"evil/ls\" | getline }'", false}, {"sed -n '1e evil/ls' f", false},
	{"awk 'BEGIN { c = \"evil/\" \"ls\"; system(c) }'", false}, {"awk -v c=evil/ls 'BEGIN { system(c) }'", false}, {"awk 'BEGIN { print \"\" | \"evil/ls\" }'", false}, {"sed 's/.*/evil\\/ls/e' f", false},
	{"cat f | sed -n '1{s/.*/evil\\/ls/;e\n}'", false}, {"find evil -name ls -exec {} \\;", false}, {"find . -maxdepth 0 -ok evil/ls \\; <<<y", false}, {"cat <(evil/ls)", false},
}

// zapDecoys mention zap, run harmless commands and never zap. They hold for the
// two lists that the test uses.
var zapDecoys = []string{
	"echo zap", "echo N zap", "echo 'zap'", `echo "zap; N"`, "echo 'a; zap'", "echo '$(zap)'", `echo \$\(zap\)`, `echo "\$(zap)"`, "echo '`zap`'",
	"echo N # zap", "echo N # ; zap\n", "# zap\necho N", "cat <<'E'\nzap\n$(zap)\nE", "cat <<E\nzap\n\\$(zap)\nE", "cat <<\\E\n`zap`\nE", "echo a'|'zap",
	"echo 'N\nzap\nN'", `echo "N; zap"`, "echo N | grep zap", "grep -n 'zap' f", "grep -e 'a|zap' f || true", "echo ${u:-zap}", "x=zap; echo $x", "x='a; zap'; echo \"$x\"",
	"for i in zap N; do echo $i; done", "case zap in zap) echo N;; esac", "[[ zap == z* ]] && echo N", "[ zap = zap ] && echo N", "test -n zap", "printf '%s\\n' zap",
	"echo N > zap.txt", "cat < f > zap.log", "echo $((1 + 2)) zap", "i=0; i=$((i+1)); echo zap $i", "a=(zap N); echo ${a[0]} ${#a[@]}", "if true; then echo zap; fi",
	"while false; do echo zap; done", "cat <<< 'zap'", "find . -name zap", "find . -name '*zap*' -type f", "sort f | grep -v zap", "echo bin/zap", "echo \\; zap", "echo {zap,N}",
	"sed -n 's/zap/N/p' f", "sed -e '/zap/d' f", "awk '/zap/ {print $1}' f", "awk '{ if ($1 > 5) print $2 }' f", "echo N && echo zap || echo zap", "(echo zap)", "{ echo zap; }",
	"echo N 2>&1 | cat -", "true zap", ": zap", "cd . && echo zap", "echo $'zap\\n;zap'", "for ((i=0; i<2; i++)); do echo zap; done", "x=5; [[ $x -gt 3 ]] && echo zap",
	"echo \"`echo zap`\"", "echo $(echo zap)", "echo \"$(cat f)\" zap", "read x < f; echo $x zap", "f=zap; echo ${f%p} ${#f} ${f/z/y}", "printf '%d zap\\n' 3", "! grep -q zap f",
	"export A=zap; echo $A", "echo zap >> f; cat f", "cat f | while read l; do echo \"$l\"; done", "echo 'it'\"'\"'s zap'", "time echo zap", "let i=1; echo zap $i", "echo zap\\\nzap",
}
