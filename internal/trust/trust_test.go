package trust_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/internal/trust"
)

func TestTrustIsOfContentAtAPlace(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	s := trust.In(state)
	file, text := "/repo/paddock.yaml", []byte("version: 1\n")
	check := func(when, path string, content []byte, want bool) {
		t.Helper()
		got, err := s.Trusted(path, content)
		if err != nil || got != want {
			t.Errorf("%s: Trusted(%q) = %t, %v; want %t", when, path, got, err, want)
		}
	}
	check("before", file, text, false)
	if err := s.Trust(file, text); err != nil {
		t.Fatal(err)
	}
	check("after", file, text, true)
	check("other content", file, []byte("version: 1 \n"), false)
	check("a copy elsewhere", "/other/paddock.yaml", text, false)
	check("another start that reads the same folder", file, text, true)

	changed := []byte("version: 1\nname: x\n")
	if err := s.Trust(file, changed); err != nil {
		t.Fatal(err)
	}
	check("the old content, after the new was trusted", file, text, false)
	check("the new content", file, changed, true)
	if err := s.Trust("/a/paddock.yaml", text); err != nil {
		t.Fatal(err)
	}
	list, err := s.List()
	if err != nil || len(list) != 2 || list[0].Path != "/a/paddock.yaml" || list[1].Path != file || list[1].Digest != trust.Digest(file, changed) {
		t.Errorf("List = %+v, %v", list, err)
	}

	if was, err := s.Revoke(file); err != nil || !was {
		t.Errorf("Revoke = %t, %v", was, err)
	}
	check("revoked", file, changed, false)
	if was, err := s.Revoke(file); err != nil || was {
		t.Errorf("Revoke again = %t, %v", was, err)
	}
	if err := s.Trust("paddock.yaml", text); err == nil {
		t.Error("a relative path was trusted: it means another file in each folder")
	}
}

func TestStoreIsPrivate(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if err := trust.In(state).Trust("/p", nil); err != nil {
		t.Fatal(err)
	}
	err := filepath.Walk(state, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		if strings.HasPrefix(info.Name(), ".new-") {
			t.Errorf("%s was left behind", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Who can write in the store can make any policy trusted.
func TestTamperedStoreIsNotBelieved(t *testing.T) {
	for name, tamper := range map[string]func(t *testing.T, dir, file string){
		"the folder is writable by all": func(t *testing.T, dir, _ string) { must(t, os.Chmod(dir, 0o777)) },
		"the entry is writable by all":  func(t *testing.T, _, file string) { must(t, os.Chmod(file, 0o666)) },
		"the entry is a link": func(t *testing.T, dir, file string) {
			must(t, os.Rename(file, filepath.Join(dir, "x")))
			must(t, os.Symlink("x", file))
		},
		"the folder is a link": func(t *testing.T, dir, _ string) {
			must(t, os.Rename(dir, dir+"2"))
			must(t, os.Symlink(dir+"2", dir))
		},
		"the entry is garbage": func(t *testing.T, _, file string) { must(t, os.WriteFile(file, []byte("{"), 0o600)) },
		"the entry is huge":    func(t *testing.T, _, file string) { must(t, os.Truncate(file, 1<<40)) },
		"the entry is of another": func(t *testing.T, _, file string) {
			must(t, os.WriteFile(file, []byte(`{"path":"/q","digest":"x"}`), 0o600))
		},
		"the entry is not a file":  func(t *testing.T, _, file string) { must(t, os.Remove(file)); must(t, os.Mkdir(file, 0o700)) },
		"the folder is not one":    func(t *testing.T, dir, _ string) { must(t, os.RemoveAll(dir)); must(t, os.WriteFile(dir, nil, 0o600)) },
		"the digest is left empty": func(t *testing.T, _, file string) { must(t, os.WriteFile(file, []byte(`{"path":"/p"}`), 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state")
			s := trust.In(state)
			must(t, s.Trust("/p", []byte("x")))
			files, err := filepath.Glob(filepath.Join(state, "trust", "*.json"))
			if err != nil || len(files) != 1 {
				t.Fatalf("entries: %v, %v", files, err)
			}
			if yes, err := s.Trusted("/p", []byte("x")); err != nil || !yes {
				t.Fatalf("untampered: %t, %v", yes, err)
			}
			tamper(t, filepath.Join(state, "trust"), files[0])
			if yes, _ := s.Trusted("/p", []byte("x")); yes {
				t.Error("a tampered store is believed")
			}
		})
	}
}

func TestMakePrivateRefusesWhatIsNotOurs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("making another user's folder needs root")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	must(t, os.Chown(dir, 12345, 12345))
	if err := trust.MakePrivate(dir); err == nil || !strings.Contains(err.Error(), "12345") {
		t.Errorf("another user's folder: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
