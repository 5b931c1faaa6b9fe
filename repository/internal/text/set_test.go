package text

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSetText(t *testing.T) {
	for _, test := range []struct {
		name, doc, path, text, want string
	}{
		{"appended", `{"id":"1"}`, "/partitionKey", "a-1", `{"id":"1","partitionKey":"a-1"}`},
		{"into nothing", `{}`, "/partitionKey", "a", `{"partitionKey":"a"}`},
		{"replaced", `{"partitionKey":"","id":"1"}`, "/partitionKey", "a", `{"partitionKey":"a","id":"1"}`},
		{"replaced, another type", `{"id":"1","partitionKey":[1,{"x":2}],"z":3}`, "/partitionKey", "a", `{"id":"1","partitionKey":"a","z":3}`},
		{"the name as a value", `{"id":"partitionKey"}`, "/partitionKey", "a", `{"id":"partitionKey","partitionKey":"a"}`},
		{"the name deeper down", `{"inner":{"partitionKey":"x"}}`, "/partitionKey", "a", `{"inner":{"partitionKey":"x"},"partitionKey":"a"}`},
		{"the name escaped", `{"partition\u004bey":"x"}`, "/partitionKey", "a", `{"partition\u004bey":"a"}`},
		{"another escape", `{"id":"\u00e9"}`, "/partitionKey", "a", `{"id":"\u00e9","partitionKey":"a"}`},
		{"text with quotes", `{}`, "/pk", `a"b\c`, `{"pk":"a\"b\\c"}`},
		{"nested, missing", `{"id":"1"}`, "/meta/key", "a", `{"id":"1","meta":{"key":"a"}}`},
		{"nested, there", `{"meta":{"x":1,"key":"old"},"id":"1"}`, "/meta/key", "a", `{"meta":{"x":1,"key":"a"},"id":"1"}`},
		{"nested, added", `{"meta":{"x":1},"id":"1"}`, "/meta/key", "a", `{"meta":{"x":1,"key":"a"},"id":"1"}`},
		{"nested in null", `{"meta":null}`, "/meta/key", "a", `{"meta":{"key":"a"}}`},
		{"three deep", `{"a":{"b":{}}}`, "/a/b/c", "x", `{"a":{"b":{"c":"x"}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := test.doc
			got, err := SetText([]byte(test.doc), test.path, test.text)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if test.doc != before {
				t.Error("the document itself was changed")
			}
		})
	}
}

func TestSetTextRefuses(t *testing.T) {
	for _, test := range []struct{ name, doc, path, want string }{
		{"no object", `null`, "/pk", "not a JSON object"},
		{"an array", `["pk"]`, "/pk", "not a JSON object"},
		{"twice", `{"pk":"a","pk":"b"}`, "/pk", "property pk twice"},
		{"nested in a number", `{"meta":1}`, "/meta/key", "property meta: the document is not a JSON object"},
		{"broken", `{"pk":`, "/pk", "EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := SetText([]byte(test.doc), test.path, "a")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %s, error %v, want an error with %q", got, err, test.want)
			}
		})
	}
}

// FuzzSetText compares with what encoding/json makes of the same change.
func FuzzSetText(f *testing.F) {
	f.Add(`{"id":"1","n":1.5,"a":[null,true]}`, "k-1")
	f.Add(`{"pk":{"pk":1},"x":"pk"}`, "é\u2028<>&")
	f.Add(`{"p\u006b":1}`, "")
	f.Fuzz(func(t *testing.T, doc, text string) {
		var object map[string]any
		if json.Unmarshal([]byte(doc), &object) != nil || object == nil {
			t.Skip("not an object")
		}
		compact, err := json.Marshal(json.RawMessage(doc))
		if err != nil {
			t.Skip("not JSON")
		}
		got, err := SetText(compact, "/pk", text)
		if err != nil {
			if strings.Contains(err.Error(), "twice") {
				return
			}
			t.Fatalf("%s: %v", compact, err)
		}
		var changed map[string]any
		if err := json.Unmarshal(got, &changed); err != nil {
			t.Fatalf("%s became %s: %v", compact, got, err)
		}
		object["pk"] = strings.ToValidUTF8(text, "\ufffd")
		want, _ := json.Marshal(object)
		have, _ := json.Marshal(changed)
		if string(want) != string(have) && strings.ToValidUTF8(text, "") == text {
			t.Errorf("%s became %s, want %s", compact, have, want)
		}
	})
}
