package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Defaults of Settings, those of package repository.
const (
	DefaultConcurrency = 32
	DefaultMaxKeys     = 10_000
)

// minCursorKey is the least number of bytes of a key of cursors: that of AES-128.
// Shorter keys can be guessed.
const minCursorKey = 16

// Settings are what the options of a run time set for all its operations.
type Settings struct {
	// Concurrency is how many requests of one operation are under way at once.
	Concurrency int

	// PageSize is how many documents one response of a query has at most; 0 leaves it to
	// the service.
	PageSize int

	// MaxKeys is how many partition keys one query may read.
	MaxKeys int

	// CursorKeys close the cursors of pages.
	CursorKeys cursor.Keys

	// Wrong is what is wrong with the options. Every operation returns it.
	Wrong error
}

// NewSettings returns the defaults.
func NewSettings() Settings {
	return Settings{Concurrency: DefaultConcurrency, MaxKeys: DefaultMaxKeys}
}

// SettingsOf returns what options set.
func SettingsOf[O ~func(*Settings)](opts []O) Settings {
	s := NewSettings()
	s.Refuse(Apply(&s, opts, "an Option of the repository"))
	return s
}

// Apply calls options with what they set, and returns an error if one of them is nil.
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

// SetConcurrency limits an operation to n requests at once. An n below 1 counts as 1.
func (s *Settings) SetConcurrency(n int) { s.Concurrency = max(n, 1) }

// SetPageSize asks for at most n documents in one response. An n of 0 or less leaves it
// to the service.
func (s *Settings) SetPageSize(n int) { s.PageSize = max(n, 0) }

// SetMaxKeys allows a query to read n partition keys. An n below 1 counts as 1.
func (s *Settings) SetMaxKeys(n int) { s.MaxKeys = max(n, 1) }

// SetCursorKey closes cursors by key, and opens those that the earlier keys have closed.
// A key has at least 16 bytes.
func (s *Settings) SetCursorKey(key []byte, earlier ...[]byte) {
	s.CursorKeys = nil
	for _, k := range append([][]byte{key}, earlier...) {
		if len(k) < minCursorKey {
			s.Refuse(fmt.Errorf("WithCursorKey: a key of %d bytes: it must have at least %d, such as 32 of crypto/rand", len(k), minCursorKey))
		}
		s.CursorKeys = append(s.CursorKeys, slices.Clone(k))
	}
}

// Refuse makes err the error of every operation, unless there is one already.
func (s *Settings) Refuse(err error) {
	if s.Wrong == nil {
		s.Wrong = err
	}
}

// Ready returns why nothing can be sent.
func Ready(ctx context.Context, wrong error, stays func(context.Context) error) error {
	if wrong == nil && stays != nil {
		wrong = stays(ctx)
	}
	return failure.Trusted(wrong)
}

// Bulk is what the options of a bulk operation set.
type Bulk struct {
	// Concurrency is how many requests are under way at once, 1 at least.
	Concurrency int

	// PerSecond is the budget in request units a second, 0 for none.
	PerSecond float64

	// Batches says that items of one logical partition are sent together.
	Batches bool

	// Transactions says that consecutive items of one logical partition take effect
	// together or not at all.
	Transactions bool
}
