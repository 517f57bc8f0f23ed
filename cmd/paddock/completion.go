package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a script made from the command line's own description, so that it
// is never older than the program.
func (c *completionCmd) Run(a *app) error {
	all := wordsOf(a.model)
	script := map[string]func(words) string{"bash": bash, "zsh": zsh, "fish": fish}[c.Shell](all)
	if a.json {
		return a.printJSON(map[string]string{"shell": c.Shell, "script": script})
	}
	_, err := fmt.Fprint(a.io.out, script)
	if err != nil {
		return fmt.Errorf("completion: %w", err)
	}
	return nil
}

// words are what can be completed.
type words struct {
	commands []command
	flags    []string // of every command
}

type command struct {
	name, help string
	words      []string // its own flags and fixed arguments
}

func wordsOf(m *kong.Application) words {
	w := words{flags: flagsOf(m.Node)}
	for _, n := range m.Children {
		c := command{name: n.Name, help: n.Help, words: flagsOf(n)}
		for _, p := range n.Positional {
			if p.Enum != "" {
				c.words = append(c.words, strings.Split(p.Enum, ",")...)
			}
		}
		for _, f := range n.Flags {
			if f.Enum != "" {
				c.words = append(c.words, strings.Split(f.Enum, ",")...)
			}
		}
		for _, below := range n.Children {
			c.words = append(append(c.words, below.Name), flagsOf(below)...)
		}
		if n.Name == "call" {
			for _, t := range allTools() {
				c.words = append(c.words, t.Name)
			}
		}
		slices.Sort(c.words)
		c.words = slices.Compact(c.words)
		w.commands = append(w.commands, c)
	}
	return w
}

func flagsOf(n *kong.Node) []string {
	var flags []string
	for _, f := range n.Flags {
		flags = append(flags, "--"+f.Name)
	}
	return flags
}

func (w words) names() string {
	var names []string
	for _, c := range w.commands {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

func bash(w words) string {
	var cases strings.Builder
	for _, c := range w.commands {
		fmt.Fprintf(&cases, "        %s) words=%q; break ;;\n", c.name, strings.Join(append(c.words, w.flags...), " "))
	}
	return fmt.Sprintf(`# bash completion for paddock: source <(paddock completion bash)
_paddock() {
    local word=${COMP_WORDS[COMP_CWORD]} words=%q
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
%s        esac
    done
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _paddock paddock
`, w.names()+" "+strings.Join(w.flags, " "), cases.String())
}

func zsh(w words) string {
	var commands, cases strings.Builder
	for _, c := range w.commands {
		fmt.Fprintf(&commands, "        %s\n", zshQuoted(c.name+":"+c.help))
		fmt.Fprintf(&cases, "        %s) compadd -- %s; _files ;;\n", c.name, strings.Join(append(c.words, w.flags...), " "))
	}
	return fmt.Sprintf(`#compdef paddock
# zsh completion for paddock: put this in a file _paddock on $fpath
_paddock() {
    local -a commands
    commands=(
%s    )
    if ((CURRENT == 2)); then
        _describe command commands
        compadd -- %s
        return
    fi
    case $words[2] in
%s    esac
}
_paddock "$@"
`, commands.String(), strings.Join(w.flags, " "), cases.String())
}

func zshQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fish(w words) string {
	var b strings.Builder
	b.WriteString("# fish completion for paddock: paddock completion fish | source\n")
	for _, c := range w.commands {
		fmt.Fprintf(&b, "complete -c paddock -n __fish_use_subcommand -f -a %s -d %s\n", c.name, zshQuoted(c.help))
		for _, word := range append(c.words, w.flags...) {
			if flag, ok := strings.CutPrefix(word, "--"); ok {
				fmt.Fprintf(&b, "complete -c paddock -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, flag)
			} else {
				fmt.Fprintf(&b, "complete -c paddock -n '__fish_seen_subcommand_from %s' -a %s\n", c.name, word)
			}
		}
	}
	return b.String()
}
