package odata

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
)

type guid [16]byte

func (g guid) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(g[:])), nil }
func (g *guid) UnmarshalText([]byte) error  { return nil }

type doc struct {
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Small int32     `json:"small"`
	Big   int64     `json:"big"`
	Ratio float64   `json:"ratio"`
	On    bool      `json:"on"`
	At    time.Time `json:"at"`
	GUID  guid      `json:"guid"`
	Raw   []byte    `json:"raw"`
}

func columns(t *testing.T) Columns {
	t.Helper()
	shape, err := flat.Of[doc]()
	if err != nil {
		t.Fatal(err)
	}
	c, err := entity.New(shape, generated.Properties{ID: "id"}, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Column
}

func is(property string, op condition.Op, values ...any) *condition.Comparison {
	return &condition.Comparison{Property: property, Op: op, Values: values}
}

var at = time.Date(2024, 2, 29, 1, 2, 3, 456789100, time.FixedZone("", 3600))

func TestFilters(t *testing.T) {
	late := at.Add(50)
	for _, test := range []struct {
		node condition.Node
		want string
	}{
		{is("name", condition.Eq, "it's 'x' or 1 eq 1"), "name eq 'it''s ''x'' or 1 eq 1'"},
		{is("id", condition.Ge, "a"), "RowKey ge 'a'"},
		{is(Row, condition.Lt, "a"), "RowKey lt 'a'"},
		{is("small", condition.Ne, int64(-5)), "small ne -5"},
		{is("small", condition.Lt, int64(math.MaxInt32+1)), ""},
		{is("small", condition.Lt, 1.5), ""},
		{is("big", condition.Lt, int64(5)), "big lt 5L"},
		{is("big", condition.Le, uint64(5)), "big le 5L"},
		{is("big", condition.Le, uint64(math.MaxUint64)), ""},
		{is("ratio", condition.Gt, 5.0), "ratio gt 5.0"},
		{is("ratio", condition.Gt, int64(5)), "ratio gt 5.0"},
		{is("ratio", condition.Gt, 1e21), "ratio gt 1000000000000000000000.0"},
		{is("ratio", condition.Gt, math.Inf(1)), ""},
		{is("on", condition.Eq, true), "on eq true"},
		{is("at", condition.Eq, at), "at eq datetime'2024-02-29T00:02:03.4567891Z'"},
		{is("at", condition.Lt, late), "at le datetime'2024-02-29T00:02:03.4567891Z'"},
		{is("at", condition.Ge, late), "at ge datetime'2024-02-29T00:02:03.4567891Z'"},
		{is("at", condition.Ne, at), ""},
		{is("at", condition.Gt, at), "at ge datetime'2024-02-29T00:02:03.4567891Z'"},
		{is("at", condition.Ge, time.Time{}), ""},
		{is("guid", condition.Eq, "01020000-0000-0000-0000-00000000000a"), "guid eq guid'01020000-0000-0000-0000-00000000000a'"},
		{is("guid", condition.Eq, "x'y"), "guid eq 'x''y'"},
		{is("raw", condition.Eq, []byte{0xff, 0}), "raw eq X'ff00'"},
		{is("small", condition.Between, int64(1), int64(2)), "((small ge 1) and (small le 2))"},
		{is("small", condition.In, int64(1)), "small eq 1"},
		{is("small", condition.In, int64(1), int64(2)), "((small eq 1) or (small eq 2))"},
		{is("small", condition.In), "RowKey eq ''"},
		{is("name", condition.StartsWith, "a'"), "((name ge 'a''') and (name lt 'a('))"},
		{is("name", condition.StartsWith, ""), ""},
		{is("name", condition.EqFold, "a"), ""},
		{is("name", condition.Exists), ""},
		{condition.All{}, ""},
		{condition.Any{}, "RowKey eq ''"},
		{condition.All{is("on", condition.Eq, true), is("name", condition.Exists)}, "on eq true"},
		{condition.Any{is("on", condition.Eq, true), is("name", condition.Exists)}, ""},
		{condition.Any{is("on", condition.Eq, true), is("small", condition.Eq, int64(1))}, "(on eq true) or (small eq 1)"},
		{condition.Any{is("on", condition.Eq, true), condition.Any{}}, "on eq true"},
		{condition.Not{Of: is("on", condition.Eq, true)}, ""},
		{condition.Not{Of: condition.Not{Of: is("on", condition.Eq, true)}}, "on eq true"},
		{condition.Not{Of: condition.Any{}}, ""},
		{condition.Not{Of: condition.All{}}, "RowKey eq ''"},
		{condition.Not{Of: condition.Any{condition.Not{Of: is("on", condition.Eq, true)}, is("small", condition.Eq, int64(1))}}, "on eq true"},
		{condition.All{is("on", condition.Eq, true), condition.Not{Of: is("small", condition.Eq, int64(1))}}, "on eq true"},
	} {
		f, err := New(columns(t), []condition.Node{test.node})
		if err != nil || f.Text != test.want {
			t.Errorf("%+v: %+v, %v, want %q", test.node, f, err, test.want)
		}
	}
	f, err := New(columns(t), []condition.Node{is("on", condition.Eq, true), is("small", condition.Eq, int64(1))})
	if want := "PartitionKey eq 'o''d' and ((on eq true) and (small eq 1))"; err != nil || f.Partition("o'd") != want {
		t.Errorf("%q, %v, want %q", f.Partition("o'd"), err, want)
	}
	if len(f.Names) != 2 {
		t.Errorf("names %q", f.Names)
	}
}

// TestUUIDAsID compares an id that is a UUID: the row key is a text, and a property of its
// own is a GUID.
func TestUUIDAsID(t *testing.T) {
	const one, other = "01020000-0000-0000-0000-00000000000a", "01020000-0000-0000-0000-00000000000b"
	type doc struct {
		ID guid `json:"id"`
	}
	shape, err := flat.Of[doc]()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		inRow bool
		node  *condition.Comparison
		want  string
	}{
		{false, is("id", condition.Eq, one), "RowKey eq '" + one + "'"},
		{false, is("id", condition.Ne, one), "RowKey ne '" + one + "'"},
		{false, is("id", condition.In, one, other), "((RowKey eq '" + one + "') or (RowKey eq '" + other + "'))"},
		{true, is("id", condition.Eq, one), "_id eq guid'" + one + "'"},
	} {
		c, err := entity.New(shape, generated.Properties{ID: "id"}, test.inRow)
		if err != nil {
			t.Fatal(err)
		}
		f, err := New(c.Column, []condition.Node{test.node})
		if err != nil || f.Text != test.want {
			t.Errorf("%+v, %v, want %q", f, err, test.want)
			continue
		}
		if want := test.node.Op != condition.Ne; f.Holds(func(string) any { return one }) != want {
			t.Errorf("%s holds for %s: %t", f.Text, one, !want)
		}
		if !shape.Properties[0].UUID {
			t.Error("the property of the struct has changed")
		}
	}
}

func TestWhatCannotBeCompared(t *testing.T) {
	for _, n := range []condition.Node{
		is("none", condition.Eq, "a"), is("name", condition.Eq, int64(1)), is("small", condition.Eq, "a"), is("on", condition.Eq, "a"),
		is("at", condition.Eq, "a"), is("raw", condition.Eq, "a"), condition.Wrong{Err: errors.New("wrong")}, condition.Not{Of: is("none", condition.Eq, "a")},
	} {
		if f, err := New(columns(t), []condition.Node{n}); err == nil {
			t.Errorf("%+v: %q", n, f.Text)
		}
	}
}

// TestHolds decides conditions for entities with and without values.
func TestHolds(t *testing.T) {
	values := map[string]any{
		"name": "Abc", "small": int64(5), "big": int64(math.MaxInt64), "ratio": 1.5, "on": true, "at": at, "guid": "AB", "raw": []byte{1},
	}
	for _, test := range []struct {
		node condition.Node
		want bool
	}{
		{is("name", condition.Eq, "Abc"), true}, {is("name", condition.Ne, "Abc"), false}, {is("name", condition.EqFold, "aBC"), true},
		{is("name", condition.StartsWith, "Ab"), true}, {is("name", condition.EndsWith, "Ab"), false}, {is("name", condition.Contains, "b"), true},
		{is("name", condition.Exists), true}, {is("id", condition.Exists), false},
		{is("id", condition.Eq, ""), false}, {is("id", condition.Ne, "a"), false}, {condition.Not{Of: is("id", condition.Eq, "a")}, true},
		{is("small", condition.Lt, 5.5), true}, {is("small", condition.Between, int64(5), int64(6)), true}, {is("small", condition.In, int64(1), int64(5)), true},
		{is("small", condition.In), false}, {is("small", condition.Lt, uint64(math.MaxUint64)), true},
		{is("big", condition.Lt, uint64(math.MaxInt64+1)), true}, {is("big", condition.Eq, uint64(math.MaxInt64)), true}, {is("big", condition.Gt, int64(0)), true},
		{is("ratio", condition.Gt, 1.0), true}, {is("ratio", condition.Gt, int64(2)), false}, {is("ratio", condition.Lt, math.NaN()), false},
		{is("on", condition.Eq, true), true}, {is("on", condition.Ne, true), false}, {is("on", condition.Eq, false), false},
		{is("at", condition.Lt, at.Add(50)), true}, {is("at", condition.Eq, at.Add(50)), false}, {is("at", condition.Eq, at.UTC()), true},
		{is("guid", condition.Eq, "ab"), true}, {is("raw", condition.Eq, []byte{1}), true}, {is("raw", condition.Ne, []byte{1}), false},
		{condition.All{is("on", condition.Eq, true), is("name", condition.Eq, "x")}, false}, {condition.Any{is("on", condition.Eq, true), is("name", condition.Eq, "x")}, true},
	} {
		f, err := New(columns(t), []condition.Node{test.node})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Holds(func(name string) any { return values[name] }); got != test.want {
			t.Errorf("%+v: %t", test.node, got)
		}
	}
}

// TestNext checks that all texts with a prefix are before the next text, in the order of
// UTF-8 and in that of UTF-16.
func TestNext(t *testing.T) {
	for _, prefix := range []string{"a", "é", "\ud7ff", "\ue000", "\ufffd", "\ufffe", "\uffff", "a\uffff", "😀", "\U0010ffff", "b\U0010ffff", "\U0010ffff\U0010ffff"} {
		end := next(prefix)
		if end == "" {
			continue
		}
		for _, more := range []string{"", "a", "\uffff\uffff", "\U0010ffff\U0010ffff"} {
			text := prefix + more
			if text >= end || !less16(text, end) {
				t.Errorf("%q is not before %q", text, end)
			}
		}
	}
	if end := next("\U0010ffff"); end != "" {
		t.Errorf("after the last text is %q", end)
	}
	if end := next("b\uffff"); end != "c" {
		t.Errorf("after b and U+FFFF is %q", end)
	}
	if strings.Contains(next("\ud7ff"), "\ufffd") {
		t.Error("the next text is not valid")
	}
}

func less16(a, b string) bool {
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := range x {
		if i == len(y) || x[i] != y[i] {
			return i < len(y) && x[i] < y[i]
		}
	}
	return len(x) < len(y)
}
