package templates

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

func TestSeparators(t *testing.T) {
	field := pk.Part{Component: &pk.Component{}}
	text := func(s string) pk.Part { return pk.Part{Literal: s} }
	random, hashed := pk.Part{Bucket: &pk.Bucket{Count: 400}}, pk.Part{Bucket: &pk.Bucket{Count: 4, Hash: []pk.Component{{}}}}
	for _, tt := range []struct {
		name  string
		parts []pk.Part
		want  string
	}{
		{"{a}", []pk.Part{field}, ""},
		{"v1:{a}", []pk.Part{text("v1:"), field}, ""},
		{"{a}-{b}", []pk.Part{field, text("-"), field}, "-"},
		{"{a}-{b}.{*%400}", []pk.Part{field, text("-"), field, text("."), random}, "-."},
		{"v1:{a}::{b}:-{c}/end", []pk.Part{text("v1:"), field, text("::"), field, text(":-"), field, text("/end")}, ":/"},
		{"{at|2006}年{month}月{vin%4}日", []pk.Part{field, text("年"), field, text("月"), hashed, text("日")}, "年月日"},
	} {
		if got := (pk.Level{Parts: tt.parts}).Separators(); got != tt.want {
			t.Errorf("separators of %s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
