package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// indexFrom is the number of properties from which on an object has a map of their
// names. Below it, comparing names one after another is faster.
const indexFrom = 12

// Decode reads one JSON value. The value shares the bytes of raw, which the caller must not
// change afterwards. Its cost is linear in the length of raw.
//
// It fails for text that is not JSON or not UTF-8, that nests deeper than 10,000
// levels, or that holds a number beyond the range of a float64.
func Decode(raw []byte) (Value, error) {
	if !utf8.Valid(raw) {
		return Value{}, errors.New("json text is not valid UTF-8")
	}
	if !jsonscan.Valid(raw) {
		var discard json.RawMessage
		return Value{}, fmt.Errorf("text is not one json value: %w", json.Unmarshal(raw, &discard))
	}
	var r Reader
	v := r.Read(raw)
	if r.beyond != nil {
		return Value{}, r.beyond
	}
	return v, nil
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
