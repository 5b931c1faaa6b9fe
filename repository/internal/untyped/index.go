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

// Entries describe the entries of a global secondary index, without their types.
type Entries struct {
	Name         string   // the type of entries, for errors
	Paths        []string // of the partition key of the index, one for each level
	Hierarchical bool
	Marks        bool // documents of the source may move, and have marks
	Fenced       bool // tenants move from the container of the source

	Of         func(doc any) any                      // returns the entry of a document
	Place      func(entry any) (wire.Place, error)    // returns the place of an entry's document in the source
	KeyMatcher func(entry any) func(another any) bool // reports whether another entry is of the same document
}

// errNoEntry is the error of a stored item that is not an entry.
var errNoEntry = errors.New("it has no property _id, as each entry of an index has: make the repository with the container of the index, and not with its source")

// NewIndex returns the store of an index of documents of the source's type. The rules of
// the source apply to the index too.
func NewIndex(c *wire.Client, source Types, x Entries, given Settings) *store.Store {
	source.Places = nil // queries of the source locate documents, which an index cannot
	given.fenced = x.Fenced
	s, _ := newStore(c, source, given)
	s.Type, s.Paths, s.Hierarchical, s.Entries = x.Name, x.Paths, x.Hierarchical, true
	s.Hedge = s.Settings.Hedge
	if x.Marks {
		s.Rules = append(s.Rules, store.WithoutMoving())
		entries := Types{Place: x.Place, KeyMatcher: x.KeyMatcher}
		s.Once = entries.once // both places of a moved document may be in the index for a time
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
			*tag = "" // it is the ETag of the entry
		}
		return x.Of(doc), nil
	}
	return s
}

// CheckIndexed returns an error if a document lacks the property of an index. Documents
// that are marked as deleted count, because they may be restored. A missing container has
// no documents; creating the index reports it.
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
