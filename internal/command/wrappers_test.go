package command

import "testing"

// TestWrappers holds that a denied command is found behind what starts it. Most
// of these can't be run for comparison: they need rights or programs.
func TestWrappers(t *testing.T) {
	list := Lists{Denied: []string{"zap*", "git push*"}}
	check(t, list, Deny,
		"sudo zap", "sudo -u root -- zap x", "sudo --user=root A=1 zap", "sudo -n -E zap", "doas -u x zap", "su -c 'zap x'", "su root -c zap", "su - root -c 'true; zap'", "runuser -u x -- zap",
		"pkexec --user x zap", "chroot / zap", "chroot --userspec=0:0 /x zap", "busybox zap", "toybox zap x", "unshare -r zap", "nsenter -t 1 zap", "setpriv --reuid 1 zap", "prlimit --nofile=1 zap",
		"taskset 1 zap", "taskset -c 0 zap", "chrt -f 1 zap", "faketime x zap", "strace -f -o x zap", "ltrace zap", "systemd-run --user zap", "dbus-run-session -- zap", "xvfb-run zap", "script -c zap x",
		"watch zap", "watch -n 1 'true; zap'", "watch -x zap", "flock x -c 'zap y'", "flock -w 3 x zap", "parallel zap ::: a", "find . -execdir zap {} +", "find . -name x -ok zap \\; -o -exec true \\;",
		"fd x -x zap", "fd -X zap x", "fd --exec=zap", "/lib64/ld-linux-x86-64.so.2 /usr/bin/zap", "env time -f %e zap", "/usr/bin/time -o x zap", "/usr/bin/env zap", "env -iu A B=2 zap", "env -C / zap",
		"env --chdir=/ zap", "env -S '-i zap'", "timeout --kill-after 3 5 zap", "timeout --unknown 5 zap", "timeout --foreground 5s zap", "nice --adjustment=3 zap", "stdbuf --output=L zap", "ionice -p 1 -c 2 zap",
		"xargs -0 -n1 zap", "xargs --max-args=1 zap", "xargs --arg-file x zap", "xargs -a x -I {} zap {}", "setsid -f zap", "exec -l zap", "nohup -- zap", "ssh -c x; zap", "choom -n 3 zap",
		"git -C a push", "git --git-dir=x --work-tree y -c a=b push z", "/usr/bin/git --no-pager push", "env git -P push", "git -c alias.x='!zap' x", "git -c core.pager=zap log", "git config alias.y '!zap a'",
		"git rebase -x zap main", "git bisect run zap", "git submodule foreach zap", "git grep -Ozap x", "git clone --upload-pack=zap x", "git filter-branch --tree-filter 'zap x' HEAD", "git clone 'ext::zap x'",
		"tar xf x --to-command=zap", "tar xf x --to-command 'zap y'", "tar -I zap -xf x", "tar cf x y --checkpoint-action=exec=zap", "rsync -e zap a b", "rsync --rsh='zap x' a b", "man -P zap ls",
		"split --filter=zap x", "make --eval='x:;zap'", "make SHELL=zap x", "make 'X=$(shell true)' 'Y=`zap`'", "go test -exec zap ./...", "go build -toolexec='zap x' .", "rg --pre zap x", "zip x y -TT zap",
		"GIT_SSH_COMMAND='zap x' git fetch", "PAGER=zap man ls", "GIT_PAGER=zap; git log", "export EDITOR='zap x'", "PS4='$(zap)' bash -x y", "sh -c 'exec zap'", "bash -c 'sh -c \"zap\"'", "zsh -c zap", "bash -lic zap",
		"bash --rcfile x -c zap", "alias l='ls; zap'", "complete -C zap x", "compgen -F zap", "mapfile -C 'zap x' a", "trap 'echo; zap' INT", "coproc X { zap; }", "(nohup zap &)",
		"command -p zap", "builtin eval zap", "builtin source <(echo zap)", "exec bash -c zap", "env bash <<< zap", "xargs sh -c zap", "xargs -I{} sh -c 'zap {}'", "find . -exec sh -c 'zap \"$1\"' x {} \\;",
		"perl x; zap", "awk 'BEGIN{system(\"true; zap\")}'", "awk -e 'BEGIN{print|\"zap\"}'", "gawk --source='BEGIN{system(\"zap\")}'", "sed -e '1e zap' f", "sed --expression='e zap' f", "sed -n '/x/{e zap\n}' f",
	)
	check(t, list, Allow,
		"sudo ls", "command -v zap", "command -V zap", "su -c 'echo zap'", "env A=zap ls", "timeout 5 echo zap", "xargs grep zap", "find . -name zap -exec ls {} \\;", "git log --grep push", "git commit -m 'git push'",
		"git -C push status", "watch 'echo zap'", "sh -c 'echo zap'", "alias l='echo zap'", "trap - INT", "trap '' EXIT", "awk 'BEGIN{print \"zap\"}'", "sed 's/zap/e/' f", "sed -n '/zap/p' f", "make zap", "tar cf zap.tar .",
		"ssh host zap", "docker run x zap", "go test -run zap", "rg zap", "flock zap true", "nice -n 5 echo zap", "echo a | xargs echo zap", "bash zap.sh", "python3 -c 'zap()'", "type zap", "which zap", "man zap",
	)
}
