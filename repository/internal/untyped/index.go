package untyped

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Entries are those of a global secondary index, without their types.
type Entries struct {
	Name         string   // of the type of entries, for errors
	Paths        []string // of the partition key of the index, one for each level
	Hierarchical bool
	Marks        bool // documents of the source move, which leaves marks in it
	Fenced       bool // tenants move from the container of the source

	Of         func(doc any) any                      // the entry of a document
	Place      func(entry any) (wire.Place, error)    // where the document of an entry is stored in the source
	KeyMatcher func(entry any) func(another any) bool // reports whether another entry is of the same document
}

// errNoEntry is why what is stored is not taken for an entry.
var errNoEntry = errors.New("it has no property _id, as each entry of an index has: make the repository with the container of the index, and not with its source")

// NewIndex returns the store of an index of documents of the source's type. What counts there
// as a document counts in the index, too.
func NewIndex(c *wire.Client, source Types, x Entries, given Settings) *store.Store {
	source.Places = nil // queries of the source look where a document is, which an index cannot tell
	given.fenced = x.Fenced
	s, _ := newStore(c, source, given)
	s.Type, s.Paths, s.Hierarchical, s.Entries = x.Name, x.Paths, x.Hierarchical, true
	s.Hedge = s.Settings.Hedge
	if x.Marks {
		s.Rules = append(s.Rules, store.WithoutMoving())
		entries := Types{Place: x.Place, KeyMatcher: x.KeyMatcher}
		s.Once = entries.once // both places of a document that has moved may be in the index for a time
	}
	decode := s.Decode
	s.Decode = func(raw []byte) (any, error) {
		if text.Member(raw, text.EntryID) == nil {
			return nil, errNoEntry
		}
		doc, err := decode(text.OfEntry(raw))
		if err != nil {
			return nil, err
		}
		if tag := source.ETag(doc); tag != nil {
			*tag = "" // that of the entry
		}
		return x.Of(doc), nil
	}
	return s
}

// CheckIndexed returns an error if a document lacks the property of an index. One that is marked
// as deleted counts, since it may be restored. A container that does not exist has no document:
// what makes the index says that.
func (d *Documents) CheckIndexed(ctx context.Context, index string) error {
	const op = "check index"
	failed := func(kind, err error) error {
		return &documents.Error{Op: op, Type: d.Types.Name, Kind: kind, Err: err}
	}
	x := d.Types.Indexed.Named(index)
	if x == nil {
		return failed(nil, fmt.Errorf("the run time writes no property for an index %q: name one of Model.Indexed", index))
	}
	all := d.ShowingDeleted()
	lacking, err := all.Over(query.NewSelection(all.Store, generated.Keys{}).And(x.Missing()), generated.Keys{}).Exists(ctx)
	switch {
	case wire.IsNoContainer(err):
		return nil
	case err == nil && lacking:
		err = failed(wire.ErrNotIndexed, fmt.Errorf("it was stored before the run time wrote the property %s, and the index %s would not find it: run Upgrade of package admin once every program has this release, and then make the index", x.Property, x.Index))
	}
	return err
}
