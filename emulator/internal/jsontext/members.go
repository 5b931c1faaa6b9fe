package jsontext

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Member is one member of a JSON object.
type Member struct {
	Name string
	Raw  json.RawMessage
}

// ParseObject reads a JSON object. It returns its members in their order, with values
// in canonical form and each name once (the last member of a name counts).
func ParseObject(body []byte) ([]Member, error) {
	invalid := status.BadRequest("The request payload is invalid. Ensure to provide a valid request payload: the body must be one JSON object in UTF-8.")
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, invalid
	}
	list, err := Members(body)
	if err != nil {
		return nil, err
	}
	for i, p := range list {
		if list[i].Raw, err = Canonical(p.Raw); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Members splits valid JSON, which must be an object, into its members, each name
// once (the last member of a name counts).
func Members(body []byte) ([]Member, error) {
	invalid := status.BadRequest("The request payload is invalid. Ensure to provide a valid request payload: the body must be one JSON object in UTF-8.")
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, invalid
	}
	var list []Member
	at := map[string]int{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, invalid
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, invalid
		}
		p := Member{name.(string), raw}
		if i, ok := at[p.Name]; ok {
			list[i] = p
			continue
		}
		at[p.Name] = len(list)
		list = append(list, p)
	}
	return list, nil
}

// ByName indexes members by name.
func ByName(list []Member) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage, len(list))
	for _, p := range list {
		m[p.Name] = p.Raw
	}
	return m
}

// WriteMember appends a member to an object that is being written.
func WriteMember(b *bytes.Buffer, name string, raw []byte) {
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	if isPlain(name) {
		b.WriteByte('"')
		b.WriteString(name)
		b.WriteByte('"')
	} else {
		b.Write(Encode(name))
	}
	b.WriteByte(':')
	b.Write(raw)
}

// Quote writes a string as JSON, and escapes only what JSON requires.
func Quote(s string) []byte {
	if !isPlain(s) {
		return Encode(s)
	}
	b := make([]byte, 0, len(s)+2)
	return append(append(append(b, '"'), s...), '"')
}

// isPlain reports whether a string needs no escapes, and no look at its runes.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Encode writes strings, integers, and lists and maps of them as JSON, and escapes
// only what JSON requires. Such values always encode.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
