package layout

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// fewValues is how many values of a document need no allocation.
const fewValues = 8

// Key returns the partition key of a document: the key under which generated code
// stores a document of the type with these properties. The document is one JSON
// object, as the service stores it; a property that comes twice has its last value.
//
// The error is an [*Error], if the document has no key. Key also checks the id, as
// generated code does, except for candidates that do not use it.
//
// It reads the document once, decodes the properties of the layout alone, and costs
// one allocation for the key's texts, another for each text of more than 32 bytes,
// and another for a time in a zone other than UTC.
func (l *Layout) Key(document []byte) (Key, error) {
	var array [fewValues]span
	slots := array[:]
	if l.slots > len(slots) {
		slots = make([]span, l.slots)
	}
	s := scanner{text: document, slots: slots}
	in := values{document, slots}
	if err := l.scan(&s, l.reads.children); err != nil {
		return Key{}, err
	}
	return l.key(in)
}

// key makes the key of the values that the layout reads.
func (l *Layout) key(in values) (Key, error) {
	if l.id != nil {
		if err := l.checkID(in.at(l.id.slot)); err != nil {
			return Key{}, err
		}
	}
	k := Key{n: len(l.levels)}
	var buffer [128]byte
	texts := buffer[:0]
	for i := range l.levels {
		var err *Error
		level := &l.levels[i]
		if level.plain {
			texts, err = level.parts[0].component.appendPlain(texts, in, &k.values[i])
		} else {
			texts, err = level.appendParts(texts, in)
			k.values[i].kind = str
		}
		if err != nil {
			err.Type = l.typ
			return Key{}, err
		}
		if k.values[i].kind == str {
			k.values[i].end = len(texts)
		}
	}
	if len(texts) > partition.MaxKeyBytes {
		return Key{}, &Error{Type: l.typ, Problem: Refused, Reason: reasonOf(partition.Key(string(texts)))}
	}
	k.texts = string(texts)
	return k, nil
}

// scan reads properties of a document.
func (l *Layout) scan(s *scanner, properties []node) error {
	if err := s.read(properties); err != nil {
		err.Type = l.typ
		return err
	}
	return nil
}

// read reads properties of a document.
func (s *scanner) read(properties []node) *Error {
	switch valid, object := s.document(properties); {
	case !valid:
		return &Error{Problem: NotObject, Reason: fmt.Sprintf("the document is not JSON at byte %d: leave it out, or mend it", s.pos)}
	case !object:
		return &Error{Problem: NotObject, Reason: "the document is JSON, but not an object, which documents are: leave it out"}
	}
	return nil
}

// reasonOf returns the reason of a component with a problem, or "".
func reasonOf(c partition.Component) string {
	err := partition.Check("", c)
	if err == nil {
		return ""
	}
	var problem *partition.KeyError
	errors.As(err, &problem)
	return problem.Reason
}

// checkID checks the id of a document.
func (l *Layout) checkID(v value) error {
	id := component{property: idProperty, kind: text}
	reason := ""
	if err := id.expect(v, '"', "string"); err != nil {
		err.Type = l.typ
		return err
	}
	var buffer [64]byte
	b, ok := appendText(buffer[:0], v.raw)
	switch {
	case !ok:
		reason = noUnicode
	case l.id.prefix != "":
		reason = reasonOf(partition.PrefixedID(string(b), l.id.prefix))
	case !plainID(b):
		reason = reasonOf(partition.ID(string(b)))
	}
	if reason != "" {
		return &Error{Type: l.typ, Property: idProperty, Problem: Refused, Reason: reason}
	}
	return nil
}

// plainID reports whether an id is certainly legal, as most are.
func plainID(id []byte) bool {
	if len(id) == 0 || len(id) > 255 {
		return false
	}
	for _, c := range id {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '_' && c != ':' {
			return false
		}
	}
	return true
}

// noUnicode is the reason for half of a surrogate pair.
const noUnicode = `has an escape \uD800 to \uDFFF without its other half, which is no character: remove it`

// appendParts appends the text of a level.
func (l *level) appendParts(b []byte, in values) ([]byte, *Error) {
	for i := range l.parts {
		p := &l.parts[i]
		var err *Error
		switch {
		case p.component != nil:
			b, err = p.component.appendTo(b, in, l.separators)
		case p.bucket != nil:
			var n int
			if n, err = p.bucket.number(in); err == nil {
				b = strconv.AppendInt(b, int64(n), 10)
			}
		default:
			b = append(b, p.literal...)
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// number returns the suffix of a document.
func (b *bucket) number(in values) (int, *Error) {
	if len(b.hash) == 0 {
		return b.random(in)
	}
	var h partition.Hash
	var buffer [64]byte
	for i := range b.hash {
		text, err := b.hash[i].appendTo(buffer[:0], in, "")
		if err != nil {
			return 0, err
		}
		h = h.Text(string(text))
	}
	return h.Bucket(b.count), nil
}

// random returns the random suffix that a document was stored with, or draws one.
func (b *bucket) random(in values) (int, *Error) {
	if b.stored < 0 {
		return partition.Hash{}.Text(string(in.text)).Bucket(b.count), nil
	}
	stored := component{property: b.property, kind: text}
	v := in.at(b.stored)
	if v.raw == nil {
		return 0, stored.problem(NoSuffix, "is missing, which has the random suffix that the document was stored with: take the document as it is stored")
	}
	if err := stored.expect(v, '"', "string"); err != nil {
		return 0, err
	}
	var buffer [64]byte
	text, _ := appendText(buffer[:0], v.raw)
	n := partition.Suffix(string(text), b.separator, b.count)
	if n == 0 {
		return 0, stored.problem(NoSuffix, fmt.Sprintf("does not end with %q and a number from 1 to %d, the random suffix that the document was stored with: take the document as it is stored", b.separator, b.count))
	}
	return n, nil
}

// problem returns an error about c.
func (c *component) problem(p Problem, reason string) *Error {
	return &Error{Property: c.property, Problem: p, Reason: reason}
}

// expect checks that a value is there and begins like one of a JSON type.
func (c *component) expect(v value, first byte, kind string) *Error {
	switch {
	case v.raw == nil:
		return c.problem(Missing, "is missing: write it, as generated code does")
	case v.raw[0] == first:
		return nil
	case c.kind == marshaled:
		return c.problem(OnlyInGo, fmt.Sprintf("is of JSON type %s, and its text in the key is what the method MarshalText of %s writes, which only Go knows: compare keys by the program", v.kind(), c.method))
	}
	return c.problem(OtherType, fmt.Sprintf("is of JSON type %s, and the layout makes the key of a %s: mend the document", v.kind(), kind))
}

// appendPlain appends the property that is a value of the key, if that is a string,
// and sets the value.
func (c *component) appendPlain(b []byte, in values, to *keyValue) ([]byte, *Error) {
	v := in.at(c.slot)
	kind := c.kind
	if kind == anyKind && v.raw != nil {
		switch v.kind() {
		case "number":
			kind = float
		case "boolean":
			kind = boolean
		}
	}
	switch kind {
	case boolean:
		on, err := c.bool(v)
		to.kind = truth
		if on {
			to.number = 1
		}
		return b, err
	case integer, float:
		f, err := c.float(v, kind)
		to.kind, to.number = number, f
		return b, err
	}
	to.kind = str
	return c.appendString(b, v, "")
}

// appendTo appends the text of a component.
func (c *component) appendTo(b []byte, in values, separators string) ([]byte, *Error) {
	v := in.at(c.slot)
	if v.raw == nil {
		return b, c.expect(v, 0, "")
	}
	kind := c.kind
	if kind == anyKind {
		kind = c.guess(v)
	}
	switch kind {
	case integer:
		return c.appendInteger(b, v, separators)
	case boolean:
		on, err := c.bool(v)
		return strconv.AppendBool(b, on), err
	case instant:
		return c.appendTime(b, v)
	}
	return c.appendString(b, v, separators)
}

// guess returns the kind of a component that nobody knows, by its value.
func (c *component) guess(v value) kind {
	switch v.kind() {
	case "number":
		return integer
	case "boolean":
		return boolean
	}
	if c.format == "" || v.raw[0] != '"' {
		return text
	}
	if _, err := c.time(v); err != nil {
		return text // one of several that are hashed
	}
	return instant
}

// appendString appends the text of a string.
func (c *component) appendString(b []byte, v value, separators string) ([]byte, *Error) {
	if err := c.expect(v, '"', "string"); err != nil {
		return b, err
	}
	start := len(b)
	if v.plain {
		b = append(b, v.raw[1:len(v.raw)-1]...)
	} else {
		var ok bool
		if b, ok = appendText(b, v.raw); !ok {
			return b, c.problem(Refused, noUnicode)
		}
	}
	var reason string
	switch {
	case c.lower && !v.plain && c.escape:
		reason = reasonOf(partition.EscapedLowerText("", string(b[start:])))
	case c.lower && !v.plain:
		reason = reasonOf(partition.LowerText("", string(b[start:])))
	case c.escape:
		reason = reasonOf(partition.EscapedText("", string(b[start:])))
	default:
		reason = reasonOf(partition.Text("", string(b[start:])))
	}
	if reason != "" {
		return b, c.problem(Refused, reason)
	}
	if c.lower {
		partition.AppendLower(b[:start], string(b[start:])) // it has the same length
	}
	if c.escape {
		b = partition.AppendEscaped(b[:start], string(b[start:]), separators)
	}
	return b, nil
}

// appendInteger appends the digits of an integer.
func (c *component) appendInteger(b []byte, v value, separators string) ([]byte, *Error) {
	if err := c.expectNumber(v); err != nil {
		return b, err
	}
	if n, err := strconv.ParseInt(string(v.raw), 10, 64); err == nil {
		if c.escape && strings.Contains(separators, "-") {
			return partition.AppendEscapedInt(b, n, separators), nil
		}
		return strconv.AppendInt(b, n, 10), nil
	}
	if n, err := strconv.ParseUint(string(v.raw), 10, 64); err == nil {
		return strconv.AppendUint(b, n, 10), nil
	}
	// The service stores doubles, and may write 1000 as 1e3.
	f, err := c.float(v, integer)
	if err != nil {
		return b, err
	}
	if c.escape && strings.Contains(separators, "-") {
		return partition.AppendEscapedInt(b, int64(f), separators), nil
	}
	return strconv.AppendInt(b, int64(f), 10), nil
}

// expectNumber checks that a value is a number.
func (c *component) expectNumber(v value) *Error {
	if v.raw == nil || v.raw[0] != '-' && !isDigit(v.raw[0]) {
		return c.expect(v, 0, "number")
	}
	return nil
}

// float reads a number that is a value of the key, or a whole one of its texts.
func (c *component) float(v value, kind kind) (float64, *Error) {
	if err := c.expectNumber(v); err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil {
		return 0, c.problem(Refused, "is beyond the range of a double: write a smaller number")
	}
	reason := reasonOf(partition.Float("", f))
	if kind == integer && reason == "" {
		switch {
		case f != math.Trunc(f):
			return 0, c.problem(OtherType, "is a number with a fraction, and the layout makes the key of an integer: mend the document")
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

// exact returns the integer that a number within ±2^53 was before it was a double:
// 2^53+1 has the same double as 2^53.
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
		return b, c.problem(OtherType, "is no time in RFC 3339, as Go writes a time: mend the document")
	}
	if reason := reasonOf(partition.Time("", t)); reason != "" {
		return b, c.problem(Refused, reason)
	}
	return partition.AppendTime(b, t, c.format), nil
}

// time reads a time.
func (c *component) time(v value) (t time.Time, err error) {
	var buffer [64]byte
	text, _ := appendText(buffer[:0], v.raw)
	return t, t.UnmarshalText(text)
}

// Stored returns the partition key that a document is stored under: the values at the
// paths of the container. A property that the document lacks is [partition.Undefined].
//
// The error is an [*Error], for a document that is no JSON object, or for a value that
// the service does not take as a key: an object, an array. A candidate is not stored:
// its keys have no values. It costs what [Layout.Key] costs.
func (l *Layout) Stored(document []byte) (Key, error) {
	var slots [maxLevels]span
	s := scanner{text: document, slots: slots[:]}
	if err := l.scan(&s, l.stored.children); err != nil || l.stored.children == nil {
		return Key{}, err
	}
	in := values{document, slots[:]}
	k := Key{n: len(l.levels)}
	var buffer [128]byte
	texts := buffer[:0]
	for i := range l.levels {
		v, to := in.at(i), &k.values[i]
		if v.raw == nil {
			continue
		}
		switch v.kind() {
		case "string":
			texts, _ = appendText(texts, v.raw)
			*to = keyValue{kind: str, end: len(texts)}
		case "number":
			f, _ := strconv.ParseFloat(string(v.raw), 64)
			*to = keyValue{kind: number, number: f}
		case "boolean":
			*to = keyValue{kind: truth}
			if v.raw[0] == 't' {
				to.number = 1
			}
		case "null":
			to.kind = null
		default:
			return Key{}, &Error{Type: l.typ, Property: strings.ReplaceAll(l.levels[i].path[1:], "/", "."), Problem: OtherType,
				Reason: "is of JSON type " + v.kind() + ", which is no partition key: mend the document"}
		}
	}
	k.texts = string(texts)
	return k, nil
}
