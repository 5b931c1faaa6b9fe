package lock

import (
	"strconv"
	"strings"
)

// numberTypes are the values of Property.Number.
var numberTypes = []string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}

// familyOf splits a Go type of numbers into "int", "uint" or "float" and its size in bits.
func familyOf(number string) (family string, bits int) {
	family = strings.TrimRight(number, "0123456789")
	bits, _ = strconv.Atoi(number[len(family):])
	return family, bits
}

// Holds reports whether encoding/json can read a JSON number into a property. A property with an
// unknown Number holds all.
func (p Property) Holds(number string) bool {
	var err error
	switch family, bits := familyOf(p.Number); family {
	case "int":
		_, err = strconv.ParseInt(number, 10, bits)
	case "uint":
		_, err = strconv.ParseUint(number, 10, bits)
	case "float":
		_, err = strconv.ParseFloat(number, bits)
	}
	return err == nil
}

// Narrows reports whether a property no longer holds all numbers that it held before, as far as
// both types are known. Floats hold integers, by rounding.
func (p Property) Narrows(before Property) bool {
	was, wide := familyOf(before.Number)
	now, bits := familyOf(p.Number)
	switch {
	case was == "" || now == "":
		return false
	case was == now:
		return bits < wide
	case was == "uint" && now == "int":
		return bits <= wide
	}
	return now != "float"
}
