package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Defaults of Settings, the same as in package repository.
const (
	DefaultConcurrency = 32
	DefaultMaxKeys     = 10_000
)

// minCursorKey is the minimum length of a cursor key in bytes, as for AES-128. Shorter keys can be
// guessed.
const minCursorKey = 16

// Settings hold the options of a run time, for all its operations.
type Settings struct {
	// Concurrency is the maximum number of concurrent requests of one operation.
	Concurrency int

	// PageSize is the maximum number of documents in a response to a query; 0 leaves it to the
	// service.
	PageSize int

	// MaxKeys is the maximum number of partition keys of one query.
	MaxKeys int

	// CursorKeys encrypt the cursors of pages.
	CursorKeys cursor.Keys

	// Wrong is the error of invalid options. Every operation returns it.
	Wrong error
}

// NewSettings returns the default settings.
func NewSettings() Settings {
	return Settings{Concurrency: DefaultConcurrency, MaxKeys: DefaultMaxKeys}
}

// SettingsOf applies options to the defaults.
func SettingsOf[O ~func(*Settings)](opts []O) Settings {
	s := NewSettings()
	s.Refuse(Apply(&s, opts, "an Option of the repository"))
	return s
}

// Apply calls options with s, and returns an error if one of them is nil.
func Apply[S any, O ~func(*S)](s *S, opts []O, name string) (wrong error) {
	for _, o := range opts {
		if o == nil {
			wrong = errors.New(name + " is nil")
			continue
		}
		o(s)
	}
	return wrong
}

// SetConcurrency limits an operation to n concurrent requests. An n below 1 counts as 1.
func (s *Settings) SetConcurrency(n int) { s.Concurrency = max(n, 1) }

// SetPageSize limits a response to n documents. An n of 0 or less leaves it to the service.
func (s *Settings) SetPageSize(n int) { s.PageSize = max(n, 0) }

// SetMaxKeys limits a query to n partition keys. An n below 1 counts as 1.
func (s *Settings) SetMaxKeys(n int) { s.MaxKeys = max(n, 1) }

// SetCursorKey encrypts cursors with key, and decrypts cursors of the earlier keys too. A key has
// at least 16 bytes.
func (s *Settings) SetCursorKey(key []byte, earlier ...[]byte) {
	s.CursorKeys = nil
	for _, k := range append([][]byte{key}, earlier...) {
		if len(k) < minCursorKey {
			s.Refuse(fmt.Errorf("WithCursorKey: a key of %d bytes: it must have at least %d, such as 32 of crypto/rand", len(k), minCursorKey))
		}
		s.CursorKeys = append(s.CursorKeys, slices.Clone(k))
	}
}

// Refuse makes every operation fail with err, unless an earlier error is set.
func (s *Settings) Refuse(err error) {
	if s.Wrong == nil {
		s.Wrong = err
	}
}

// Ready returns an error if no request may be sent.
func Ready(ctx context.Context, wrong error, stays func(context.Context) error) error {
	if wrong == nil && stays != nil {
		wrong = stays(ctx)
	}
	return failure.Trusted(wrong)
}

// Bulk holds the options of a bulk operation.
type Bulk struct {
	// Concurrency is the maximum number of concurrent requests, at least 1.
	Concurrency int

	// PerSecond is the budget in RU/s; 0 is no limit.
	PerSecond float64

	// Batches is set if items of one logical partition are sent together.
	Batches bool

	// Transactions is set if consecutive items of one logical partition are atomic.
	Transactions bool
}
