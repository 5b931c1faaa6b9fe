package lock

import (
	"strconv"
	"strings"
)

// SchemaNumber returns the number of the form in which documents of e are stored, and the
// property that has it; 0 if documents have no number.
func (e Entry) SchemaNumber() (n int, property string) {
	numbers, property, _ := strings.Cut(e.Schema, ",")
	digits, _, _ := strings.Cut(numbers, "+")
	n, _ = strconv.Atoi(digits)
	return n, property
}

// NextSchema returns the number of the form that programs of e read, and the next release
// writes; 0 if there is none.
func (e Entry) NextSchema() int {
	numbers, _, _ := strings.Cut(e.Schema, ",")
	_, digits, _ := strings.Cut(numbers, "+")
	n, _ := strconv.Atoi(digits)
	return n
}

// SchemaOf returns the Schema of an entry. Next is 0 if the next release has the same form.
func SchemaOf(n, next int, property string) string {
	numbers := strconv.Itoa(n)
	if next > 0 {
		numbers += "+" + strconv.Itoa(next)
	}
	return numbers + "," + property
}

// SkipsSchema reports whether programs of e that still run would not read what those of
// now write. Documents without a number have form 1, and programs without one take all for
// these. Drafts have no stored documents.
func (e Entry) SkipsSchema(now Entry) bool {
	was, _ := e.SchemaNumber()
	is, _ := now.SchemaNumber()
	return is > max(was, e.NextSchema(), 1) && !e.Draft && e.API == now.API
}

// LosesSchema reports whether documents of e may have a number of a form that programs of
// now do not know, or do not find. Drafts have no stored documents.
func (e Entry) LosesSchema(now Entry) bool {
	if e.Schema == "" || e.Draft {
		return false
	}
	was, at := e.SchemaNumber()
	is, there := now.SchemaNumber()
	return is < was || at != there
}

// isSchema reports whether a word is an Entry.Schema.
func isSchema(word string) bool {
	numbers, property, found := strings.Cut(word, ",")
	digits, next, _ := strings.Cut(numbers, "+")
	n, err := strconv.Atoi(digits)
	return found && property != "" && err == nil && n > 0 && strconv.Itoa(n) == digits && (numbers == digits || next == strconv.Itoa(n+1))
}
