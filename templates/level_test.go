package templates

import "testing"

func TestSeparators(t *testing.T) {
	field := Part{Component: &Component{}}
	text := func(s string) Part { return Part{Literal: s} }
	random, hashed := Part{Bucket: &Bucket{Count: 400}}, Part{Bucket: &Bucket{Count: 4, Hash: []Component{{}}}}
	for _, tt := range []struct {
		name  string
		parts []Part
		want  string
	}{
		{"{a}", []Part{field}, ""},
		{"v1:{a}", []Part{text("v1:"), field}, ""},
		{"{a}-{b}", []Part{field, text("-"), field}, "-"},
		{"{a}-{b}.{*%400}", []Part{field, text("-"), field, text("."), random}, "-."},
		{"v1:{a}::{b}:-{c}/end", []Part{text("v1:"), field, text("::"), field, text(":-"), field, text("/end")}, ":/"},
		{"{at|2006}年{month}月{vin%4}日", []Part{field, text("年"), field, text("月"), hashed, text("日")}, "年月日"},
	} {
		if got := (Level{Parts: tt.parts}).Separators(); got != tt.want {
			t.Errorf("separators of %s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
