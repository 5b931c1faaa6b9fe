package jsontext

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// Member is one member of a JSON object.
type Member struct {
	Name string
	Raw  json.RawMessage
}

// errNotObject is the error for a body that is not one JSON object.
func errNotObject() error {
	return status.BadRequest("The request payload is invalid. Ensure to provide a valid request payload: the body must be one JSON object in UTF-8.")
}

// ParseObject reads a JSON object. It returns its members in their order, with values in
// canonical form. If a name occurs several times, the last member counts.
func ParseObject(body []byte) ([]Member, error) {
	if !utf8.Valid(body) || !jsonscan.Valid(body) {
		return nil, errNotObject()
	}
	if s := jsonscan.Of(body); s.Kind() != '{' {
		return nil, errNotObject()
	}
	raw, err := canonical(body, 0)
	if err != nil {
		return nil, err
	}
	return Members(raw)
}

// Members splits a JSON object into its members. body must be valid JSON in UTF-8. If a name
// occurs several times, the last member counts. The values share the bytes of body.
func Members(body []byte) ([]Member, error) {
	s := jsonscan.Of(body)
	if !s.Enter('{') {
		return nil, errNotObject()
	}
	var list []Member
	known := names{}
	for s.More() {
		p := Member{string(s.Name()), s.Raw()}
		if i := known.find(list, p.Name); i >= 0 {
			list[i] = p
		} else {
			list = append(list, p)
		}
	}
	return list, nil
}

// names finds the members of a growing list by name: it compares few members one by one, and
// uses an index for more.
type names map[string]int

// fewMembers is the number of members up to which they are compared one by one.
const fewMembers = 16

// find returns the index of a name, or -1. In that case the caller must append the member.
func (n names) find(list []Member, name string) int {
	if len(list) < fewMembers {
		return slices.IndexFunc(list, func(p Member) bool { return p.Name == name })
	}
	for i := len(n); i < len(list); i++ {
		n[list[i].Name] = i
	}
	if i, ok := n[name]; ok {
		return i
	}
	return -1
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

// isPlain reports whether a string is ASCII without characters that need escapes.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Encode writes strings, integers, and lists and maps of them as JSON, and escapes only what
// JSON requires. These values always encode.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
