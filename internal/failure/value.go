package failure

import (
	"strconv"
	"strings"
)

// OfValue returns the text about a value that cannot be stored or read: its place, as in
// `Order.At (property "at")`, and the reason, which says what to do. A type has no package
// there, as in the texts of keys. Field and property may be empty, where only one is known.
func OfValue(typ, field, property, reason string) string {
	args := strings.IndexByte(typ+"[", '[') // of a generic type
	place := typ[strings.LastIndexByte(typ[:args], '.')+1:]
	if field != "" {
		place += "." + field
	}
	if property != "" {
		place += " (property " + strconv.Quote(property) + ")"
	}
	return place + ": " + reason
}
