package write

import (
	"encoding/json"
	"errors"
	"fmt"
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
