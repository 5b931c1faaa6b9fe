package text

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// sortKind is a type of value. Cosmos DB sorts types in this order: "ORDER BY
// clause" in Microsoft's reference of the query language.
type sortKind uint8

const (
	sortUndefined sortKind = iota
	sortNull
	sortFalse
	sortTrue
	sortNumber
	sortString
	sortArray
	sortObject
)

// SortValue is the value of a property as ORDER BY sees it. The zero value is that
// of an absent property.
type SortValue struct { //nolint:recvcheck // UnmarshalJSON needs a pointer
	kind   sortKind
	number float64
	text   string
}

// SortValueOf reads a JSON value; nil is that of an absent property.
func SortValueOf(raw []byte) (SortValue, error) {
	if len(raw) == 0 {
		return SortValue{}, nil
	}
	switch raw[0] {
	case 'n':
		return SortValue{kind: sortNull}, nil
	case 'f':
		return SortValue{kind: sortFalse}, nil
	case 't':
		return SortValue{kind: sortTrue}, nil
	case '[':
		return SortValue{kind: sortArray}, nil
	case '{':
		return SortValue{kind: sortObject}, nil
	case '"':
		if bytes.IndexByte(raw, '\\') < 0 {
			return SortValue{kind: sortString, text: string(raw[1 : len(raw)-1])}, nil
		}
		v := SortValue{kind: sortString}
		err := json.Unmarshal(raw, &v.text)
		return v, err
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // which gives an infinity
		return SortValue{}, err
	}
	return SortValue{kind: sortNumber, number: n}, nil
}

// Compare orders values as ORDER BY, MIN and MAX do: by type first, numbers as
// float64, strings by their UTF-8 bytes. Arrays have no order among themselves,
// and neither have objects.
func (v SortValue) Compare(w SortValue) int {
	switch {
	case v.kind != w.kind:
		return cmp.Compare(v.kind, w.kind)
	case v.kind == sortNumber:
		return cmp.Compare(v.number, w.number)
	default:
		return strings.Compare(v.text, w.text)
	}
}

// Canonical returns a text that is the same for equal values, and differs for others.
// Arrays have one text, and objects another.
func (v SortValue) Canonical() string {
	switch v.kind {
	case sortNumber:
		return "#" + strconv.FormatFloat(v.number+0, 'g', -1, 64) // a negative zero is zero
	case sortString:
		return `"` + v.text
	default:
		return string('a' + rune(v.kind))
	}
}

// sortValueJSON is a sort value as cursors have it.
type sortValueJSON struct {
	Kind   sortKind `json:"k"`
	Number float64  `json:"n,omitempty"`
	Text   string   `json:"s,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (v SortValue) MarshalJSON() ([]byte, error) {
	return json.Marshal(sortValueJSON{v.kind, v.number, v.text})
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *SortValue) UnmarshalJSON(data []byte) error {
	var j sortValueJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if j.Kind > sortObject || j.Kind != sortNumber && j.Number != 0 || j.Kind != sortString && j.Text != "" {
		return fmt.Errorf("no value of kind %d", j.Kind)
	}
	*v = SortValue{j.Kind, j.Number, j.Text}
	return nil
}
