package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Layout makes the partition keys of documents of one type. [New] and [Candidate]
// return one. It does not change, and is safe for concurrent use.
type Layout struct {
	typ      string // the Go name of the type, or ""
	template string
	model    pk.Key
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

// level is a value of the key, with what a document has of it.
type level struct {
	pk.Level
	components []component // in order, with the hashed ones
	stored     *component  // the text that ends with a random suffix; nil to draw one
}

// component is a component of a key with its place in a document.
type component struct {
	*pk.Component
	slot       int
	escape     bool   // the text is percent-encoded, unless it is a time
	separators string // the characters that the text does not hold, if it is percent-encoded
}

// New returns the layout of a type, as its lock has it, which has the kind of each
// component.
func New(e lock.Entry) (*Layout, error) {
	l, err := ofEntry(e)
	if err != nil {
		return nil, fmt.Errorf("type %s: layout %q: %w", e.Type, e.Layout, err)
	}
	if paths := strings.Count(e.Path, ",") + 1; paths != len(l.levels) {
		return nil, fmt.Errorf("type %s: layout %q has %d levels, and its container %d paths: restore %s from version control",
			e.Type, e.Layout, len(l.levels), paths, lock.FileName)
	}
	l.typ = e.Type
	l.stored.slot = -1
	slots := 0
	for i := range l.levels {
		l.stored.add(names(l.levels[i].Path, "/"), &slots)
		if err := l.levels[i].judge(); err != nil {
			return nil, fmt.Errorf("type %s: layout %q: %w", e.Type, e.Layout, err)
		}
	}
	l.id = &idRule{slot: l.reads.add([]string{idProperty}, &l.slots), prefix: e.Prefix}
	return l, nil
}

// ofEntry makes the layout of an entry, without its checks.
func ofEntry(e lock.Entry) (*Layout, error) {
	key, err := e.Key()
	if err != nil {
		return nil, err
	}
	return compile(key.Layout(), key)
}

// Candidate returns the layout that a template describes, which no lock has: one that
// somebody considers. Names are those of JSON properties. Known says how the texts of
// properties are made, as the lock of the type does; it may be the zero value.
//
// Levels that are one property without more are that property, as if the service
// read the key there. A random suffix is drawn by a hash of the document, since
// none is stored.
func Candidate(template string, escape bool, known lock.Entry) (*Layout, error) {
	l, err := ofTemplate(template, escape, known)
	if err == nil {
		err = l.wellMade(escape)
	}
	if err != nil {
		return nil, fmt.Errorf("layout %q: %w", template, err)
	}
	l.typ = known.Type
	if i := slices.IndexFunc(l.reads.children, func(n node) bool { return n.name == idProperty }); i >= 0 {
		l.id = &idRule{slot: l.reads.children[i].slot, prefix: known.Prefix}
	}
	return l, nil
}

// ofTemplate makes the layout of a template by what an entry knows.
func ofTemplate(template string, escape bool, known lock.Entry) (*Layout, error) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return nil, problem
	}
	key := known.KeyOf(t)
	key.Escape = escape
	return compile(t.String(), key)
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

// Model returns the model of the keys. Callers do not change it.
func (l *Layout) Model() pk.Key { return l.model }

// Levels returns the number of values in a key.
func (l *Layout) Levels() int { return len(l.levels) }

// idProperty is the item id.
const idProperty = "id"

// names returns the names of a path of properties within each other.
func names(path, separator string) []string {
	return strings.Split(strings.TrimPrefix(path, separator), separator)
}
