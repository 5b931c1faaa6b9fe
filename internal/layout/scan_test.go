package layout

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

func strconvAppend(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }

// odd are texts on which readers of JSON disagree.
var odd = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a":01}`, `{"a":-}`, `{"a":.5}`, `{"a":1.}`, `{"a":1e}`, `{"a":1e+5}`, `{"a":+1}`, `{"a":tru}`, `{"a":true}`, `{"a":nul`, `{"a":null}`,
	`{"a":"\x"}`, `{"a":"\u12"}`, `{"a":"\u12g4"}`, `{"a":"\uD800"}`, `{"a":"\ud83c\udf0d"}`, "{\"a\":\"\t\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\u2028\"}", `{"a":"`, `{"a":"\`,
	`{"a":1,}`, `{,}`, `{"a" 1}`, `{a:1}`, `{'a':1}`, `{"a":1}}`, `{"a":1}x`, `[1,2`, `[1,]`, `[,]`, `{"a":[1,{"b":[]}]}`, "\ufeff{}", `{"a":1}` + "\x00", `{"a":1}` + "\v",
	`{"a":{"b":1,"c":2},"a":{"b":3}}`, `{"a":{"b":1},"a":null}`, `{"\u0061":{"\u0062":7}}`, `{"a":{"b":1},"A":{"b":2}}`, `"x"`, `7`, `null`, ``, ` `, `{"a":Infinity}`, `/**/{}`,
	strings.Repeat("[", jsonscan.MaxDepth) + strings.Repeat("]", jsonscan.MaxDepth), strings.Repeat("[", jsonscan.MaxDepth+1) + strings.Repeat("]", jsonscan.MaxDepth+1),
	strings.Repeat(`{"a":`, jsonscan.MaxDepth) + "1" + strings.Repeat("}", jsonscan.MaxDepth), strings.Repeat(`{"a":`, jsonscan.MaxDepth+1) + "1" + strings.Repeat("}", jsonscan.MaxDepth+1),
}

// checkScan compares what a scanner finds in a text with what encoding/json finds.
func checkScan(t *testing.T, text []byte) {
	t.Helper()
	root, slots := node{slot: -1}, 0
	a, b, c := root.add([]string{"a"}, &slots), root.add([]string{"a", "b"}, &slots), root.add([]string{"é"}, &slots)
	s := scanner{Checker: jsonscan.Check(text), slots: make([]span, slots)}
	valid, object := s.document(root.children)
	if valid != json.Valid(text) {
		t.Fatalf("%q: valid is %v", text, valid)
	}
	if !valid {
		return
	}
	var properties map[string]json.RawMessage
	if isObject := json.Unmarshal(text, &properties) == nil && properties != nil; isObject != object {
		t.Fatalf("%q: object is %v", text, object)
	}
	if !object {
		return
	}
	var inner map[string]json.RawMessage
	if raw := properties["a"]; len(raw) > 0 && raw[0] == '{' {
		if err := json.Unmarshal(raw, &inner); err != nil {
			t.Fatal(err)
		}
	}
	for slot, want := range map[int]json.RawMessage{a: properties["a"], b: inner["b"], c: properties["é"]} {
		got := values{text: text, spans: s.slots}.at(slot)
		if !bytes.Equal(got.raw, want) {
			t.Fatalf("%q: %q, want %q", text, got.raw, want)
		}
		if len(want) == 0 || want[0] != '"' {
			continue
		}
		var text string
		if err := json.Unmarshal(want, &text); err != nil {
			t.Fatal(err)
		}
		said, _ := jsonscan.AppendText([]byte("x"), want)
		if strings.ToValidUTF8(string(said[1:]), "\ufffd") != strings.ToValidUTF8(text, "\ufffd") && !strings.Contains(text, "\ufffd") {
			t.Fatalf("%s says %q, want %q", want, said, text)
		}
		if got.plain && string(want[1:len(want)-1]) != text {
			t.Fatalf("%s is plain, and says %q", want, text)
		}
	}
}

func TestScan(t *testing.T) {
	for _, text := range odd {
		checkScan(t, []byte(text))
	}
}

// FuzzScan expects the same of a text as encoding/json does, and no panic of layouts.
func FuzzScan(f *testing.F) {
	for _, text := range odd {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	var layouts []*Layout
	for _, template := range []string{"{a}", "{a|lower}-{a.b}", "{a|day}.{é%9}", "{a},{a.b},{é}", "{a}.{*%9}", "{é}/{a+a.b|hour%3}"} {
		for _, escape := range []bool{false, true} {
			l, err := Candidate(template, escape, lock.Entry{})
			if err != nil {
				f.Fatal(err)
			}
			layouts = append(layouts, l)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkScan(t, text)
		for _, l := range layouts {
			k, err := l.Key(text)
			var problem *Error
			switch {
			case err != nil && !errors.As(err, &problem):
				t.Fatalf("%s of %q: %v", l, text, err)
			case err == nil && k.Len() != l.Levels():
				t.Fatalf("%s of %q: %s", l, text, k)
			case err == nil:
				if _, err := k.EPK(); err != nil {
					t.Fatalf("%s of %q: %v", l, text, err)
				}
			}
		}
	})
}
