package tool

import "testing"

func TestLooksLikeRegex(t *testing.T) {
	for pattern, want := range map[string]bool{
		"foo|bar": true, `self\.tools`: true, "a.*b": true, "a.+b": true, `\bword`: true,
		"a*b": false, "c++": false, "arr[0]": false, "def __init__(self):": false, "^main": false, `C:\new`: false, "": false, `x\`: false,
	} {
		if got := looksLikeRegex(pattern); got != want {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}
