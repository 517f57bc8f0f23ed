package tool

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// automaton finds places where an expression may match, byte by byte and far
// faster than regexp does. It errs on one side alone: it takes every assertion
// (a word boundary, the end of a line) for true, and any run of bytes beyond
// ASCII for a character that fits where one may fit at all. Where it finds
// nothing there is no match. Its states are made as they are met. It belongs to
// one goroutine.
type automaton struct {
	prog   *syntax.Prog
	next   []uint16 // by state and byte: unmet, accepted or a state
	states [][]uint32
	ids    map[string]uint16
	wide   []bool // by instruction: it can match beyond ASCII
	left   int    // instructions that may still be looked at
	// For following from one set of instructions to another:
	seen  []bool
	stack []uint32
	set   []uint32
	key   []byte
}

const (
	unmet    = 0
	accepted = 1
	initial  = 2

	// maxStates and maxEffort bound what an expression made to be costly can
	// cost in memory and in time that no clock interrupts; beyond them the
	// automaton gives up, and each line is tried by regexp.
	maxStates = 1000
	maxEffort = 4 << 20
)

// newAutomaton is nil when an expression matches the empty text: then each line
// is of interest.
func newAutomaton(prog *syntax.Prog) *automaton {
	a := &automaton{
		prog: prog, ids: map[string]uint16{}, wide: make([]bool, len(prog.Inst)), left: maxEffort, seen: make([]bool, len(prog.Inst)),
		states: make([][]uint32, initial), next: make([]uint16, initial<<8),
	}
	for i := range prog.Inst {
		a.wide[i] = matchesWide(&prog.Inst[i])
	}
	a.begin()
	a.follow(uint32(prog.Start))
	if id, ok := a.state(); !ok || id != initial {
		return nil
	}
	return a
}

// matchesWide tells whether an instruction can match a character beyond ASCII,
// as which a broken byte counts.
func matchesWide(in *syntax.Inst) bool {
	switch in.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	case syntax.InstRune1, syntax.InstRune:
		if len(in.Rune) > 1 {
			return in.Rune[len(in.Rune)-1] >= utf8.RuneSelf
		}
		for _, r := range in.Rune {
			if r >= utf8.RuneSelf {
				return true
			}
			if syntax.Flags(in.Arg)&syntax.FoldCase == 0 {
				continue
			}
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				if f >= utf8.RuneSelf {
					return true
				}
			}
		}
	}
	return false
}

// find is the first place at or after from where a match may end, as the index
// of its last byte; -1 when there is none. ok is false when the automaton gives
// up.
func (a *automaton) find(text []byte, from int) (at int, ok bool) {
	state := uint16(initial)
	for i := from; i < len(text); i++ {
		to := a.next[int(state)<<8|int(text[i])]
		if to < initial {
			if to == unmet {
				if to, ok = a.meet(state, text[i]); !ok {
					return i, false
				}
			}
			if to == accepted {
				return i, true
			}
		}
		if state = to; state == initial {
			// Most bytes of most texts begin nothing.
			row := a.next[initial<<8 : initial<<8+256]
			for i+1 < len(text) && row[text[i+1]] == initial {
				i++
			}
		}
	}
	return -1, true
}

// meet makes the state that a byte leads to.
func (a *automaton) meet(from uint16, b byte) (to uint16, ok bool) {
	a.begin()
	if b != '\n' && b != '\r' { // no match goes on beyond a line
		for _, i := range a.states[from] {
			in := &a.prog.Inst[i]
			switch {
			case b >= utf8.RuneSelf:
				if a.wide[i] {
					a.follow(i) // there can be more bytes of the character
					a.follow(in.Out)
				}
			case in.MatchRune(rune(b)):
				a.follow(in.Out)
			}
		}
	}
	a.follow(uint32(a.prog.Start)) // a match can begin anywhere
	a.left -= len(a.states[from])
	if to, ok = a.state(); ok {
		a.next[int(from)<<8|int(b)] = to
	}
	return to, ok
}

func (a *automaton) begin() {
	a.set = a.set[:0]
	clear(a.seen)
}

// follow adds an instruction, and those that it leads to without a byte.
func (a *automaton) follow(pc uint32) {
	a.stack = append(a.stack[:0], pc)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.seen[pc] {
			continue
		}
		a.seen[pc] = true
		a.left--
		switch in := &a.prog.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstNop:
			a.stack = append(a.stack, in.Out)
		case syntax.InstFail:
		default:
			a.set = append(a.set, pc)
		}
	}
}

// state is the number of the set that was followed to; not ok when there are
// too many or it took too much.
func (a *automaton) state() (id uint16, ok bool) {
	slices.Sort(a.set)
	a.key = a.key[:0]
	for _, pc := range a.set {
		if a.prog.Inst[pc].Op == syntax.InstMatch {
			return accepted, true
		}
		a.key = binary.LittleEndian.AppendUint32(a.key, pc)
	}
	if id, ok = a.ids[string(a.key)]; ok {
		return id, a.left > 0
	}
	if len(a.states) == maxStates || a.left <= 0 {
		return unmet, false
	}
	id = uint16(len(a.states))
	a.ids[string(a.key)] = id
	a.states = append(a.states, slices.Clone(a.set))
	a.next = append(a.next, make([]uint16, 256)...)
	return id, true
}
