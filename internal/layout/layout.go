package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Layout makes the partition keys of documents of one type. [New] and [Candidate]
// return one. It does not change, and is safe for concurrent use.
type Layout struct {
	typ      string // the Go name of the type, or ""
	template string
	levels   []level
	id       *idRule // nil if ids are not looked at

	reads  node // what Key reads of a document
	slots  int  // how many values that are
	stored node // what Stored reads: the slot of level i is i
}

// idRule says what an id must be.
type idRule struct {
	slot   int
	prefix string
}

// level is a value of the key.
type level struct {
	path  string // where the service finds it, or ""
	plain bool   // it is the property of its one component; else a text that is made of the parts
	parts []part
	// separators are the characters that components do not hold, if they are
	// percent-encoded.
	separators string
	escape     bool
}

// part is literal text, a component or a bucket.
type part struct {
	literal   string
	component *component
	bucket    *bucket
}

// component is a property whose text is in the key, or is hashed.
type component struct {
	property string // as layouts name it
	slot     int
	kind     kind
	method   string // of a marshaled one: the type whose method makes its text
	format   string // for package time, or ""
	lower    bool
	escape   bool // the text is percent-encoded, unless it is a time
}

// bucket is a suffix.
type bucket struct {
	count     int
	hash      []component // none: the suffix is random
	stored    int         // slot of the text that ends with a random suffix; -1 to draw one
	separator string      // in front of a random suffix
	property  string      // that has the text, for errors
}

// kind says how the text of a component is made.
type kind int

const (
	anyKind   kind = iota // of a candidate: as the JSON type of each value suggests
	text                  // a string
	marshaled             // what a method makes
	integer
	boolean
	float
	instant
)

// kindOf returns the kind that a lock names.
func kindOf(name string) kind {
	switch name {
	case lock.Text:
		return text
	case lock.Integer:
		return integer
	case lock.Bool:
		return boolean
	case lock.Float:
		return float
	case lock.Time:
		return instant
	}
	return marshaled
}

// New returns the layout of a type, as its lock has it, which has the kind of each
// component.
func New(e lock.Entry) (*Layout, error) {
	l, err := compile(e.Layout, e.Escape, e)
	if err != nil {
		return nil, fmt.Errorf("type %s: layout %q: %w", e.Type, e.Layout, err)
	}
	paths := strings.Split(e.Path, ",")
	if len(paths) != len(l.levels) {
		return nil, fmt.Errorf("type %s: layout %q has %d levels, and its container %d paths: restore %s from version control",
			e.Type, e.Layout, len(l.levels), len(paths), lock.FileName)
	}
	l.typ = e.Type
	l.stored.slot = -1
	slots := 0
	for i := range l.levels {
		l.levels[i].place(l, paths[i])
		l.stored.add(names(paths[i], "/"), &slots)
		if err := l.levels[i].judge(); err != nil {
			return nil, fmt.Errorf("type %s: layout %q: %w", e.Type, e.Layout, err)
		}
	}
	l.id = &idRule{slot: l.reads.add([]string{idProperty}, &l.slots), prefix: e.Prefix}
	return l, nil
}

// Candidate returns the layout that a template describes, which no lock has: one that
// somebody considers. Names are those of JSON properties. Known says how the texts of
// properties are made, as the lock of the type does; it may be the zero value.
//
// Levels that are one property without more are that property, as if the service
// read the key there. A random suffix is drawn by a hash of the document, since
// none is stored.
func Candidate(template string, escape bool, known lock.Entry) (*Layout, error) {
	l, err := compile(template, escape, known)
	if err != nil {
		return nil, fmt.Errorf("layout %q: %w", template, err)
	}
	if err := l.wellMade(); err != nil {
		return nil, fmt.Errorf("layout %q: %w", template, err)
	}
	l.typ = known.Type
	for i := range l.levels {
		level := &l.levels[i]
		level.plain = level.bare()
		if level.plain {
			level.parts[0].component.escape = false
		}
	}
	if i := slices.IndexFunc(l.reads.children, func(n node) bool { return n.name == idProperty }); i >= 0 {
		l.id = &idRule{slot: l.reads.children[i].slot, prefix: known.Prefix}
	}
	return l, nil
}

// WithoutID returns the layout, with a method Key that does not look at the id, unless
// the id is part of the key: whether an id is right is a question of its own.
func (l *Layout) WithoutID() *Layout {
	other := *l
	other.id = nil
	return &other
}

// String returns the template of the layout.
func (l *Layout) String() string { return l.template }

// Levels returns the number of values in a key.
func (l *Layout) Levels() int { return len(l.levels) }

// idProperty is the item id.
const idProperty = "id"

// names returns the names of a path of properties within each other.
func names(path, separator string) []string {
	return strings.Split(strings.TrimPrefix(path, separator), separator)
}
