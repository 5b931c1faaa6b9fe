package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// settled is the outcome for a document.
type settled int

const (
	unchanged settled = iota
	written
	removed
)

// settlements is how often other writers may be faster, and conflicts how often the service may
// report a conflict before it is attributed to a document with another id.
const (
	settlements = 20
	conflicts   = 3
)

// create creates a document from the feed. If the destination has one, it settles.
func (m *Migration) create(ctx context.Context, d document) (settled, error) {
	_, err := m.account.CreateItem(m.writing(ctx), m.to, d.key, d.body)
	if account.Is(err, http.StatusConflict) {
		return m.settle(ctx, d.id, d.key, d.source)
	}
	return written, refusalOf(err, d.id)
}

// The problems of documents that the destination refuses.
const (
	TooLarge  = "too-large"  // including its new key
	UniqueKey = "unique-key" // another document has the value of a unique key of the destination
)

// refusedError is a document that the destination refuses.
type refusedError struct{ Refusal }

func (e *refusedError) Error() string { return "a document " + e.Reason }

// refusalOf returns the error of a write, as a refusedError if the document is the reason.
func refusalOf(err error, id string) error {
	if account.Is(err, http.StatusRequestEntityTooLarge) {
		return &refusedError{Refusal{Problem: TooLarge, Reason: "is larger than 2 MB with its new key: make it smaller", Documents: 1, IDs: []string{id}}}
	}
	return err
}

// settle makes the destination at a key equal to the source: the current document, or nothing. It
// reads the destination before the source, so that earlier versions in the destination are not
// newer than the one it writes, and later ones have another ETag.
func (m *Migration) settle(ctx context.Context, id, key, source string) (settled, error) {
	unique := 0
	for range settlements {
		have, etag, err := m.read(ctx, m.to, id, key)
		if err != nil {
			return unchanged, err
		}
		now, _, err := m.read(ctx, m.from, id, source)
		if err != nil {
			return unchanged, err
		}
		done, err := m.step(ctx, id, key, have, etag, m.wanted(now, key))
		switch {
		case err == nil:
			return done, nil
		case account.Is(err, http.StatusConflict):
			if unique++; unique == conflicts { // otherwise another writer may have created the document
				return unchanged, &refusedError{Refusal{Problem: UniqueKey, Reason: "has a unique key of the destination that another document has: change one of them, or make the container without that unique key", Documents: 1, IDs: []string{id}}}
			}
		case !account.Is(err, http.StatusPreconditionFailed) && !account.Absent(err):
			return unchanged, refusalOf(err, id)
		}
	}
	return unchanged, errors.New("another program keeps writing to the destination: stop it, and run the command again")
}

// wanted returns the document that the destination should have at a key, or nil.
func (m *Migration) wanted(now json.RawMessage, key string) *document {
	if now == nil {
		return nil
	}
	second := m.account.Now().Unix()
	d, refusal := m.rekeyer.summed(now, second)
	if refusal != nil || d.key != key || d.expires > 0 && d.expires <= second {
		return nil
	}
	return &d
}

// step replaces the document of the destination on its ETag.
func (m *Migration) step(ctx context.Context, id, key string, have json.RawMessage, etag string, want *document) (settled, error) {
	switch {
	case have == nil && want == nil:
		return unchanged, nil
	case want == nil:
		return removed, m.account.DeleteItem(m.writing(ctx), m.to, id, key, etag)
	case have == nil:
		_, err := m.account.CreateItem(m.writing(ctx), m.to, key, want.body)
		return written, err
	case m.same(have, want):
		return unchanged, nil
	}
	_, err := m.account.ReplaceItem(m.writing(ctx), m.to, id, key, want.body, etag)
	return written, err
}

// nearly is the maximum difference, in seconds, between the expiry of the two copies of a document:
// clocks have whole seconds, and a write takes time.
const nearly = 5

// same reports whether the destination already has a document, with nearly the same expiry. A
// source document that was rewritten unchanged expires later, and differs.
func (m *Migration) same(have json.RawMessage, want *document) bool {
	d, ok := m.rekeyer.stored(have)
	return ok && d.sum == want.sum && (d.expires == 0) == (want.expires == 0) && max(d.expires-want.expires, want.expires-d.expires) <= nearly
}

// read reads a document; nil if it does not exist.
func (m *Migration) read(ctx context.Context, c *account.Container, id, key string) (json.RawMessage, string, error) {
	raw, etag, err := m.account.ReadItem(ctx, c, id, key)
	if account.Absent(err) {
		return nil, "", nil
	}
	return raw, etag, err
}
