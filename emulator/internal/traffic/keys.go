package traffic

import (
	"cmp"
	"maps"
	"slices"
)

// The last minute of logical partitions is kept in slices of a few seconds. A slice with too
// many keys keeps the most charged ones.
const (
	sliceSeconds = 5
	slices60     = 60 / sliceSeconds
	mostKeys     = 1000
)

// Key is the traffic of one logical partition within the last minute.
type Key struct {
	Key       string  `json:"key"`   // its partition key as canonical JSON
	Range     string  `json:"range"` // the physical partition that served it last
	Charge    float64 `json:"charge"`
	Requests  int     `json:"requests"`
	Throttled int     `json:"throttled"`
}

// hotterFirst orders keys by charge, then by refusals.
func hotterFirst(a, b Key) int {
	return cmp.Or(cmp.Compare(b.Charge, a.Charge), cmp.Compare(b.Throttled, a.Throttled), cmp.Compare(a.Key, b.Key))
}

// hotKeys counts the logical partitions of one container. Its slices are a ring.
type hotKeys struct {
	parts [slices60 + 1]keySlice
}

// keySlice is the keys of a few seconds.
type keySlice struct {
	number int64 // the first second, divided by sliceSeconds
	total  float64
	keys   map[string]*Key
}

func (h *hotKeys) add(second int64, rangeID, key string, charge float64, throttled bool) {
	number := second / sliceSeconds
	s := &h.parts[number%int64(len(h.parts))]
	if s.number != number {
		*s = keySlice{number: number, keys: map[string]*Key{}}
	}
	s.total += charge
	if key == "" {
		return
	}
	k := s.keys[key]
	if k == nil {
		if len(s.keys) >= 2*mostKeys {
			s.shrink()
		}
		k = &Key{Key: key}
		s.keys[key] = k
	}
	k.Range = rangeID
	k.Charge += charge
	k.Requests++
	if throttled {
		k.Throttled++
	}
}

// shrink drops the keys that were charged no more than the average, which needs no sorting,
// and then keeps only the most charged keys, at most mostKeys. A dropped key that comes back
// counts from zero, so the counts of rare keys are too low, and the counts of hot keys are
// right.
func (s *keySlice) shrink() {
	sum := 0.0
	for _, k := range s.keys {
		sum += k.Charge
	}
	average := sum / float64(len(s.keys))
	for text, k := range s.keys {
		if k.Charge <= average {
			delete(s.keys, text)
		}
	}
	if len(s.keys) <= mostKeys {
		return
	}
	all := slices.SortedFunc(maps.Values(s.keys), func(a, b *Key) int { return hotterFirst(*a, *b) })
	for _, k := range all[mostKeys:] {
		delete(s.keys, k.Key)
	}
}

// hottest adds up the slices of the last minute.
func (h *hotKeys) hottest(second int64) (list []Key, total float64) {
	sum := map[string]*Key{}
	for i := range h.parts {
		s := &h.parts[i]
		if age := second/sliceSeconds - s.number; age < 0 || age >= slices60 {
			continue
		}
		total += s.total
		for text, part := range s.keys {
			k := sum[text]
			if k == nil {
				k = &Key{Key: text, Range: part.Range}
				sum[text] = k
			}
			k.Charge += part.Charge
			k.Requests += part.Requests
			k.Throttled += part.Throttled
		}
	}
	for _, k := range sum {
		list = append(list, *k)
	}
	return list, total
}
