package layout

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/annotations"
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
	anyKind   kind = iota // as the JSON type of each value suggests
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

// New returns the layout of a type, as its lock has it. A lock of version 1 does not
// say how texts are made: then the JSON type of each value decides, and a layout that
// needs to know it is an error.
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
		if err := l.levels[i].judge(e, i); err != nil {
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

// compile makes a layout without paths.
func compile(template string, escape bool, known lock.Entry) (*Layout, error) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return nil, problem
	}
	l := &Layout{template: t.String(), reads: node{slot: -1}}
	for _, from := range t.Levels {
		to := level{escape: escape}
		for i, p := range from {
			switch {
			case p.Component == nil:
				to.parts = append(to.parts, part{literal: p.Literal})
				to.separate(i, p.Literal)
			case p.Component.Buckets > 0:
				b, err := l.bucket(p.Component, known)
				if err != nil {
					return nil, err
				}
				if len(b.hash) == 0 && i > 0 {
					b.separator = from[i-1].Literal
				}
				to.parts = append(to.parts, part{bucket: b})
			default:
				c, err := l.component(p.Component.Fields[0], p.Component, known)
				if err != nil {
					return nil, err
				}
				c.escape = escape
				to.parts = append(to.parts, part{component: &c})
			}
		}
		l.levels = append(l.levels, to)
	}
	return l, nil
}

// separate adds the first character of a literal that follows a component, the part
// before i, to those that components do not hold.
func (l *level) separate(i int, literal string) {
	r, _ := utf8.DecodeRuneInString(literal)
	if i > 0 && !strings.ContainsRune(l.separators, r) {
		l.separators += string(r)
	}
}

// bucket makes a suffix.
func (l *Layout) bucket(from *annotations.Component, known lock.Entry) (*bucket, error) {
	b := &bucket{count: from.Buckets, stored: -1}
	for _, property := range from.Fields {
		c, err := l.component(property, from, known)
		if err != nil {
			return nil, err
		}
		b.hash = append(b.hash, c)
	}
	// A format applies to times alone, and lower to texts alone.
	for i := range b.hash {
		c := &b.hash[i]
		if len(b.hash) == 1 || c.kind == anyKind {
			continue
		}
		if c.kind != instant {
			c.format = ""
		}
		if c.kind != text {
			c.lower = false
		}
	}
	return b, nil
}

// component makes a component of a property.
func (l *Layout) component(property string, from *annotations.Component, known lock.Entry) (component, error) {
	c := component{property: property, format: from.Format, lower: from.Lower}
	i := slices.IndexFunc(known.Kinds, func(k lock.PropertyKind) bool { return k.Property == property })
	switch {
	case i >= 0:
		c.kind, c.method = kindOf(known.Kinds[i].Kind), strings.TrimPrefix(known.Kinds[i].Kind, ".")
	case property == idProperty && known.Kinds != nil:
		c.kind = text
	case len(from.Fields) == 1 && from.Format != "":
		c.kind = instant
	}
	single := len(from.Fields) == 1
	switch {
	case single && c.format != "" && c.kind != instant:
		return c, fmt.Errorf("property %s has a format, and is no time: remove %q", property, "|"+c.format)
	case single && c.kind == instant && c.format == "":
		return c, fmt.Errorf("property %s is a time without a format: write {%[1]s|day}, or year, month, hour, or a Go layout", property)
	case single && c.lower && c.kind != text && c.kind != anyKind:
		return c, fmt.Errorf("property %s is in lower case, and is no string: remove \"|lower\"", property)
	}
	c.slot = l.reads.add(names(property, "."), &l.slots)
	return c, nil
}

// bare reports whether a level is one property and nothing more.
func (l *level) bare() bool {
	if len(l.parts) != 1 || l.parts[0].component == nil {
		return false
	}
	c := l.parts[0].component
	return c.format == "" && !c.lower
}

// place says where the service finds the level of a layout.
func (l *level) place(of *Layout, path string) {
	l.path = path
	l.plain = l.bare() && path == "/"+strings.ReplaceAll(l.parts[0].component.property, ".", "/")
	if l.plain {
		l.parts[0].component.escape = false
	}
	for _, p := range l.parts {
		if p.bucket != nil && len(p.bucket.hash) == 0 {
			p.bucket.property = strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")
			p.bucket.stored = of.reads.add(names(path, "/"), &of.slots)
		}
	}
}

// judge checks the kinds of a level, number i of an entry, and takes those of a plain
// property from the types of the key's values if the lock knows nothing better.
func (l *level) judge(e lock.Entry, i int) error {
	if l.plain {
		c := l.parts[0].component
		types := strings.Split(e.Values, ",")
		if c.kind == anyKind && i < len(types) {
			c.kind = map[string]kind{"": text, "string": text, "number": float, "boolean": boolean}[types[i]]
		}
		return nil
	}
	for _, p := range l.parts {
		if p.component != nil && p.component.kind == float {
			return fmt.Errorf("the lock says that property %s is a float, which has no one text: restore %s from version control", p.component.property, lock.FileName)
		}
		if p.bucket == nil {
			continue
		}
		for _, c := range p.bucket.hash {
			if c.kind == anyKind && len(p.bucket.hash) > 1 && (c.lower || c.format != "") {
				return fmt.Errorf("the lock does not say what property %s is, so whether %s applies to it: generate once, which brings the lock to version 2", c.property, l.option(c))
			}
		}
	}
	return nil
}

// option names the option of a component.
func (l *level) option(c component) string {
	if c.lower {
		return "lower"
	}
	return "the format"
}

// wellMade returns why no tags could say a layout, or nil.
func (l *Layout) wellMade() error {
	random := 0
	for i := range l.levels {
		level := &l.levels[i]
		buckets := 0
		for j, p := range level.parts {
			if p.bucket == nil {
				continue
			}
			buckets++
			if len(p.bucket.hash) > 0 {
				continue
			}
			random++
			if j == 0 || j < len(level.parts)-1 {
				return fmt.Errorf("a random bucket must be the last part of a key, after the text that it spreads: write it as in {date}.{*%%400}")
			}
		}
		if buckets > 1 {
			return fmt.Errorf("a key has one suffix: keep one bucket, which may hash several properties, as in {vin+region%%400}")
		}
		if level.escape && strings.ContainsFunc(level.separators, badSeparator) {
			return fmt.Errorf("a text between components begins with a letter, a digit or %%, which percent-encoding needs: begin it with another sign, such as \"-\"")
		}
	}
	if random > 1 {
		return fmt.Errorf("a document remembers one random suffix: keep one of them")
	}
	return nil
}

// badSeparator reports whether percent-encoded text cannot be told from a character.
func badSeparator(r rune) bool {
	return r == '%' || r < 0x80 && (isDigit(byte(r)) || 'a' <= r|0x20 && r|0x20 <= 'z')
}
