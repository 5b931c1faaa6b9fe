package analyze

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// heaviest keeps the texts of the keys with the highest counts. Counts only grow, and the key is
// available whenever its count grows, so the keys that are highest in the end are kept, except
// perhaps some with the lowest count.
type heaviest struct {
	keys   []heavy
	lowest uint64 // the lowest count, once there are mostHeavy keys
}

// heavy is a key and its count.
type heavy struct {
	id    keyID
	key   layout.Key
	count uint64
}

// mostHeavy is the number of keys that are kept; the report has ten.
const mostHeavy = 32

// grow records that the count of a key has grown.
func (h *heaviest) grow(id keyID, key layout.Key, count uint64) {
	full := len(h.keys) == mostHeavy
	if full && count <= h.lowest {
		return
	}
	i := slices.IndexFunc(h.keys, func(k heavy) bool { return k.id == id })
	switch {
	case i >= 0:
		h.keys[i].count = count
	case !full:
		h.keys = append(h.keys, heavy{id, key, count})
	default:
		i = slices.IndexFunc(h.keys, func(k heavy) bool { return k.count == h.lowest })
		h.keys[i] = heavy{id, key, count}
	}
	h.measure()
}

// lower records that all counts were lowered.
func (h *heaviest) lower(by uint64) {
	h.keys = slices.DeleteFunc(h.keys, func(k heavy) bool { return k.count <= by })
	for i := range h.keys {
		h.keys[i].count -= by
	}
	h.measure()
}

// measure finds the lowest count.
func (h *heaviest) measure() {
	if len(h.keys) == 0 {
		return
	}
	h.lowest = h.keys[0].count
	for _, k := range h.keys[1:] {
		h.lowest = min(h.lowest, k.count)
	}
}
