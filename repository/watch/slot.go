package watch

import (
	"cmp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Limits of a slot.
const (
	mostPlaces     = 200 // physical partitions
	mostOperations = 100
	mostKeys       = 100
	mostDearest    = 10
	mostName       = 200 // bytes of an id, a key or another name
)

// others is the name of the rest that is counted together.
const others = "others"

// place is a physical partition, "" if unknown.
type place struct{ container, partition string }

// call is the set of requests of one operation.
type call struct{ op, typeName, container string }

// logical is a logical partition.
type logical struct{ container, key string }

// count is the cost of requests.
type count struct {
	requests, retries, throttled, failed, rows int
	units                                      float64
	duration, longest                          time.Duration
}

// add adds a request.
func (c *count) add(e *repository.Event) {
	c.requests++
	c.retries += max(0, e.Attempts-1)
	c.throttled += e.Throttled
	c.rows += e.Rows
	if e.Err != nil {
		c.failed++
	}
	c.units += e.RequestUnits
	c.duration += e.Duration
	c.longest = max(c.longest, e.Duration)
}

// merge adds another count.
func (c *count) merge(o *count) {
	c.requests += o.requests
	c.retries += o.retries
	c.throttled += o.throttled
	c.failed += o.failed
	c.rows += o.rows
	c.units += o.units
	c.duration += o.duration
	c.longest = max(c.longest, o.longest)
}

// heat is the usage of a logical partition: at least units less excess.
type heat struct {
	requests      int
	units, excess float64
}

// slot has the requests of one step of time.
type slot struct {
	number  int64 // of the step, since 1970
	places  map[place]*count
	calls   map[call]*count
	keys    map[logical]*heat
	dearest []request // the dearest first
}

// request is one of the dearest requests.
type request struct {
	at time.Time
	e  repository.Event
}

func newSlot(number int64) *slot {
	return &slot{number: number, places: map[place]*count{}, calls: map[call]*count{}}
}

// bounded returns the count of a key, or that of rest if there are too many.
func bounded[K comparable](all map[K]*count, k, rest K, most int) *count {
	c := all[k]
	if c == nil && len(all) >= most {
		k = rest
		c = all[k]
	}
	if c == nil {
		c = &count{}
		all[k] = c
	}
	return c
}

// add adds a request, with its key and id only if keys is set.
func (s *slot) add(e *repository.Event, now time.Time, keys bool) {
	bounded(s.places, place{cut(e.Container), cut(e.Range)}, place{others, ""}, mostPlaces).add(e)
	bounded(s.calls, call{cut(e.Op), cut(e.Type), cut(e.Container)}, call{op: others}, mostOperations).add(e)
	if keys && e.PartitionKey != "" {
		s.addKey(logical{cut(e.Container), cut(e.PartitionKey)}, e.RequestUnits)
	}
	if len(s.dearest) == mostDearest && e.RequestUnits <= s.dearest[mostDearest-1].e.RequestUnits {
		return
	}
	kept := *e
	if kept.Err != nil {
		kept.Err = errFailed // without the values that the error refers to
	}
	kept.Op, kept.Type, kept.Container, kept.Range = cut(e.Op), cut(e.Type), cut(e.Container), cut(e.Range)
	kept.ID, kept.PartitionKey, kept.Tenant = "", "", ""
	if keys {
		kept.ID, kept.PartitionKey, kept.Tenant = cut(e.ID), cut(e.PartitionKey), cut(e.Tenant)
	}
	s.dearest = dearestOf(append(s.dearest, request{now, kept}))
}

// addKey counts a logical partition. If there are too many, it replaces the one that has used
// least, and its count continues from there (Metwally, Agrawal and El Abbadi, "Efficient
// Computation of Frequent and Top-k Elements in Data Streams", 2005).
func (s *slot) addKey(k logical, units float64) {
	if s.keys == nil {
		s.keys = map[logical]*heat{}
	}
	h := s.keys[k]
	if h == nil {
		h = &heat{}
		if len(s.keys) >= mostKeys {
			least, first := logical{}, true
			for other, o := range s.keys {
				if first || o.units < h.units {
					least, h.units, first = other, o.units, false
				}
			}
			h.excess = h.units
			delete(s.keys, least)
		}
		s.keys[k] = h
	}
	h.units += units
	h.requests++
}

// dearestOf returns the dearest requests, the dearest first.
func dearestOf(all []request) []request {
	slices.SortStableFunc(all, func(a, b request) int { return cmp.Compare(b.e.RequestUnits, a.e.RequestUnits) })
	return all[:min(len(all), mostDearest)]
}

// cut returns at most mostName bytes of a text, without splitting a character.
func cut(text string) string {
	if len(text) <= mostName {
		return text
	}
	n := mostName
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
