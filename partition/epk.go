package partition

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/twmb/murmur3"
)

// epkDigits is the length of the effective partition key of one value: 16
// bytes, two hexadecimal digits each.
const epkDigits = 32

// The bytes that name a value's type in the text that is hashed, and the byte
// that ends a string. They are those of Cosmos DB's hash partitioning V2, as
// azcosmos 1.5.0 has them in its package internal/epk.
const (
	epkUndefined byte = 0x00
	epkNull      byte = 0x01
	epkFalse     byte = 0x02
	epkTrue      byte = 0x03
	epkNumber    byte = 0x05
	epkString    byte = 0x08
	epkStringEnd byte = 0xFF
)

// epkNaN is the NaN that the service hashes, .NET's. Go's math.NaN has other
// bits.
const epkNaN uint64 = 0xFFF8000000000000

// Undefined is the key value of a document that lacks the property. It differs from nil, the
// value of a property that is null.
type Undefined struct{}

// EPK returns the effective partition key of a key with these values: the point on the hash
// ring that decides which physical partition has the logical partition. It is upper-case
// hexadecimal, 32 digits per value. [CompareEPK] compares it with the bounds of partition key
// ranges.
//
// A value is a string, a bool, a number of one of Go's own types, nil (null) or [Undefined].
// Several values are the levels of a hierarchical key, kind MultiHash, whose effective keys are
// concatenated; a prefix of the levels gives a prefix of the digits. Numbers are converted to
// float64, as in the service: integers beyond 2^53 lose their last digits. Other types,
// including named types, and no values are an error.
//
// The algorithm is that of definition version 2: a byte for the type and the value's bytes,
// MurmurHash3 x64 128 with seed 0, the two halves in big-endian order from high to low, with
// the top two bits cleared so that every key is below the upper bound "FF". It agrees with
// Microsoft's PartitionKeyHashBaselineTest files and with azcosmos. For containers of version
// 1, use [EPKV1].
//
// It allocates the result, and a buffer for strings over 254 bytes. It is safe for concurrent
// use.
func EPK(values ...any) (string, error) {
	if len(values) == 0 {
		return "", errors.New("partition: a key of no values has no effective partition key: pass Undefined for a missing property")
	}
	var inputArray [256]byte
	var digitsArray [3 * epkDigits]byte
	input, digits := inputArray[:0], digitsArray[:0]
	for i, v := range values {
		var ok bool
		if input, ok = appendEPKInput(input[:0], v); !ok {
			return "", fmt.Errorf("partition: value %d of the key is a %T: convert it to string, bool, float64, nil or Undefined", i+1, v)
		}
		digits = appendEPKDigits(digits, input)
	}
	return string(digits), nil
}

// appendEPKInput appends the bytes of v that are hashed, and reports whether a key can have v's
// type.
func appendEPKInput(b []byte, v any) ([]byte, bool) {
	switch v := v.(type) {
	case string:
		b = append(b, epkString)
		b = append(b, v...)
		return append(b, epkStringEnd), true
	case bool:
		if v {
			return append(b, epkTrue), true
		}
		return append(b, epkFalse), true
	case nil:
		return append(b, epkNull), true
	case Undefined:
		return append(b, epkUndefined), true
	}
	f, ok := number(v)
	if !ok {
		return b, false
	}
	bits := math.Float64bits(f)
	if math.IsNaN(f) {
		bits = epkNaN
	}
	return binary.LittleEndian.AppendUint64(append(b, epkNumber), bits), true
}

// number converts a value of one of Go's own numeric types to float64.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int:
		return float64(v), true
	case int8:
		return float64(v), true
	case int16:
		return float64(v), true
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint:
		return float64(v), true
	case uint8:
		return float64(v), true
	case uint16:
		return float64(v), true
	case uint32:
		return float64(v), true
	case uint64:
		return float64(v), true
	case uintptr:
		return float64(v), true
	}
	return 0, false
}

// appendEPKDigits appends the digits of the effective partition key of one
// value, given by the bytes that are hashed.
func appendEPKDigits(digits, input []byte) []byte {
	const hexadecimal = "0123456789ABCDEF"
	low, high := murmur3.Sum128(input)
	high &= math.MaxUint64 >> 2
	for _, half := range [2]uint64{high, low} {
		for shift := 60; shift >= 0; shift -= 4 {
			digits = append(digits, hexadecimal[half>>shift&0xF])
		}
	}
	return digits
}

// CompareEPK orders two effective partition keys, or bounds of partition key ranges, and
// returns -1, 0 or +1. Missing digits at the end of the shorter one count as zeros, because the
// service writes a bound of a hierarchical container with the digits of one level or of all of
// them. So the bound "" is the lowest, and "FF" is above every key, since [EPK] clears the top
// two bits. Bounds must be in upper case, as the service writes them.
//
// The rule is that of azcosmos' CompareEPK, which follows azure-cosmos-dotnet-v3 pull request
// 5260. It does not allocate and is safe for concurrent use.
func CompareEPK(a, b string) int {
	common := min(len(a), len(b))
	if c := strings.Compare(a[:common], b[:common]); c != 0 {
		return c
	}
	switch {
	case strings.Trim(a[common:], "0") != "":
		return 1
	case strings.Trim(b[common:], "0") != "":
		return -1
	}
	return 0
}
