//go:build !osroot

package disk

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paddock/backend"
)

// A child writes one file over and over and is killed at a random moment. The
// file must hold one content, whole, each time.

const killTarget = "PADDOCK_TEST_KILL" // "how path", for the child

// versions are contents of different lengths that tell themselves apart.
var versions = []string{strings.Repeat("a", 700_000), strings.Repeat("b", 500_000), strings.Repeat("c", 100)}

// TestMain lets a child write; everybody else runs the tests.
func TestMain(m *testing.M) {
	if how, path, found := strings.Cut(os.Getenv(killTarget), " "); found {
		fmt.Println("the writer ended:", writeForEver(how, path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func writeForEver(how, path string) error {
	tree, err := Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	for i := 0; ; i++ {
		text := versions[i%len(versions)]
		o := backend.WriteOptions{Replace: true}
		switch how {
		case "judged":
			info, err := tree.Stat(bg, name)
			if err != nil {
				return err
			}
			o.Judged = &info
			fallthrough
		case "tree":
			_, err = tree.Write(bg, name, strings.NewReader(text), o)
		case "careless":
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			return err
		}
		if i == 0 {
			fmt.Println("writing")
		}
	}
}

// killOnce lets a child write for a random moment and says whether the file is
// whole afterwards.
func killOnce(t *testing.T, rnd *rand.Rand, how, path string) bool {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), killTarget+"="+how+" "+path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "writing\n" {
		rest, _ := io.ReadAll(lines)
		t.Fatalf("the child said %q, %v: %s", line, err, rest)
	}
	time.Sleep(time.Duration(rnd.Int64N(int64(8 * time.Millisecond))))
	must(t, cmd.Process.Kill())
	cmd.Wait()
	data, err := os.ReadFile(path)
	must(t, err)
	for _, text := range versions {
		if bytes.Equal(data, []byte(text)) {
			return true
		}
	}
	return false
}

func TestKilledWriter(t *testing.T) {
	const seed = 20
	rnd := rand.New(rand.NewPCG(seed, seed))
	t.Logf("seed %d", seed)
	for _, how := range []string{"tree", "judged"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		write(t, path, versions[2])
		const kills = 25
		for range kills {
			if !killOnce(t, rnd, how, path) {
				t.Fatalf("%s: a killed writer left a mixture", how)
			}
		}
		// What it leaves beside the file has the name that says so.
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			if e.Name() != "f" && !strings.HasPrefix(e.Name(), backend.TempPrefix) {
				t.Errorf("%s: a killed writer left %s", how, e.Name())
			}
		}
		t.Logf("%s: %d kills left %d temporary files", how, kills, len(entries)-1)
	}
	// The control: a writer that truncates and writes is caught.
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, versions[2])
	for kills := 1; kills <= 400; kills++ {
		if !killOnce(t, rnd, "careless", path) {
			t.Logf("the careless writer was caught at kill %d", kills)
			return
		}
	}
	t.Error("400 kills did not catch the careless writer: the test sees nothing")
}
