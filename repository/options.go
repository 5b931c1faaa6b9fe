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

// Configure returns client options for programs that use repositories: a changed copy of o,
// which may be nil, with
//
//   - retries that fit a fan-out, unless the caller has set retries: up to 9, at most 30
//     seconds apart, also for status 449;
//   - a policy that sends a fan-out to physical partitions, one query each;
//   - a policy that detects repeated writes, so that a response such as 409 to the second
//     attempt does not count as a failure of the first;
//   - a policy that repeats a request about a container if the response lacks the requested
//     data;
//   - a policy that repeats reads of the account and its containers on behalf of a write that
//     must not be repeated;
//   - policies that count every attempt, including retries, for [WithMeter];
//   - a policy that sends and keeps session tokens, for [WithSession];
//   - a policy that sends patches that azcosmos cannot write;
//   - a policy that notes the write regions of the account, and refuses operations that rely on
//     one if there are several: see [ErrSeveralWriteRegions];
//   - a check that requests of draft types stay on this machine: see [ErrDraft].
//
// The transport remains the SDK's, which is tuned for Cosmos DB.
//
// Call Configure once per client, and do not change PreferredRegions afterwards: the policies
// read them for each request.
//
// With other clients, a fan-out sends more requests. An order or an aggregate of a whole
// container or of a prefix of a key, a [Session], and an increment by a fraction are errors.
// Meters miss the attempts before the last, drafts are sent anywhere, and several write regions
// are not detected.
func Configure(o *azcosmos.ClientOptions) *azcosmos.ClientOptions {
	var c azcosmos.ClientOptions
	if o != nil {
		c = *o
	}
	wire.AddPolicies(&c)
	return &c
}

// minCursorKey is the least number of bytes of a key: that of AES-128. Shorter keys can be
// guessed.
const minCursorKey = 16

// WithCursorKey closes the cursors of pages and change feeds: it encrypts them with a key. A
// cursor that was changed or forged is refused with ErrCursor before any request, and the
// values and the continuation token in a cursor are unreadable. Processes that resume each
// other's cursors need the same key. A key has at least 16 secret random bytes, such as 32 of
// crypto/rand. With a shorter key every operation returns an error.
//
// To change the key, pass the new one first, followed by the earlier ones for as long as their
// cursors live: the first key closes cursors, and all keys open them. Cursors that are not
// closed are refused, including those from before the first key.
//
// A closed cursor is bound to one query, with its keys, conditions, values, order and limit, or
// to the change feed of one type, and to one container. It is not bound to a user: any holder
// of a cursor can resume at its position, in a query that this user may run. Closing costs some
// microseconds and 60 bytes per cursor. Each cursor is encrypted with AES-256-GCM under its own
// key, derived with HMAC-SHA256.
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

// defaultConcurrency is the number of concurrent requests of one operation. Measured on two
// cores with 5 ms per request, the SDK reaches four fifths of the ideal throughput between 8
// and 16, and gets slower above 64.
const defaultConcurrency = 32

// defaultWave is the number of concurrent requests of one query, page, aggregate or GetMany if
// each goes to a different physical partition. Such requests do not use each other's
// throughput, so they are one wave.
const defaultWave = 128

// defaultMaxKeys is the number of partition keys that one query may read: the days of
// twenty-seven years, or the days of a month in 300 buckets.
const defaultMaxKeys = 10_000

// Option changes how a repository works.
type Option func(*untyped.Settings)

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

// WithConcurrency limits a fan-out, a bulk operation and a change feed to n concurrent
// requests. The default is 32, and 128 for a fan-out of one request to each physical partition;
// an n below 1 counts as 1.
func WithConcurrency(n int) Option {
	return func(s *untyped.Settings) { s.Concurrency, s.Wave = max(n, 1), 0 }
}

// WithHedging lets reads use a second region: Get, GetMany, queries, their pages, counts and
// aggregates, and reads of an [Index]. If a request of a read has no response after a time, or
// has failed, it is also sent once to the next region; the first response counts, and the other
// request is cancelled. A request of a query is a page of one physical partition. No goroutine
// outlives the read.
//
// The regions are the client's PreferredRegions that the account has or, without
// PreferredRegions, all regions of the account, in order. With one region, no request is
// hedged. The client must be made with [Configure]; with another client every read returns an
// error.
//
// The second request costs request units, and meters and observers count it as a request of its
// own with [Event.Hedge]. The charge of a cancelled request is unknown, and counts as 0. Choose
// a time that few requests exceed, such as the 99th percentile: one request in a hundred then
// costs twice. WithConcurrency does not count second requests.
//
// The document may be stale, as under eventual consistency, unless the context has a [Session]:
// then both regions must have caught up with its tokens. Within one query, each page of a
// physical partition is at least as recent as the one before it, whichever region it comes
// from; across calls of Page, this requires a Session. Only the first region's 404 counts for
// Get and GetMany.
//
// Hedging excludes the reads of Update and other writes, change feeds, whose positions belong
// to a region, documents that move to other keys or containers, and tenants that move between
// containers. With a negative time, every operation returns an error.
func WithHedging(after time.Duration) Option {
	return func(s *untyped.Settings) {
		if after < 0 {
			s.Wrong = fmt.Errorf("WithHedging: the time %v is negative: name how long the first region has, such as 50ms", after)
		}
		s.Hedge = &wire.Hedge{After: after}
	}
}

// WithPageSize requests at most n documents in one response of a query. The default, 0, leaves
// the number to the service, which sends 100. A fan-out holds at most one page per concurrent
// request: with documents of 1 KB and 128 physical partitions, 13 MB.
func WithPageSize(n int32) Option {
	return func(s *untyped.Settings) { s.PageSize = max(n, 0) }
}

// WithMaxKeys allows a query to read n partition keys: one for each period of a range of time,
// times the buckets of a suffix. A query with more keys is refused before it sends anything,
// because a mistaken range easily costs thousands of requests. The default is 10,000; an n
// below 1 counts as 1.
func WithMaxKeys(n int) Option {
	return func(s *untyped.Settings) { s.MaxKeys = max(n, 1) }
}

// WithUnmarshal decodes documents with f, of another JSON library, instead of json.Unmarshal. A
// query and a change feed call it from several goroutines at once, once per document. F must
// not change the bytes. With a nil f every operation returns an error.
func WithUnmarshal(f func(data []byte, v any) error) Option {
	return func(s *untyped.Settings) {
		if f == nil {
			s.Wrong = errors.New("the function of WithUnmarshal is nil")
		}
		s.Unmarshal = f
	}
}

// WithClock stamps documents with the times that now returns instead of time.Now, such as a
// fixed time in tests. It affects fields tagged created, updated or deleted. Times are in UTC,
// truncated to 100 ns. Several goroutines call now at once. With a nil function every operation
// returns an error.
func WithClock(now func() time.Time) Option {
	return func(s *untyped.Settings) {
		if now == nil {
			s.Wrong = errors.New("the function of WithClock is nil")
		}
		s.Now, s.Given = now, true
	}
}
