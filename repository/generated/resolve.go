package generated

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// span is a range of time that is not yet divided into periods, because the allowed number of
// keys is not yet known.
type span struct {
	from, to time.Time
	layout   string
	buckets  int
	key      func(start time.Time, bucket int) any
	keys     func(start time.Time) []any // instead of key: the keys of one period
}

// Resolve divides the range of k into periods and checks its keys. The error is a
// *partition.KeyError of the type typ for the first component that Cosmos DB would refuse, a
// key that is too long, or a range that ends before it begins. It is another error if there are
// more than limit keys; this check takes the same time for any number.
func (k Keys) Resolve(typ string, limit int) (Keys, error) {
	if err := partition.Check(typ, k.components...); err != nil {
		return k, err
	}
	k, err := k.narrowWindows()
	if err != nil || k.All() {
		return k, withType(typ, err)
	}
	if k.span != nil {
		return k.span.resolve(k, typ, limit)
	}
	if k.values > limit {
		return k, tooMany(typ, int64(k.values), limit)
	}
	for _, value := range k.list { // any may have the longest suffix
		if err := partition.Check(typ, partition.Key(text(value))); err != nil {
			return k, err
		}
	}
	// The last key has the longest suffix.
	return k, partition.Check(typ, partition.Key(text(k.At(k.values-1))))
}

// resolve returns k with the keys of the periods of s.
func (s *span) resolve(k Keys, typ string, limit int) (Keys, error) {
	n, err := partition.CountPeriods(s.from, s.to, s.layout)
	if err != nil {
		return k, withType(typ, err)
	}
	if k.within != "" {
		part := *s
		if k, err = part.narrow(k); err != nil {
			return k, withType(typ, err)
		}
		k.within = ""
		return part.resolve(k, typ, limit)
	}
	if all := int64(n) * int64(s.buckets); all > int64(limit) {
		return k, tooMany(typ, all, limit)
	}
	starts, err := partition.Periods(s.from, s.to, s.layout, n)
	if err != nil {
		return k, withType(typ, err)
	}
	k.span = nil
	if s.keys != nil {
		var all []any
		for _, start := range starts {
			all = append(all, s.keys(start)...)
		}
		return listed(k, all).Resolve(typ, limit)
	}
	k.values = n * s.buckets
	k.at = func(i int) any { return s.key(starts[i/s.buckets], i%s.buckets+1) }
	return k.Resolve(typ, limit)
}

// The form of a repository.Time: UTC, and seven digits of a second.
const (
	timeTick   = 100 * time.Nanosecond
	timeLayout = "2006-01-02T15:04:05.0000000Z"
)

// narrow restricts k to documents whose property is in s, and s to the times that such
// documents can have: s excludes its end, and so the period that begins there.
func (s *span) narrow(k Keys) (_ Keys, err error) {
	k, s.from, s.to, err = k.filterRange(s.from, s.to)
	return k, err
}

// narrowWindows is narrow for the windows of Between.
func (k Keys) narrowWindows() (Keys, error) {
	if k.in == nil || !k.in.bounded {
		return k, nil
	}
	if _, err := partition.CountPeriods(k.in.from, k.in.to, "2006"); err != nil || k.within == "" {
		return k, err
	}
	narrowed := *k.in
	filtered, from, to, err := k.filterRange(k.in.from, k.in.to)
	narrowed.from, narrowed.to = from, to
	if k.span == nil { // otherwise its own range has the filters
		k = filtered
		k.within = ""
	}
	k.in = &narrowed
	return k, err
}

// filterRange restricts k to documents whose property is in a range of time, and returns the
// first and the last time that such documents can have.
func (k Keys) filterRange(from, to time.Time) (Keys, time.Time, time.Time, error) {
	low, high := nextTick(from), nextTick(to)
	if high.Year() > 9999 {
		return k, from, to, &partition.KeyError{Field: "to", Reason: "is after 9999-12-31T23:59:59.9999999Z, the last instant that has a text: " +
			"end the range at that instant or before it"}
	}
	k = k.filter(Filter{Property: k.within, Compare: ">=", Value: low.Format(timeLayout), Time: low})
	k = k.filter(Filter{Property: k.within, Compare: "<", Value: high.Format(timeLayout), Time: high})
	if low.Before(high) {
		return k, low, high.Add(-timeTick), nil
	}
	return k, from, to, nil
}

// nextTick returns t in UTC, rounded up to the precision of a repository.Time.
func nextTick(t time.Time) time.Time {
	tick := t.UTC().Truncate(timeTick)
	if tick.Before(t) {
		tick = tick.Add(timeTick)
	}
	return tick
}

// withType adds the name of the type to err, which package partition lacks when it checks a
// range.
func withType(typ string, err error) error {
	var keyError *partition.KeyError
	if !errors.As(err, &keyError) {
		return err
	}
	named := *keyError
	named.Type = typ
	return &named
}

func tooMany(typ string, n int64, limit int) error {
	return fmt.Errorf("query %s: it would read %d partition keys, more than %d: "+
		"narrow the range, or allow more with repository.WithMaxKeys", typ, n, limit)
}

// text returns the concatenated texts of a partition key value: one limit applies to all levels
// of a key together.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		var b strings.Builder
		for _, level := range value {
			b.WriteString(text(level))
		}
		return b.String()
	}
	return ""
}
