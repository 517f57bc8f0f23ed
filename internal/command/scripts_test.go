package command

import "testing"

// TestScripts holds which sed and awk programs are more than filters.
func TestScripts(t *testing.T) {
	list := Lists{Allowed: []string{"sed *", "awk *", "gawk *"}}
	check(t, list, Allow,
		"sed p f", "sed -nE '/a/p' f", "sed --quiet -e p f", "sed '1!G;h;$!d' f", "sed '/[/]x/p' f", "sed 's/[/]/_/g' f", "sed 's/[]/]x/y/g;s/[^]/]/-/' f", "sed 'a\\ w text e' f", "sed '$a w' f", "sed '1i e' f",
		"sed '/start/,/end/{s/w/e/;d}' f", "sed 's|a|w|g;s,b,e,2' f", "sed 's/\\/w/e/' f", "sed ':a;N;$!ba;s/\\n/,/g' f", "sed -n '$=' f", "sed '0~4d' f", "sed '/x/I,+2d' f", "sed 'y/abc/wew/;p' f", "sed -e 's/x/y/p' -e '/w/!d' f",
		"sed '# w file\np' f", "sed 'r x' f", "sed -s -u p f", "sed '\\,w,d' f", "sed \"s/$x/y/\" f", "sed -E 's/(^|[^e])w+/\\1/gI' f", "sed '5q' f", "sed 'n;d' f", "sed '/a/{n;s/b/w/}' f", "sed l f", "sed -z 's/\\n/e/g' f",
		"awk '{print}' f", "awk -F '|' '{print $2}' f", "awk -v x=1 '$1 == x' f", "awk '/a|b/' f", "awk '$1 ~ /^>/ {print $2}' f", "awk 'a || b' f")
	check(t, list, Deny,
		"sed w\\ x f", "sed '1,3w x' f", "sed ':a;w x' f", "sed 's/a/b/;w x' f", "sed 's/[/]/b/w x' f", "sed 's/[]/]/b/w x' f", "sed 's/[^]/]/b/;e x' f", "sed 's/a/[/;w x' f", "sed 's/a/b/gw x' f", "sed 's|a|b|2e' f", "sed '\\,x,w x' f", "sed '/a/I w x' f", "sed '/a/!{\nw x\n}' f", "sed p -e 'w x' f",
		"sed -n -e p -e W\\ x f", "sed -nf x f", "sed --file=x f", "sed -i.bak p f", "sed -Ei p f", "sed -e'w x' f", "sed -ne 'e' f", "sed 'y/a/b/;e' f", "sed '$!N;w x' f", "sed 'b;e x' f", "sed \"$(x)\" f", "sed 'a x\nw y' f", "sed '#n\nw y' f",
		"sed --expression 'w x' f", "sed --in-place=.b p f", "sed '0~3w x' f", "sed 's/\\n/\\//;w x' f", "gsed w f",
		"awk '{print > $1}' f", "awk '{print $1, $2 >> \"x\"}' f", "awk '{printf \"%s\", $1 > \"/dev/stderr\"}' f", "awk '/a/ {system($0)}' f", "awk 'BEGIN {while ((\"x\" | getline l) > 0) print l}'", "awk '{print | \"sort\"}' f",
		"awk 'BEGIN {getline l < \"x\"}'", "awk --file x f", "awk -E x", "awk -i inplace '{print}' f", "awk -l x 1", "awk -e '{system(1)}' f", "awk -e'{system(1)}' f", "awk --source='{system(1)}' f", "awk --source '{system(1)}' f",
		"awk '@load \"x\"' f", "awk \"$(x)\" f", "awk '{print /x/ > \"y\"}' f", "awk '{print \"a\" \"b\" |& \"x\"}' f", "awk 'BEGIN{f=\"system\"; @f(\"x\")}'", "awk '{print $1/2 > \"x\"; y = 3/1}' f", "gawk '{system(1)}' f", "awk -- '{system(1)}' f",
		"awk '# \"\n{system(1)}' f", "awk '{print \"\\\"\"; system(1)}' f")
}
