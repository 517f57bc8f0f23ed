package cases

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func read(name string) string {
	content, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(content)
}

// theFile is the file that a case is about: the first that setup made.
func (r *run) theFile() string {
	if len(r.made) == 0 {
		return ""
	}
	return r.made[0]
}

// changed compares a place with what it was before the first call.
func (r *run) changed(name string) bool {
	for _, now := range []map[string]string{r.snapshot(r.top)} {
		rel := strings.TrimPrefix(name, r.top)
		for at, entry := range now {
			if (at == rel || strings.HasPrefix(at, rel+"/")) && r.before[at] != entry {
				return true
			}
		}
		for at := range r.before {
			if _, there := now[at]; !there && (at == rel || strings.HasPrefix(at, rel+"/")) {
				return true
			}
		}
	}
	return false
}

func (r *run) changedOutside(dir string) bool {
	now, rel := r.snapshot(r.top), strings.TrimPrefix(dir, r.top)
	for at := range now {
		if _, there := r.before[at]; !there && at != rel && !strings.HasPrefix(at, rel+"/") && !strings.HasPrefix(at, "/state") {
			return true
		}
	}
	return false
}

func (r *run) noExtra(dir string) bool {
	rel := strings.TrimPrefix(dir, r.top)
	for at := range r.snapshot(r.top) {
		if _, there := r.before[at]; !there && strings.HasPrefix(at, rel+"/") {
			return false
		}
	}
	return true
}

func (r *run) mode0(name string) os.FileMode {
	info, err := os.Lstat(name)
	if err != nil {
		return os.ModeIrregular
	}
	return info.Mode()
}

func (r *run) mode(name, octal string) bool {
	want, err := strconv.ParseUint(octal, 8, 32)
	r.check(err)
	for _, made := range r.made {
		if filepath.Base(made) == name || made == name {
			info, err := os.Lstat(made)
			return err == nil && uint64(info.Mode().Perm()) == want
		}
	}
	return false
}

// below tells whether a file at or below a place holds a text.
func (r *run) below(name, text string) bool {
	found := false
	r.check(filepath.WalkDir(name, func(at string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(read(at), text) {
			found = true
		}
		return nil
	}))
	return found
}

func (r *run) hasBytes(digits string, part bool) bool {
	want, err := hex.DecodeString(digits)
	r.check(err)
	have := []byte(read(r.theFile()))
	if part {
		return bytes.Contains(have, want)
	}
	return bytes.Equal(have, want)
}

// lineEnds reads "ONE CRLF two LF".
func lineEnds(words string) string {
	text := strings.NewReplacer(" CRLF", "\r\n", " LF", "\n", " CR", "\r").Replace(strings.TrimSpace(words))
	return strings.NewReplacer("\n ", "\n", "\r ", "\r").Replace(text)
}

// said is everything that the agent was told in words.
func (r *run) said() string {
	var all []string
	for _, a := range r.answers {
		all = append(all, a.text)
	}
	return strings.Join(all, "\n")
}

// says looks in everything that the agent was told, structured forms too.
func (r *run) says(text string) bool {
	return slices.ContainsFunc(r.answers, func(a answer) bool {
		return strings.Contains(a.text, text) || strings.Contains(a.data, text) || strings.Contains(a.data, strings.Trim(quote(text), `"`))
	})
}

// saysOther tells whether a file that setup made, and not this one, is told.
func (r *run) saysOther(name string) bool {
	return slices.ContainsFunc(r.made, func(made string) bool {
		return filepath.Base(made) != filepath.Base(name) && r.says(filepath.Base(made))
	})
}

func (r *run) any(verdict string) bool {
	return slices.ContainsFunc(r.answers, func(a answer) bool { return strings.Contains(a.verdict, verdict) })
}

func (r *run) args(call int) map[string]any {
	args, _ := r.c.Input.Calls[call]["args"].(map[string]any)
	return args
}

func (r *run) hostContent() bool {
	content := strings.TrimSpace(read("/etc/hostname"))
	return content != "" && r.says(content)
}

func (r *run) listsNextTo(dir string) bool {
	entries, err := os.ReadDir(filepath.Dir(dir))
	r.check(err)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != filepath.Base(dir) && r.says("/"+e.Name()) })
}

// onceEach: each answer that names it names it once.
func (r *run) onceEach(name string) bool {
	found := false
	for _, a := range r.answers {
		n := strings.Count(a.text, name)
		if n > 1 {
			return false
		}
		found = found || n == 1
	}
	return found
}

var ordinals = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}

func (r *run) inCalls(text, which string) bool {
	for _, word := range strings.Fields(which) {
		i, known := ordinals[strings.Trim(word, ",")]
		if !known {
			continue
		}
		if i < 0 {
			i += len(r.answers)
		}
		if i >= len(r.answers) || !strings.Contains(r.answers[i].text, text) {
			return false
		}
	}
	return true
}

// listsAll: a call names every file that setup made.
func (r *run) listsAll(call int) bool {
	for _, made := range r.made {
		if !strings.Contains(r.answers[call].text, filepath.Base(made)) {
			return false
		}
	}
	return len(r.made) > 0
}

func (r *run) onlyBelow(dir string) bool {
	for line := range strings.Lines(r.said()) {
		if strings.HasPrefix(line, "/") && !strings.HasPrefix(line, r.virtualOf(dir)+"/") {
			return false
		}
	}
	return true
}

// virtualOf undoes what place did to a virtual path: nothing, unless a slug is
// spelled like a folder.
func (r *run) virtualOf(dir string) string { return dir }

func (r *run) smaller(n, unit string) bool {
	limit, err := strconv.Atoi(n)
	r.check(err)
	limit *= map[string]int{"kB": 1000, "MB": 1000000}[unit]
	return !slices.ContainsFunc(r.answers, func(a answer) bool { return len(a.text)+len(a.data) >= limit })
}

func (r *run) validJSON() bool {
	return !slices.ContainsFunc(r.answers, func(a answer) bool { return !json.Valid([]byte(a.data)) || !utf8.ValidString(a.text) })
}

func (r *run) equalErrors() bool {
	first := ""
	for i, a := range r.answers {
		plain := strings.ReplaceAll(a.text, a.path, "PATH")
		if i == 0 {
			first = plain
		}
		if plain != first {
			return false
		}
	}
	return len(r.answers) > 1 && first != ""
}

// namesKey: the message has a key of the policy that the product has not.
func (r *run) namesKey() bool {
	p, _ := parsePolicy(r.c.Policy)
	return slices.ContainsFunc(p.pairs, func(p pair) bool {
		return p.key != "mounts" && p.key != "deny" && strings.Contains(r.loadErr.Error(), p.key)
	})
}
