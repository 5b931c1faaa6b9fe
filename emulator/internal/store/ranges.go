package server

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Bounds of the space of effective partition keys, as the service writes them.
const (
	minEPK = ""
	maxEPK = "FF"
)

// keyRange is a partition key range: a physical partition, and the documents
// in it.
type keyRange struct {
	id       string
	number   int
	min, max string   // effective partition keys; min belongs to the range, max does not
	parents  []string // ids of the ranges that it was split from, the oldest first
	created  int      // the version of the container's ranges since which it exists
	lsn      int64    // counts the writes, for session tokens and the change feed
	docs     docList
	budget   budget
}

// hashSpace is the number of effective partition keys of one value: the service
// clears the top two of 128 bits.
var hashSpace = new(big.Int).Lsh(big.NewInt(1), 126)

// bound is the effective partition key at numerator/denominator of the space, rounded
// as in the service: the middle is 1FFF…F.
func bound(numerator, denominator int64) string {
	x := new(big.Int).Mul(hashSpace, big.NewInt(numerator))
	x.Div(x, big.NewInt(denominator))
	return fmt.Sprintf("%032X", x.Sub(x, big.NewInt(1)))
}

// splitEvenly returns n ranges of equal size.
func splitEvenly(n int) []*keyRange {
	ranges := make([]*keyRange, n)
	for i := range ranges {
		r := &keyRange{id: strconv.Itoa(i), number: i, min: minEPK, max: maxEPK, created: 1}
		if i > 0 {
			r.min = bound(int64(i), int64(n))
			ranges[i-1].max = r.min
		}
		ranges[i] = r
	}
	return ranges
}

// rangeIndex returns the index of the range that holds an effective partition key.
func (c *container) rangeIndex(epk string) int {
	return sort.Search(len(c.ranges), func(i int) bool {
		return partition.CompareEPK(c.ranges[i].min, epk) > 0
	}) - 1
}

// rangeOf returns the range that holds an effective partition key.
func (c *container) rangeOf(epk string) *keyRange { return c.ranges[c.rangeIndex(epk)] }

// rangeByID returns a range. It fails with 410 if the range was split or never
// existed: the gateway answers alike in both cases.
func (c *container) rangeByID(id string) (*keyRange, error) {
	for _, r := range c.ranges {
		if r.id == id {
			return r, nil
		}
	}
	return nil, rangeGone(id)
}

// split replaces a range by two halves with new ids. The caller holds the lock
// for writing.
func (c *container) split(id string) error {
	i := slices.IndexFunc(c.ranges, func(r *keyRange) bool { return r.id == id })
	if i < 0 {
		return fmt.Errorf("container %q has no partition key range %q: it has %s", c.id, id, c.rangeIDs())
	}
	parent := c.ranges[i]
	middle, err := middleEPK(parent.min, parent.max)
	if err != nil {
		return fmt.Errorf("range %q of container %q: %w", id, c.id, err)
	}
	c.rangeVersion++
	child := func(from, to string) *keyRange {
		n := c.nextRange
		c.nextRange++
		return &keyRange{
			id: strconv.Itoa(n), number: n, min: from, max: to,
			parents: append(slices.Clone(parent.parents), parent.id),
			created: c.rangeVersion, lsn: parent.lsn,
		}
	}
	low, high := child(parent.min, middle), child(middle, parent.max)
	for _, d := range parent.docs {
		if partition.CompareEPK(d.key.epk, middle) < 0 {
			low.docs = append(low.docs, d)
		} else {
			high.docs = append(high.docs, d)
		}
	}
	c.ranges = slices.Replace(c.ranges, i, i+1, low, high)
	return nil
}

// widest returns the range that covers the largest part of the key space.
func (c *container) widest() *keyRange {
	return slices.MaxFunc(c.ranges, func(a, b *keyRange) int { return a.width().Cmp(b.width()) })
}

// width is the number of effective partition keys in a range.
func (r *keyRange) width() *big.Int {
	low, high := boundsOf(r.min, r.max)
	return high.Sub(high, low)
}

// boundsOf returns the bounds of a range as numbers. The lowest bound is -1, since the
// service writes the last effective partition key before a bound.
func boundsOf(from, to string) (low, high *big.Int) {
	low, high = big.NewInt(-1), new(big.Int).Sub(hashSpace, big.NewInt(1))
	if from != minEPK {
		low.SetString(from, 16)
	}
	if to != maxEPK {
		high.SetString(to, 16)
	}
	return low, high
}

// rangeIDs lists the ids of the ranges for a message.
func (c *container) rangeIDs() string {
	ids := make([]string, len(c.ranges))
	for i, r := range c.ranges {
		ids[i] = r.id
	}
	return strings.Join(ids, ", ")
}

// middleEPK returns the middle of a range, rounded like the bounds.
func middleEPK(from, to string) (string, error) {
	low, high := boundsOf(from, to)
	middle := new(big.Int).Add(low, high)
	middle.Rsh(middle, 1)
	if middle.Cmp(low) <= 0 {
		return "", fmt.Errorf("from %q to %q is too narrow to split", from, to)
	}
	return fmt.Sprintf("%032X", middle), nil
}

// sessionToken is the token of a range after its last write.
func (r *keyRange) sessionToken() string {
	return r.id + ":-1#" + strconv.FormatInt(r.lsn, 10)
}

// holds reports whether an effective partition key is in a range.
func (r *keyRange) holds(epk string) bool {
	return partition.CompareEPK(r.min, epk) <= 0 && partition.CompareEPK(epk, r.max) < 0
}
