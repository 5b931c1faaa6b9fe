package repository

import (
	"context"
	"errors"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// This file carries a move out. Each step finds out how far earlier runs came.
// Two rules see to it that one document remains whatever happens: the old one is
// deleted only when the copy stands, and the copy is removed only after the
// service has refused to delete the old one because it was changed. What a read
// says decides neither, since a read may be behind. Where several make one move,
// both can hold for different ones, so that withdraw looks once more.

// moving is a move under way.
type moving struct {
	*store
	from      wire.Place
	copy      write       // of the document, to the new place
	etag      azcore.ETag // of the document to be moved
	rid       string
	means     func(doc any) bool // whether that is the one at the old place
	meansCopy func(doc any) bool // as verify takes it, at the new place
}

// move makes the move m, or what is left of it. It returns the ETag of what
// stands at the new place then.
func (m *moving) move(ctx context.Context) (azcore.ETag, error) {
	tag, err := m.origin(ctx)
	if errors.Is(err, ErrNotFound) {
		return m.arrived(ctx, err)
	}
	if err != nil {
		return "", err
	}
	if sameItem(m.from, m.copy.Place) {
		return replace(ctx, m.store, opMove, m.copy, m.meansCopy, m.etag)
	}
	if tag == m.etag {
		tag, err = m.createCopy(ctx)
	} else {
		var stands bool
		if tag, stands, err = m.copied(ctx); err == nil && !stands {
			err = m.changedSince(m.from)
		}
	}
	if err != nil {
		return "", err
	}
	_, err = sendWrite(ctx, m.store, opMove, m.from, deletion(m.store, m.from, m.etag))
	switch {
	case err == nil || errors.Is(err, ErrNotFound):
		return tag, nil
	case errors.Is(err, ErrPreconditionFailed):
		return m.withdraw(ctx, tag, err)
	}
	return "", noted(err, "the copy "+m.copy.String()+" is there already, and the move can be resumed", nil)
}

// origin reads the document that is to be moved, and keeps its ETag and RID where
// m has none. It returns the ETag that the document has now, and
// ErrNotFound if it is not there any more.
func (m *moving) origin(ctx context.Context) (azcore.ETag, error) {
	p := m.from
	doc, response, err := m.read(ctx, opMove, p)
	if err != nil {
		return "", err
	}
	if !m.means(doc) {
		return "", m.foreign(opMove, p, ErrNotFound)
	}
	rid := strings.Trim(string(text.ValueAt(response.Value, []string{"_rid"})), `"`)
	if m.rid == "" {
		m.rid = rid
	}
	if m.rid != rid {
		return "", &wire.OperationError{
			Op: opMove, Type: m.Type, ID: p.ID, PartitionKey: p.Name, Kind: ErrNotFound,
			Err: errors.New("it was deleted, and another one was stored under its key"),
		}
	}
	if m.etag == "" {
		m.etag = response.ETag
	}
	return response.ETag, nil
}

// arrived is for a document that is gone from its old place. The move is
// complete if the copy stands, else the error is the one given.
func (m *moving) arrived(ctx context.Context, gone error) (azcore.ETag, error) {
	tag, stands, err := m.copied(ctx)
	switch {
	case err != nil:
		return "", err
	case stands:
		return tag, nil
	case tag != "":
		return "", noted(gone, "and "+m.copy.String()+" is another document, or was changed since", nil)
	}
	return "", gone
}

// copied reads what stands at the new place. It returns its ETag, empty if there
// is nothing, and whether it is the copy.
func (m *moving) copied(ctx context.Context) (azcore.ETag, bool, error) {
	tag, stands, err := standing(ctx, m.store, opMove, m.copy)
	if errors.Is(err, ErrNotFound) {
		return "", false, nil
	}
	return tag, stands, err
}

// createCopy creates the copy, unless an earlier run has. It returns its ETag.
func (m *moving) createCopy(ctx context.Context) (azcore.ETag, error) {
	tag, err := sendWrite(ctx, m.store, opMove, m.copy.Place, sending{
		send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return m.Client.CreateItem(ctx, m.copy.Key, m.copy.body, wire.WriteOptions(ctx))
		},
	})
	if !errors.Is(err, ErrAlreadyExists) {
		return tag, err
	}
	tag, stands, readErr := m.copied(ctx)
	switch {
	case readErr != nil:
		return "", wire.StillUnclear(readErr, errors.Is(err, ErrUnclear))
	case !stands:
		return "", noted(err, "and nothing was moved", nil)
	}
	return tag, nil
}

// withdraw removes the copy again, whose ETag is tag, since the old document
// was changed: refused is the service's refusal to delete it. If the document
// there is not the old one but was stored after that was deleted, the copy stays
// and the move is complete.
//
// Somebody else who makes the same move may have taken the copy for his own, and
// deleted the old document meanwhile: then the copy is made once more.
func (m *moving) withdraw(ctx context.Context, tag azcore.ETag, refused error) (azcore.ETag, error) {
	_, err := m.origin(ctx)
	if errors.Is(err, ErrNotFound) {
		return tag, nil
	}
	if err == nil {
		_, err = sendWrite(ctx, m.store, opMove, m.copy.Place, deletion(m.store, m.copy.Place, tag))
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return "", refused
	case err != nil:
		return "", noted(refused, "and two documents remain, since the copy could not be removed: "+err.Error(), err)
	}
	_, err = m.origin(ctx)
	switch {
	case errors.Is(err, ErrNotFound):
		return m.createCopy(ctx)
	case err != nil:
		return "", noted(refused, "and the copy was removed, while it is not known whether the old document is still there: "+err.Error(), err)
	}
	return "", refused
}

// changedSince returns the error about the document at p, whose ETag is another
// than it was.
func (m *moving) changedSince(p wire.Place) error {
	return &wire.OperationError{
		Op: opMove, Type: m.Type, ID: p.ID, PartitionKey: p.Name, Kind: ErrPreconditionFailed,
		Err: errors.New("read it again, change it and move it then"),
	}
}
