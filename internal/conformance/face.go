package conformance

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Event is a document with the key {at|2006-01-02}.{device%400}.
type Event struct {
	ID       string
	Device   string
	At       time.Time
	Text     string
	Number   int64
	Ratio    float64
	Flag     bool
	Optional *string
	Stored   string // the partition key under which it is stored
	Version  string // "" if the API has none
}

// Pair is a document with the key {left}-{right}, which collides: "a" and "b-c" make the same key
// as "a-b" and "c".
type Pair struct {
	ID, Left, Right, Text, Version string
}

// Face is one API under test.
type Face struct {
	Name string

	// Events returns an empty repository of events. It is closed with the test.
	Events func(t *testing.T) Events

	// Pairs returns an empty repository of pairs. It is nil if the API has no versions, because
	// pkgen then refuses colliding keys.
	Pairs func(t *testing.T) Pairs

	// Versions is set if documents have versions.
	Versions bool

	// Resolution is the smallest difference of times that the API stores.
	Resolution time.Duration

	// Many is the number of documents in tests of bulk operations; 0 means 300. A server that reads
	// all documents for each write needs fewer.
	Many int

	// Narrow is set if a fan-out queries each bucket separately. Tests with very many conditions
	// then query one logical partition.
	Narrow bool

	// MaxInteger is the largest integer that the API stores exactly.
	MaxInteger int64
}

// many returns the query for tests with very many conditions: a day, or one device of it.
func (f Face) many(events Events, device string) Query {
	if f.Narrow {
		return events.Partition(day, device)
	}
	return events.Day(day)
}

// Result counts the items of a bulk operation, and the failed ones.
type Result struct{ Items, Failed int }

// Events is the generated repository of events. Writes set Stored and Version.
type Events interface {
	Create(context.Context, *Event) error
	Upsert(context.Context, *Event) error
	Replace(context.Context, *Event) error
	DeleteIfMatch(context.Context, *Event) error
	Get(context.Context, Event) (*Event, error)
	Exists(context.Context, Event) (bool, error)
	Delete(context.Context, Event) error
	GetMany(context.Context, []Event) ([]*Event, error)
	CreateAll(context.Context, iter.Seq[*Event]) (Result, error)
	UpsertAll(context.Context, iter.Seq[*Event]) (Result, error)
	DeleteAll(context.Context, iter.Seq[Event]) (Result, error)

	// Key returns the partition key of an event.
	Key(Event) string

	All() Query                                            // of the whole container
	Day(at time.Time) Query                                // in all buckets
	Partition(at time.Time, device string) Query           // one logical partition
	Between(from, to time.Time) Query                      // from inclusive, to exclusive
	DeviceBetween(device string, from, to time.Time) Query // the same of one device
}

// Query is a generated query of events.
type Query interface {
	// Where returns the query with a condition, or false if the API has no such condition.
	// Conditions are of package condition, with the properties in [Properties]; values are string,
	// int64, float64, bool or time.Time.
	Where(condition.Node) (Query, bool)

	Limit(n int) Query
	All(context.Context) iter.Seq2[*Event, error]
	First(context.Context) (*Event, error)
	Count(context.Context) (int, error)
	Page(ctx context.Context, cursor string, size int) (docs []*Event, next string, err error)
}

// Properties are the names by which conditions refer to events.
var Properties = []string{"id", "device", "at", "text", "number", "ratio", "flag", "optional"}

// Pairs is the generated repository of pairs.
type Pairs interface {
	Create(context.Context, *Pair) error
	Upsert(context.Context, *Pair) error
	Replace(context.Context, *Pair) error
	Get(context.Context, Pair) (*Pair, error)
	Delete(context.Context, Pair) error
	Of(ctx context.Context, left, right string) iter.Seq2[*Pair, error]
}
