package lock

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// goNumbers are the Go types of numbers by their names.
var goNumbers = map[string]reflect.Type{
	"int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

// edges are numbers at the ends of what the types hold.
var edges = []string{
	"0", "-0", "1", "-1", "3.5", "3.0", "1e3", "1E+3", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32769", "65535", "65536",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
	"1e38", "1e39", "-1e39", "1e308", "1e400", "1e-400",
}

// TestHolds compares with encoding/json.
func TestHolds(t *testing.T) {
	for name, typ := range goNumbers {
		for _, number := range edges {
			want := json.Unmarshal([]byte(number), reflect.New(typ).Interface()) == nil
			if got := (Property{JSON: "number", Number: name}).Holds(number); got != want {
				t.Errorf("%s holds %s: %t, and encoding/json says %t", name, number, got, want)
			}
		}
	}
	for _, number := range edges {
		if !(Property{JSON: "number"}).Holds(number) {
			t.Errorf("a number of an older file does not hold %s", number)
		}
	}
	if len(goNumbers) != len(numberTypes) {
		t.Errorf("%d types, and the file has %d", len(goNumbers), len(numberTypes))
	}
}

// TestNarrows expects a type to narrow another one if there is a number that the other
// alone holds.
func TestNarrows(t *testing.T) {
	for was := range goNumbers {
		for now := range goNumbers {
			before, after := Property{Number: was}, Property{Number: now}
			want := slices.ContainsFunc(edges, func(number string) bool { return before.Holds(number) && !after.Holds(number) })
			if got := after.Narrows(before); got != want {
				t.Errorf("from %s to %s: %t, want %t", was, now, got, want)
			}
			if after.Narrows(Property{}) || (Property{}).Narrows(before) {
				t.Errorf("%s and %s: a number of an older file narrows, or is narrowed", was, now)
			}
		}
	}
}
