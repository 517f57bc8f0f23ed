package command

import "mvdan.cc/sh/v3/syntax"

// binary looks at both sides of an operator. Lists lean to the left, so the left
// side is followed in a loop.
func (sc *scanner) binary(c *syntax.BinaryCmd, in text) {
	if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
		sc.stmt(c.X, in)
		sc.stmt(c.Y, in)
		return
	}
	first := len(sc.parts)
	sc.stmt(c.X, in)
	out := sc.prints(c.X, in)
	middle := len(sc.parts)
	sc.stmt(c.Y, out)
	sc.pipeline(first, middle)
}

// pipeline adds one spelling of both sides without quotes, for patterns that
// look across the bar: curl x | "sh".
func (sc *scanner) pipeline(first, middle int) {
	if sc.nested > 0 || first == middle || middle == len(sc.parts) || sc.shared.over != "" {
		return
	}
	left, right := sc.parts[middle-1].spellings, sc.parts[middle:]
	if len(left) == 0 || len(right[0].spellings) == 0 {
		return
	}
	p := part{free: true, show: sc.parts[middle-1].show + " | " + right[0].show}
	for _, l := range left {
		for _, r := range right[0].spellings {
			if len(p.spellings) < 64 {
				p.spell(l + " | " + r)
			}
		}
	}
	sc.push(p)
}
