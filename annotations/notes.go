package annotations

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Note is a row of the table of notes. A note is about a type and is not an error;
// a tag acknowledges it by its name.
type Note struct {
	Name string
	// OnField says that the note is about a field, so that the tag of the field
	// acknowledges it. The tag of the blank field acknowledges every note of the
	// type.
	OnField bool
	Help    string // one line: what the note says, in the present tense
}

// The names of notes.
const (
	NoteAmbiguous   = "ambiguous"
	NoteSynthetic   = "synthetic"
	NoteInt64       = "int64"
	NoteHashedTime  = "hashedtime"
	NoteUnpadded    = "unpadded"
	NoteNoParse     = "noparse"
	NoteLevelSuffix = "levelsuffix"
	NoteTimeOrder   = "timeorder"
	NoteETag        = "etag"
	NoteTTL         = "ttl"
	NoteElsewhere   = "elsewhere"
)

// notes holds every note that has a name. Nothing else lists them.
var notes = []Note{
	{NoteAmbiguous, false, "different values of the fields can make one key, so that writes read first"},
	{NoteSynthetic, false, "no synthetic field remembers the key, so that Upsert stores a second document after a field of the key has changed"},
	{NoteInt64, true, "an integer may be beyond 2^53, and is refused then before it is stored"},
	{NoteHashedTime, false, "a time is hashed, so the repository has no query by it"},
	{NoteUnpadded, false, "a time is written without padding, so the repository has no query over a range of it"},
	{NoteNoParse, false, "the generated file has no function that parses an escaped key"},
	{NoteLevelSuffix, false, "a suffix on a later level does not spread one busy first level"},
	{NoteTimeOrder, false, "an order by a time.Time does not sort by time"},
	{NoteETag, true, "the property _etag is not a string, and Replace does not send it"},
	{NoteTTL, true, "the service does not read this property ttl"},
	{NoteElsewhere, false, "another package has a container of this id with other properties: acknowledged, it is in another database"},
}

// Notes returns a copy of the table of notes, in the order of the documentation.
func Notes() []Note { return slices.Clone(notes) }

// Acknowledgement is the name of a note in a tag. Offset is where it begins in
// the tag's value, in bytes.
type Acknowledgement struct {
	Name   string
	Offset int
}

// acknowledged reads names of notes that are joined by plus signs, and reports
// the bad ones.
func (p *parser) acknowledged(v span) []Acknowledgement {
	var out []Acknowledgement
	for s := range v.pieces("+") {
		if strings.TrimSpace(s.text) == "" {
			p.fail(s, "empty name of a note: write names joined by \"+\", for example \"note=ambiguous+synthetic\"")
			continue
		}
		s = p.trim(s, "write names and \"+\" without spaces")
		i := slices.IndexFunc(notes, func(n Note) bool { return n.Name == s.text })
		switch {
		case i < 0:
			p.unknownNote(s)
		case slices.ContainsFunc(out, func(o Acknowledgement) bool { return o.Name == s.text }):
			p.fail(s, "note %q occurs here twice: say it once", s.text)
		case p.place == OnField && !notes[i].OnField:
			p.fail(s, "note %q is about the type: acknowledge it on the blank field, _ struct{} `cosmos:\"note=%s\"`", s.text, s.text)
		default:
			out = append(out, Acknowledgement{s.text, s.offset})
		}
	}
	return out
}

// unknownNote reports a name that no note has, with those of the place.
func (p *parser) unknownNote(s span) {
	var known []string
	for _, n := range notes {
		if p.place == OnType || n.OnField {
			known = append(known, n.Name)
		}
	}
	if near := spelling.Nearest(s.text, known); near != "" {
		p.errs = append(p.errs, s.misspelt("note", near))
		return
	}
	p.fail(s, "unknown note %q: the notes are %s", s.text, strings.Join(known, ", "))
}
