package store

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// grow splits the largest physical partitions of a container until there are n.
func (c *Container) grow(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.Ranges) < n {
		if c.split(c.widest().ID) != nil {
			return // too narrow to split, after 120 rounds
		}
	}
}

// Bounds of the space of effective partition keys, as the service writes them.
const (
	MinEPK = ""
	MaxEPK = "FF"
)

// Range is a partition key range: a physical partition, and the documents
// in it.
type Range struct {
	ID       string
	number   int
	Min, Max string   // effective partition keys; min belongs to the range, max does not
	Parents  []string // ids of the ranges that it was split from, the oldest first
	created  int      // the version of the container's ranges since which it exists
	LSN      int64    // counts the writes, for session tokens and the change feed
	docs     documentList
	Budget   Budget
}

// RangeSnapshot is a physical partition at one time. It never changes and needs no lock.
type RangeSnapshot struct {
	ID       string
	Min, Max string
	LSN      int64
	Docs     Documents
}

// Snapshot returns the present state of a range, at no cost. The caller holds the lock of
// the container.
func (r *Range) Snapshot() *RangeSnapshot {
	return &RangeSnapshot{r.ID, r.Min, r.Max, r.LSN, r.docs.snapshot()}
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
func splitEvenly(n int) []*Range {
	ranges := make([]*Range, n)
	for i := range ranges {
		r := &Range{ID: strconv.Itoa(i), number: i, Min: MinEPK, Max: MaxEPK, created: 1}
		if i > 0 {
			r.Min = bound(int64(i), int64(n))
			ranges[i-1].Max = r.Min
		}
		ranges[i] = r
	}
	return ranges
}

// RangeIndex returns the index of the range that holds an effective partition key.
func (c *Container) RangeIndex(epk string) int {
	return sort.Search(len(c.Ranges), func(i int) bool {
		return partition.CompareEPK(c.Ranges[i].Min, epk) > 0
	}) - 1
}

// rangeOf returns the range that holds an effective partition key.
func (c *Container) rangeOf(epk string) *Range { return c.Ranges[c.RangeIndex(epk)] }

// RangeByID returns a range. It fails with 410 if the range was split or never
// existed: the gateway answers alike in both cases.
func (c *Container) RangeByID(id string) (*Range, error) {
	for _, r := range c.Ranges {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, status.RangeIsGone(id)
}

// split replaces a range by two halves with new ids. The caller holds the lock
// for writing.
func (c *Container) split(id string) error {
	i := slices.IndexFunc(c.Ranges, func(r *Range) bool { return r.ID == id })
	if i < 0 {
		return fmt.Errorf("container %q has no partition key range %q: it has %s", c.id, id, c.rangeIDs())
	}
	parent := c.Ranges[i]
	middle, err := middleEPK(parent.Min, parent.Max)
	if err != nil {
		return fmt.Errorf("range %q of container %q: %w", id, c.id, err)
	}
	c.rangeVersion++
	child := func(from, to string) *Range {
		n := c.nextRange
		c.nextRange++
		return &Range{
			ID: strconv.Itoa(n), number: n, Min: from, Max: to,
			Parents: append(slices.Clone(parent.Parents), parent.ID),
			created: c.rangeVersion, LSN: parent.LSN,
		}
	}
	low, high := child(parent.Min, middle), child(middle, parent.Max)
	for d := range parent.docs.now.All() {
		if partition.CompareEPK(d.Key.EPK, middle) < 0 {
			low.docs.put(d)
		} else {
			high.docs.put(d)
		}
	}
	c.Ranges = slices.Replace(c.Ranges, i, i+1, low, high)
	return nil
}

// widest returns the range that covers the largest part of the key space.
func (c *Container) widest() *Range {
	return slices.MaxFunc(c.Ranges, func(a, b *Range) int { return a.width().Cmp(b.width()) })
}

// width is the number of effective partition keys in a range.
func (r *Range) width() *big.Int {
	low, high := boundsOf(r.Min, r.Max)
	return high.Sub(high, low)
}

// boundsOf returns the bounds of a range as numbers. The lowest bound is -1, since the
// service writes the last effective partition key before a bound.
func boundsOf(from, to string) (low, high *big.Int) {
	low, high = big.NewInt(-1), new(big.Int).Sub(hashSpace, big.NewInt(1))
	if from != MinEPK {
		low.SetString(from, 16)
	}
	if to != MaxEPK {
		high.SetString(to, 16)
	}
	return low, high
}

// rangeIDs lists the ids of the ranges for a message.
func (c *Container) rangeIDs() string {
	ids := make([]string, len(c.Ranges))
	for i, r := range c.Ranges {
		ids[i] = r.ID
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

// SessionToken is the token of a range after its last write.
func (r *Range) SessionToken() string { return sessionToken(r.ID, r.LSN) }

// SessionToken is the token of the range after the last write that the snapshot has.
func (r *RangeSnapshot) SessionToken() string { return sessionToken(r.ID, r.LSN) }

func sessionToken(id string, lsn int64) string { return id + ":-1#" + strconv.FormatInt(lsn, 10) }

// Holds reports whether an effective partition key is in a range.
func (r *Range) Holds(epk string) bool {
	return partition.CompareEPK(r.Min, epk) <= 0 && partition.CompareEPK(epk, r.Max) < 0
}
