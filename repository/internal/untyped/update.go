package untyped

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/unique"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// OpUpdate is the operation of an update, as errors and events name it.
const OpUpdate = "update"

// Update is a call of Documents.Update.
type Update struct {
	*Documents
	raw     []byte        // the document as it was read
	Place   wire.Place    // where the document is
	Places  write.Places  // where it may be, if that is more than one place
	found   write.Found   // of those, where it is
	Content *wire.Content // receives the stored document, unless it is nil
	Matches func(doc any) bool
	Stays   func(doc any) bool // reports whether the changed document still has the key
	Change  func(doc any) error

	refused error // what Change has returned
}

// Spoken returns err as a span may have it: the text of an error of the caller's function
// may hold anything.
func (u *Update) Spoken(err error) error {
	if err != nil && u.refused != nil {
		return wire.Reworded("the function of the update returned an error", err)
	}
	return err
}

// Run reads, changes and replaces the document until nobody writes in between.
func (u *Update) Run(ctx context.Context) error {
	if u.Change == nil {
		return u.failure(errors.New("the function is nil"))
	}
	open := false // the write that was refused may have caused that itself
	for attempt := 1; ; attempt++ {
		doc, response, err := u.read(ctx)
		if err != nil {
			return wire.StillUnclear(err, open && write.MayHaveStored(err))
		}
		if u.refused = u.Change(doc); u.refused != nil {
			return u.refused
		}
		err = u.replaceIfMatch(ctx, doc, response, attempt == backoff.MaxAttempts)
		withdrawn := len(u.Places.All) > 1 && errors.Is(err, wire.ErrNotFound) // or deleted: another read tells
		if !withdrawn && !errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		if attempt == backoff.MaxAttempts {
			return wire.Noted(err, write.Contended, nil)
		}
		open = open || !u.Writer.Proves()
		if backoff.Pause(ctx, attempt) != nil {
			return wire.StillUnclear(wire.Noted(err, "", ctx.Err()), open)
		}
	}
}

// read reads the document, and finds out where it is.
func (u *Update) read(ctx context.Context) (doc any, response azcosmos.ItemResponse, err error) {
	if len(u.Places.All) > 1 {
		u.found, err = u.Places.Read(ctx, OpUpdate)
		u.Place, response.ETag = u.found.Place, u.found.ETag
		return u.found.Doc, response, err
	}
	doc, response, err = u.Writer.Read(ctx, OpUpdate, u.Place)
	u.raw = response.Value
	if err == nil && !u.Matches(doc) {
		err = u.Store.ForeignError(OpUpdate, u.Place, wire.ErrNotFound)
	}
	return doc, response, err
}

// replaceIfMatch stores the changed document if the stored one is still that of an answer.
// Last says that no attempt follows.
func (u *Update) replaceIfMatch(ctx context.Context, doc any, read azcosmos.ItemResponse, last bool) error {
	if !u.Stays(doc) {
		failure := u.failure(errors.New("the change makes it the document of another key: " + u.toMove()))
		failure.Kind = wire.ErrKeyChanged
		return failure
	}
	w, err := u.prepareExisting(OpUpdate, doc)
	writer := u.Writer
	if err == nil && len(u.Places.All) > 1 {
		writer = u.found.Writer
		w, err = u.Places.At(OpUpdate, w, u.found)
	}
	if err == nil && w.Stamp != nil {
		w, err = write.Restamp(writer, OpUpdate, w, u.raw)
	}
	if err != nil {
		return err
	}
	var answer azcosmos.ItemResponse
	send := func(ctx context.Context, unchanged azcore.ETag) (_ azcosmos.ItemResponse, err error) {
		answer, err = u.Content.Keep(writer.ReplaceItem(ctx, w.Key, w.ID, w.Body, u.Content.Options(wire.IfMatch(ctx, unchanged))))
		return answer, err
	}
	var tag azcore.ETag
	if u.Unique != nil {
		tag, err = u.Unique.Change(ctx, OpUpdate, w, read.Value, read.ETag, unique.As{Last: last}, send)
	} else {
		tag, err = write.Send(ctx, writer, OpUpdate, w.Place, write.ReplaceRequest(writer, OpUpdate, w, last, func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return send(ctx, read.ETag)
		}))
	}
	if err == nil {
		err = u.found.Settle(ctx, OpUpdate, answer)
	}
	if err == nil {
		u.SetStoredFields(doc, w, tag)
	}
	return err
}

func (u *Update) failure(err error) *wire.OperationError {
	return u.Store.Failure(OpUpdate, u.Place, err)
}
