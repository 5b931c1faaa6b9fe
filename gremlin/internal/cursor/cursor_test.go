package cursor_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/cosmos-pkgen/pkgen/gremlin/internal/cursor"
)

// read returns a value as json.Unmarshal would, with numbers as texts.
func read(c *cursor.Cursor) any {
	switch c.Kind() {
	case '{':
		out := map[string]any{}
		c.Object(func(name []byte) {
			key := string(name)
			out[key] = read(c)
		})
		return out
	case '[':
		out := []any{}
		c.Array(func() { out = append(out, read(c)) })
		return out
	case '"':
		text, _ := c.Text()
		return text
	}
	switch raw := string(c.Raw()); raw {
	case "null":
		return nil
	case "true", "false":
		return raw == "true"
	default:
		return json.Number(raw)
	}
}

// FuzzCursor compares what is read with encoding/json, and sees that every call ends.
func FuzzCursor(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e3,true,false,null,"x\"y\\"],"b":{"c":{}},"\u00e9\n":[[],[{}]]}`, ` [ 1 , { "a" : 2 } ] `, `"]}"`, `"\\"`, `7`, `""`, "\"\xff\"", `{"a":1,"a":2}`, `[`, `{"a"`, `"\`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := cursor.Of(text)
		if !json.Valid(text) { // it need not be right, but has to end
			c.Skip()
			return
		}
		var want any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Skip()
		}
		if got := read(&c); !reflect.DeepEqual(got, want) || c.Kind() != 0 {
			t.Errorf("%s is %#v, want %#v", text, got, want)
		}
		skipped := cursor.Of(text)
		if raw := skipped.Raw(); !json.Valid(raw) || skipped.Kind() != 0 {
			t.Errorf("%s as it is written is %s", text, raw)
		}
	})
}

// TestOtherKinds asks for a kind that the value is not: it is skipped.
func TestOtherKinds(t *testing.T) {
	c := cursor.Of([]byte(`[{"a":1},[2],"x",3]`))
	var is []bool
	c.Array(func() { is = append(is, c.Array(func() { c.Skip() })) })
	if want := []bool{false, true, false, false}; !reflect.DeepEqual(is, want) {
		t.Errorf("%v", is)
	}
	c = cursor.Of([]byte(`[{"a":1},[2],"x",3]`))
	is = nil
	c.Array(func() { is = append(is, c.Object(func([]byte) { c.Skip() })) })
	if want := []bool{true, false, false, false}; !reflect.DeepEqual(is, want) {
		t.Errorf("%v", is)
	}
	for _, value := range []string{``, `"`, `1`, `null`, `[]`} {
		if text, ok := cursor.Text([]byte(value)); ok {
			t.Errorf("%s is the text %q", value, text)
		}
	}
}
