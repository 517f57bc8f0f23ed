package policy

import (
	"maps"
	"slices"
	"strings"

	"paddock/internal/command"
)

func (k *checker) commands(c *SecurityContext) {
	k.word("unlisted_commands", string(c.UnlistedCommands), string(UnlistedAllow), string(UnlistedAsk), string(UnlistedDeny))
	k.commandList("allowed_commands", c.AllowedCommands)
	if c.DeniedCommands != nil {
		k.commandList("denied_commands", *c.DeniedCommands)
	}
	k.commandList("ask_commands", c.AskCommands)
}

// maxSteps bounds the expressions of a policy together: a found one is compiled
// before anybody vouched for it, and a small file can hold expressions that fill
// the memory.
const maxSteps = 200_000

func (k *checker) commandList(list string, texts []string) {
	for i, text := range texts {
		p, err := command.Compile(text)
		if err != nil {
			k.add(index(list, i), "%s can't be used: %v", quoted(text), err)
		}
		if k.steps += p.Steps; k.steps > maxSteps {
			k.add(index(list, i), "the expressions of the command lists come to more than %d steps together; use smaller counts, or fewer of them", maxSteps)
			return
		}
	}
}

// decisions are a person's possible answers (the rules model, human in the loop).
var decisions = []string{"approve", "edit", "reject", "respond"}

func (k *checker) interruptOn(tools map[string]InterruptOn) {
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		at := member("interrupt_on", tool)
		if strings.TrimSpace(tool) == "" {
			k.add("interrupt_on", "the name of a tool is empty")
		}
		on := tools[tool]
		if !on.Ask && len(on.AllowedDecisions) > 0 {
			k.add(at, "allowed_decisions are given for a tool that does not ask; set Ask or drop them")
		}
		for i, decision := range on.AllowedDecisions {
			k.listWord(index(at+".allowed_decisions", i), decision, decisions...)
		}
	}
}

// listWord is word for an item of a list, where nothing stands for a default.
func (k *checker) listWord(address, value string, words ...string) {
	if value == "" {
		k.add(address, "the word is empty; write one of %s", strings.Join(words, ", "))
		return
	}
	k.word(address, value, words...)
}

// ways are the ways to ask.
var ways = []string{"terminal", "inbox", "elicit", "delegate", "webhook", "hook", "interrupt", "auto", "auto_deny"}

func (k *checker) approval(a Approval) {
	for i, way := range a.Chain {
		at := index("approval.chain", i)
		k.listWord(at, way, ways...)
		if before := slices.Index(a.Chain, way); before < i {
			k.add(at, "%s is in the chain twice; the second is never asked", quoted(way))
		}
	}
	k.duration("approval.timeout", a.Timeout)
	for _, right := range slices.Sorted(maps.Keys(a.AtLeast)) {
		at := member("approval.at_least", right)
		k.listWord(at, right, "read", "write", "execute", "delete")
		k.listWord(at, string(a.AtLeast[right]), string(ByProgram), string(ByHost), string(ByPerson))
	}
}
