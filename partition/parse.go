package partition

import (
	"encoding"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parser splits an escaped key into its components, from the left, in the order in which they
// were written:
//
//	p := partition.Parse("Reading", key, "-.")
//	k.DeviceID = p.Text("DeviceID")
//	p.Literal("-")
//	k.Date = partition.ParseInt[int](p, "Date")
//	p.Literal(".")
//	k.Suffix = p.Bucket("Suffix", 400)
//	return k, p.Err()
//
// After the first problem all methods return zero values, and [Parser.Err] returns the problem
// as a [*KeyError], which does not contain the key. A Parser accepts only text that the append
// functions of this package write, so that the components make the same key again.
//
// Parsing allocates decoded texts, and the values of [Parser.Unmarshal]. A Parser is used by
// one goroutine.
type Parser struct {
	typ        string
	separators string
	key        string
	rest       string // of the key
	err        error
}

// Parse begins to split key. typ is the name of the document's type, for errors. separators are
// those with which the components were escaped: the first character of every literal text that
// follows a component or a bucket.
func Parse(typ, key, separators string) *Parser {
	return &Parser{typ: typ, separators: separators, key: key, rest: key}
}

// Err returns the first problem as a [*KeyError], or nil. Text after the last component, and a
// key that is too long, are also problems.
func (p *Parser) Err() error {
	if p.err == nil && p.rest != "" {
		p.fail("", fmt.Sprintf("goes on at byte %d, where it should end", p.at()))
	}
	if p.err == nil {
		p.err = Check(p.typ, Key(p.key))
	}
	return p.err
}

// Literal reads the text that every key has here.
func (p *Parser) Literal(text string) {
	rest, ok := strings.CutPrefix(p.rest, text)
	if !ok {
		p.fail("", fmt.Sprintf("does not have %q at byte %d", text, p.at()))
		return
	}
	p.rest = rest
}

// Text reads a text written by [AppendEscaped], up to the next separator or the end. It is not
// empty.
func (p *Parser) Text(field string) string {
	text, problem := unescape(p.component(), p.separators)
	if problem == "" && text == "" {
		problem = "is empty"
	}
	if problem != "" {
		p.fail(field, problem)
		return ""
	}
	return text
}

// LowerText reads a text written by [AppendLower] and then [AppendEscaped].
func (p *Parser) LowerText(field string) string {
	text := p.Text(field)
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || c != lower(c) {
			p.fail(field, "is not in ASCII lower case")
			return ""
		}
	}
	return text
}

// Bool reads a bool.
func (p *Parser) Bool(field string) bool {
	switch text := p.component(); text {
	case "true", "false":
		return text == "true"
	default:
		p.fail(field, "is neither true nor false")
		return false
	}
}

// Time reads a time that [AppendTime] wrote in a layout whose elements have a fixed width, or
// that is not followed by a digit. It returns the start of the period in UTC, like [Truncate],
// and never the zero time.
func (p *Parser) Time(field, layout string) time.Time {
	least := min(len(layout), len(p.rest))
	for n := least; n <= min(len(layout)+maxUnpadded, len(p.rest)); n++ {
		if n < len(p.rest) && isDigit(p.rest[n]) {
			continue // the last element has more digits
		}
		if t, ok := parseTime(layout, p.rest[:n]); ok {
			p.rest = p.rest[n:]
			return t
		}
	}
	p.fail(field, fmt.Sprintf("is no time of the layout %q", layout))
	return time.Time{}
}

// maxUnpadded is the number of elements of a layout that can have one digit or two: the month,
// the day, the minute and the second. No element of hours can.
const maxUnpadded = 4

// parseTime reads a text that AppendTime wrote.
func parseTime(layout, text string) (time.Time, bool) {
	t, err := time.Parse(layout, text)
	var array [64]byte
	if err != nil || Time("", t).reason != "" || string(t.AppendFormat(array[:0], layout)) != text {
		return time.Time{}, false
	}
	return t.UTC(), true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Bucket reads a suffix, from 1 to buckets.
func (p *Parser) Bucket(field string, buckets int) int {
	digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
	bucket := bucketOf(digits, buckets)
	if bucket == 0 {
		p.fail(field, fmt.Sprintf("is no number from 1 to %d", buckets))
		return 0
	}
	p.rest = p.rest[len(digits):]
	return bucket
}

// Unmarshal reads a text that [AppendText] made of a value, and [AppendEscaped] wrote, into v,
// a pointer to such a value. A method that fails or panics, or a value with another text, is a
// problem of the key.
//
// It costs one allocation for the text, one for the value, and those of the methods.
func (p *Parser) Unmarshal(field string, v interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}) {
	text := p.Text(field)
	if p.err != nil {
		return
	}
	if err := unmarshal(v, text); err != nil {
		p.fail(field, "is no text of its type: "+err.Error())
		return
	}
	if again, err := marshal(nil, v); err != nil || string(again) != text {
		p.fail(field, "is a text that its type writes as another one")
	}
}

// unmarshal reads text into v. It returns a panic as an error.
func unmarshal(v encoding.TextUnmarshaler, text string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("UnmarshalText panicked")
		}
	}()
	if err := v.UnmarshalText([]byte(text)); err != nil {
		return errors.New("UnmarshalText failed")
	}
	return nil
}

// ParseInt reads a signed integer written by [AppendEscapedInt].
func ParseInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64](p *Parser, field string) T {
	text := p.Text(field)
	n, err := strconv.ParseInt(text, 10, 64)
	var array [20]byte
	if err != nil || int64(T(n)) != n || string(strconv.AppendInt(array[:0], n, 10)) != text {
		p.fail(field, fmt.Sprintf("is no integer of the type %T in plain decimal", T(0)))
		return 0
	}
	return T(n)
}

// ParseUint reads an unsigned integer in decimal.
func ParseUint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](p *Parser, field string) T {
	text := p.Text(field)
	n, err := strconv.ParseUint(text, 10, 64)
	var array [20]byte
	if err != nil || uint64(T(n)) != n || string(strconv.AppendUint(array[:0], n, 10)) != text {
		p.fail(field, fmt.Sprintf("is no integer of the type %T in plain decimal", T(0)))
		return 0
	}
	return T(n)
}

// component reads up to the next separator or the end.
func (p *Parser) component() string {
	end := strings.IndexAny(p.rest, p.separators)
	if end < 0 {
		end = len(p.rest)
	}
	text := p.rest[:end]
	p.rest = p.rest[end:]
	return text
}

// at returns the number of bytes read.
func (p *Parser) at() int { return len(p.key) - len(p.rest) }

// fail records the first problem, of a field or of the whole key, and ends reading.
func (p *Parser) fail(field, problem string) {
	if p.err != nil {
		return
	}
	if field == "" {
		problem = "the partition key " + problem
	}
	p.err = &KeyError{Type: p.typ, Field: field,
		Reason: problem + ": this is no key of the type"}
	p.rest = ""
}
