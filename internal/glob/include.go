package glob

import "strings"

// An Include is a compiled pattern of a search: of the glob tool, or of the files that grep looks at. It is immutable and
// safe for concurrent use.
type Include struct {
	pattern string
	alts    []alternative
}

// CompileInclude compiles the pattern of a search. The dialect is that of [Compile], with four differences that make it
// do what people mean by such a pattern:
//
//   - A pattern without a slash is matched against the last component, at any depth. One with a slash is matched against
//     the path below the search root; a leading slash anchors it there and means nothing else. Alternatives of braces
//     are judged each for itself.
//   - `*`, `?`, a bracket and `**` match no name that begins with a dot, unless the pattern has that dot: `.*`, `.env`,
//     `.github/**/*.yml`. Of a pattern without a slash only the last component is asked: `*.yml` finds
//     .github/workflows/ci.yml, but `**/*.yml` does not.
//   - `dir/**` matches what is below dir and not dir itself.
//   - `~` is a name like any other.
//
// The error is a *PatternError.
func CompileInclude(pattern string) (*Include, error) {
	texts, err := expand(pattern)
	if err != nil {
		return nil, err
	}
	in := &Include{pattern: pattern}
	for _, text := range texts {
		alt, err := parse(pattern, text)
		if err != nil {
			return nil, err
		}
		for _, p := range alt.parts {
			if p.text == ".." {
				return nil, &PatternError{pattern, "it may not contain '..': a search never leaves its root"}
			}
		}
		if len(alt.parts) == 0 {
			continue // nothing, or the root itself, which is no file of the search
		}
		star := part{kind: partWild, ops: []op{{kind: opStar}}}
		if alt.parts[len(alt.parts)-1].kind == partDirs {
			alt.parts = append(alt.parts, star)
		}
		alt.visible = true
		if len(splitPattern(text)) == 1 {
			alt.parts = alt.parts[len(alt.parts)-1:]
			alt.baseOnly = true
		}
		in.alts = append(in.alts, alt)
	}
	return in, nil
}

// String returns the pattern as it was written.
func (in *Include) String() string { return in.pattern }

// Match reports whether the pattern matches rel, a path below the search root without a leading slash.
func (in *Include) Match(rel string) bool {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	for i := range in.alts {
		text := rel
		if in.alts[i].baseOnly {
			text = base
		}
		if in.alts[i].match(text) {
			return true
		}
	}
	return false
}
