package layout

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// maxLevels is the maximum number of values in a partition key.
const maxLevels = annotations.MaxLevels

// Key is a partition key: one value, or up to four of a hierarchical key. Keys are comparable by
// ==. The zero value has no values.
type Key struct {
	texts  string // the concatenated values that are strings
	values [maxLevels]keyValue
	n      int
}

// keyValue is one value of a key.
type keyValue struct {
	kind   valueKind
	end    int     // of a string: its end in the key's texts
	number float64 // of a number; 1 for true
}

// valueKind is the JSON type of a value.
type valueKind uint8

const (
	undefined valueKind = iota
	null
	truth
	number
	str
)

// Len returns the number of values.
func (k Key) Len() int { return k.n }

// Value returns value i, from 0, in the form that [partition.EPK] takes: a string, a float64, a
// bool, nil for null, or [partition.Undefined]. Strings share the memory of the key.
func (k Key) Value(i int) any {
	switch v := k.values[i]; v.kind {
	case str:
		return k.texts[k.start(i):v.end]
	case number:
		return v.number
	case truth:
		return v.number != 0
	case null:
		return nil
	}
	return partition.Undefined{}
}

// start returns the beginning of the text of value i.
func (k Key) start(i int) int {
	for i--; i >= 0; i-- {
		if k.values[i].kind == str {
			return k.values[i].end
		}
	}
	return 0
}

// EPK returns the effective partition key in a container of version 2, by [partition.EPK]. It costs
// two allocations, and one for each string.
func (k Key) EPK() (string, error) {
	var array [maxLevels]any
	for i := range k.n {
		array[i] = k.Value(i)
	}
	return partition.EPK(array[:k.n]...)
}

// String returns the key for people: the text of a single string, "2018-08-09.126", and JSON
// otherwise. The number 17 and the text "17" look the same: if both may occur, show the JSON.
func (k Key) String() string {
	if k.n == 1 && k.values[0].kind == str {
		return k.texts
	}
	return string(k.JSON())
}

// JSON returns the key as JSON: a string, 17, or an array such as ["contoso",17].
// Undefined is {}, as the service writes it.
func (k Key) JSON() json.RawMessage {
	var b []byte
	for i := range k.n {
		if i > 0 {
			b = append(b, ',')
		}
		b = k.appendJSON(b, i)
	}
	if k.n == 1 {
		return b
	}
	return append(append([]byte{'['}, b...), ']')
}

// appendJSON appends value i.
func (k Key) appendJSON(b []byte, i int) []byte {
	switch v := k.Value(i).(type) {
	case string:
		var quoted bytes.Buffer
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(v) // a Buffer returns no error
		return append(b, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
	case float64:
		return appendNumber(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case nil:
		return append(b, "null"...)
	}
	return append(b, "{}"...)
}

// appendNumber appends a number as encoding/json writes it.
func appendNumber(b []byte, f float64) []byte {
	text, err := json.Marshal(f)
	if err != nil { // JSON has no such number, and neither has a key
		return strconv.AppendFloat(b, f, 'g', -1, 64)
	}
	return append(b, text...)
}
