package cases

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A node is a value of a case's policy text. A key may be there twice.
type node struct {
	text  string // of a scalar
	items []node
	pairs []pair
	list  bool
	more  bool // another document follows
}

type pair struct {
	key   string
	value node
}

// parsePolicy reads the policy of a case; false when the text is broken.
func parsePolicy(text string) (node, bool) {
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil || len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return node{}, false
	}
	root := convert(file.Docs[0].Body)
	root.more = len(file.Docs) > 1
	return root, true
}

func convert(n ast.Node) node {
	switch n := n.(type) {
	case *ast.MappingNode:
		var out node
		for _, v := range n.Values {
			out.pairs = append(out.pairs, pair{keyOf(v), convert(v.Value)})
		}
		return out
	case *ast.MappingValueNode:
		return node{pairs: []pair{{keyOf(n), convert(n.Value)}}}
	case *ast.SequenceNode:
		out := node{list: true}
		for _, v := range n.Values {
			out.items = append(out.items, convert(v))
		}
		return out
	case *ast.StringNode:
		return node{text: n.Value}
	case *ast.LiteralNode:
		return node{text: n.Value.Value}
	}
	return node{text: n.GetToken().Value}
}

func keyOf(v *ast.MappingValueNode) string { return v.Key.GetToken().Value }

func (n node) get(key string) node {
	for _, p := range n.pairs {
		if p.key == key {
			return p.value
		}
	}
	return node{}
}

func (n node) texts() []string {
	var all []string
	for _, item := range n.items {
		all = append(all, item.text)
	}
	return all
}

// A mapped policy is a case's policy in the product's own form.
type mapped struct {
	text  string // of the file
	file  string // where it stands
	noKey string // a key that the product does not have
	empty bool   // no mounts at all
	home  string // the virtual path of $P, where commands start
}

// itself is a remark by which a case says where its policy file stands.
var itself = regexp.MustCompile(`(?m)^#.*this file itself is (\S+)`)

// mapPolicy writes the policy of a case as a policy file. What the case has
// twice or wrong is twice or wrong in the file.
func (w *world) mapPolicy(c *bugCase) mapped {
	m := mapped{file: filepath.Join(w.top, "policy.yaml")}
	if at := itself.FindStringSubmatch(c.Policy); at != nil {
		m.file = w.place(at[1])
	}
	p, ok := parsePolicy(c.Policy)
	if !ok || len(p.pairs) == 0 {
		m.text = w.place(c.Policy)
		return m
	}
	b := &mapping{w: w, kind: c.Kind}
	for _, key := range p.pairs {
		b.key(key)
	}
	b.mounts(p)
	m.text, m.noKey, m.home = b.finish(), b.noKey, b.home
	if p.more {
		m.text += "---\nname: second\n"
	}
	m.empty = slices.ContainsFunc(p.pairs, func(p pair) bool { return p.key == "mounts" && len(p.value.pairs)+len(p.value.items) == 0 })
	return m
}

type mapping struct {
	w     *world
	kind  string
	lines []string
	noKey string
	// denied has, for each slug, the key as often as the case has it.
	denied   map[string][][]string
	commands bool
	home     string
}

// key maps one key of the policy; mounts and deny are put together later.
func (b *mapping) key(p pair) {
	switch p.key {
	case "mounts", "sandbox", "control_dir":
	case "deny":
		if b.denied == nil {
			b.denied = map[string][][]string{}
		}
		for _, of := range p.value.pairs {
			b.denied[of.key] = append(b.denied[of.key], patterns(of.value.texts()))
		}
	case "commands":
		b.commands = true
		b.commandLists(p.value)
	case "approval":
		b.approval(p.value)
	default:
		if b.kind == "config" {
			b.lines = append(b.lines, fmt.Sprintf("%s: %s", p.key, literal(p.value)))
		} else {
			b.noKey = p.key
		}
	}
}

// patterns are the lines of a list that say something: the product takes
// patterns, and refuses a comment among them.
func patterns(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") })
}

func (b *mapping) commandLists(n node) {
	for _, p := range n.pairs {
		switch p.key {
		case "default":
			b.lines = append(b.lines, "unlisted_commands: "+literal(p.value))
		case "allow":
			b.lines = append(b.lines, "allowed_commands: "+literal(p.value))
		case "deny":
			b.lines = append(b.lines, "denied_commands: "+literal(p.value))
		case "ask":
			b.lines = append(b.lines, "ask_commands: "+literal(p.value))
		default:
			b.noKey = "commands." + p.key
		}
	}
	if n.get("deny").items == nil {
		b.lines = append(b.lines, "denied_commands: []")
	}
}

func (b *mapping) approval(n node) {
	var tools []string
	for _, p := range n.pairs {
		if p.value.text != "ask" {
			b.noKey = "approval." + p.key
			continue
		}
		tools = append(tools, productTool(p.key)+": true")
	}
	b.lines = append(b.lines, "interrupt_on: {"+strings.Join(tools, ", ")+"}")
}

// mounts writes the entries, in either of the two forms that a case may have.
func (b *mapping) mounts(p node) {
	if len(p.get("mounts").pairs)+len(p.get("mounts").items) == 0 {
		b.lines = append(b.lines, "paths: []")
		return
	}
	b.lines = append(b.lines, "paths:")
	hasRoot := false
	entry := func(slug string, n node) {
		hasRoot = hasRoot || slug == "root"
		switch dir := n.get("dir").text; {
		case strings.HasPrefix(dir, "./"): // relative to the policy file, which stands in $T
			b.w.mkdir(filepath.Join(b.w.top, dir))
		case len(dir) > 2 && dir[0] == '$' && dir[2] == '/' && dir[1] != 'T':
			b.w.mkdir(b.w.place(dir)) // the folder of a mount is there; one below $T may be missing on purpose
		}
		if n.get("dir").text == "$P" && b.home == "" {
			b.home = "/" + slug
		}
		line := fmt.Sprintf("  - {slug: %s, path: %s", quote(slug), quote(b.w.place(n.get("dir").text)))
		line += ", allowed_permission: " + quote(rights(n.get("perms").text))
		for _, list := range b.denied[slug] {
			line += ", denied_path_regex: " + quoteAll(list)
		}
		delete(b.denied, slug)
		b.lines = append(b.lines, line+"}")
	}
	for _, m := range p.get("mounts").pairs {
		entry(m.key, m.value)
	}
	for _, m := range p.get("mounts").items {
		entry(m.get("slug").text, m)
	}
	if !hasRoot {
		b.lines = append(b.lines, fmt.Sprintf("  - {slug: root, path: %s, allowed_permission: read}", quote(filepath.Join(b.w.top, "root"))))
	}
	for slug := range b.denied {
		b.lines = append(b.lines, fmt.Sprintf("deny_of_no_mount_%s: []", slug))
	}
}

func (b *mapping) finish() string {
	if !b.commands {
		b.lines = append(b.lines, "denied_commands: []")
	}
	return strings.Join(append([]string{"permissions: all", "approval: {chain: [auto_deny]}"}, b.lines...), "\n") + "\n"
}

// rights turns letters into words; a letter that means nothing stays.
func rights(letters string) string {
	words := map[rune]string{'r': "read", 'w': "write", 'x': "execute", 'd': "delete"}
	var all []string
	for _, letter := range letters {
		if word := words[letter]; word != "" {
			all = append(all, word)
		} else {
			all = append(all, string(letter))
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, "|")
}

func literal(n node) string {
	switch {
	case n.list:
		return quoteAll(n.texts())
	case n.pairs != nil:
		var all []string
		for _, p := range n.pairs {
			all = append(all, quote(p.key)+": "+literal(p.value))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return quote(n.text)
}

func quote(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(out)
}

func quoteAll(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quote(text)
	}
	return "[" + strings.Join(all, ", ") + "]"
}
