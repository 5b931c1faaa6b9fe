package failure

import (
	"strconv"
	"strings"
)

// OfValue returns the message for a value that cannot be stored or read: its place, such as
// `Order.At (property "at")`, and the reason, with advice. Types have no package, as in messages
// about keys. Field or property may be empty if unknown.
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
