package tool

import "strings"

// suggest names the argument that was probably meant, or all there are.
func suggest(key string, fields []field) string {
	known := make([]string, 0, len(fields))
	for _, f := range fields {
		known = append(known, f.name)
	}
	plain := strings.NewReplacer("_", "", "-", "", " ", "")
	best, distance := "", 3
	for _, name := range known {
		if strings.EqualFold(plain.Replace(key), plain.Replace(name)) {
			return "; did you mean '" + name + "'?"
		}
		if d := edits(strings.ToLower(key), name); d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	if best != "" {
		return "; did you mean '" + best + "'?"
	}
	return "; known are " + strings.Join(known, ", ")
}

// edits is how many characters must change to make one word the other, as far
// as it matters here: words that are far longer are far away.
func edits(a, b string) int {
	if len(a) > 2*len(b)+2 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
