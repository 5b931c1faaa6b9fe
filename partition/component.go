package partition

import (
	"encoding"
	"fmt"
	"math"
	"strconv"
	"time"
)

// maxExact is 2^53. Between its negative and itself every integer is a double;
// beyond it several integers share one.
const maxExact = 1 << 53

// reasonEmpty is the reason for a component without text. It is nearly always a field that was
// never set, and would gather all such documents in one logical partition.
const reasonEmpty = "is empty: set it before the key is made"

// Component is a checked part of a key, an argument of [Check]. [ID], [PrefixedID], [Text],
// [Time], [Marshaled], [Int], [Uint], [Float] and [Key] make it. The zero value is a component
// without a problem.
type Component struct {
	field  string
	reason string // the problem, or ""
}

// ID checks an item id: not empty, at most [MaxIDBytes], valid UTF-8 without control
// characters, and without the characters / \ ? # that Cosmos DB forbids in ids. It must not end
// in a space, and must not have a percent sign before two hexadecimal digits, which the
// service's routing gateway decodes once more than the client that signed the path. It must not
// be "." or "..", which are path segments in HTTP (RFC 3986, section 5.2.4). Only queries find
// a document stored with such an id. An id may have runes beyond U+FFFF, since it is sent in
// the path and the body. An id that is also the partition key must also pass [Text].
//
// The error names the field ID. It does not allocate for a legal id.
func ID(id string) Component {
	return Component{field: "ID", reason: idProblem(id)}
}

// PrefixedID checks an item id by the rules of [ID], and that it is prefix followed by at least
// one character: types that share a container have different prefixes.
func PrefixedID(id, prefix string) Component {
	c := ID(id)
	if c.reason == "" {
		c.reason = prefixProblem(id, prefix)
	}
	return c
}

// IDPrefix checks only that an id is prefix followed by at least one character, in addition to
// a check of the id itself, such as [TableID] or [MongoID].
func IDPrefix(id, prefix string) Component {
	return Component{field: "ID", reason: prefixProblem(id, prefix)}
}

// Text checks the text of a component: not empty, valid UTF-8, no control characters, no rune
// beyond U+FFFF. It does not allocate for legal text.
//
// Control characters are Unicode's category Cc: below U+0020, DEL and U+0080 to U+009F.
// azcosmos 1.5.0 writes the partition key header with strconv.QuoteToASCII, whose \a, \v, \x00
// and \U0001f600 are not JSON. It would send tab, line feed and the upper range correctly. They
// are refused all the same, because a key has them only by mistake (the upper range if
// Windows-1252 was decoded as Latin-1), and because a rule can be loosened later but not
// tightened once documents are stored.
func Text(field, text string) Component {
	return Component{field: field, reason: keyTextProblem(text)}
}

// Time checks a time: not zero, in UTC within the years 1 to 9999, which every layout writes
// with four digits, and with an offset of whole minutes. RFC 3339, the form of times in JSON,
// has no seconds in an offset, so the document would have another instant than the key, perhaps
// on another day. It does not allocate for a legal time.
func Time(field string, t time.Time) Component {
	c := instant(field, t)
	if c.reason == "" && offsetHasSeconds(t) {
		c.reason = "has an offset from UTC with seconds, which JSON drops, " +
			"so that the document would hold another instant than its key: store it in UTC, as UTC() returns it"
	}
	return c
}

// instant checks a time that is not stored, like Time, but with any offset.
func instant(field string, t time.Time) Component {
	if t.IsZero() {
		return Component{field: field, reason: "is empty, the zero time: set it before the key is made"}
	}
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return Component{field: field, reason: "is in a year of UTC that is not written with four digits: use the years 1 to 9999"}
	}
	return Component{field: field}
}

// Marshaled checks a component with a text form, by the rules of [Text]. A value that is nil,
// or whose method fails, panics or returns nothing, counts as empty. The reason names the
// method but not its error, which may contain the value.
//
// It calls the method that [AppendText] calls, once. It costs the allocations of that method,
// and of a copy of the text.
func Marshaled[T encoding.TextMarshaler](field string, v T) Component {
	text, err := marshal(nil, v)
	if err != nil {
		return unmarshaled(field, err)
	}
	return Component{field: field, reason: keyTextProblem(string(text))}
}

// unmarshaled is a component whose value has no text.
func unmarshaled(field string, err error) Component {
	return Component{field: field, reason: "is empty: " + err.Error() + ": give it a value that has a text"}
}

// Int checks a natural key that is a signed integer: within ±2^53. The service stores numbers
// as doubles, which do not distinguish all integers beyond that. Integers in synthetic keys are
// text and need no check. It does not allocate for a legal integer.
func Int(field string, v int64) Component {
	if v < -maxExact || v > maxExact {
		return Component{field: field, reason: inexact}
	}
	return Component{field: field}
}

// Uint checks a natural key that is an unsigned integer: at most 2^53, see [Int].
func Uint(field string, v uint64) Component {
	if v > maxExact {
		return Component{field: field, reason: inexact}
	}
	return Component{field: field}
}

// inexact is the reason for an integer that is not certain to be a double.
const inexact = "is beyond ±2^53 (9007199254740992), where Cosmos DB, which stores doubles, " +
	"takes neighbouring integers for one: keep it in a string"

// Float checks a natural key that is a floating-point number: not NaN and not infinite, which
// JSON cannot represent, and not negative zero, which equals zero in Go and in queries but
// hashes to another partition. It does not allocate for a legal number.
func Float(field string, v float64) Component {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return Component{field: field, reason: fmt.Sprintf("is %v, which JSON cannot hold: use a finite number", v)}
	case v == 0 && math.Signbit(v):
		return Component{field: field, reason: "is negative zero, whose partition is not that of zero: use 0"}
	}
	return Component{field: field}
}

// RandomSuffix checks the suffix of a random-suffix key: a number from 1 to
// buckets. The suffix of a document that was never stored is 0.
func RandomSuffix(field string, suffix, buckets int) Component {
	switch {
	case suffix == 0:
		return Component{field: field, reason: "is not chosen yet: creating the document chooses it; " +
			"for a stored document, take the key of one that was read"}
	case suffix < 0 || suffix > buckets:
		return Component{field: field, reason: "is no suffix: these are 1 to " + strconv.Itoa(buckets)}
	}
	return Component{field: field}
}

// Key checks the whole text of a key: at most [MaxKeyBytes]. Its characters are checked
// component by component. The error names no field. It does not allocate for a legal key.
func Key(key string) Component {
	if len(key) > MaxKeyBytes {
		return Component{reason: fmt.Sprintf("the partition key has %d bytes, more than the %d that Cosmos DB allows: shorten a component",
			len(key), MaxKeyBytes)}
	}
	return Component{}
}
