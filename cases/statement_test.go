package cases

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	{re(aPath + ` (?:is )?empty`), func(r *run, p []string) bool { return exists(p[1]) && read(p[1]) == "" }},
	{re(aPath + ` is a (?:regular )?file`), func(r *run, p []string) bool { return r.mode0(p[1]).IsRegular() }},
	{re(aPath + ` is a (?:folder|directory)`), func(r *run, p []string) bool { return r.mode0(p[1]).IsDir() }},
	{re(aPath + ` is (?:still )?a (?:sym)?link`), func(r *run, p []string) bool { return r.mode0(p[1])&os.ModeSymlink != 0 }},
	{re(aPath + ` ends with a newline`), func(r *run, p []string) bool { return strings.HasSuffix(read(p[1]), "\n") }},
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
	{re(`(?:the )?file ends with a newline`), func(r *run, p []string) bool { return strings.HasSuffix(read(r.theFile()), "\n") }},
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
	{re(`(\S+) and (\S+) (?:are )?(?:found|listed|visible|reported)`), func(r *run, p []string) bool { return r.says(p[1]) && r.says(p[2]) }},
	{re(`only (\S+) (?:is )?(?:found|listed|visible|reported)`), func(r *run, p []string) bool { return r.says(p[1]) && !r.saysOther(p[1]) }},
	{re(`(\S+) (?:is )?(?:found|listed|visible)(?: at the root)?`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`\w+ (?:returns|filter finds|finds) (\S+)`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`double star finds both files`), func(r *run, p []string) bool { return r.listsAll(0) }},
	{re(`the hit itself is visible`), func(r *run, p []string) bool { return r.says(text(r.args(0), "pattern")) }},
	{re(`results? holds? (.+)`), func(r *run, p []string) bool {
		return strings.Contains(r.answers[len(r.answers)-1].text, p[1]) || r.says(p[1])
	}},
	{re(`(?:the (?:name|text|word) )?(.+) in (?:the|any|a|an) (?:results?|outputs?|errors?|match(?:es)?|answers?|requests?|messages?|listing|hits?)(?: or .+)?(?: as the agent sees it)?`), func(r *run, p []string) bool { return r.says(p[1]) }},
	{re(`only (/\S+) results`), func(r *run, p []string) bool { return r.onlyBelow(p[1]) }},
	{re(`(?:the )?answer (?:is )?below (\d+) ?(kB|MB)`), func(r *run, p []string) bool { return r.smaller(p[1], p[2]) }},
	{re(`(?:the )?answer (?:is )?(?:bounded and )?says (?:it is |that it is )?(?:truncated|clipped|cut|incomplete)`), func(r *run, p []string) bool { return cutWords.MatchString(r.said()) }},
	{re(`(?:a )?note about the skipped folder`), func(r *run, p []string) bool { return skippedWords.MatchString(r.said()) }},
	{re(`either both files are listed or the answer does not claim to be complete`), func(r *run, p []string) bool { return r.listsAll(0) || cutWords.MatchString(r.said()) }},
	{re(`answer is valid JSON`), func(r *run, p []string) bool { return r.validJSON() }},
	{re(`(?:both|all|the) (?:error texts|errors|answers|results|messages) are (?:equal|the same|identical)(?: apart from the (?:path|name))?`), func(r *run, p []string) bool { return r.equalErrors() }},
	{re(`(?:message|answer|error|result|text) (?:says|names|mentions|contains|shows) (\S+)`), func(r *run, p []string) bool { return r.says(p[1]) }},
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

// negated turns "x is not listed" into "x is listed".
func negated(statement string) (plain string, turned bool) {
	for from, to := range map[string]string{" does not exist": " exists", " do not exist": " exists", " is not ": " is ", " not listed": " listed", " not found": " found", " not in ": " in ", " does not end with": " ends with", " ends without": " ends with", " does not hold ": " holds ", " not changed": " changed"} {
		if strings.Contains(statement, from) {
			return strings.Replace(statement, from, to, 1), true
		}
	}
	return statement, false
}

// holds tells whether a statement is so; known is false when the runner does
// not understand it. Clauses that are joined must each hold.
func (r *run) holds(statement string) (so, known bool) {
	statement = r.place(statement)
	if so, known := r.both(statement, " and "); known {
		return so, true
	}
	if rest, ok := strings.CutPrefix(statement, "no "); ok && !re(`extra file.*|hang|crash|thread left running`).MatchString(rest) {
		so, known := r.holds(rest)
		return !so, known
	}
	if plain, turned := negated(statement); turned {
		so, known := r.holds(plain)
		return !so, known
	}
	for _, f := range append(mcpForms[:len(mcpForms):len(mcpForms)], forms...) {
		if part := f.says.FindStringSubmatch(statement); part != nil {
			return f.holds(r, part), true
		}
	}
	return r.both(statement, "; ", ", ")
}

// both takes a statement of two clauses apart; known when both are.
func (r *run) both(statement string, between ...string) (so, known bool) {
	for _, word := range between {
		if first, rest, ok := strings.Cut(statement, word); ok {
			so1, known1 := r.holds(first)
			so2, known2 := r.holds(rest)
			return so1 && so2, known1 && known2
		}
	}
	return false, false
}
