package conformance

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// expectation is a line of expected.txt.
type expectation struct {
	scenario string
	server   string   // where it passes: paddock, fixture or none
	runs     []string // of which it is true
	except   []string // checks that may fail, for the reason
	reason   string
}

type expectations []expectation

func contains(list []string, s string) bool { return slices.Contains(list, s) }

func (l expectations) find(run, scenario string) (expectation, bool) {
	for _, e := range l {
		if e.scenario == scenario && contains(e.runs, run) {
			return e, true
		}
	}
	return expectation{}, false
}

// of are the scenarios of a run.
func (l expectations) of(run string) []string {
	var all []string
	for _, e := range l {
		if contains(e.runs, run) {
			all = append(all, e.scenario)
		}
	}
	return all
}

// readExpected reads the list: SCENARIO SERVER RUN,… [except CHECK,…] [: REASON].
// A reason that begins with @ names one that was given before: @NAME REASON.
func readExpected(name string) (expectations, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list expectations
	reasons := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '@' {
			name, reason, _ := strings.Cut(line, " ")
			reasons[name] = strings.TrimSpace(reason)
			continue
		}
		e, err := parseExpectation(line, reasons)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
		for _, run := range e.runs {
			if _, twice := list.find(run, e.scenario); twice {
				return nil, fmt.Errorf("%s, line %d: %s is there twice for %s", name, i+1, e.scenario, run)
			}
		}
		list = append(list, e)
	}
	return list, nil
}

func parseExpectation(line string, reasons map[string]string) (expectation, error) {
	facts, reason, _ := strings.Cut(line, " : ")
	fields := strings.Fields(facts)
	e := expectation{reason: strings.TrimSpace(reason)}
	if strings.HasPrefix(e.reason, "@") {
		e.reason = reasons[e.reason]
	}
	switch {
	case len(fields) == 5 && fields[3] == "except":
		e.except = strings.Split(fields[4], ",")
	case len(fields) != 3:
		return e, fmt.Errorf("%q is not SCENARIO SERVER RUN,… [except CHECK,…] [: REASON]", line)
	}
	e.scenario, e.server, e.runs = fields[0], fields[1], strings.Split(fields[2], ",")
	for _, name := range e.runs {
		if !slices.ContainsFunc(runs, func(r run) bool { return r.name == name }) {
			return e, fmt.Errorf("there is no run %q", name)
		}
	}
	switch {
	case !contains([]string{"paddock", "fixture", "none"}, e.server):
		return e, fmt.Errorf("%q is no server", e.server)
	case e.server != "paddock" && len(strings.Fields(e.reason)) < 3, e.except != nil && e.reason == "":
		return e, fmt.Errorf("it is not said why %s does not apply", e.scenario)
	}
	return e, nil
}

func TestExpectationsHaveReasons(t *testing.T) {
	list, err := readExpected("expected.txt")
	if err != nil {
		t.Fatal(err)
	}
	if pass := len(list.of("2026-07-28")); pass < 30 {
		t.Errorf("only %d scenarios are listed for the newest version", pass)
	}
	for _, bad := range []string{
		"ping paddock", "ping nowhere stable", "ping none stable", "ping none stable : @unknown", "ping paddock 1999-01-01", "ping paddock stable except x",
	} {
		if _, err := parseExpectation(bad, nil); err == nil {
			t.Errorf("the line %q is taken", bad)
		}
	}
}
