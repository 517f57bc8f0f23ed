package policy

import "strings"

// deny tells why Paddock's own files refuse a request, "" when they do not.
func (o *Own) deny(real string, perm Permission) string {
	if o.private(real) {
		return "Paddock keeps its own state here"
	}
	if perm&(Write|Delete) == 0 {
		return ""
	}
	for _, file := range o.Files {
		// Replacing or removing a folder above the file replaces the file:
		// the next start would load what the agent put there.
		if file == real || perm&Delete != 0 && within(file, real) {
			return "Paddock itself depends on this"
		}
	}
	for _, dir := range o.Private {
		if perm&Delete != 0 && within(dir, real) {
			return "Paddock itself depends on this"
		}
	}
	return ""
}

// private tells whether a path lies in a folder that is closed whole, or is a
// file of a moment.
func (o *Own) private(real string) bool {
	for _, dir := range o.Private {
		if within(real, dir) {
			return true
		}
	}
	for rest := real; o.Temp != ""; {
		i := strings.Index(rest, o.Temp)
		if i < 0 {
			break
		}
		if i > 0 && rest[i-1] == '/' {
			return true
		}
		rest = rest[i+1:]
	}
	return false
}

// touches tells whether some own file or folder is at or below a folder, or
// holds it.
func (o *Own) touches(dir string) bool {
	for _, file := range o.Files {
		if within(file, dir) {
			return true
		}
	}
	for _, private := range o.Private {
		if within(private, dir) || within(dir, private) {
			return true
		}
	}
	return false
}
