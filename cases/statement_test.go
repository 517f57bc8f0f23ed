package cases

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A form is a way to say something that can be checked. The first form that a
// statement has is the one that counts.
type form struct {
	says *regexp.Regexp
	// holds tells whether it is so, given the parts of the statement.
	holds func(r *run, part []string) bool
}

// A path of a statement: its placeholders are written out already.
const aPath = `(/\S+)`

var forms = []form{
	// Files.
	{re(`(?:host )?` + aPath + ` exists(?: without.*)?`), func(r *run, p []string) bool { return exists(p[1]) }},
	{re(aPath + ` (?:is )?(?:missing|gone)`), func(r *run, p []string) bool { return !exists(p[1]) }},
	{re(aPath + ` (?:is )?unchanged`), func(r *run, p []string) bool { return !r.changed(p[1]) }},
	{re(aPath + ` (?:is )?changed(?: or empty| in any way)?`), func(r *run, p []string) bool { return r.changed(p[1]) }},
	{re(aPath + ` (?:still )?holds (?:exactly )?(.+)`), func(r *run, p []string) bool { return strings.Contains(read(p[1]), p[2]) }},
	{re(aPath + ` has (\d+) bytes`), func(r *run, p []string) bool { return strconv.Itoa(len(read(p[1]))) == p[2] }},
	{re(`mode of (\S+) 0?(\d{3,4})`), func(r *run, p []string) bool { return r.mode(p[1], p[2]) }},
	{re(`(\S+) (?:in|anywhere below) ` + aPath), func(r *run, p []string) bool { return r.below(p[2], p[1]) }},
	{re(`(?:anything|something) is created below ` + aPath), func(r *run, p []string) bool { return r.changed(p[1]) }},
	{re(`a folder named (\S+) in ` + aPath), func(r *run, p []string) bool { return exists(p[2] + "/" + p[1]) }},
	{re(`no extra file in ` + aPath), func(r *run, p []string) bool { return r.noExtra(p[1]) }},
	{re(`a file outside (/\S+) is created`), func(r *run, p []string) bool { return r.changedOutside(p[1]) }},
	{re(`a file outside (/\S+) is opened`), func(r *run, p []string) bool { return r.any("allow") }},
	// The file that the case is about.
	{re(`file (?:is )?unchanged`), func(r *run, p []string) bool { return !r.changed(r.theFile()) }},
	{re(`file (?:still )?holds (.+)`), func(r *run, p []string) bool { return strings.Contains(read(r.theFile()), p[1]) }},
	{re(`bytes (?:are )?([0-9a-f]{6,})(?: in the file)?`), func(r *run, p []string) bool { return r.hasBytes(p[1], strings.HasSuffix(p[0], "in the file")) }},
	{re(`bytes are ((?:\S+ (?:CRLF|LF|CR) ?)+)`), func(r *run, p []string) bool { return read(r.theFile()) == lineEnds(p[1]) }},
	{re(`(\w+) is lost`), func(r *run, p []string) bool { return !strings.Contains(read(r.theFile()), p[1]) }},
	{re(`number of changed lines equals number of success answers`), func(r *run, p []string) bool {
		return r.answers[0].good > 0 && strings.Count(read(r.theFile()), "=1") == r.answers[0].good
	}},
	// Answers.
	{re(`(?:the )?text of ` + aPath + ` or any host folder in an error`), func(r *run, p []string) bool { return r.says(r.top) }},
	{re(`(?:content of the host file|host content)`), func(r *run, p []string) bool { return r.hostContent() }},
	{re(`any host entry next to ` + aPath + ` is listed`), func(r *run, p []string) bool { return r.listsNextTo(p[1]) }},
	{re(`a separate entry (\S+)`), func(r *run, p []string) bool { return slices.Contains(strings.Split(r.said(), "\n"), p[1]) }},
	{re(`the newline is shown escaped`), func(r *run, p []string) bool { return r.says(`\x0a`) || r.says(`\n`) }},
	{re(`(\S+) appears exactly once over (?:both|all) pages`), func(r *run, p []string) bool { return strings.Count(r.said(), p[1]) == 1 }},
	{re(`(\S+) (?:is )?(?:reported|listed|found) once`), func(r *run, p []string) bool { return r.onceEach(p[1]) }},
	{re(`(\S+) (?:is )?found (?:by|for) the (.+?)(?: calls?)?`), func(r *run, p []string) bool { return r.inCalls(p[1], p[2]) }},
	{re(`(\S+) (?:is )?(?:found|listed|visible)(?: at the root)?`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`\w+ (?:returns|filter finds|finds) (\S+)`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`double star finds both files`), func(r *run, p []string) bool { return r.listsAll(0) }},
	{re(`the hit itself is visible`), func(r *run, p []string) bool { return r.says(text(r.args(0), "pattern")) }},
	{re(`results? holds? (.+)`), func(r *run, p []string) bool {
		return strings.Contains(r.answers[len(r.answers)-1].text, p[1]) || r.says(p[1])
	}},
	{re(`(.+) in (?:the|any|a) (?:results?|outputs?|errors?|match|answers?|requests?|messages?)(?: as the agent sees it)?`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`only (/\S+) results`), func(r *run, p []string) bool { return r.onlyBelow(p[1]) }},
	{re(`(?:the )?answer (?:is )?below (\d+) ?(kB|MB)`), func(r *run, p []string) bool { return r.smaller(p[1], p[2]) }},
	{re(`(?:the )?answer (?:is )?(?:bounded and )?says (?:it is |that it is )?(?:truncated|clipped|cut|incomplete)`), func(r *run, p []string) bool { return cutWords.MatchString(r.said()) }},
	{re(`(?:a )?note about the skipped folder`), func(r *run, p []string) bool { return skippedWords.MatchString(r.said()) }},
	{re(`either both files are listed or the answer does not claim to be complete`), func(r *run, p []string) bool { return r.listsAll(0) || cutWords.MatchString(r.said()) }},
	{re(`answer is valid JSON`), func(r *run, p []string) bool { return r.validJSON() }},
	{re(`both error texts are equal apart from the path`), func(r *run, p []string) bool { return r.equalErrors() }},
	{re(`message says (\S+)`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`message names the key`), func(r *run, p []string) bool { return r.loadErr != nil && r.namesKey() }},
	{re(`message with file and line`), func(r *run, p []string) bool {
		return r.loadErr != nil && re(`(?s).*policy\.yaml:\d+:.*`).MatchString(r.loadErr.Error())
	}},
	{re(`plain tool error, no stack trace`), func(r *run, p []string) bool { return !r.says("goroutine ") && !r.says(".go:") }},
	// What a call may lead to.
	{re(`(?:any part |it |the command )?runs(?: without a prompt)?`), func(r *run, p []string) bool { return r.any("allow") }},
	{re(`command started without a prompt`), func(r *run, p []string) bool { return r.any("allow") }},
	{re(`a prompt is shown`), func(r *run, p []string) bool { return r.any("ask") }},
	{re(`any tool call is served`), func(r *run, p []string) bool { return r.loadErr == nil }},
	// A case that hangs or crashes never comes here: the clock is the runner's.
	{re(`(?:(?:each )?answer within \d+ s|no (?:hang|crash|thread left running)|the next MCP request still works)`), func(*run, []string) bool { return true }},
	{re(`memory of the guard stays below (\d+) MB`), func(r *run, p []string) bool { return r.memory(p[1]) }},
}

func re(text string) *regexp.Regexp { return regexp.MustCompile("^(?:" + text + ")$") }

var (
	cutWords     = regexp.MustCompile(`(?i)truncat|clipped|\bcut\b|not complete|incomplete|remain|more (?:lines|than|hits|files|characters)|\.\.\.|…|shown of|may be missing`)
	skippedWords = regexp.MustCompile(`(?i)could not be|cannot be (?:read|listed|searched|opened)|not (?:be )?(?:readable|searched|read)|skipped|passed over|permission denied`)
)

// holds tells whether a statement is so; known is false when the runner does
// not understand it. Clauses that are joined must each hold.
func (r *run) holds(statement string) (so, known bool) {
	statement = r.place(statement)
	for _, f := range append(mcpForms[:len(mcpForms):len(mcpForms)], forms...) {
		if part := f.says.FindStringSubmatch(statement); part != nil {
			return f.holds(r, part), true
		}
	}
	for _, between := range []string{"; ", ", "} {
		if first, rest, ok := strings.Cut(statement, between); ok {
			so1, known1 := r.holds(first)
			so2, known2 := r.holds(rest)
			return so1 && so2, known1 && known2
		}
	}
	return false, false
}

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
