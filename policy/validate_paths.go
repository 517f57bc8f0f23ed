package policy

import (
	"errors"
	"slices"
	"strings"

	"paddock/internal/gitignore"
)

// rights refuses bits that are no right.
func (k *checker) rights(address string, p *Permission) {
	if p != nil && *p&^All != 0 {
		k.add(address, "the permission %#x has bits that are no right; combine Read, Write, Execute and Delete", uint8(*p))
	}
}

func (k *checker) paths(entries []PathEntry) {
	first := map[string]int{}
	for i := range entries {
		e, at := &entries[i], index("paths", i)
		k.slug(at, e.Slug)
		k.mount(at, e)
		k.entryRights(at, e)
		k.ignoreList(at+".denied_path_regex", e.DeniedPathRegex)
		slug := cleanSlug(e.Slug)
		if before, taken := first[slug]; taken && slug != "" {
			k.add(at+".slug", "the slug %s is taken by paths[%d]; each mount needs a name of its own", quoted(e.Slug), before)
		} else {
			first[slug] = i
		}
	}
}

// rootEntry demands the entry that paths without a slug belong to.
func (k *checker) rootEntry(entries []PathEntry) {
	if slices.ContainsFunc(entries, func(e PathEntry) bool { return e.IsRoot() }) {
		return
	}
	for i := range entries {
		// A slug that could not be read may have been meant to be root.
		if k.known[index("paths", i)] || k.known[index("paths", i)+".slug"] {
			return
		}
	}
	k.add("paths", "no entry has slug root; give it to the mount that paths without a slug belong to")
}

// cleanSlug is a slug without the outer slashes that the context model lets people write.
func cleanSlug(slug string) string { return strings.Trim(slug, "/") }

func (k *checker) slug(at, slug string) {
	at += ".slug"
	clean := cleanSlug(slug)
	switch {
	case slug == "":
		k.add(at, "the entry has no slug; name the mount, for example slug: root")
	case clean == "":
		k.add(at, "%s is no slug; use a name such as root or reports", quoted(slug))
	case clean == "." || clean == "..":
		k.add(at, "%s is a place relative to another and can't be a slug; use a name such as reports", quoted(slug))
	case strings.HasPrefix(clean, "~"):
		k.add(at, "%s stands for a home folder and can't be a slug; use a name such as home", quoted(slug))
	case strings.Contains(clean, "/"):
		k.add(at, "the slug %s has a slash in the middle; a slug is one folder name, such as %s", quoted(slug), quoted(strings.ReplaceAll(clean, "/", "-")))
	case len(clean) > maxName:
		k.add(at, "the slug %s has %d characters; at most %d are allowed", quoted(slug), len(clean), maxName)
	case !isName(clean, true):
		k.add(at, "the slug %s has characters other than letters, digits, ., _ and -", quoted(slug))
	}
}

// mount checks where an entry's files are.
func (k *checker) mount(at string, e *PathEntry) {
	path := at + ".path"
	needsNone := e.Backend == "memory" || e.Backend == "store"
	switch {
	case e.Backend != "" && !isName(e.Backend, true):
		k.add(at+".backend", "%s is no backend; write disk, memory, store or sandbox", quoted(e.Backend))
	case e.OnDisk() && e.Path == "":
		k.add(path, "the entry has no path; name the folder to mount, for example path: ./workspace")
	case needsNone && e.Path != "":
		k.add(path, "a mount with backend %s is no folder of this machine; remove path", e.Backend)
	case strings.ContainsRune(e.Path, 0):
		k.add(path, "the path %s holds a NUL character", quoted(e.Path))
	case e.OnDisk() && (e.Path == "~" || strings.HasPrefix(e.Path, "~")):
		k.add(path, "%s: ~ is not expanded; write the whole path, or ./%s for a folder of that name", quoted(e.Path), escaped(e.Path))
	}
}

// entryRights checks an entry's own keys against each other.
func (k *checker) entryRights(at string, e *PathEntry) {
	k.rights(at+".allowed_permission", e.AllowedPermission)
	k.rights(at+".required_permission", e.RequiredPermission)
	k.rights(at+".denied_permission", e.DeniedPermission)
	if e.AllowedPermission == nil || e.RequiredPermission == nil {
		return
	}
	if over := *e.RequiredPermission &^ *e.AllowedPermission; over != None {
		k.add(at+".required_permission", "%s needs approval here but is not in allowed_permission (%s), so that it could never be approved; add it there or remove it here", over, *e.AllowedPermission)
	}
}

// ignoreList checks a denied_path_regex. A line that git reads and that denies
// nothing is refused: whoever wrote it meant to deny something.
func (k *checker) ignoreList(address string, lines []string) {
	list, err := gitignore.Compile(lines)
	inert := map[int]bool{}
	if err == nil {
		for _, i := range list.Inert() {
			inert[i] = true
		}
	}
	for i, line := range lines {
		if what := ignoreFault(line); what != "" {
			k.add(index(address, i), "%s", what)
		} else if inert[i] {
			k.add(index(address, i), "the pattern %s can match nothing; is a bracket not closed?", quoted(line))
		} else if err == nil {
			continue
		} else if _, lineErr := gitignore.Compile(lines[i : i+1]); lineErr != nil {
			k.add(index(address, i), "the pattern %s can't be used: %s", quoted(line), ignoreReason(lineErr))
		}
	}
}

// ignoreFault says why a line holds no pattern, or nothing.
func ignoreFault(line string) string {
	switch bare := strings.TrimSpace(line); {
	case bare == "" || bare == "/":
		return "the pattern " + quoted(line) + " is empty and would deny nothing"
	case bare == "!" || bare == "!/":
		return "nothing follows the !; name what is to stay allowed"
	case line[0] == '#':
		return quoted(line) + " is a comment in the .gitignore dialect and denies nothing; write " + quoted(`\`+line) + " for a name that begins with #"
	case strings.HasPrefix(line, "\ufeff"):
		return quoted(line) + " begins with an invisible byte order mark; remove it"
	}
	return ""
}

// ignoreReason is why a line was refused, without the line.
func ignoreReason(err error) string {
	var line *gitignore.LineError
	if errors.As(err, &line) {
		return line.Reason
	}
	return err.Error()
}
