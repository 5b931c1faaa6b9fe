package store

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Bounds of the space of effective partition keys, as the service writes them.
const (
	MinEPK = ""
	MaxEPK = "FF"
)

// keySpace is the set of hashes of one version of partition keys. A bound of a range is the
// last hash before the range.
type keySpace struct {
	size   *big.Int
	bound  func(hash *big.Int) string
	number func(bound string) *big.Int
}

// keysV2 are the hashes of version 2: the service clears the top two of 128 bits.
var keysV2 = &keySpace{
	size:  new(big.Int).Lsh(big.NewInt(1), 126),
	bound: func(hash *big.Int) string { return fmt.Sprintf("%032X", hash) },
	number: func(bound string) *big.Int {
		n, _ := new(big.Int).SetString(bound, 16)
		return n
	},
}

// keysV1 are the hashes of version 1: 32 bits, written as [partition.EPKV1] writes
// numbers.
var keysV1 = &keySpace{size: new(big.Int).Lsh(big.NewInt(1), 32), bound: boundV1, number: numberV1}

// boundV1 writes a hash of version 1: the type of numbers; eight bits of the number;
// then seven bits in each byte, the lowest of which says whether more follow.
func boundV1(hash *big.Int) string {
	payload := math.Float64bits(float64(hash.Uint64())) | 1<<63
	b := []byte{5, byte(payload >> 56)}
	for payload <<= 8; ; {
		chunk := byte(payload>>56) &^ 1
		if payload <<= 7; payload == 0 {
			return strings.ToUpper(hex.EncodeToString(append(b, chunk)))
		}
		b = append(b, chunk|1)
	}
}

// numberV1 reads what boundV1 wrote.
func numberV1(bound string) *big.Int {
	b, _ := hex.DecodeString(bound)
	payload, shift := uint64(b[1]&0x7F)<<56, 49
	for _, chunk := range b[2:] {
		payload |= uint64(chunk>>1) << shift
		shift -= 7
	}
	return new(big.Int).SetUint64(uint64(math.Float64frombits(payload)))
}

// space returns the hashes that distribute the documents. Hierarchical keys use the hashes of
// version 2, whatever their definition says, since clients have no others for them.
func (d KeyDefinition) space() *keySpace {
	if d.Kind == kindHash && d.Version < 2 {
		return keysV1
	}
	return keysV2
}

// epk returns the effective partition key of a key with these components.
func (d KeyDefinition) epk(values []any) (string, error) {
	if d.space() == keysV1 {
		return partition.EPKV1(values...)
	}
	return partition.EPK(values...)
}

// fraction is the bound at numerator/denominator of the space, rounded as in the
// service: the middle of version 2 is 1FFF…F.
func (s *keySpace) fraction(numerator, denominator int64) string {
	x := new(big.Int).Mul(s.size, big.NewInt(numerator))
	x.Div(x, big.NewInt(denominator))
	return s.bound(x.Sub(x, big.NewInt(1)))
}

// splitEvenly returns n ranges of equal size.
func (s *keySpace) splitEvenly(n int) []*Range {
	ranges := make([]*Range, n)
	for i := range ranges {
		r := &Range{ID: strconv.Itoa(i), number: i, Min: MinEPK, Max: MaxEPK, created: 1}
		if i > 0 {
			r.Min = s.fraction(int64(i), int64(n))
			ranges[i-1].Max = r.Min
		}
		ranges[i] = r
	}
	return ranges
}

// width is the number of hashes in a range.
func (s *keySpace) width(r *Range) *big.Int {
	low, high := s.numbers(r.Min, r.Max)
	return high.Sub(high, low)
}

// numbers returns the bounds of a range as numbers. The lowest bound is -1, since a bound is
// the last hash before the range.
func (s *keySpace) numbers(from, to string) (low, high *big.Int) {
	low, high = big.NewInt(-1), new(big.Int).Sub(s.size, big.NewInt(1))
	if from != MinEPK {
		low = s.number(from)
	}
	if to != MaxEPK {
		high = s.number(to)
	}
	return low, high
}

// middle returns the middle of a range, rounded like the bounds.
func (s *keySpace) middle(from, to string) (string, error) {
	low, high := s.numbers(from, to)
	middle := new(big.Int).Add(low, high)
	middle.Rsh(middle, 1)
	if middle.Cmp(low) <= 0 {
		return "", fmt.Errorf("from %q to %q is too narrow to split", from, to)
	}
	return s.bound(middle), nil
}
