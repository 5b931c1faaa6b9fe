package layout

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// IndexText makes the text that documents store in a property for a global secondary index. It is
// immutable, and safe for concurrent use.
type IndexText struct {
	key  *Layout
	made int // the index of the made level
}

// IndexTextOf returns the IndexText of an index, from the lock of its type; nil if all levels of
// its key are plain properties.
func IndexTextOf(typ string, x lock.Index) (*IndexText, error) {
	if x.Property == "" {
		return nil, nil
	}
	l, err := ofIndex(x)
	if err != nil {
		return nil, fmt.Errorf("type %s: index %s: layout %q: %w", typ, x.Name, x.Layout, err)
	}
	l.typ = typ
	made := func(level level) bool { return level.Made }
	i := slices.IndexFunc(l.levels, made)
	if i < 0 || slices.ContainsFunc(l.levels[i+1:], made) {
		return nil, fmt.Errorf("type %s: index %s: layout %q does not have exactly one text level, which property %s holds: restore %s from version control",
			typ, x.Name, x.Layout, x.Property, lock.FileName)
	}
	return &IndexText{l, i}, nil
}

// ofIndex makes the layout of the key of an index.
func ofIndex(x lock.Index) (*Layout, error) {
	key, err := x.Key()
	if err != nil {
		return nil, err
	}
	l, err := compile(key.Layout(), key)
	if err != nil {
		return nil, err
	}
	for i := range l.levels {
		if err := l.levels[i].judge(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Of returns the text that generated code writes into a document. If the document has no key in the
// index, the error is an [*Error], and generated code refuses it.
func (t *IndexText) Of(document []byte) (string, error) {
	k, err := t.key.Key(document)
	if err != nil {
		return "", err
	}
	text, _ := k.Value(t.made).(string) // a made level is a string
	return text, nil
}
