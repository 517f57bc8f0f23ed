package wire_test

import (
	"strings"
	"testing"
)

func TestWarningsThatNeedTheFolders(t *testing.T) {
	p := newPlace(t)
	p.folder(p.project + "/reports")
	p.folder(p.project + "/nested")
	p.folder(p.home + "/other")
	p.file(p.project+"/paddock.yaml", `version: 1
paths:
  - {slug: root, path: ., allowed_permission: read}
  - {slug: reports, path: ../other, allowed_permission: read}
  - {slug: nested, path: ./nested, allowed_permission: read}
  - {slug: twin, path: ../other, allowed_permission: read}
  - {slug: scratch, backend: memory, allowed_permission: read}
`)
	got := p.open("paddock.yaml").Warnings()
	want := []string{
		"paddock.yaml:6:24: paths[3]: the mounts reports and twin are one place",
		"paddock.yaml:4:12: paths[1].slug: the root mount has something named reports too",
	}
	if len(got) != len(want) {
		t.Fatalf("warnings: %v", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i].String(), want[i]) {
			t.Errorf("warning %d: %s\nwant: %s…", i, got[i], want[i])
		}
	}
}

func TestWarningOfARootThatIsAFile(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/a.txt", "a")
	p.file(p.project+"/paddock.yaml", "paths: [{slug: root, path: a.txt, allowed_permission: read}]\n")
	setup := p.open("paddock.yaml")
	got := setup.Warnings()
	if want := "paddock.yaml:1:28: paths[0].path: the root mount is a single file: the agent names it /root"; len(got) != 1 || !strings.HasPrefix(got[0].String(), want) {
		t.Errorf("warnings: %v, want %s…", got, want)
	}
	if err := reads(setup.Guard, "/root"); err != nil {
		t.Errorf("what the warning says: %v", err)
	}
}
