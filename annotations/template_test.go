package annotations

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// field is the part of a template that is a field's text.
func field(name string) Part { return Part{Component: &Component{Fields: []string{name}}} }

func TestTemplate(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Level
	}{
		{"{id}", Level{field("id")}},
		{"{deviceId}-{date}", Level{field("deviceId"), {Literal: "-"}, field("date")}},
		{"{date}.{vin%400}", Level{field("date"), {Literal: "."}, {Component: &Component{Fields: []string{"vin"}, Buckets: 400}}}},
		{"{date}.{*%400}", Level{field("date"), {Literal: "."}, {Component: &Component{Buckets: 400}}}},
		{"{vin+region%400}", Level{{Component: &Component{Fields: []string{"vin", "region"}, Buckets: 400}}}},
		{"{at|2006-01-02}.{vin%400}", Level{
			{Component: &Component{Fields: []string{"at"}, Format: "2006-01-02"}},
			{Literal: "."},
			{Component: &Component{Fields: []string{"vin"}, Buckets: 400}},
		}},
		{"{date}.{at|2006-01-02T15:04:05.000%16}", Level{
			field("date"), {Literal: "."},
			{Component: &Component{Fields: []string{"at"}, Format: "2006-01-02T15:04:05.000", Buckets: 16}},
		}},
		{"{at|2006+01}", Level{{Component: &Component{Fields: []string{"at"}, Format: "2006+01"}}}},
		{"customer:{CustomerID}:discounts:{ResourceID.SubscriptionID}", Level{
			{Literal: "customer:"}, field("CustomerID"), {Literal: ":discounts:"}, field("ResourceID.SubscriptionID"),
		}},
		{"{weird name/é-*:\"}|%+日本{😀}", Level{field("weird name/é-*:\""), {Literal: "|%+日本"}, field("😀")}},
		{"v1-{vin%2}0", Level{{Literal: "v1-"}, {Component: &Component{Fields: []string{"vin"}, Buckets: 2}}, {Literal: "0"}}},
		{"{vin|lower}", Level{{Component: &Component{Fields: []string{"vin"}, Lower: true}}}},
		{"{date}.{vin|lower%400}", Level{field("date"), {Literal: "."}, {Component: &Component{Fields: []string{"vin"}, Lower: true, Buckets: 400}}}},
		{"{vin+region|lower%4}", Level{{Component: &Component{Fields: []string{"vin", "region"}, Lower: true, Buckets: 4}}}},
		{"|lower{lower|lower}", Level{{Literal: "|lower"}, {Component: &Component{Fields: []string{"lower"}, Lower: true}}}},
	} {
		got, err := ParseTemplate(tt.text)
		if err != nil {
			t.Errorf("%q: offset %d: %v", tt.text, err.Offset, err)
			continue
		}
		if diff := cmp.Diff(Template{Levels: []Level{tt.want}}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
		if s := got.String(); s != tt.text {
			t.Errorf("%q prints as %q", tt.text, s)
		}
	}
}

func TestTemplateNamesOfFormats(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{at|year}", "{at|2006}"},
		{"{at|month}.{vin%400}", "{at|2006-01}.{vin%400}"},
		{"{at|day}", "{at|2006-01-02}"},
		{"{a}.{at|hour%400}", "{a}.{at|2006-01-02T15%400}"},
	} {
		got, err := ParseTemplate(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if s := got.String(); s != tt.want {
			t.Errorf("%q prints as %q, want %q", tt.text, s, tt.want)
		}
	}
}

func TestTemplateOfLevels(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []Level
	}{
		{"{tenant},{user}-{date}", []Level{{field("tenant")}, {field("user"), {Literal: "-"}, field("date")}}},
		{"{tenantId},{userId|lower},{at|2006-01}.{vin%400}", []Level{
			{field("tenantId")},
			{{Component: &Component{Fields: []string{"userId"}, Lower: true}}},
			{{Component: &Component{Fields: []string{"at"}, Format: "2006-01"}}, {Literal: "."}, {Component: &Component{Fields: []string{"vin"}, Buckets: 400}}},
		}},
		{"{a},{b},{c},{id}", []Level{{field("a")}, {field("b")}, {field("c")}, {field("id")}}},
		{"{a},{a|lower},v1:{a}", []Level{{field("a")}, {{Component: &Component{Fields: []string{"a"}, Lower: true}}}, {{Literal: "v1:"}, field("a")}}},
	} {
		got, err := ParseTemplate(tt.text)
		if err != nil {
			t.Errorf("%q: offset %d: %v", tt.text, err.Offset, err)
			continue
		}
		if diff := cmp.Diff(Template{Levels: tt.want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
		if s := got.String(); s != tt.text {
			t.Errorf("%q prints as %q", tt.text, s)
		}
	}
	if got := (Template{}).String(); got != "" {
		t.Errorf("String() of no levels = %q", got)
	}
}

func TestCanName(t *testing.T) {
	for _, name := range []string{"date", "a.b", "a b", "b-c", "日", "a*", "", "*", " a", "a{b", "a}", "a|day", "a%4", "a+b", "a,b", ".a", "a..b", "\x01", "\xff"} {
		got, err := ParseTemplate("{" + name + "}")
		if want := err == nil && cmp.Equal(got, Template{Levels: []Level{{field(name)}}}); CanName(name) != want {
			t.Errorf("CanName(%q) = %t, want %t", name, !want, want)
		}
	}
}
