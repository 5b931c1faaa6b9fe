package partition

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/twmb/murmur3"
)

// The limits of version 1: only the first 100 UTF-16 units of a string count, and at most 101
// UTF-8 bytes of these are in the effective partition key.
const (
	epkV1Units = 100
	epkV1Bytes = 100
)

// EPKV1 returns the effective partition key of a key with these values in a container whose
// partition key definition has version 1, or none. It is upper-case hexadecimal of varying
// length, below "FF". [CompareEPK] compares it with the bounds of partition key ranges. The
// values are those of [EPK]. A container of version 1 has one value; with several, EPKV1 does
// the same as Microsoft's SDKs.
//
// The algorithm hashes the type and the bytes of each value by MurmurHash3 with 32 bits and
// seed 0. The key is the hash as a number, and then the values themselves, both in an encoding
// whose order is the order of the values. Only the first 100 UTF-16 units of a string count,
// and all longer strings that begin with them have the same key. A container of version 2
// distinguishes them: see [EPK].
//
// EPKV1 agrees with the tests of Microsoft's SDKs for JavaScript, Java and Rust. It allocates
// the result and buffers. It is safe for concurrent use.
func EPKV1(values ...any) (string, error) {
	if len(values) == 0 {
		return "", errors.New("partition: a key of no values has no effective partition key: pass Undefined for a missing property")
	}
	var input, encoded []byte
	for i, v := range values {
		if s, ok := v.(string); ok {
			s = firstUnits(s, epkV1Units)
			input = append(append(append(input, epkString), s...), 0)
			encoded = appendEPKV1String(encoded, s)
			continue
		}
		at := len(input)
		var ok bool
		if input, ok = appendEPKInput(input, v); !ok {
			return "", fmt.Errorf("partition: value %d of the key is a %T: convert it to string, bool, float64, nil or Undefined", i+1, v)
		}
		if input[at] == epkNumber {
			encoded = appendEPKV1Number(encoded, math.Float64frombits(binary.LittleEndian.Uint64(input[at+1:])))
			continue
		}
		encoded = append(encoded, input[at])
	}
	key := appendEPKV1Number(nil, float64(murmur3.Sum32(input)))
	return strings.ToUpper(hex.EncodeToString(append(key, encoded...))), nil
}

// firstUnits returns the first n UTF-16 units of s at most. Half of a surrogate pair becomes
// U+FFFD, as in .NET and JavaScript.
func firstUnits(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i, r := range s {
		switch size := utf16.RuneLen(r); {
		case n == 0:
			return s[:i]
		case size > n:
			return s[:i] + "\uFFFD"
		default:
			n -= max(size, 1)
		}
	}
	return s
}

// appendEPKV1String appends a string with each byte incremented, so that the zero at the end is
// the lowest. A string longer than 100 bytes has 101 of them and no zero.
func appendEPKV1String(b []byte, s string) []byte {
	b = append(b, epkString)
	for i := range min(len(s), epkV1Bytes+1) {
		b = append(b, s[i]+1) // UTF-8 has no 0xFF
	}
	if len(s) <= epkV1Bytes {
		b = append(b, 0)
	}
	return b
}

// appendEPKV1Number appends a number: its bits, changed so that they sort as integers like the
// numbers, eight in the first byte, then seven in each byte, whose lowest bit tells whether
// more follow. Trailing zeros are left out.
func appendEPKV1Number(b []byte, f float64) []byte {
	const sign = 1 << 63
	payload := math.Float64bits(f)
	if payload < sign {
		payload ^= sign
	} else {
		payload = -payload
	}
	b = append(b, epkNumber, byte(payload>>56))
	payload <<= 8
	for {
		chunk := byte(payload>>56) &^ 1
		payload <<= 7
		if payload == 0 {
			return append(b, chunk)
		}
		b = append(b, chunk|1)
	}
}
