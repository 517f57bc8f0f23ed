package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"paddock/backend"
)

// TestAgreesWithMemory does the same random calls on a disk and in memory. Two
// backends written from one contract must answer and end alike.
func TestAgreesWithMemory(t *testing.T) {
	const seed, rounds, calls = 11, 60, 100
	rnd := rand.New(rand.NewPCG(seed, seed))
	answers := map[string]int{}
	for range rounds {
		p := &pair{t: t, rnd: rnd, disk: open(t, quickDir(t)), memory: backend.NewMemory(1 << 30)}
		for range calls {
			answers[p.call()]++
			if t.Failed() {
				t.Fatalf("the calls were:\n%s", strings.Join(p.log, "\n"))
			}
		}
		if d, m := tree(t, p.disk, "."), tree(t, p.memory, "."); d != m {
			t.Fatalf("the disk holds\n%s\nthe memory\n%s\nafter\n%s", d, m, strings.Join(p.log, "\n"))
		}
	}
	t.Logf("seed %d, answers %v", seed, answers)
	for _, answer := range []string{"ok", "no such file", "exists", "is a folder", "is no folder", "not empty", "swapped", "into itself", "name", "unsupported"} {
		if answers[answer] < 5 {
			t.Errorf("the answer %q came %d times: the mix is too one-sided", answer, answers[answer])
		}
	}
	if ok := answers["ok"]; ok < rounds*calls/5 || ok > rounds*calls*4/5 {
		t.Errorf("%d of %d calls went well: the mix is too one-sided", ok, rounds*calls)
	}
}

type pair struct {
	t      *testing.T
	rnd    *rand.Rand
	disk   *Tree
	memory *backend.Memory
	log    []string
}

// name is one of few, so that calls meet each other.
func (p *pair) name() string {
	if p.rnd.IntN(40) == 0 {
		return []string{".", "", "a/", "../a"}[p.rnd.IntN(4)]
	}
	name := p.part()
	for p.rnd.IntN(5) < 2 {
		name += "/" + p.part()
	}
	return name
}

func (p *pair) part() string { return string(rune('a' + p.rnd.IntN(4))) }

// known is more often than not a name that is there, or a new one beside it.
func (p *pair) known() string {
	name, steps := ".", 1+p.rnd.IntN(3)
	for range steps {
		entries, err := p.memory.ReadDir(bg, name)
		if err != nil || len(entries) == 0 {
			break
		}
		name = strings.TrimPrefix(name+"/"+entries[p.rnd.IntN(len(entries))].Name, "./")
	}
	switch {
	case name == "." || p.rnd.IntN(5) == 0:
		return p.name()
	case p.rnd.IntN(3) == 0:
		folder, _ := backend.Split(name)
		return strings.TrimPrefix(folder+"/"+p.part(), "./")
	}
	return name
}

// judged looks the same name up in both, mostly the right one.
func (p *pair) judged(name string) (onDisk, inMemory backend.Info) {
	if p.rnd.IntN(6) == 0 {
		name = p.name()
	}
	onDisk, _ = p.disk.Stat(bg, name)
	inMemory, _ = p.memory.Stat(bg, name)
	if onDisk.Kind == backend.Missing { // judged nothing; no object is of this kind
		inMemory = backend.Info{}
	}
	return onDisk, inMemory
}

// call does one random call on both and gives the answer they agree on.
func (p *pair) call() string {
	name, to, flags := p.known(), p.known(), p.rnd.IntN(8)
	var d, m error
	var what string
	switch p.rnd.IntN(8) {
	case 0, 1:
		text := strings.Repeat("x", p.rnd.IntN(100))
		what = fmt.Sprintf("write %q %d bytes, flags %b", name, len(text), flags)
		o := backend.WriteOptions{Create: flags&3 != 0, Replace: flags&2 != 0}
		od, om := o, o
		if flags&4 != 0 {
			jd, jm := p.judged(name)
			od.Judged, om.Judged = &jd, &jm
		}
		var rd, rm backend.WriteResult
		rd, d = p.disk.Write(bg, name, strings.NewReader(text), od)
		rm, m = p.memory.Write(bg, name, strings.NewReader(text), om)
		if rd.Created != rm.Created || rd.InPlace != rm.InPlace || rd.Info.Size != rm.Info.Size {
			p.t.Errorf("%s: %+v on disk, %+v in memory", what, rd, rm)
		}
	case 2, 3:
		what = fmt.Sprintf("mkdir %q", name)
		d, m = p.disk.Mkdir(bg, name, 0), p.memory.Mkdir(bg, name, 0)
	case 4:
		what = fmt.Sprintf("remove %q", name)
		jd, jm := p.judged(name)
		d, m = p.disk.Remove(bg, name, jd), p.memory.Remove(bg, name, jm)
	case 5, 6:
		what = fmt.Sprintf("rename %q to %q, flags %b", name, to, flags)
		jd, jm := p.judged(name)
		d, m = p.disk.Rename(bg, name, to, jd, flags&1 != 0), p.memory.Rename(bg, name, to, jm, flags&1 != 0)
	case 7:
		what = fmt.Sprintf("open and list %q", name)
		_, d = p.disk.ReadDir(bg, name)
		_, m = p.memory.ReadDir(bg, name)
		if answer(d) == answer(m) {
			_, d = p.disk.Open(bg, name)
			_, m = p.memory.Open(bg, name)
		}
	}
	p.log = append(p.log, what+": "+answer(d))
	if answer(d) != answer(m) {
		p.t.Errorf("%s: %v on disk, %v in memory", what, d, m)
	}
	return answer(d)
}

// answer is the error of the contract in an error.
func answer(err error) string {
	for _, a := range []struct {
		err  error
		name string
	}{
		{nil, "ok"}, {fs.ErrNotExist, "no such file"}, {fs.ErrExist, "exists"}, {backend.ErrIsDir, "is a folder"},
		{backend.ErrNotDir, "is no folder"}, {backend.ErrNotEmpty, "not empty"}, {backend.ErrSwapped, "swapped"},
		{fs.ErrInvalid, "into itself"}, {backend.ErrName, "name"}, {backend.ErrUnsupported, "unsupported"},
	} {
		if errors.Is(err, a.err) {
			return a.name
		}
	}
	return err.Error()
}

// tree writes down all that a backend holds.
func tree(t *testing.T, b backend.Backend, folder string) string {
	t.Helper()
	entries, err := b.ReadDir(bg, folder)
	must(t, err)
	var all strings.Builder
	for _, e := range entries {
		name := strings.TrimPrefix(folder+"/"+e.Name, "./")
		if e.Kind == backend.Dir {
			all.WriteString(name + "/\n" + tree(t, b, name))
		} else {
			all.WriteString(name + " " + content(t, b, name) + "\n")
		}
	}
	return all.String()
}
