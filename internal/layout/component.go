package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// problem returns an error about c.
func (c *component) problem(p Problem, reason string) *Error {
	return &Error{Property: c.Property, Problem: p, Reason: reason}
}

// method returns the type whose MarshalText makes the text.
func (c *component) method() string { return strings.TrimPrefix(c.Type.Path+"."+c.Type.Name, ".") }

// expect checks that a value is present and begins like a JSON type.
func (c *component) expect(v value, first byte, kind string) *Error {
	switch {
	case v.raw == nil:
		return c.problem(Missing, "is missing: write it, as generated code does")
	case v.raw[0] == first:
		return nil
	case c.Value == pk.Text:
		return c.problem(OnlyInGo, fmt.Sprintf("is of JSON type %s, and only the method MarshalText of %s can write its text in the key: compare keys by the program", v.kind(), c.method()))
	}
	return c.problem(OtherType, fmt.Sprintf("is of JSON type %s, but the layout needs a %s: correct the document", v.kind(), kind))
}

// appendPlain appends a property that is itself a value of the key, if it is a string, and sets the
// value.
func (c *component) appendPlain(b []byte, in values, to *keyValue) ([]byte, *Error) {
	v := in.at(c.slot)
	kind := c.Value
	if kind == pk.Any && v.raw != nil {
		switch v.kind() {
		case "number":
			kind = pk.Float
		case "boolean":
			kind = pk.Bool
		}
	}
	switch kind {
	case pk.Bool:
		on, err := c.bool(v)
		to.kind = truth
		if on {
			to.number = 1
		}
		return b, err
	case pk.Int, pk.Float:
		f, err := c.float(v, kind)
		to.kind, to.number = number, f
		return b, err
	}
	to.kind = str
	return c.appendString(b, v)
}

// appendTo appends the text of a component.
func (c *component) appendTo(b []byte, in values) ([]byte, *Error) {
	v := in.at(c.slot)
	if v.raw == nil {
		return b, c.expect(v, 0, "")
	}
	kind := c.Value
	if kind == pk.Any {
		kind = c.guess(v)
	}
	switch kind {
	case pk.Int:
		return c.appendInteger(b, v)
	case pk.Bool:
		on, err := c.bool(v)
		return strconv.AppendBool(b, on), err
	case pk.Time:
		return c.appendTime(b, v)
	}
	return c.appendString(b, v)
}

// guess returns the kind of a candidate's component that no lock knows, from its value.
func (c *component) guess(v value) pk.Value {
	switch v.kind() {
	case "number":
		return pk.Int
	case "boolean":
		return pk.Bool
	}
	if c.Layout == "" || v.raw[0] != '"' {
		return pk.String
	}
	if _, err := c.time(v); err != nil {
		return pk.String // one of several hashed components
	}
	return pk.Time
}

// appendString appends the text of a string.
func (c *component) appendString(b []byte, v value) ([]byte, *Error) {
	if err := c.expect(v, '"', "string"); err != nil {
		return b, err
	}
	start := len(b)
	if v.plain {
		b = append(b, v.raw[1:len(v.raw)-1]...)
	} else {
		var ok bool
		if b, ok = jsonscan.AppendText(b, v.raw); !ok {
			return b, c.problem(Refused, noUnicode)
		}
	}
	var reason string
	switch {
	case c.Lower && !v.plain && c.escape:
		reason = reasonOf(partition.EscapedLowerText("", string(b[start:])))
	case c.Lower && !v.plain:
		reason = reasonOf(partition.LowerText("", string(b[start:])))
	case c.escape:
		reason = reasonOf(partition.EscapedText("", string(b[start:])))
	default:
		reason = reasonOf(partition.Text("", string(b[start:])))
	}
	if reason != "" {
		return b, c.problem(Refused, reason)
	}
	if c.Lower {
		partition.AppendLower(b[:start], string(b[start:])) // lower case has the same length
	}
	if c.escape {
		b = partition.AppendEscaped(b[:start], string(b[start:]), c.separators)
	}
	return b, nil
}

// appendInteger appends the digits of an integer.
func (c *component) appendInteger(b []byte, v value) ([]byte, *Error) {
	if err := c.expectNumber(v); err != nil {
		return b, err
	}
	if n, err := strconv.ParseInt(string(v.raw), 10, 64); err == nil {
		if strings.Contains(c.separators, "-") {
			return partition.AppendEscapedInt(b, n, c.separators), nil
		}
		return strconv.AppendInt(b, n, 10), nil
	}
	if n, err := strconv.ParseUint(string(v.raw), 10, 64); err == nil {
		return strconv.AppendUint(b, n, 10), nil
	}
	// The service stores doubles, and may write 1000 as 1e3.
	f, err := c.float(v, pk.Int)
	if err != nil {
		return b, err
	}
	if strings.Contains(c.separators, "-") {
		return partition.AppendEscapedInt(b, int64(f), c.separators), nil
	}
	return strconv.AppendInt(b, int64(f), 10), nil
}

func (c *component) expectNumber(v value) *Error {
	if v.raw == nil || v.raw[0] != '-' && !isDigit(v.raw[0]) {
		return c.expect(v, 0, "number")
	}
	return nil
}

// float returns a number that is a value of the key, or an integer in one of its texts.
func (c *component) float(v value, kind pk.Value) (float64, *Error) {
	if err := c.expectNumber(v); err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil {
		return 0, c.problem(Refused, "is beyond the range of a double: write a smaller number")
	}
	reason := reasonOf(partition.Float("", f))
	if kind == pk.Int && reason == "" {
		switch {
		case f != math.Trunc(f):
			return 0, c.problem(OtherType, "is a number with a fraction, but the layout needs an integer: correct the document")
		case math.Abs(f) > 1<<53:
			reason = reasonOf(partition.Int("", math.MaxInt64))
		default:
			reason = reasonOf(partition.Int("", exact(v, f)))
		}
	}
	if reason != "" {
		return 0, c.problem(Refused, reason)
	}
	return f, nil
}

// exact returns the integer of a number within ±2^53. Beyond it several integers share a double:
// 2^53+1 and 2^53 do.
func exact(v value, f float64) int64 {
	if n, err := strconv.ParseInt(string(v.raw), 10, 64); err == nil {
		return n
	}
	return int64(f)
}

// bool reads a boolean.
func (c *component) bool(v value) (bool, *Error) {
	if v.raw == nil || v.raw[0] != 't' && v.raw[0] != 'f' {
		return false, c.expect(v, 0, "boolean")
	}
	return v.raw[0] == 't', nil
}

// appendTime appends a time in the format of a component.
func (c *component) appendTime(b []byte, v value) ([]byte, *Error) {
	if err := c.expect(v, '"', "string"); err != nil {
		return b, err
	}
	t, err := c.time(v)
	if err != nil {
		return b, c.problem(OtherType, "is not a time in RFC 3339, as Go writes it: correct the document")
	}
	if reason := reasonOf(partition.Time("", t)); reason != "" {
		return b, c.problem(Refused, reason)
	}
	return partition.AppendTime(b, t, c.Layout), nil
}

// time reads a time.
func (c *component) time(v value) (t time.Time, err error) {
	var buffer [64]byte
	text, _ := jsonscan.AppendText(buffer[:0], v.raw)
	return t, t.UnmarshalText(text)
}
