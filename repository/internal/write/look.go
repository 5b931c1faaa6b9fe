package write

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A look reads whose document is at the place of a write, before the write is sent.
// The write is then sent on the condition that the document is unchanged.

// sight is the document at a place, as a look sees it.
type sight struct {
	raw []byte // the document, or what of it tells whose it is; nil if there is none
	tag azcore.ETag
}

// look reads the document at p and returns it if it is the one that is meant. For a
// write that creates, none at all is the zero sight, and another one is in the way:
// ErrAlreadyExists. For others, both are ErrNotFound. Means says which one of the type
// is meant; nil is any.
func look(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, creates bool) (sight, error) {
	response, err := s.Fetch(ctx, op, p)
	switch {
	case creates && errors.Is(err, wire.ErrNotFound):
		return sight{}, nil
	case err != nil:
		return sight{}, err
	}
	seen := sight{response.Value, response.ETag}
	_, err = judge(s, op, p, seen, means, creates)
	return seen, err
}

// judge is look at a document that was read at p before.
func judge(s *Writer, op string, p wire.Place, seen sight, means func(doc any) bool, creates bool) (azcore.ETag, error) {
	kind := wire.ErrNotFound
	if creates {
		kind = wire.ErrAlreadyExists
	}
	switch {
	case seen.raw == nil && creates:
		return "", nil
	case seen.raw == nil:
		return "", s.Failure(op, p, wire.ErrNotFound)
	}
	if err := s.Meant(op, p, seen.raw, means, kind); err != nil {
		return "", err
	}
	if err := s.Schema.Newer(seen.raw); err != nil && op != wire.OpDelete {
		return "", s.Failure(op, p, err)
	}
	return seen.tag, nil
}

// lookAtAll reads the documents of ids in the logical partition of p, by one query:
// whole, or the properties that tell the type, whether it is hidden, its stamps and its
// form. It returns nothing for an id that no document has.
func lookAtAll(ctx context.Context, s *Writer, op string, p wire.Place, ids []string, whole bool) (map[string]sight, error) {
	var columns []string
	if !whole { // what an answer always has, and what tells the type
		columns = []string{text.Column("id"), text.Column("_rid"), text.Column("_etag")}
		for _, name := range slices.Concat(s.Telling(), s.Stamps.names()) {
			columns = append(columns, text.Column(name))
		}
	}
	items, err := s.ReadIDs(ctx, s.Store, op, p, ids, columns)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]sight, len(items))
	for _, raw := range items {
		var id string
		var now sight
		err := errors.Join(json.Unmarshal(text.ValueAt(raw, wire.IDPath), &id), json.Unmarshal(text.ValueAt(raw, wire.ETagPath), &now.tag))
		if err != nil {
			return nil, wire.NewOperationError(op, s.Type, "", p.Name, err)
		}
		now.raw = raw
		seen[id] = now
	}
	return seen, nil
}
