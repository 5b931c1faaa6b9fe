// Package spelling suggests corrections of misspelt words.
package spelling

import "strings"

// Nearest returns the candidate that word probably means, ignoring case: the first one at the
// smallest edit distance, if at most one letter in three is wrong; otherwise the first that word,
// of at least three letters, abbreviates; otherwise "".
func Nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, least := "", 0
	for _, c := range candidates {
		if d := distance(word, strings.ToLower(c)); d <= max(1, len(c)/3) && (best == "" || d < least) {
			best, least = c, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, c := range candidates {
		if strings.HasPrefix(strings.ToLower(c), word) {
			return c
		}
	}
	return ""
}

// distance counts the letters to insert, delete, replace or swap with their neighbour to turn one
// word into the other (the optimal string alignment distance). It costs len(a)*len(b) steps. For
// words of very different lengths it returns the difference at once.
func distance(a, b string) int {
	if diff := max(len(a)-len(b), len(b)-len(a)); diff > len(b) {
		return diff
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
