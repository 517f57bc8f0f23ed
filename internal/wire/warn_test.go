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
