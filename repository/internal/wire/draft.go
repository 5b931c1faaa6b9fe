package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// ErrDraft says that a request of a draft would leave this machine.
var ErrDraft = failure.ErrDraft

// drafted says that the program has a repository of a draft. Without one nobody
// looks.
var drafted atomic.Bool

// draftKey is what a context carries for requests of a draft: the command that
// seals it.
type draftKey struct{}

// SetDraft says that the layout of the documents is a draft, which a command seals.
func (c *Container) SetDraft(command string) {
	c.draft = command
	drafted.Store(true)
}

// WithDraft returns the context of requests of a draft, which a command seals.
func WithDraft(ctx context.Context, command string) context.Context {
	drafted.Store(true)
	return context.WithValue(ctx, draftKey{}, command)
}

// Marked returns the context of requests of c, by which the policies know those
// of drafts.
func (c *Container) Marked(ctx context.Context) context.Context {
	if c.draft == "" {
		return ctx
	}
	return context.WithValue(ctx, draftKey{}, c.draft)
}

// Stays returns an error if c is of a draft and not on this machine. The SDK reads
// physical partitions under contexts of its own, so a request for the container
// goes before: one, for drafts alone.
func (c *Container) Stays(ctx context.Context) error {
	if c.draft == "" || c.here.Load() {
		return nil
	}
	_, err := c.Client.Read(c.Marked(ctx), nil)
	if errors.Is(err, ErrDraft) {
		return err
	}
	c.here.Store(err == nil)
	return nil
}

// refuseDraft returns an error for a request of a draft that would leave this
// machine.
func refuseDraft(r *http.Request) error {
	if !drafted.Load() {
		return nil
	}
	command, ok := r.Context().Value(draftKey{}).(string)
	if !ok || failure.IsThisMachine(r.URL.Hostname()) || asksForRegions(r) {
		return nil
	}
	return &failure.DraftError{Host: r.URL.Host, Command: command}
}

// asksForRegions reports whether a request asks where the account has its data. The
// SDK sends it before the first request of a client, and keeps an error for some
// minutes, for all types.
func asksForRegions(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Trim(r.URL.Path, "/") == ""
}

// LeavesMachine returns an error if an answer, which may be nil, to a request of a draft is
// not from this machine. Clients without the policies find that out so. An empty
// command is that of no draft.
func LeavesMachine(answer *http.Response, command string) error {
	if command == "" || answer == nil || answer.Request == nil || failure.IsThisMachine(answer.Request.URL.Hostname()) {
		return nil
	}
	return &failure.DraftError{Host: answer.Request.URL.Host, Command: command}
}
