package condition

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestCheck finds the first wrong condition of a tree, however deep it is.
func TestCheck(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	speed := &Comparison{Property: "speed", Op: Gt, Values: []any{int64(3)}}
	tests := []struct {
		name  string
		nodes []Node
		want  error
	}{
		{"no conditions", nil, nil},
		{"comparisons", []Node{speed, speed}, nil},
		{"empty trees", []Node{All{}, Any{}, All(nil)}, nil},
		{"a tree", []Node{All{speed, Any{speed, Not{Of: All{speed}}}}}, nil},
		{"wrong", []Node{Wrong{Err: first}}, first},
		{"in All", []Node{speed, All{speed, Wrong{Err: first}}}, first},
		{"in Any", []Node{Any{speed, Wrong{Err: first}, speed}}, first},
		{"in Not", []Node{Not{Of: Wrong{Err: first}}}, first},
		{"deep", []Node{All{Any{Not{Of: All{Any{Wrong{Err: first}}}}}}}, first},
		{"in Elements", []Node{Elements{Property: "/lines", Of: All{speed, Wrong{Err: first}}}}, first},
		{"a length", []Node{Length{Of: speed}}, nil},
		{"the first of two", []Node{All{speed, Wrong{Err: first}}, Wrong{Err: second}}, first},
	}
	for _, test := range tests {
		if err := Check(test.nodes...); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

// TestNil refuses a condition that is nil, which would otherwise be left out of a query, so
// that it gives too many documents.
func TestNil(t *testing.T) {
	for name, node := range map[string]Node{"itself": nil, "in All": All{nil}, "in Any": Any{Any{nil}}, "in Not": Not{}} {
		if err := Check(node); err == nil || !strings.Contains(err.Error(), "make conditions with the fields") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestText(t *testing.T) {
	speed := &Comparison{Property: "speed", Op: Gt, Values: []any{int64(120)}}
	name := &Comparison{Property: "name", Op: In, Values: []any{"a", `b"c`}}
	for want, n := range map[string]Node{
		"speed > 120": speed,
		`(speed > 120) AND (NOT (name in "a", "b\"c"))`: All{speed, Not{Of: name}},
		"false": Any{}, "true": All{},
		"lines has an element with ((speed > 120))":                      Elements{Property: "?/lines", Of: All{speed}},
		"NOT (lines has only elements with (NOT (the element = \"a\")))": Not{Of: Elements{Property: "/lines", Every: true, Of: Not{Of: &Comparison{Property: Element, Op: Eq, Values: []any{json.RawMessage(`"a"`)}}}}},
		"the length of lines <= 2":                                       Length{Of: &Comparison{Property: "?/lines", Op: Le, Values: []any{int64(2)}, Zero: true}},
		"invalid: it is wrong":                                           Any{speed, Wrong{Err: errors.New("it is wrong")}},
		`(NOT (meta.name = "a")) OR (at <= 2018-08-09T06:05:04Z)`:        Any{Not{Of: &Comparison{Property: "?1<old/meta/name", Op: Eq, Values: []any{json.RawMessage(`"a"`)}}}, &Comparison{Property: "/at", Op: Le, Values: []any{time.Date(2018, 8, 9, 8, 5, 4, 0, time.FixedZone("", 7200))}}},
	} {
		if got := Text(n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
