package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Configure returns client options for programs that use repositories: the
// caller's own, which it does not change and which may be nil, with
//
//   - retries that fit a fan-out, unless the caller has set retries: up to 9,
//     with at most 30 seconds between two, also for status 449;
//   - a policy that sends a fan-out to physical partitions, one query each;
//   - a policy that sees whether a write was repeated, so that an answer such as
//     409 to the second attempt does not count as a failure of the first;
//   - a policy that repeats a request about a container if the answer has lost
//     what was asked for;
//   - a policy that repeats reads of the account and its containers for a write that
//     must not be repeated itself;
//   - policies that count every attempt, including retries, for [WithMeter];
//   - a policy that sends and keeps session tokens, for [WithSession];
//   - a policy that sends patches which azcosmos cannot write;
//   - a policy that notes the write regions of the account, and refuses what relies on one if
//     there are several: see [ErrSeveralWriteRegions];
//   - a check that types whose layout is a draft stay on this machine: see
//     [ErrDraft].
//
// The transport stays the SDK's, which is tuned for Cosmos DB.
//
// Call Configure once for each client, and leave PreferredRegions as they are afterwards: the
// policies read them for each request.
//
// With other clients, a fan-out sends more requests. An order or an aggregate of
// a whole container or of a prefix of a key, a [Session], and an increment by a
// fraction are errors. Meters miss the attempts before the last, drafts go
// anywhere, and nothing is refused for several write regions.
func Configure(o *azcosmos.ClientOptions) *azcosmos.ClientOptions {
	var c azcosmos.ClientOptions
	if o != nil {
		c = *o
	}
	wire.AddPolicies(&c)
	return &c
}

// minCursorKey is the least number of bytes of a key: that of AES-128. Shorter
// keys can be guessed.
const minCursorKey = 16

// WithCursorKey closes the cursors of pages and change feeds with a key. A cursor
// that was changed or made up is refused by ErrCursor before anything is sent,
// and nobody can read the values and the continuation token in a cursor. Give the
// key to every process that goes on with the cursors of another. It has at least
// 16 bytes that nobody can guess, such as 32 of crypto/rand. With a shorter key
// every operation returns an error.
//
// To change the key, give the new one first, and the earlier ones after it for as
// long as their cursors live: the first key closes cursors, and all keys open
// them. Cursors that are not closed are refused, also those from before the first
// key.
//
// A cursor is closed for one query, with its keys, conditions, values, order and
// limit, or for the change feed of one type, and for one container. It is not
// closed for a user: whoever has it can go on at its position, in a query that
// this user may run. Closing costs some microseconds and 60 bytes a cursor. Each
// cursor is encrypted by AES-256-GCM under a key of its own, which HMAC-SHA256
// derives.
func WithCursorKey(key []byte, earlier ...[]byte) Option {
	return func(s *untyped.Settings) {
		s.CursorKeys = nil
		for _, k := range append([][]byte{key}, earlier...) {
			if len(k) < minCursorKey {
				s.Wrong = fmt.Errorf("WithCursorKey: a key of %d bytes: it must have at least %d, such as 32 of crypto/rand", len(k), minCursorKey)
			}
			s.CursorKeys = append(s.CursorKeys, slices.Clone(k))
		}
	}
}

// defaultConcurrency is how many requests of one operation are under way at once.
// Measured on two cores with 5 ms a request, the SDK reaches four fifths of the
// ideal throughput between 8 and 16, and gets slower above 64.
const defaultConcurrency = 32

// defaultWave is how many requests of one query, page, aggregate or GetMany are
// under way at once if each goes to a physical partition of its own. Such requests
// do not use each other's throughput, so they are one wave.
const defaultWave = 128

// defaultMaxKeys is how many partition keys one query may read: the days of
// twenty-seven years, or the days of a month in 300 buckets.
const defaultMaxKeys = 10_000

// Option changes how a repository works.
type Option func(*untyped.Settings)

// settingsOf returns what options set.
func settingsOf(opts []Option) untyped.Settings {
	s := untyped.Settings{
		Settings:   store.Settings{Concurrency: defaultConcurrency, Wave: defaultWave, MaxKeys: defaultMaxKeys, Unmarshal: json.Unmarshal, Clock: store.Clock{Now: store.Now}},
		Containers: untyped.ContainerSettings{Late: -1, Early: -1, Now: time.Now},
	}
	if wrong := api.Apply(&s, opts, "an Option of the repository"); wrong != nil {
		s.Wrong = wrong
	}
	return s
}

// WithConcurrency limits a fan-out, a bulk operation and a change feed to n
// requests at once. The default is 32, and 128 for a fan-out of one request to each physical
// partition; an n below 1 counts as 1.
func WithConcurrency(n int) Option {
	return func(s *untyped.Settings) { s.Concurrency, s.Wave = max(n, 1), 0 }
}

// WithHedging lets reads for the program ask a second region: Get, GetMany, queries, their
// pages, counts and aggregates, and reads of an [Index]. If a request of a read has no answer
// after a time, or has failed, it is sent once to the next region as well; the first answer
// counts, and the other request is cancelled. A request of a query is a page of one physical
// partition. No goroutine goes on after the read.
//
// The regions are those of the account, in the order of the client's PreferredRegions, or all of
// them in the order of the account if it has none. With one region, nothing is hedged. The
// client must be made with [Configure]; with another client every read returns an error.
//
// The second request costs request units, which meters and observers see as a request of its own
// with [Event.Hedge]. The charge of a cancelled request is not known, and counts as 0. Choose a
// time that few requests take, such as the 99th percentile: one request in a hundred then costs
// twice. WithConcurrency does not count second requests.
//
// The answer may be as old as one of eventual consistency, unless the context has a [Session]:
// then both regions must be as far as its tokens. Within one query, each page of a physical
// partition is as late as the one before it, whichever region it comes from; from one call of Page
// to the next, this takes a Session. That a document does not exist is believed of the first
// region alone, by Get and GetMany.
//
// The reads of Update and of other writes are not hedged, nor are change feeds, whose positions
// are those of a region, documents that move to other keys or containers, and tenants who move
// between containers. With a negative time, every operation returns an error.
func WithHedging(after time.Duration) Option {
	return func(s *untyped.Settings) {
		if after < 0 {
			s.Wrong = fmt.Errorf("WithHedging: the time %v is negative: name how long the first region has, such as 50ms", after)
		}
		s.Hedge = &wire.Hedge{After: after}
	}
}

// WithPageSize asks for at most n documents in one response of a query. The
// default, 0, leaves it to the service, which sends 100. A fan-out holds at most
// one page for each request that is under way: with documents of 1 KB and 128
// physical partitions, 13 MB.
func WithPageSize(n int32) Option {
	return func(s *untyped.Settings) { s.PageSize = max(n, 0) }
}

// WithMaxKeys allows a query to read n partition keys: one for each period of a
// range of time, times the buckets of a suffix. A query of more keys is refused
// before it sends anything, because a mistaken range easily costs thousands of
// requests. The default is 10,000; an n below 1 counts as 1.
func WithMaxKeys(n int) Option {
	return func(s *untyped.Settings) { s.MaxKeys = max(n, 1) }
}

// WithUnmarshal decodes documents with f, of another JSON library, in place of
// json.Unmarshal. A query and a change feed call it from several goroutines at
// once, once for each document. F must not change the bytes. With a nil f every
// operation returns an error.
func WithUnmarshal(f func(data []byte, v any) error) Option {
	return func(s *untyped.Settings) {
		if f == nil {
			s.Wrong = errors.New("the function of WithUnmarshal is nil")
		}
		s.Unmarshal = f
	}
}

// WithClock stamps documents with the times that now returns, in place of time.Now, such
// as a fixed time in tests. It is about types with fields tagged created or updated, which
// get these times in UTC, cut to units of 100 nanoseconds. Several goroutines call now at
// once. With a nil function every operation returns an error.
func WithClock(now func() time.Time) Option {
	return func(s *untyped.Settings) {
		if now == nil {
			s.Wrong = errors.New("the function of WithClock is nil")
		}
		s.Now, s.Given = now, true
	}
}
