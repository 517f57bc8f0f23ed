package paddock_test

import (
	"testing"

	"paddock"
)

// A rule can be about one name and not about what would lie below it. A file
// that it hides answers as if nothing were there, also for paths that go on
// below it: "is not a folder" would tell that it is there.
func TestHiddenFileOnTheWayTellsNothing(t *testing.T) {
	const text = `
version: 1
permissions: read|write|delete
paths: [{slug: root, path: ws, allowed_permission: read|write|delete}]
rules: [{operations: [read, write], paths: ["/r/hid", "/r/hid-link"], mode: deny}]
`
	base := tempDir(t)
	mkdir(t, base+"/ws")
	world := func(there bool) {
		for _, e := range entries(t, base+"/ws") {
			removeAll(t, base+"/ws/"+e)
		}
		put(t, base+"/ws/a.txt", "a")
		put(t, base+"/ws/movable", "m")
		put(t, base+"/ws/r/b.txt", "b")
		link(t, "r/hid", base+"/ws/to-hid")
		if there {
			link(t, "b.txt", base+"/ws/r/hid-link")
			put(t, base+"/ws/r/hid", "SECRET")
		}
	}
	answers, count := map[string]string{}, 0
	for _, there := range []bool{true, false} {
		world(there)
		g := guardAt(t, base, text, paddock.Options{})
		for _, a := range acts(g) {
			for _, p := range []string{
				"r/hid", "r/hid/", "r/hid/.", "r/hid/x", "r/hid/x/y", "r/hid/x/", "r/hid/..", "r/hid/../b.txt", "r/hid/x/../y", "to-hid", "to-hid/", "to-hid/x", "to-hid/../a.txt",
				"r/hid-link", "r/hid-link/", "r/hid-link/x", "r/hid-link/x/y", "r/hid-link/../b.txt",
			} {
				key := a.name + " " + p
				got := outcome(a.run(g, p))
				count++
				if there {
					answers[key] = got
				} else if answers[key] != got {
					t.Errorf("%s: %q if it is there, %q if not", key, answers[key], got)
				}
				if got != "" && got[:2] == "ok" {
					world(there)
				}
			}
		}
	}
	if count < 300 {
		t.Errorf("only %d answers were compared", count)
	}
}
