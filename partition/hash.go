package partition

import (
	"encoding"
	"strconv"
	"time"
)

// The constants of FNV-1a with 32 bits, by Fowler, Noll and Vo
// (http://www.isthe.com/chongo/tech/comp/fnv/).
const (
	fnvOffset uint32 = 2166136261
	fnvPrime  uint32 = 16777619
)

// Hash accumulates the texts of the fields that choose the bucket of a key. The zero value is
// ready to use and has no text yet. Each method returns the hash with one more text and leaves
// its receiver unchanged:
//
//	bucket := partition.Hash{}.Text(e.VIN).Int(e.Region).Bucket(400)
//
// A zero byte separates two texts, so ("ab", "c") and ("a", "bc") differ, and so do one empty
// text and two. Since no text that [Check] accepts has a zero byte, different fields are
// different input.
//
// The methods do not allocate unless documented. A Hash is a plain value, comparable and safe
// for concurrent use.
type Hash struct {
	state   uint32 // FNV-1a's state, less the offset, so that zero is the start
	started bool   // a text has been added: the next one needs a separator
}

// Text adds the text s. A VIN of 17 characters takes about 10 ns.
func (h Hash) Text(s string) Hash {
	sum := h.begin()
	for i := range len(s) {
		sum = (sum ^ uint32(s[i])) * fnvPrime
	}
	return Hash{state: sum ^ fnvOffset, started: true}
}

// Lower adds the text s in ASCII lower case, as [AppendLower] writes it.
func (h Hash) Lower(s string) Hash {
	sum := h.begin()
	for i := range len(s) {
		sum = (sum ^ uint32(lower(s[i]))) * fnvPrime
	}
	return Hash{state: sum ^ fnvOffset, started: true}
}

// bytes adds the text b, as [Hash.Text] does.
func (h Hash) bytes(b []byte) Hash {
	sum := h.begin()
	for _, c := range b {
		sum = (sum ^ uint32(c)) * fnvPrime
	}
	return Hash{state: sum ^ fnvOffset, started: true}
}

// begin returns FNV-1a's state before the next text, after a separator if one is needed.
func (h Hash) begin() uint32 {
	sum := h.state ^ fnvOffset
	if h.started {
		sum *= fnvPrime // a zero byte: the exclusive or changes nothing
	}
	return sum
}

// Int adds v in decimal.
func (h Hash) Int(v int64) Hash {
	var array [20]byte
	return h.bytes(strconv.AppendInt(array[:0], v, 10))
}

// Uint adds v in decimal.
func (h Hash) Uint(v uint64) Hash {
	var array [20]byte
	return h.bytes(strconv.AppendUint(array[:0], v, 10))
}

// Bool adds "true" or "false".
func (h Hash) Bool(v bool) Hash {
	return h.Text(strconv.FormatBool(v))
}

// Time adds t in UTC in a layout of package time, as [AppendTime] writes it. It allocates only
// for texts over 64 bytes.
func (h Hash) Time(t time.Time, layout string) Hash {
	var array [64]byte
	return h.bytes(AppendTime(array[:0], t, layout))
}

// HashText adds the text form of v to h, as [AppendText] writes it, or the empty text if v has
// none. It costs the same as AppendText.
func HashText[T encoding.TextMarshaler](h Hash, v T) Hash {
	return h.bytes(AppendText(nil, v))
}

// Sum returns the hash of the texts: FNV-1a, then fmix32, the finaliser of MurmurHash3 by
// Austin Appleby (https://github.com/aappleby/smhasher). The finaliser makes every bit of the
// sum depend on every bit of FNV's. Without it the lowest four bits depend only on the lowest
// four bits of each byte: texts of one length over the letters a and q, which are 0x61 and
// 0x71, would all have the same bucket of sixteen.
func (h Hash) Sum() uint32 {
	sum := h.state ^ fnvOffset
	sum ^= sum >> 16
	sum *= 0x85ebca6b
	sum ^= sum >> 13
	sum *= 0xc2b2ae35
	sum ^= sum >> 16
	return sum
}

// Bucket returns the bucket of the texts, from 1 to buckets. It returns 0, which is not a
// bucket, if buckets is less than 1. Another number of buckets gives most texts another bucket,
// so the number must not change once documents are stored.
func (h Hash) Bucket(buckets int) int {
	if buckets < 1 {
		return 0
	}
	return int(uint64(h.Sum())%uint64(buckets)) + 1
}
