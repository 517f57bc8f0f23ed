package policy

import (
	"fmt"
	"slices"
	"strings"
)

// A TestFile holds unit tests of a policy: questions with the answer that its
// author expects. It is YAML (or JSON), read as strictly as a policy:
//
//	policy: paddock.yaml        # relative to this file; default: the policy in force
//	tests:
//	  - name: secrets stay closed   # default: what is asked, such as "read .env"
//	    read: .env                  # one of read, write, delete, execute with a path
//	    expect: deny                # allow, deny or ask
//	    kind: PathAccessDenied      # optional, with deny: which refusal
//	    line: 7                     # optional: a line of the policy that spoke
//	  - command: git push origin main   # or a command line
//	    expect: ask
//	  - worker: reviewer                # as a worker of the policy sees it
//	    write: src/main.go
//	    expect: deny
//
// Paths are written as the agent writes them: notes.txt, /reports/q3.csv.
type TestFile struct {
	Policy string // "" when the file names none
	Tests  []Test // at least one
}

// A Test is one question and its expected answer.
type Test struct {
	Name    string   // unique in its file
	Worker  string   // "" for the policy itself
	Asks    string   // read, write, delete, execute or command
	Target  string   // the path, or the command line
	Expect  Verdict  // what the policy must say
	Kind    Kind     // "" when any kind of denial will do
	Line    int      // 0 when any line may speak
	Written Position // where the test begins
}

// testFile and testCase are the file's own form.
type testFile struct {
	Policy string     `yaml:"policy"`
	Tests  []testCase `yaml:"tests"`
}

type testCase struct {
	Name    string  `yaml:"name"`
	Worker  string  `yaml:"worker"`
	Read    *string `yaml:"read"`
	Write   *string `yaml:"write"`
	Delete  *string `yaml:"delete"`
	Execute *string `yaml:"execute"`
	Command *string `yaml:"command"`
	Expect  string  `yaml:"expect"`
	Kind    Kind    `yaml:"kind"`
	Line    int     `yaml:"line"`
}

// ParseTests reads a test file. The error is a *LoadError with everything
// that is wrong with it.
func ParseTests(file string, data []byte) (*TestFile, error) {
	var raw testFile
	f := readFile(file, data, &raw)
	k := checker{where: f.positions, problems: f.problems, known: f.wrong}
	tests := &TestFile{Policy: raw.Policy}
	if f.readable {
		if len(raw.Tests) == 0 {
			k.add("tests", "there is no test; write for example tests: [{read: .env, expect: deny}]")
		}
		first := map[string]int{}
		for i := range raw.Tests {
			at := index("tests", i)
			test := k.test(at, &raw.Tests[i])
			if before, taken := first[test.Name]; taken && test.Target != "" {
				k.add(at, "%s is the name of tests[%d] too; give each test a name of its own", quoted(test.Name), before)
			}
			first[test.Name] = i
			test.Written = k.place(at)
			tests.Tests = append(tests.Tests, test)
		}
	}
	if err := k.err(); err != nil {
		return nil, err
	}
	return tests, nil
}

// test checks one test and turns it into its plain form.
func (k *checker) test(at string, raw *testCase) Test {
	test := Test{Name: raw.Name, Worker: raw.Worker, Kind: raw.Kind, Line: raw.Line}
	k.asks(at, raw, &test)
	if test.Name == "" {
		test.Name = test.Asks + " " + test.Target
		if test.Worker != "" {
			test.Name = test.Worker + ": " + test.Name
		}
	}
	if raw.Worker != "" && !isName(raw.Worker, false) {
		k.add(at+".worker", "%s is no name of a worker", quoted(raw.Worker))
	}
	verdicts := []Verdict{Allow, Deny, Ask}
	switch i := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.String() == raw.Expect }); {
	case raw.Expect == "":
		k.add(at+".expect", "the test expects nothing; add expect: allow, deny or ask")
	case i < 0:
		k.word(at+".expect", raw.Expect, "allow", "deny", "ask")
	default:
		test.Expect = verdicts[i]
	}
	if raw.Kind != "" {
		k.expectKind(at+".kind", test)
	}
	return test
}

// asks finds what a test asks: exactly one thing.
func (k *checker) asks(at string, raw *testCase, test *Test) {
	var found []string
	for _, x := range [...]struct {
		word   string
		target *string
	}{{"read", raw.Read}, {"write", raw.Write}, {"delete", raw.Delete}, {"execute", raw.Execute}, {"command", raw.Command}} {
		if x.target != nil || k.known[at+"."+x.word] {
			found = append(found, x.word)
		}
		if x.target != nil {
			test.Asks, test.Target = x.word, *x.target
		}
	}
	switch len(found) {
	case 0:
		k.add(at, "the test asks nothing; add one of read, write, delete, execute (with a path) or command (with a command line)")
	case 1:
	default:
		k.add(at, "the test asks %s; a test asks one thing, so write one test for each", strings.Join(found, " and "))
	}
}

// expectKind refuses a kind that the answer can't have.
func (k *checker) expectKind(at string, test Test) {
	of := []string{string(PathAccessDenied), string(PermissionDenied)}
	if test.Asks == "command" {
		of = append(of, string(CommandDenied))
	}
	switch {
	case test.Expect != Deny:
		k.add(at, "only a denial has a kind, and this test expects %s", test.Expect)
	case test.Kind == ApprovalDenied || test.Kind == ApprovalTimeout:
		k.add(at, "%s is what a person's answer leads to, not what a policy says; write expect: ask", test.Kind)
	case test.Kind == CommandDenied && test.Asks != "command":
		k.add(at, "%s is for commands; a path is refused by %s", test.Kind, strings.Join(of, " or "))
	default:
		k.word(at, string(test.Kind), of...)
	}
}

// String is the test as a person would say it: "read .env: deny".
func (t Test) String() string {
	return fmt.Sprintf("%s %s: %s", t.Asks, t.Target, t.Expect)
}
