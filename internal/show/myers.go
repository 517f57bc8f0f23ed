package show

import "slices"

// nowhere marks a diagonal that no way leads to.
const nowhere = -1

// round tells for each diagonal k (of i-j), at index k+d, how far in a the
// best way with d edits leads.
type round []int32

// place is a point that d edits lead to: i lines of a and j lines of b.
type place struct{ d, i, j int }

// beyond tells whether a place is further than another. Of two as far with as
// many edits it is the one that saw more of both sides.
func (p place) beyond(q place) bool {
	switch far, was := p.i+p.j, q.i+q.j; {
	case far != was:
		return far > was
	case p.d != q.d:
		return false
	default:
		return min(p.i, p.j) > min(q.i, q.j)
	}
}

// myers finds a shortest way from a to b, as a list of kept, removed and added
// lines (E. Myers, "An O(ND) difference algorithm"). It gives up after maxEdits
// removals and additions: the script then leads as far as it got and whole is
// false.
func myers(a, b [][]byte, maxEdits int) (script []edit, whole bool) {
	x, y := number(a, b)
	var rounds []round
	var end place
	for d := 0; d <= min(len(x)+len(y), maxEdits); d++ {
		now := make(round, 2*d+1)
		for k := -d; k <= d; k += 2 {
			i := 0
			if d > 0 {
				i, _ = step(rounds[d-1], d, k, len(x), len(y))
			}
			if i != nowhere {
				for i < len(x) && i-k < len(y) && x[i] == y[i-k] {
					i++
				}
				if p := (place{d, i, i - k}); p.beyond(end) {
					end = p
				}
			}
			now[k+d] = int32(i)
		}
		rounds = append(rounds, now)
		if end.i == len(x) && end.j == len(y) {
			whole = true
			break
		}
	}
	return walkBack(rounds, a, b, end), whole
}

// step is the last edit of the best way with d edits to diagonal k, made from
// the round before: where in a it leads, and whether it removed or added.
func step(before round, d, k, n, m int) (i int, by kind) {
	i, by = nowhere, added
	if k+1 <= d-1 { // from the diagonal above, by a line of b
		if from := int(before[k+1+d-1]); from != nowhere && from-k <= m {
			i = from
		}
	}
	if k-1 >= -(d - 1) { // from the one below, by a line of a
		if from := int(before[k-1+d-1]); from != nowhere && from < n && from+1 > i {
			i, by = from+1, removed
		}
	}
	return i, by
}

// walkBack follows the best way to a place back to the beginning.
func walkBack(rounds []round, a, b [][]byte, at place) []edit {
	back := make([]edit, 0, at.i+at.j)
	for ; at.d > 0; at.d-- {
		k := at.i - at.j
		i, by := step(rounds[at.d-1], at.d, k, len(a), len(b))
		for at.i > i {
			at.i, at.j = at.i-1, at.j-1
			back = append(back, edit{same, a[at.i]})
		}
		if by == removed {
			at.i--
			back = append(back, edit{removed, a[at.i]})
		} else {
			at.j--
			back = append(back, edit{added, b[at.j]})
		}
	}
	for at.i > 0 {
		at.i--
		back = append(back, edit{same, a[at.i]})
	}
	slices.Reverse(back)
	return back
}

// number gives equal lines equal numbers, so that they compare in one step.
func number(a, b [][]byte) (x, y []int) {
	seen := make(map[string]int, len(a))
	numbers := func(lines [][]byte) []int {
		out := make([]int, len(lines))
		for i, line := range lines {
			n, ok := seen[string(line)]
			if !ok {
				n = len(seen) + 1
				seen[string(line)] = n
			}
			out[i] = n
		}
		return out
	}
	return numbers(a), numbers(b)
}
