package cases

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"paddock"
	"paddock/internal/wire"
	"paddock/policy"
	"paddock/tool"
)

// An answer is what came of one call.
type answer struct {
	verdict string // allow, deny, ask, error, load-error, ok
	text    string // what the agent reads
	data    string // its structured form
	path    string // what the call was about
	calls   int    // how many calls it stands for
	good    int    // how many of them were allowed
}

// A run is a case under way.
type run struct {
	*world
	c       *bugCase
	ctx     context.Context
	guard   *paddock.Guard
	loadErr error
	policy  mapped
	answers []answer
	before  map[string]string // what was there before the first call
	restore func()
	shells  int
	// Of a case about the protocol:
	client *wireClient
	each   []answer
	most   uint64
}

// load starts a Guard the way the program does.
func (r *run) load() {
	if r.policy.file != "" {
		r.write(r.policy.file, []byte(r.policy.text))
	}
	env := wire.Environment{Dir: r.top + "/elsewhere", Getenv: func(name string) string {
		return map[string]string{"PADDOCK_STATE": r.top + "/state", "HOME": r.at["H"]}[name]
	}}
	source, err := wire.Choose(r.policy.file, env)
	if err != nil {
		r.loadErr = err
		return
	}
	setup, err := wire.Open(source, env, wire.Options{})
	if err != nil {
		r.loadErr = err
		return
	}
	r.guard = setup.Guard
	r.t.Cleanup(func() { r.guard.Close() })
}

// productTool is what the product calls a tool of the cases.
func productTool(name string) string {
	switch name {
	case "read", "write", "edit":
		return name + "_file"
	case "shell":
		return "execute"
	}
	return name
}

// do makes one call of the case.
func (r *run) do(call map[string]any) answer {
	call = r.placeAll(call).(map[string]any)
	switch {
	case call["do"] != nil:
		return r.testStep(text(call, "do"))
	case call["parallel"] != nil:
		return r.parallel(call["parallel"].([]any))
	case call["loop"] != nil:
		return r.loop(number(call, "loop"), call["call"].(map[string]any))
	case call["repeat"] != nil:
		return r.loop(number(call, "repeat"), call["call"].(map[string]any))
	}
	args, _ := call["args"].(map[string]any)
	return r.tool(text(call, "tool"), args)
}

func (r *run) parallel(calls []any) answer {
	all := make([]answer, len(calls))
	var wait sync.WaitGroup
	for i := range calls {
		wait.Go(func() { all[i] = r.do(calls[i].(map[string]any)) })
	}
	wait.Wait()
	return together(all)
}

func (r *run) loop(n int, call map[string]any) answer {
	stop := r.background()
	defer stop()
	all := make([]answer, n)
	for i := range all {
		all[i] = r.do(call)
	}
	return together(all)
}

// together joins answers: the verdicts that came up, and all texts.
func together(all []answer) answer {
	var out answer
	words := []string{}
	for _, a := range all {
		if !slices.Contains(words, a.verdict) {
			words = append(words, a.verdict)
		}
		out.text += a.text + "\n"
		out.data += a.data + "\n"
		out.calls++
		if a.verdict == "allow" {
			out.good++
		}
	}
	out.verdict = strings.Join(words, "+")
	return out
}

// tool runs a tool of the product, or an operation of its Guard for which no
// tool is there yet.
func (r *run) tool(name string, args map[string]any) answer {
	if r.loadErr != nil {
		return answer{verdict: "load-error", text: r.loadErr.Error()}
	}
	path := text(args, "path") + text(args, "source")
	if name == "shell" {
		r.shells++
		return r.shell(text(args, "command"), text(args, "cwd"))
	}
	if op := guardOps[name]; op != nil {
		return r.operation(name, args, op, path)
	}
	sent, err := json.Marshal(productArgs(name, args))
	r.check(err)
	for _, t := range tool.Rules() {
		if t.Name == productTool(name) {
			a := answerOf(tool.Run(r.ctx, r.guard, t, sent, nil))
			a.path = path
			return a
		}
	}
	return answer{verdict: "error", text: "there is no tool " + name}
}

func answerOf(result tool.Result) answer {
	a := answer{verdict: "allow", text: result.Text, calls: 1}
	if data, err := json.Marshal(result.Structured); err == nil {
		a.data = string(data)
	} else {
		a.data = "no JSON: " + err.Error()
	}
	switch {
	case result.Denied && (result.Kind == policy.ApprovalDenied || result.Kind == policy.ApprovalTimeout):
		a.verdict = "ask"
	case result.Denied:
		a.verdict = "deny"
	case result.IsError:
		a.verdict = "error"
	}
	return a
}

// productArgs turns a case's arguments into the product's.
func productArgs(name string, args map[string]any) map[string]any {
	names := map[string]map[string]string{
		"read": {"path": "file_path"}, "write": {"path": "file_path"},
		"edit": {"path": "file_path", "old": "old_string", "new": "new_string", "all": "replace_all"},
		"grep": {"include": "glob", "mode": "output_mode", "max": "max_count"},
	}[name]
	out := map[string]any{}
	for key, value := range args {
		if other := names[key]; other != "" {
			key = other
		}
		out[key] = value
	}
	if name == "grep" {
		switch out["output_mode"] {
		case nil:
			out["output_mode"] = "content"
		case "files":
			out["output_mode"] = "files_with_matches"
		}
	}
	return out
}

// guardOps are operations of the Guard that the file tools of this part do not
// offer.
var guardOps = map[string]func(ctx context.Context, c *paddock.Call, args map[string]any) error{
	"mkdir": func(ctx context.Context, c *paddock.Call, args map[string]any) error {
		_, err := c.Mkdir(ctx, text(args, "path"), true)
		return err
	},
	"move": func(ctx context.Context, c *paddock.Call, args map[string]any) error {
		overwrite, _ := args["overwrite"].(bool)
		return c.Move(ctx, text(args, "source"), text(args, "dest"), overwrite)
	},
	"copy": func(ctx context.Context, c *paddock.Call, args map[string]any) error {
		overwrite, _ := args["overwrite"].(bool)
		_, err := c.Copy(ctx, text(args, "source"), text(args, "dest"), overwrite)
		return err
	},
	"append": func(ctx context.Context, c *paddock.Call, args map[string]any) error {
		_, err := c.Edit(ctx, text(args, "path"), func(old []byte) ([]byte, error) {
			return append(bytes.Clone(old), text(args, "content")...), nil
		})
		return err
	},
}

func (r *run) operation(name string, args map[string]any, op func(context.Context, *paddock.Call, map[string]any) error, path string) answer {
	sent, err := json.Marshal(args)
	r.check(err)
	c := r.guard.Begin(name, sent)
	err = op(r.ctx, c, args)
	c.End(err)
	return r.outcome(err, path)
}

// outcome turns an error of the Guard into an answer.
func (r *run) outcome(err error, path string) answer {
	var denial *policy.Denial
	a := answer{verdict: "allow", path: path, calls: 1}
	if err == nil {
		return a
	}
	a.text = err.Error()
	switch {
	case !errors.As(err, &denial):
		a.verdict = "error"
	case denial.Kind == policy.ApprovalDenied || denial.Kind == policy.ApprovalTimeout:
		a.verdict = "ask"
	default:
		a.verdict = "deny"
	}
	return a
}

// shell asks whether a command may run, and starts none. Shells start in $P.
func (r *run) shell(line, dir string) answer {
	if dir == "" {
		dir = r.policy.home
	}
	c := r.guard.Begin("execute", json.RawMessage(fmt.Sprintf(`{"command":%s}`, quote(line))))
	_, err := c.AuthorizeCommand(r.ctx, line, nil, dir)
	c.End(err)
	return r.outcome(err, "")
}

// caseTime is how long a case may take before it counts as hung. It is far
// above what any of them needs, so that a busy machine fails none.
const caseTime = 90 * time.Second
