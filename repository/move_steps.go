package repository

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// This file carries a move out. Each step finds out how far earlier runs came.
// Two rules see to it that one document remains whatever happens: the old one is
// deleted only when the copy stands, and the copy is removed only after the
// service has refused to delete the old one because it was changed. What a read
// says decides neither, since a read may be behind. Where several make one move,
// both can hold for different ones, so that withdraw looks once more.

// move makes the move m, or what is left of it. It returns the ETag of what
// stands at the new place then.
func (d *Documents[T, K]) move(ctx context.Context, m MoveState[K]) (azcore.ETag, error) {
	w := write{place: d.place(m.To), body: m.Document}
	tag, err := d.origin(ctx, &m)
	if errors.Is(err, ErrNotFound) {
		return d.arrived(ctx, w, err)
	}
	if err != nil {
		return "", err
	}
	from := d.place(m.From)
	if sameItem(from, w.place) {
		return d.replace(ctx, opMove, w, m.To, azcore.ETag(m.ETag))
	}
	if string(tag) == m.ETag {
		tag, err = d.createCopy(ctx, w)
	} else {
		var stands bool
		if tag, stands, err = d.copied(ctx, w); err == nil && !stands {
			err = d.changedSince(from)
		}
	}
	if err != nil {
		return "", err
	}
	_, err = d.store.write(ctx, opMove, from, d.deletion(from, azcore.ETag(m.ETag)))
	switch {
	case err == nil || errors.Is(err, ErrNotFound):
		return tag, nil
	case errors.Is(err, ErrPreconditionFailed):
		return d.withdraw(ctx, m, w, tag, err)
	}
	return "", noted(err, "the copy "+w.String()+" is there already, and the move can be resumed", nil)
}

// origin reads the document that is to be moved, and adds its ETag and RID to m
// where m has none. It returns the ETag that the document has now, and
// ErrNotFound if it is not there any more.
func (d *Documents[T, K]) origin(ctx context.Context, m *MoveState[K]) (azcore.ETag, error) {
	p := d.place(m.From)
	doc, response, err := d.readItem(ctx, opMove, p)
	if err != nil {
		return "", err
	}
	if !d.is(doc, m.From) {
		return "", d.foreign(opMove, p, ErrNotFound)
	}
	rid := strings.Trim(string(valueAt(response.Value, []string{"_rid"})), `"`)
	if m.RID == "" {
		m.RID = rid
	}
	if m.RID != rid {
		return "", &Error{
			Op: opMove, Type: d.store.typ, ID: p.id, PartitionKey: p.name, kind: ErrNotFound,
			Err: errors.New("it was deleted, and another one was stored under its key"),
		}
	}
	if m.ETag == "" {
		m.ETag = string(response.ETag)
	}
	return response.ETag, nil
}

// arrived is for a document that is gone from its old place. The move is
// complete if the copy stands, else the error is the one given.
func (d *Documents[T, K]) arrived(ctx context.Context, w write, gone error) (azcore.ETag, error) {
	tag, stands, err := d.copied(ctx, w)
	switch {
	case err != nil:
		return "", err
	case stands:
		return tag, nil
	case tag != "":
		return "", noted(gone, "and "+w.String()+" is another document, or was changed since", nil)
	}
	return "", gone
}

// copied reads what stands at the new place. It returns its ETag, empty if there
// is nothing, and whether it is the copy.
func (d *Documents[T, K]) copied(ctx context.Context, w write) (azcore.ETag, bool, error) {
	tag, stands, err := d.store.standing(ctx, opMove, w)
	if errors.Is(err, ErrNotFound) {
		return "", false, nil
	}
	return tag, stands, err
}

// createCopy creates the copy, unless an earlier run has. It returns its ETag.
func (d *Documents[T, K]) createCopy(ctx context.Context, w write) (azcore.ETag, error) {
	tag, err := d.store.write(ctx, opMove, w.place, sending{
		send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return d.store.container.CreateItem(ctx, w.key, w.body, writeOptions(ctx))
		},
	})
	if !errors.Is(err, ErrAlreadyExists) {
		return tag, err
	}
	tag, stands, readErr := d.copied(ctx, w)
	switch {
	case readErr != nil:
		return "", stillUnclear(readErr, errors.Is(err, ErrUnclear))
	case !stands:
		return "", noted(err, "and nothing was moved", nil)
	}
	return tag, nil
}

// withdraw removes the copy w again, whose ETag is tag, since the old document
// was changed: refused is the service's refusal to delete it. If the document
// there is not the old one but was stored after that was deleted, the copy stays
// and the move is complete.
//
// Somebody else who makes the same move may have taken the copy for his own, and
// deleted the old document meanwhile: then the copy is made once more.
func (d *Documents[T, K]) withdraw(ctx context.Context, m MoveState[K], w write, tag azcore.ETag, refused error) (azcore.ETag, error) {
	_, err := d.origin(ctx, &m)
	if errors.Is(err, ErrNotFound) {
		return tag, nil
	}
	if err == nil {
		_, err = d.store.write(ctx, opMove, w.place, d.deletion(w.place, tag))
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return "", refused
	case err != nil:
		return "", noted(refused, "and two documents remain, since the copy could not be removed: "+err.Error(), err)
	}
	_, err = d.origin(ctx, &m)
	switch {
	case errors.Is(err, ErrNotFound):
		return d.createCopy(ctx, w)
	case err != nil:
		return "", noted(refused, "and the copy was removed, while it is not known whether the old document is still there: "+err.Error(), err)
	}
	return "", refused
}

// changedSince returns the error about the document at p, whose ETag is another
// than it was.
func (d *Documents[T, K]) changedSince(p place) error {
	return &Error{
		Op: opMove, Type: d.store.typ, ID: p.id, PartitionKey: p.name, kind: ErrPreconditionFailed,
		Err: errors.New("read it again, change it and move it then"),
	}
}

// String names a place as errors do.
func (p place) String() string { return strconv.Quote(p.id) + " in partition " + p.name }
