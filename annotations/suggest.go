package annotations

import (
	"strconv"
	"strings"
)

// other returns the place that this one is not.
func (p Place) other() Place {
	if p == OnField {
		return OnType
	}
	return OnField
}

// find returns the row of a word that may stand at the place, or nil.
func find(place Place, name string) *row {
	for i := range table {
		if table[i].Name == name && table[i].Place == place {
			return &table[i]
		}
	}
	return nil
}

// names returns the words of the place in the order of the table.
func names(place Place) []string {
	var out []string
	for _, r := range table {
		if r.Place == place {
			out = append(out, r.Name)
		}
	}
	return out
}

// example returns a tag for the place.
func example(place Place) string {
	if place == OnField {
		return "pk"
	}
	return find(OnType, "container").Example
}

// belongs says where a word may stand, to follow its name.
func belongs(r *row) string {
	if r.Place == OnField {
		return "belongs on a field of the document: the blank field holds the options of the type"
	}
	return "belongs on the blank field: _ struct{} `cosmos:\"" + r.Example + "\"`"
}

// legal lists the words of the place.
func legal(place Place) string {
	list := strings.Join(names(place), ", ")
	if place == OnField {
		return "a field may have " + list
	}
	return "the blank field may have " + list
}

// quote puts each word in quotes and joins them.
func quote(words []string, sep string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, sep)
}

// nearest returns the candidate that the word was probably meant to be: the
// one at the smallest edit distance, and the first of several, if at most one
// letter in three is wrong; else the first that the word, of at least three
// letters, abbreviates; else "". Case counts for nothing.
func nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, least := "", 0
	for _, c := range candidates {
		if d := distance(word, c); d <= max(1, len(c)/3) && (best == "" || d < least) {
			best, least = c, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, c := range candidates {
		if strings.HasPrefix(c, word) {
			return c
		}
	}
	return ""
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to make one word the other (the optimal string alignment
// distance). It costs len(a)*len(b) steps, none for words of very different
// lengths, for which it returns the difference.
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
