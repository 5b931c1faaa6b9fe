package repository

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// sortKind is a type of value in the order in which Cosmos DB sorts them:
// "ORDER BY clause" in Microsoft's reference of the query language.
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

// sortValue is a property as ORDER BY sees it. The zero value is an absent one.
type sortValue struct { //nolint:recvcheck // UnmarshalJSON needs a pointer
	kind   sortKind
	number float64
	text   string
}

// sortValueOf reads a JSON value; nil is an absent one.
func sortValueOf(raw []byte) (sortValue, error) {
	if len(raw) == 0 {
		return sortValue{}, nil
	}
	switch raw[0] {
	case 'n':
		return sortValue{kind: sortNull}, nil
	case 'f':
		return sortValue{kind: sortFalse}, nil
	case 't':
		return sortValue{kind: sortTrue}, nil
	case '[':
		return sortValue{kind: sortArray}, nil
	case '{':
		return sortValue{kind: sortObject}, nil
	case '"':
		if bytes.IndexByte(raw, '\\') < 0 {
			return sortValue{kind: sortString, text: string(raw[1 : len(raw)-1])}, nil
		}
		v := sortValue{kind: sortString}
		err := json.Unmarshal(raw, &v.text)
		return v, err
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // which gives an infinity
		return sortValue{}, err
	}
	return sortValue{kind: sortNumber, number: n}, nil
}

// compare orders values as ORDER BY, MIN and MAX do: by type first, numbers as
// float64, strings by their UTF-8 bytes. Arrays have no order among themselves,
// and neither have objects.
func (v sortValue) compare(w sortValue) int {
	switch {
	case v.kind != w.kind:
		return cmp.Compare(v.kind, w.kind)
	case v.kind == sortNumber:
		return cmp.Compare(v.number, w.number)
	default:
		return strings.Compare(v.text, w.text)
	}
}
