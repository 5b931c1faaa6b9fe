package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

// long is a text whose length needs two bytes.
var long = strings.Repeat("é", 200)

var binaries = []struct{ name, binary, text string }{
	{"text stays", `{ "a":1}`, `{ "a":1}`},
	{"nothing", "", ""},
	{"an empty object", "\x80\xe8", `{}`},
	{"an object of one member", "\x80\xe9\x81a\x05", `{"a":5}`},
	{"objects with a length, and with a count", "\x80\xea\x0b\x81a\xed\x06\x02\x81b\x01\x81c\x02", `{"a":{"b":1,"c":2}}`},
	{"long lengths", "\x80\xeb\x03\x00\x81a\x01", `{"a":1}`},
	{"lengths and counts of two bytes", "\x80\xee\x03\x00\x01\x00\x81a\x01", `{"a":1}`},
	{"lengths and counts of four bytes", "\x80\xef\x03\x00\x00\x00\x01\x00\x00\x00\x81a\x01", `{"a":1}`},
	{"lengths of four bytes", "\x80\xec\x03\x00\x00\x00\x81a\x01", `{"a":1}`},
	{"arrays", "\x80\xe5\x09\x04\xe0\xe1\x01\xe2\x01\x02\xe5\x00\x00", `[[],[1],[2],[]]`},
	{"null, false, true", "\x80\xe2\x03\xd0\xd1\xd2", `[null,false,true]`},
	{"literal integers", "\x80\xe2\x02\x00\x1f", `[0,31]`},
	{"integers of all sizes", "\x80\xe2\x1c\xc8\xff\xc9\xfe\xff\xca\xff\xff\xff\x7f\xcb\x00\x00\x00\x00\x00\x00\x00\x80\xc7\xff\xff\xff\xff\xff\xff\xff\xff", `[255,-2,2147483647,-9223372036854775808,18446744073709551615]`},
	{"a double", "\x80\xcc\x00\x00\x00\x00\x00\x00\xf8\xbf", `-1.5`},
	{"texts", "\x80\xe2\x0e\x80\x83\"\\\n\xc0\x03é!\xc1\x01\x00x", `["","\"\\\u000a","é!","x"]`},
	{"a text with four bytes of length", "\x80\xc2\x90\x01\x00\x00" + long, `"` + long + `"`},
}

func TestText(t *testing.T) {
	for _, test := range binaries {
		t.Run(test.name, func(t *testing.T) {
			got, err := Text([]byte(test.binary))
			if err != nil || string(got) != test.text {
				t.Errorf("got %s, %v, want %s", got, err, test.text)
			}
		})
	}
}

func TestTextRefuses(t *testing.T) {
	for name, test := range map[string]struct{ binary, says string }{
		"nothing follows":             {"\x80", "ends"},
		"a number is cut off":         {"\x80\xcb\x00", "ends"},
		"a text is cut off":           {"\x80\x85ab", "ends"},
		"an object is cut off":        {"\x80\xea\x05\x81a", "ends"},
		"a member without a value":    {"\x80\xea\x02\x81a", "ends"},
		"more than a value":           {"\x80\x01\x02", "byte 2"},
		"a value beyond its array":    {"\x80\xe2\x02\x01\x82ab", "ends"},
		"a name that is a number":     {"\x80\xea\x02\x01\x02", "name"},
		"a count of other members":    {"\x80\xed\x03\x02\x81a\x01", "count"},
		"infinity":                    {"\x80\xcc\x00\x00\x00\x00\x00\x00\xf0\x7f", "floating point"},
		"a text that is no UTF-8":     {"\x80\x81\xff", "UTF-8"},
		"a text of the service's own": {"\x80\x20", "0x20"},
		"deep nesting":                {"\x80" + strings.Repeat("\xe1", 200) + "\xe0", "nested too deeply"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Text([]byte(test.binary))
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %q, %v, want an error that says %q", got, err, test.says)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, test := range binaries {
		f.Add([]byte(test.binary))
	}
	f.Fuzz(func(t *testing.T, binary []byte) {
		got, err := Text(binary)
		if err == nil && len(binary) > 0 && binary[0] == binaryMark && !json.Valid(got) {
			t.Errorf("%q makes %q, which is no JSON", binary, got)
		}
	})
}
