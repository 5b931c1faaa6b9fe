package processor

import (
	"context"
	"errors"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
)

// window is one of the containers of a type that has several.
type window struct {
	name, rid string
	ends      time.Time // of its period; zero if it is for none
	now       func() time.Time

	reads *Processor // the changes of this container
	*shared

	opening bool // is under way, or is to come
	open    bool // its leases are there, and reader is set
	gaps    int  // how many looks in a row have found a gap
}

// ended reports whether the period of the container has ended.
func (w *window) ended() bool { return !w.ends.IsZero() && !w.now().Before(w.ends) }

// wakes notes that there are changes after the tag. Where the lease says that there are
// none, that is written before they are handled: whoever finds the container dropped
// meanwhile must not believe it.
func (w *work) wakes(ctx context.Context) error {
	said := w.held.Lease().Window
	before := said
	said.Changed, said.End, said.Closed = w.leases.Now(), false, time.Time{}
	w.held.Note(said)
	if !before.End && before.Closed.IsZero() {
		return nil
	}
	err := w.held.Renew(ctx)
	if err != nil {
		w.held.Note(before) // so that it is written the next time
	}
	return err
}

// rests notes, where there are no changes after the tag, that the lease is at its end if
// the period of the container has ended. It reports whether nobody needs the lease until it
// is looked at again, because nothing has changed for long.
func (w *work) rests() bool {
	if !w.window.ended() {
		return false
	}
	now, said := w.leases.Now(), w.held.Lease().Window
	if said.Changed.IsZero() {
		said.Changed = now
	}
	said.End = true
	closes := w.Quiet > 0 && (!said.Closed.IsZero() || now.Sub(said.Changed) >= w.Quiet)
	if closes {
		said.Closed = now
	}
	w.held.Note(said)
	return closes
}

// mayBeGone reports whether the error of a page may be that of a container which is no more.
func (w *work) mayBeGone(err error) bool { return feed.MadeAgain(err) || w.store.LacksItself(err) }

// gone reports whether the container of the lease is no more. Then the lease is removed
// if nothing was left to read, or if settings say so; otherwise gone returns an error.
func (w *work) gone(ctx context.Context) (bool, error) {
	properties, err := w.store.Properties(w.store.Marked(ctx))
	dropped := err != nil && w.store.LacksItself(err)
	again := err == nil && properties.ResourceID != w.window.rid
	if !dropped && !again { // or it is not known
		return false, nil
	}
	if !w.SkipDropped && !w.held.Lease().Window.End {
		reason := "before its period has ended, or before all its changes were handled"
		if w.window.ends.IsZero() {
			reason = "while its changes were handled"
		}
		failure := feed.Lost(w.window.name, dropped, reason)
		failure.Op, failure.Type = Op, w.store.Type
		failure.Note = "go on without what was in it by repository.ProcessSkipDroppedWindows"
		return true, failure
	}
	err = w.held.Remove(ctx)
	if err == nil {
		err = w.leases.Forget(ctx)
	}
	if err != nil && !errors.Is(err, lease.ErrLost) && ctx.Err() == nil {
		w.failed(ctx, err)
	}
	return true, nil
}
