package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// indexFrom is the number of properties from which on an object has a map of their
// names. Below it, comparing names one after another is faster.
const indexFrom = 12

// Decode reads one JSON value. It keeps raw, which the caller must not change
// afterwards, and copies strings and numbers. Its cost is linear in the length
// of raw.
//
// It fails for text that is not JSON or not UTF-8, that nests deeper than 10,000
// levels, or that holds a number beyond the range of a float64.
func Decode(raw []byte) (Value, error) {
	if !utf8.Valid(raw) {
		return Value{}, errors.New("json text is not valid UTF-8")
	}
	if !json.Valid(raw) {
		var discard json.RawMessage
		return Value{}, fmt.Errorf("text is not one json value: %w", json.Unmarshal(raw, &discard))
	}
	d := decoder{raw: raw}
	return d.value()
}

// decoder walks JSON text that is known to be valid.
type decoder struct {
	raw []byte
	pos int
}

// space skips white space and returns the byte after it.
func (d *decoder) space() byte {
	for {
		switch c := d.raw[d.pos]; c {
		case ' ', '\t', '\r', '\n':
			d.pos++
		default:
			return c
		}
	}
}

func (d *decoder) value() (Value, error) {
	switch d.space() {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		s, err := d.text()
		return OfString(s), err
	case 'n':
		d.pos += len("null")
		return nullValue, nil
	case 't':
		d.pos += len("true")
		return trueValue, nil
	case 'f':
		d.pos += len("false")
		return falseValue, nil
	default:
		return d.number()
	}
}

func (d *decoder) object() (Value, error) {
	start := d.pos
	d.pos++
	c := &Members{}
	for d.space() != '}' {
		name, err := d.text()
		if err != nil {
			return Value{}, err
		}
		d.space() // in front of the colon
		d.pos++
		value, err := d.value()
		if err != nil {
			return Value{}, err
		}
		c.set(name, value)
		if d.space() == ',' {
			d.pos++
		}
	}
	d.pos++
	c.raw = d.raw[start:d.pos:d.pos]
	return Value{kind: Object, comp: c}, nil
}

// set adds a property, or replaces an earlier one of the same name.
func (c *Members) set(name string, value Value) {
	if c.index != nil {
		if i, ok := c.index[name]; ok {
			c.fields[i].value = value
			return
		}
		c.index[name] = len(c.fields)
		c.fields = append(c.fields, field{name, value})
		return
	}
	for i := range c.fields {
		if c.fields[i].name == name {
			c.fields[i].value = value
			return
		}
	}
	c.fields = append(c.fields, field{name, value})
	if len(c.fields) == indexFrom {
		c.index = make(map[string]int, 2*indexFrom)
		for i := range c.fields {
			c.index[c.fields[i].name] = i
		}
	}
}

func (d *decoder) array() (Value, error) {
	start := d.pos
	d.pos++
	c := &Members{}
	for d.space() != ']' {
		value, err := d.value()
		if err != nil {
			return Value{}, err
		}
		c.items = append(c.items, value)
		if d.space() == ',' {
			d.pos++
		}
	}
	d.pos++
	c.raw = d.raw[start:d.pos:d.pos]
	return Value{kind: Array, comp: c}, nil
}

// text reads a string; the position is at its opening quote.
func (d *decoder) text() (string, error) {
	start := d.pos
	escaped := false
	for d.pos++; d.raw[d.pos] != '"'; d.pos++ {
		if d.raw[d.pos] == '\\' {
			escaped = true
			d.pos++
		}
	}
	d.pos++
	if !escaped {
		return string(d.raw[start+1 : d.pos-1]), nil
	}
	var s string
	err := json.Unmarshal(d.raw[start:d.pos], &s)
	return s, err
}

func (d *decoder) number() (Value, error) {
	start := d.pos
	for d.pos < len(d.raw) {
		switch c := d.raw[d.pos]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			d.pos++
			continue
		}
		break
	}
	text := string(d.raw[start:d.pos])
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Value{}, fmt.Errorf("number %s at byte %d is beyond the range of a 64-bit float", text, start)
	}
	return Value{kind: Number, num: f, str: text}, nil
}
