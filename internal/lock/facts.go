package lock

import "strings"

// fact is a word that may follow the layout of a type: a plain one, such as escape, or one with a
// value, such as as=reading.
type fact struct {
	word   string
	before string                 // the word in locks before it existed; "" if they had the same
	what   string                 // what differs, in a message; "" if stored documents do not depend on it
	flag   func(e *Entry) *bool   // the field of a plain word
	text   func(e *Entry) *string // the field of a word with a value
	// legal reports whether a value is legal; nil accepts every value except "".
	legal func(value string) bool
}

// facts are the words, in the order in which they are written.
var facts = []fact{
	{word: "values", what: "the JSON type of the key", text: func(e *Entry) *string { return &e.Values }, legal: isValues},
	{word: "escape", what: "the escaping", flag: func(e *Entry) *bool { return &e.Escape }},
	{word: "as", what: "the discriminator", text: func(e *Entry) *string { return &e.Discriminator }},
	{word: "prefix", what: "the prefix of ids", text: func(e *Entry) *string { return &e.Prefix }},
	{word: "was", what: "the earlier bucket counts", text: func(e *Entry) *string { return &e.Was }, legal: isFalling},
	{word: "next", what: "the next bucket count", text: func(e *Entry) *string { return &e.Next }, legal: isCount},
	{word: "own", what: "the template of own containers", text: func(e *Entry) *string { return &e.Own }, legal: isTemplate},
	{word: "deleted", what: "the property that marks documents as deleted", text: func(e *Entry) *string { return &e.Deleted }},
	{word: "api", what: "the API", text: func(e *Entry) *string { return &e.API }, legal: isAPI},
	{word: "row", what: "the layout of row keys", text: func(e *Entry) *string { return &e.Row }, legal: isTemplate},
	{word: "schema", text: func(e *Entry) *string { return &e.Schema }, legal: isSchema},
	{word: "alias", before: "former", text: func(e *Entry) *string { return &e.Aliases }, legal: isAliases},
	{word: "nextname", text: func(e *Entry) *string { return &e.NextNames }, legal: isAliases},
	{word: "unique", text: func(e *Entry) *string { return &e.Unique }},
	{word: "elsewhere", flag: func(e *Entry) *bool { return &e.Elsewhere }},
	{word: "draft", flag: func(e *Entry) *bool { return &e.Draft }},
	{word: "gone", flag: func(e *Entry) *bool { return &e.Gone }},
}

// words returns the facts of e that determine its keys, or all facts.
func (e Entry) words(all bool) []string {
	var words []string
	for _, f := range facts {
		switch {
		case f.what == "" && !all:
		case f.flag != nil && *f.flag(&e):
			words = append(words, f.word)
		case f.text != nil && *f.text(&e) != "":
			words = append(words, f.word+"="+*f.text(&e))
		}
	}
	return words
}

// set stores a word after the layout. It returns false if the word is unknown, empty, or repeated.
func (e *Entry) set(word string) bool {
	name, value, hasValue := strings.Cut(word, "=")
	for _, f := range facts {
		switch {
		case f.word != name && (f.before == "" || f.before != name):
		case f.flag != nil:
			if hasValue || *f.flag(e) {
				return false
			}
			*f.flag(e) = true
			return true
		default:
			if value == "" || *f.text(e) != "" || f.legal != nil && !f.legal(value) {
				return false
			}
			*f.text(e) = value
			return true
		}
	}
	return false
}

// differs reports whether a fact is another one in two entries.
func (f fact) differs(a, b Entry) bool {
	if f.flag != nil {
		return *f.flag(&a) != *f.flag(&b)
	}
	return *f.text(&a) != *f.text(&b)
}

// isValues reports whether a word is a legal Entry.Values.
func isValues(word string) bool {
	strs := true
	for v := range strings.SplitSeq(word, ",") {
		if v != "string" && v != "number" && v != "boolean" {
			return false
		}
		strs = strs && v == "string"
	}
	return !strs
}

// isAPI reports whether a word is a legal Entry.API.
func isAPI(word string) bool { return word == "table" || word == "mongo" || word == "gremlin" }

// isTemplate reports whether a word is a legal Entry.Own or Entry.Row.
func isTemplate(word string) bool { return strings.ContainsAny(word, "{}") }
