package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Fetch reads the document at p, of any type.
func (s *Store) Fetch(ctx context.Context, op string, p wire.Place) (wire.Answer, error) {
	if err := s.JoinSession(ctx, op); err != nil {
		return wire.Answer{}, err
	}
	return s.ReadStored(ctx, op, p)
}

// Read reads the document at p if it is of the type and shown, and returns the answer too.
func (s *Store) Read(ctx context.Context, op string, p wire.Place) (any, wire.Answer, error) {
	var none wire.Answer
	response, err := s.Fetch(ctx, op, p)
	if err != nil {
		return nil, none, err
	}
	if err := s.Refuse(op, p, response.Value, wire.ErrNotFound); err != nil {
		return nil, none, err
	}
	doc, err := s.Decode(response.Value)
	if err != nil {
		return nil, none, s.Failure(op, p, err)
	}
	return doc, response, nil
}

// ReadStored is Fetch without joining a session.
func (s *Store) ReadStored(ctx context.Context, op string, p wire.Place) (wire.Answer, error) {
	response, err := s.ReadItem(ctx, op, p)
	if err != nil {
		return response, s.Failed(op, p.ID, p.Name, false, err)
	}
	return response, nil
}

// PlaceOf returns the place of a stored document.
func PlaceOf(s *Store, raw []byte) (p wire.Place, err error) {
	if err = json.Unmarshal(text.ValueAt(raw, wire.IDPath), &p.ID); err != nil {
		return p, err
	}
	if p.Value, err = storedKey(s, raw); err == nil && !wire.Expressible(p.Value) {
		err = errors.New("it is null or an object")
	}
	if err != nil {
		err = fmt.Errorf("its partition key cannot be sent, delete it with azcosmos: %w", err)
		return p, &documents.Error{Op: wire.OpDelete, Type: s.Type, ID: p.ID, Err: err}
	}
	p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	return p, nil
}

// TagOf returns the ETag of a stored document.
func TagOf(raw []byte) (tag azcore.ETag, err error) {
	err = json.Unmarshal(text.ValueAt(raw, wire.ETagPath), &tag)
	return tag, err
}

// Identified is a document and its identity.
type Identified struct {
	wire.Identity
	Doc any // nil if it is of another type, or a rule hides it
	// Moving says that the item is only a part of a document that moves.
	Moving bool
}

// Identify decodes a document. It takes the identity from stored properties, because fields
// may have other values.
func Identify(s *Store, raw []byte) (item Identified, err error) {
	if err = json.Unmarshal(text.ValueAt(raw, wire.IDPath), &item.ID); err != nil {
		return item, err
	}
	value, err := storedKey(s, raw)
	if err != nil {
		return item, err
	}
	item.Partition = wire.NameOf(value)
	v := s.Judge(raw)
	if item.Moving = v.State == Moving; s.gives(v) {
		item.Doc, err = s.Decode(raw)
	}
	return item, err
}

// storedKey returns the partition key of a stored document: a string, a float64, a bool or
// nil, or an []any of these for a hierarchical key.
func storedKey(s *Store, raw []byte) (any, error) {
	levels := make([]any, len(s.Paths))
	for i, path := range s.Paths {
		if err := json.Unmarshal(text.ValueAt(raw, jsonpointer.Names(path)), &levels[i]); err != nil {
			return nil, err
		}
	}
	if !s.Hierarchical {
		return levels[0], nil
	}
	return levels, nil
}

// Content returns the document at p that c has. If a policy of the client requests answers
// without documents, Content reads the document with one more request. wire.CheckWritten
// has refused answers that lost the document.
func (s *Store) Content(ctx context.Context, op string, p wire.Place, c *wire.Content) (any, error) {
	if len(c.Document()) == 0 {
		doc, _, err := s.Read(ctx, op, p)
		return doc, wire.Noted(err, tookEffect, nil)
	}
	doc, err := s.Decode(c.Document())
	if err != nil {
		return nil, &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Note: tookEffect}
	}
	return doc, nil
}

// tookEffect is the note on an error after a successful write.
const tookEffect = "after the write took effect"
