package untyped

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// OpUpdate is the operation of an update, as errors and events name it.
const OpUpdate = "update"

// Update is a call of Documents.Update.
type Update struct {
	*Documents
	At      Target        // the document; its Place is where it was found
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
		found, err := u.read(ctx)
		if err != nil {
			return wire.StillUnclear(err, open && write.MayHaveStored(err))
		}
		if u.refused = u.Change(found.Doc); u.refused != nil {
			return u.refused
		}
		err = u.replaceIfMatch(ctx, found, attempt == backoff.MaxAttempts)
		withdrawn := len(u.At.Places.All) > 1 && errors.Is(err, wire.ErrNotFound) // or deleted: another read tells
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

// read reads the document, and notes where it is.
func (u *Update) read(ctx context.Context) (write.Found, error) {
	f, err := u.strategy.read(ctx, u.Writer.Store, OpUpdate, u.At)
	if err == nil && !u.Matches(f.Doc) {
		err = u.Store.ForeignError(OpUpdate, u.At.Place, wire.ErrNotFound)
	}
	u.At.Place = f.Place
	return f, err
}

// replaceIfMatch stores the changed document if the stored one is still the one that was
// found. Last says that no attempt follows.
func (u *Update) replaceIfMatch(ctx context.Context, f write.Found, last bool) error {
	if !u.Stays(f.Doc) {
		failure := u.failure(errors.New("the change makes it the document of another key: " + u.strategy.toMove()))
		failure.Kind = wire.ErrKeyChanged
		return failure
	}
	w, err := u.prepareExisting(OpUpdate, f.Doc)
	if err != nil {
		return err
	}
	w, tag, err := u.strategy.change(ctx, OpUpdate, u.At, f, w, last, u.Content)
	if err == nil {
		u.SetStoredFields(f.Doc, w, tag)
	}
	return err
}

func (u *Update) failure(err error) *wire.OperationError {
	return u.Store.Failure(OpUpdate, u.At.Place, err)
}
