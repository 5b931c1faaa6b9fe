package lock

import (
	"strconv"
	"strings"
)

// SchemaNumber returns the number of the stored form of documents of e, and its property; 0 if
// documents have no number.
func (e Entry) SchemaNumber() (n int, property string) {
	numbers, property, _ := strings.Cut(e.Schema, ",")
	digits, _, _ := strings.Cut(numbers, "+")
	n, _ = strconv.Atoi(digits)
	return n, property
}

// NextSchema returns the number of the form that the next release writes and programs of e can
// read; 0 if there is none.
func (e Entry) NextSchema() int {
	numbers, _, _ := strings.Cut(e.Schema, ",")
	_, digits, _ := strings.Cut(numbers, "+")
	n, _ := strconv.Atoi(digits)
	return n
}

// SchemaOf returns the Entry.Schema. Next is 0 if the next release has the same form.
func SchemaOf(n, next int, property string) string {
	numbers := strconv.Itoa(n)
	if next > 0 {
		numbers += "+" + strconv.Itoa(next)
	}
	return numbers + "," + property
}

// SkipsSchema reports whether running programs of e could not read documents of now. Documents
// without a number have form 1, and programs without a number take all documents for form 1. Drafts
// have no stored documents.
func (e Entry) SkipsSchema(now Entry) bool {
	was, _ := e.SchemaNumber()
	is, _ := now.SchemaNumber()
	return is > max(was, e.NextSchema(), 1) && !e.Draft && e.API == now.API
}

// LosesSchema reports whether documents of e may have a form that programs of now do not know, or
// cannot detect. Drafts have no stored documents.
func (e Entry) LosesSchema(now Entry) bool {
	if e.Schema == "" || e.Draft {
		return false
	}
	was, at := e.SchemaNumber()
	is, there := now.SchemaNumber()
	return is < was || at != there
}

// isSchema reports whether a word is a legal Entry.Schema.
func isSchema(word string) bool {
	numbers, property, found := strings.Cut(word, ",")
	digits, next, _ := strings.Cut(numbers, "+")
	n, err := strconv.Atoi(digits)
	return found && property != "" && err == nil && n > 0 && strconv.Itoa(n) == digits && (numbers == digits || next == strconv.Itoa(n+1))
}
