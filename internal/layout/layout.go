package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Layout makes the partition keys of documents of one type, from [New] or [Candidate]. It is
// immutable, and safe for concurrent use.
type Layout struct {
	typ      string // the Go name of the type, or ""
	template string
	model    pk.Key
	levels   []level
	id       *idRule // nil if ids are not checked

	reads  node // the properties that Key reads
	slots  int  // the number of these properties
	stored node // the properties that Stored reads: level i is in slot i
}

// idRule is the rule for ids.
type idRule struct {
	slot   int
	prefix string
}

// level is a value of the key, with its components.
type level struct {
	pk.Level
	components []component // in order, including the hashed ones
	stored     *component  // the text that ends with a random suffix; nil to draw one
}

// component is a component of a key, with its slot in a document.
type component struct {
	*pk.Component
	slot       int
	escape     bool   // percent-encode the text, unless it is a time
	separators string // the characters that percent-encoding removes from the text
}

// New returns the layout of a type from its lock entry, which has the kind of each component.
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

// ofEntry is New without the checks of the entry.
func ofEntry(e lock.Entry) (*Layout, error) {
	key, err := e.Key()
	if err != nil {
		return nil, err
	}
	return compile(key.Layout(), key)
}

// Candidate returns the layout of a template that no lock has. Names are JSON properties. Known,
// which may be zero, is the lock entry of the type; it says how the texts of properties are made.
//
// A level with a single plain property is that property, as if the service read the key there. A
// random suffix is drawn by a hash of the document, since none is stored.
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

// ofTemplate makes the layout of a template, with the kinds of an entry.
func ofTemplate(template string, escape bool, known lock.Entry) (*Layout, error) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return nil, problem
	}
	key := known.KeyOf(t)
	key.Escape = escape
	return compile(t.String(), key)
}

// WithoutID returns a layout whose Key does not check the id, unless it is part of the key, for
// callers that check ids separately.
func (l *Layout) WithoutID() *Layout {
	other := *l
	other.id = nil
	return &other
}

// String returns the template of the layout.
func (l *Layout) String() string { return l.template }

// Model returns the model of the keys, which callers must not change.
func (l *Layout) Model() pk.Key { return l.model }

// Levels returns the number of values in a key.
func (l *Layout) Levels() int { return len(l.levels) }

// idProperty is the item id.
const idProperty = "id"

// names splits a path of nested properties.
func names(path, separator string) []string {
	return strings.Split(strings.TrimPrefix(path, separator), separator)
}
