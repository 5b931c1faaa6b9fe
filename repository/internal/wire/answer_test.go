package wire

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestCheckItem(t *testing.T) {
	for raw, sound := range map[string]bool{
		`{"id":"a","n":1}`: true,
		` { "n": {"id":"b"}, "id" : "\u0061" } ` + "\n": true,
		``:                   false,
		`null`:               false,
		`{}`:                 false,
		`[]`:                 false,
		`{"id":"b"}`:         false,
		`{"id":1}`:           false,
		`{"id":"a"`:          false,
		`{"id":"a","n":{}`:   false,
		`{"id":"a","n":"}`:   false,
		`{"id":"a"}{}`:       false,
		`{"n":{"id":"a"}}`:   false,
		`{"ID":"a"}`:         false,
		`<html></html>`:      false,
		`{"id":"a","n":[]}]`: false,

		`{"id":"a","_etag":"\"1\""}`:              true,
		`{"id":"a","_etag":"\u0022\u0031\u0022"}`: true,
		`{"id":"a","_etag":"\"2\""}`:              false,
		`{"id":"a","_etag":"1"}`:                  false,
		`{"id":"a","_etag":1}`:                    false,
	} {
		err := checkItem([]byte(raw), "a", `"1"`)
		if (err == nil) != sound || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestCheckKey(t *testing.T) {
	one, two := &Container{Paths: []string{"/k"}}, &Container{Paths: []string{"/a/k", "/n"}}
	for _, test := range []struct {
		store *Container
		key   any
		raw   string
		sound bool
	}{
		{one, "x", `{"k":"x"}`, true},
		{one, "é\"", `{"k":"\u00e9\""}`, true},
		{one, "x", `{"k":"y"}`, false},
		{one, "x", `{"k":null}`, false},
		{one, "x", `{"k":7}`, false},
		{one, "x", `{}`, false},
		{one, "1", `{"k":1}`, false},
		{one, 1.0, `{"k":1.0e0}`, true},
		{one, 1.0, `{"k":"1"}`, false},
		{one, 9007199254740992.0, `{"k":9007199254740993}`, true}, // the service stores doubles
		{one, true, `{"k":true}`, true},
		{one, true, `{"k":false}`, false},
		{two, []any{"x", 2.0}, `{"n":2,"a":{"k":"x"}}`, true},
		{two, []any{"x", 2.0}, `{"n":3,"a":{"k":"x"}}`, false},
		{two, []any{"x", 2.0}, `{"n":2,"k":"x"}`, false},
	} {
		if err := test.store.checkKey([]byte(test.raw), test.key); (err == nil) != test.sound {
			t.Errorf("%v of %s: %v", test.key, test.raw, err)
		}
	}
}

func TestCheckList(t *testing.T) {
	for _, test := range []struct {
		body, header string
		length       int
		sound        bool
	}{
		{`{"_rid":"r","Documents":[{},{}],"_count":2}`, "2", 2, true},
		{`{"_rid":"r","Documents":[{},{}],"_count":2}`, "", 2, true},
		{`{"_count":2,"Documents":[{},{"_count":7}]}`, "2", 2, true},
		{`{"Documents":[{},{"a_count":7}], "_count": 2 }`, "2", 2, true},
		{`{"Documents":[{},{}],"a\"_count":7}`, "2", 2, true},
		{`{"Documents":[{},{}]}`, "2", 2, true},
		{`{"Documents":[]}`, "", 0, false},
		{`{"Documents":[]}`, "0", 0, true},
		{`{"Documents":[],"_count":0}`, "", 0, true},
		{`{"Documents":[],"_count":0}`, "0", 0, true},
		{`{"Documents":[{},{}],"_count":2}`, "3", 2, false},
		{`{"Documents":[{},{}],"_count":3}`, "", 2, false},
		{`{"Documents":[{},{}],"_count":3}`, "2", 2, false},
		{`{"Documents":[],"_count":3}`, "", 0, false},
		{`{"Documents":[],"_count":0}`, "3", 0, false},
		{`{"Documents":null,"_count":0}`, "0", 0, false},
		{`{"Documents":{},"_count":0}`, "0", 0, false},
		{`{"_count":0}`, "0", 0, false},
		{`{}`, "", 0, false},
		{`null`, "", 0, false},
		{``, "", 0, false},
		{`{"Documents":[]`, "", 0, false},
		{`{"Documents":[{"id":"a"},{"id":"b"}],"_count":2}`, "", countUnknown, true},
		{`{"Documents":[{"id":"a"},{"id":"b"}]}`, "2", countUnknown, true},
		{`{"Documents":[{"id":"a"}],"_count":2}`, "", countUnknown, false},
		{`{"Documents":[{"id":"a"}],"_count":1}`, "2", countUnknown, false},
		{`{"Documents":[null],"_count":1}`, "1", countUnknown, false},
	} {
		header := http.Header{}
		if test.header != "" {
			header.Set("x-ms-item-count", test.header)
		}
		err := checkList(header, []byte(test.body), "Documents", test.length)
		if (err == nil) != test.sound || err != nil && !IsBroken(err) {
			t.Errorf("%s, header %q, of %d: %v", test.body, test.header, test.length, err)
		}
	}
}

// TestBrokenAnswersTellNothing of what is in them.
func TestBrokenAnswersTellNothing(t *testing.T) {
	const secret = "hunter2"
	raw := []byte(`{"id":"` + secret + `","k":"` + secret + `"}`)
	for _, err := range []error{checkItem(raw, "a", ""), (&Container{Paths: []string{"/k"}}).checkKey(raw, "x"), Unparsed(json.Unmarshal(raw, new([]int)))} {
		if !IsBroken(err) || strings.Contains(err.Error(), secret) {
			t.Errorf("got %v", err)
		}
	}
}
