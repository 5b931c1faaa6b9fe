package lock

import (
	"strconv"
	"strings"
)

// SchemaNumber returns the number of the form in which documents of e are stored, and the
// property that has it; 0 if documents have no number.
func (e Entry) SchemaNumber() (n int, property string) {
	digits, property, _ := strings.Cut(e.Schema, ",")
	n, _ = strconv.Atoi(digits)
	return n, property
}

// SchemaOf returns the Schema of an entry.
func SchemaOf(n int, property string) string { return strconv.Itoa(n) + "," + property }

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
	digits, property, found := strings.Cut(word, ",")
	n, err := strconv.Atoi(digits)
	return found && property != "" && err == nil && n > 0 && strconv.Itoa(n) == digits
}
