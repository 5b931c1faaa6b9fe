package text

import (
	"errors"
	"strings"
)

// parseRenamed is ParseField of a field whose first property had other names.
func parseRenamed(mark, pointer string, former []string) (Field, error) {
	p, err := ParseField(mark + "/" + pointer)
	if err != nil {
		return p, err
	}
	top, within, nested := strings.Cut(pointer, "/")
	p.Top = Property("/" + top)
	for _, name := range former {
		path := "/" + Escape(name)
		if nested {
			path += "/" + within
		}
		f, err := ParseField(mark + path)
		if err != nil {
			return p, err
		}
		f.Top = Property("/" + Escape(name))
		p.Former = append(p.Former, f)
	}
	return p, nil
}

// Renamed takes a field apart that has former names: its pointer and these names. A field
// without former names is returned as it is.
func Renamed(field string) (pointer string, former []string) {
	mark, rest, ok := strings.Cut(field, "/")
	_, names, renamed := strings.Cut(mark, "<")
	if !ok || !renamed {
		return field, nil
	}
	return "/" + rest, strings.Split(names, "<")
}

// ErrRenamed is why something cannot be done with a property that old documents have
// under another name.
var ErrRenamed = errors.New("old documents have the property under another name, which the service does not sort, compare or add up together with this one: rewrite the documents, and remove was= from its tag; see docs/evolution.md")

// FormerName is a property of documents and the names that old ones have for it, the newest
// first.
type FormerName struct {
	Name   string
	Former []string
}

// Rename gives the properties of an object their present names: the newest former name
// that is there is read as a property that is absent, and the others are left out. It
// returns the object itself, without an allocation, if it has no former name. What is left
// is byte for byte as it was, but for the commas between.
func Rename(object []byte, all []FormerName) []byte {
	for _, p := range all {
		var found []byte
		there := false
		for _, name := range p.Former {
			value := Member(object, name)
			if value == nil {
				continue
			}
			if there = true; found == nil {
				found = value
			}
		}
		if !there {
			continue
		}
		absent := Member(object, p.Name) == nil
		object = Without(object, p.Former)
		if absent {
			object = AppendProperty(object, []byte(Quote(p.Name)), found)
		}
	}
	return object
}
