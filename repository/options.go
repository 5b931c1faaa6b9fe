package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// minCursorKey is how many bytes a key must have: what AES-128 has, below which
// keys are guessed.
const minCursorKey = 16

// WithCursorKey closes the cursors of pages and change feeds with a key: what was
// changed, or made up, is refused by ErrCursor before anything is sent, and nobody
// can read in a cursor at which values and continuation it is. Give it to every
// process that is to go on with the cursors of another one, at least 16 bytes that
// nobody can guess, such as 32 of crypto/rand. A shorter key is an error of
// whatever is called.
//
// To change the key, give the new one first and the earlier ones after it, for as
// long as their cursors live: the first closes, all of them open. Cursors that are
// not closed are refused, those of before the first key among them.
//
// A cursor is closed for one query, with its keys, conditions, values, order and
// limit, or for the change feed of one type, and for one container. It is not
// closed for a user: who has it can go on where it points to, in a query that this
// user may run. It costs some microseconds and 60 bytes a cursor (AES-256-GCM,
// under a key of its own that HMAC-SHA256 derives).
func WithCursorKey(key []byte, earlier ...[]byte) Option {
	return func(s *settings) {
		s.CursorKeys = nil
		for _, k := range append([][]byte{key}, earlier...) {
			if len(k) < minCursorKey {
				s.wrong = fmt.Errorf("WithCursorKey: a key of %d bytes: it must have at least %d, such as 32 of crypto/rand", len(k), minCursorKey)
			}
			s.CursorKeys = append(s.CursorKeys, slices.Clone(k))
		}
	}
}

// DefaultConcurrency is how many requests of one fan-out are under way at once.
// The SDK reaches four fifths of the ideal throughput between 8 and 16 and loses
// again beyond 64, measured on two cores with 5 ms a request.
const DefaultConcurrency = 32

// DefaultMaxKeys is how many partition keys one query may read: a day for
// twenty-seven years, or a month of days in 300 buckets.
const DefaultMaxKeys = 10_000

// Option changes how a repository works.
type Option func(*settings)

// settings are what the options say.
type settings struct {
	store.Settings
	observe func(context.Context, wire.Event) // nil if nobody does
	wrong   error                             // of the options
}

func newSettings(opts []Option) settings {
	s := settings{Settings: store.Settings{Concurrency: DefaultConcurrency, MaxKeys: DefaultMaxKeys, Unmarshal: json.Unmarshal}}
	for _, o := range opts {
		if o == nil {
			s.wrong = errors.New("an Option of the repository is nil")
			continue
		}
		o(&s)
	}
	return s
}

// WithConcurrency limits a fan-out to n requests at once, and so a bulk operation
// and a change feed. The default is [DefaultConcurrency]; n below 1 is taken as 1.
func WithConcurrency(n int) Option {
	return func(s *settings) { s.Concurrency = max(n, 1) }
}

// WithPageSize asks for at most n documents in one response of a query. The
// default, 0, leaves it to the service. A fan-out holds at most one page for
// each request that is under way.
func WithPageSize(n int32) Option {
	return func(s *settings) { s.PageSize = max(n, 0) }
}

// WithMaxKeys allows a query to read n partition keys, one for each period of a
// range of time and bucket of a suffix. A query of more is refused before it
// sends anything, since a range is easily given by mistake that costs thousands
// of requests. The default is [DefaultMaxKeys]; n below 1 is taken as 1.
func WithMaxKeys(n int) Option {
	return func(s *settings) { s.MaxKeys = max(n, 1) }
}

// WithUnmarshal decodes documents with f, of another JSON library, in place of
// json.Unmarshal. A query and a change feed call it from several goroutines at
// once, once for each document. F does not change the bytes. Of a nil f, every
// operation returns an error.
func WithUnmarshal(f func(data []byte, v any) error) Option {
	return func(s *settings) {
		if f == nil {
			s.wrong = errors.New("the function of WithUnmarshal is nil")
		}
		s.Unmarshal = f
	}
}
