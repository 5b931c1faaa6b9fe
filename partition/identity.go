package partition

import (
	"encoding"
	"reflect"
)

// TextOf returns the text form of an item id or a natural key, as [AppendText] writes it: "" if
// v is nil, or its method fails or panics.
//
// It costs one allocation for the call through an interface, one for the result, and those of
// the method. It is as safe for concurrent use as that method.
func TextOf[T encoding.TextMarshaler](v T) string {
	text, err := marshal(nil, v)
	if err != nil {
		return ""
	}
	return string(text)
}

// MarshaledID checks an item id with a text form: by the rules of [ID], and not the zero value
// of its type, which is nearly always a field that was never set. v is the value or a pointer
// to it.
//
// It calls the method that [AppendText] calls, once. It costs the allocations of that method,
// and of a copy of the text.
func MarshaledID[T encoding.TextMarshaler](v T) Component {
	text, reason := identity(v)
	if reason == "" {
		reason = idProblem(text)
	}
	return Component{field: "ID", reason: reason}
}

// PrefixedMarshaledID checks an item id like [MarshaledID], and its prefix like [PrefixedID].
func PrefixedMarshaledID[T encoding.TextMarshaler](v T, prefix string) Component {
	text, reason := identity(v)
	if reason != "" {
		return Component{field: "ID", reason: reason}
	}
	return PrefixedID(text, prefix)
}

// MarshaledKey checks a natural key with a text form: by the rules of [Text], and not the zero
// value of its type, see [MarshaledID].
func MarshaledKey[T encoding.TextMarshaler](field string, v T) Component {
	text, reason := identity(v)
	if reason == "" {
		reason = keyTextProblem(text)
	}
	return Component{field: field, reason: reason}
}

// identity returns the text of a value that identifies a document, or the reason why it has no
// text.
func identity[T encoding.TextMarshaler](v T) (text, reason string) {
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	if value.IsValid() && value.IsZero() {
		return "", reasonZero
	}
	made, err := marshal(nil, v)
	if err != nil {
		return "", unmarshaled("", err).reason
	}
	return string(made), ""
}

// reasonZero is the reason for an id or a natural key that is the zero value of its type.
const reasonZero = "is empty, the zero value of its type: set it before the key is made"
