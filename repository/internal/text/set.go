package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// SetText sets the property at path, such as "/partitionKey" or "/meta/key",
// to text, and returns the new document.
func SetText(body []byte, path, text string) ([]byte, error) {
	value, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	body, err = SetProperty(body, strings.Split(strings.TrimPrefix(path, "/"), "/"), value)
	if err != nil {
		return nil, fmt.Errorf("cannot write the partition key to %s: %w", path, err)
	}
	return body, nil
}

// SetProperty sets the property at path within a JSON object to value, which is
// JSON, and returns the new object. Objects that are missing on the way are made.
func SetProperty(object []byte, path []string, value []byte) ([]byte, error) {
	name, err := json.Marshal(path[0])
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(object, []byte("{")) {
		return nil, errors.New("the document is not a JSON object")
	}
	var start, end int
	// A property cannot be there unless its name is, or an escape that spells it.
	if bytes.Contains(object, name) || bytes.Contains(object, []byte(`\u`)) {
		if start, end, err = findProperty(object, path[0]); err != nil {
			return nil, err
		}
	}
	if len(path) > 1 {
		inner := []byte("{}")
		if end > 0 && string(object[start:end]) != "null" {
			inner = object[start:end:end]
		}
		if value, err = SetProperty(inner, path[1:], value); err != nil {
			return nil, fmt.Errorf("property %s: %w", path[0], err)
		}
	}
	if end > 0 {
		return bytes.Join([][]byte{object[:start], value, object[end:]}, nil), nil
	}
	return AppendProperty(object, name, value), nil
}

// AppendProperty adds a property at the end of an object that json.Marshal wrote,
// so that its last byte is the closing brace. Name and value are JSON.
func AppendProperty(object, name, value []byte) []byte {
	last := len(object) - 1
	grown := make([]byte, 0, len(object)+len(name)+len(value)+2)
	grown = append(grown, object[:last]...)
	if last > 1 {
		grown = append(grown, ',')
	}
	grown = append(grown, name...)
	grown = append(grown, ':')
	grown = append(grown, value...)
	return append(grown, '}')
}

// findProperty returns where the value of the property of this name begins and
// ends, or zeros.
func findProperty(object []byte, name string) (start, end int, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return 0, 0, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return 0, 0, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return 0, 0, err
		}
		if key != name {
			continue
		}
		if end > 0 {
			return 0, 0, fmt.Errorf("the document has the property %s twice", name)
		}
		end = int(dec.InputOffset())
		start = end - len(value)
	}
	return start, end, nil
}
