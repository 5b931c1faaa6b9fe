package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// keyVersion is the version of a partition key definition as clients send it: a number, or the
// name of a constant of Microsoft's SDK for Java, such as "V2".
type keyVersion int

// UnmarshalJSON reads a number, or a text of a number that a V may precede.
func (v *keyVersion) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return json.Unmarshal(raw, (*int)(v))
	}
	n, err := strconv.Atoi(strings.TrimLeft(text, "vV"))
	if err != nil {
		return fmt.Errorf("the version is %q, not 1 or 2", text)
	}
	*v = keyVersion(n)
	return nil
}

// UnmarshalJSON reads a definition, and keeps the values of absent members.
func (d *KeyDefinition) UnmarshalJSON(raw []byte) error {
	type plain KeyDefinition
	sent := struct {
		*plain
		Version *keyVersion `json:"version"`
	}{plain: (*plain)(d), Version: (*keyVersion)(&d.Version)}
	return json.Unmarshal(raw, &sent)
}

// numbered returns the text of a partition key definition with its version as a number.
func numbered(definition json.RawMessage) json.RawMessage {
	var properties map[string]json.RawMessage
	var version keyVersion
	if json.Unmarshal(definition, &properties) != nil || !strings.HasPrefix(string(properties["version"]), `"`) ||
		json.Unmarshal(properties["version"], &version) != nil {
		return definition
	}
	properties["version"] = strconv.AppendInt(nil, int64(version), 10)
	text, err := json.Marshal(properties)
	if err != nil {
		return definition
	}
	return text
}
