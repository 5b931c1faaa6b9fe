package repository

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// marshal returns the JSON of doc. A type with its own MarshalJSON must write
// the id that its key names: the usual way to get this wrong is to embed a type
// that has a MarshalJSON, which then writes that part alone.
func marshal(doc any, id string) ([]byte, error) {
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	if _, ok := doc.(json.Marshaler); !ok {
		return body, nil
	}
	var written struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(body, &written); err != nil {
		return nil, fmt.Errorf("MarshalJSON did not write a JSON object: %w", err)
	}
	var text string
	if json.Unmarshal(written.ID, &text) != nil || text != id {
		return nil, errors.New("MarshalJSON wrote no id, or another one than that of the key: does the type embed another one that has a MarshalJSON?")
	}
	return body, nil
}

// setText sets the property at path, such as "/partitionKey" or "/meta/key",
// to text, and returns the new document.
func setText(body []byte, path, text string) ([]byte, error) {
	value, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	body, err = setProperty(body, strings.Split(strings.TrimPrefix(path, "/"), "/"), value)
	if err != nil {
		return nil, fmt.Errorf("cannot write the partition key to %s: %w", path, err)
	}
	return body, nil
}

// setProperty sets the property at path within the JSON object to value.
func setProperty(object []byte, path []string, value []byte) ([]byte, error) {
	name, err := json.Marshal(path[0]) //nolint:gosec // a path has a name
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(object, []byte("{")) {
		return nil, errors.New("the document is not a JSON object")
	}
	var start, end int
	// A property cannot be there unless its name is, or an escape that spells it.
	if bytes.Contains(object, name) || bytes.Contains(object, []byte(`\u`)) {
		if start, end, err = findProperty(object, path[0]); err != nil { //nolint:gosec // as above
			return nil, err
		}
	}
	if len(path) > 1 {
		inner := []byte("{}")
		if end > 0 && string(object[start:end]) != "null" {
			inner = object[start:end:end]
		}
		if value, err = setProperty(inner, path[1:], value); err != nil {
			return nil, fmt.Errorf("property %s: %w", path[0], err)
		}
	}
	if end > 0 {
		return bytes.Join([][]byte{object[:start], value, object[end:]}, nil), nil
	}
	return appendProperty(object, name, value), nil
}

// appendProperty adds a property behind those that object has. Object is what
// json.Marshal wrote, so its last byte is the closing brace.
func appendProperty(object, name, value []byte) []byte {
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

// findProperty returns where the value of the property of this name stands, or
// zeros.
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
