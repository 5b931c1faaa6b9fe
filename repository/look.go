package repository

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// This file finds out whose document stands where a write goes, before the
// write is sent: see verify.go for the reasons.

// sight is what stands at a place.
type sight struct {
	raw []byte // the document, or what of it tells whose it is; nil if there is none
	tag azcore.ETag
}

// look reads the document at p and returns its ETag if it is the one that is
// meant. For a write that creates, none at all has the ETag "", and another one is
// in the way: ErrAlreadyExists. For others, both are ErrNotFound. Means says which
// one of the type is meant; nil is any.
func look(ctx context.Context, s *store, op string, p wire.Place, means func(doc any) bool, creates bool) (azcore.ETag, error) {
	response, err := s.fetch(ctx, op, p)
	switch {
	case creates && errors.Is(err, ErrNotFound):
		return "", nil
	case err != nil:
		return "", err
	}
	return judge(s, op, p, sight{response.Value, response.ETag}, means, creates)
}

// judge is look at what was seen at p.
func judge(s *store, op string, p wire.Place, seen sight, means func(doc any) bool, creates bool) (azcore.ETag, error) {
	kind := ErrNotFound
	if creates {
		kind = ErrAlreadyExists
	}
	switch {
	case seen.raw == nil && creates:
		return "", nil
	case seen.raw == nil:
		return "", &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: ErrNotFound}
	case !s.mine(seen.raw):
		return "", s.otherType(op, p, seen.raw, kind)
	case means == nil:
		return seen.tag, nil
	}
	doc, err := s.decode(seen.raw)
	switch {
	case err != nil:
		return "", &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	case !means(doc):
		return "", s.foreign(op, p, kind)
	}
	return seen.tag, nil
}

// lookAtAll reads what stands under ids in the logical partition of p, by one
// query: whole documents, or of each what tells its type. It returns nothing for
// an id that no document has.
func lookAtAll(ctx context.Context, s *store, op string, p wire.Place, ids []string, whole bool) (map[string]sight, error) {
	var one statement
	if !whole { // what an answer always has, and what tells the type
		one.columns = []string{text.Column("id"), text.Column("_rid"), text.Column("_etag"), text.Column(s.discriminator.Property)}
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		name := text.OwnParameter + "I" + strconv.Itoa(i)
		one.parameters = append(one.parameters, azcosmos.QueryParameter{Name: name, Value: id})
		names[i] = name
	}
	one.conditions = []string{text.Property("/id") + " IN (" + strings.Join(names, ", ") + ")"}
	seen := make(map[string]sight, len(ids))
	e := newExecution(s, one, nil)
	e.op = op
	err := e.pages(ctx, job{key: p.Key, name: p.Name}, func(items [][]byte, _ bool) error {
		for _, raw := range items {
			var id string
			var now sight
			err := errors.Join(json.Unmarshal(text.ValueAt(raw, wire.IDPath), &id), json.Unmarshal(text.ValueAt(raw, wire.ETagPath), &now.tag))
			if err != nil {
				return e.failure(job{name: p.Name}, err)
			}
			now.raw = raw
			seen[id] = now
		}
		return nil
	})
	return seen, err
}
