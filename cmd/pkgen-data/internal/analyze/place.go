package analyze

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// place is the position of a key.
type place struct {
	id  keyID
	epk string
}

// placeOf returns the position of a key.
func placeOf(key layout.Key) (place, error) {
	epk, err := key.EPK()
	if err != nil {
		return place{}, err
	}
	p := place{epk: epk}
	p.id.hi, p.id.lo = word(epk), word(epk[16:])
	for rest := epk[32:]; rest != ""; rest = rest[32:] { // further levels
		p.id.lo = mix(p.id.lo^word(rest)) ^ mix(word(rest[16:]))
	}
	return p, nil
}

// word parses 16 hexadecimal digits in upper case.
func word(digits string) (w uint64) {
	for i := range 16 {
		d := digits[i]
		if d >= 'A' {
			d -= 'A' - '0' - 10
		}
		w = w<<4 | uint64(d-'0')
	}
	return w
}

// ranges are the physical partitions of a spread.
type ranges struct {
	n      int
	bounds []string // the lower bound of each one except the first; nil if they are equal
}

// of returns the physical partition of a key.
func (r ranges) of(p place) int {
	if r.bounds == nil || p.epk == "" {
		return layout.EqualRange(p.id.hi, r.n)
	}
	i, _ := slices.BinarySearchFunc(r.bounds, p.epk, func(bound, epk string) int {
		if partition.CompareEPK(bound, epk) <= 0 {
			return -1
		}
		return 1
	})
	return i
}

// redrawn returns a pseudo-random position derived from the key's own. Keys of one first level stay
// together. It has no effective partition key.
func (p place) redrawn() place {
	return place{id: keyID{hi: mix(p.id.hi) >> 2, lo: p.id.lo}}
}
