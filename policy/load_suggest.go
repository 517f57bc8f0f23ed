package policy

// nearest returns the word that was probably meant: the one within three
// keystrokes, and within a third of its length. It is empty when there is
// none.
func nearest(typed string, words []string) string {
	best, least := "", 4
	for _, word := range words {
		// Only near lengths are measured: what was typed may be a megabyte.
		if apart := len(word) - len(typed); apart > 3 || apart < -3 {
			continue
		}
		if d := distance(typed, word); d < least && d*3 <= len(word) {
			best, least = word, d
		}
	}
	return best
}

// distance counts the letters to insert, drop, change or swap with the next.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			changed := row[j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			next[j] = min(row[j]+1, next[j-1]+1, changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
