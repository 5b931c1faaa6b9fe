package annotations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOrders(t *testing.T) {
	path := func(text string, offset int) SortPath { return SortPath{Path: Path{text, offset}} }
	down := func(text string, offset int) SortPath { return SortPath{Path{text, offset}, true} }
	for _, tt := range []struct {
		tag  string
		want [][]SortPath
	}{
		{"orders=Speed+At", [][]SortPath{{path("Speed", 7), path("At", 13)}}},
		{"orders=Speed:desc+At", [][]SortPath{{down("Speed", 7), path("At", 18)}}},
		{"orders=Speed:desc+At;Date+At", [][]SortPath{
			{down("Speed", 7), path("At", 18)},
			{path("Date", 21), path("At", 26)},
		}},
		{"container=c,orders=Meta.Größe+Meta.At:desc", [][]SortPath{{path("Meta.Größe", 19), down("Meta.At", 32)}}},
		{"orders=A+B+C+D+E+F+G+H", [][]SortPath{{
			path("A", 7), path("B", 9), path("C", 11), path("D", 13), path("E", 15), path("F", 17), path("G", 19), path("H", 21),
		}}},
	} {
		got, errs := ParseType(tt.tag)
		for _, err := range errs {
			t.Errorf("%q: offset %d: %v", tt.tag, err.Offset, err)
		}
		if diff := cmp.Diff(tt.want, got.Orders, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.tag, diff)
		}
		for _, order := range got.Orders {
			for _, p := range order {
				if !strings.HasPrefix(tt.tag[p.Offset:], p.Text) {
					t.Errorf("%q: offset %d is not that of %q", tt.tag, p.Offset, p.Text)
				}
			}
		}
	}
}

func TestOrderErrors(t *testing.T) {
	const one = ` is an order by one property, which needs no composite index: write two fields or more joined by "+", or leave the order out`
	checkGolden(t, typeErrors, []golden{
		{"orders", []wrong{{0, 6, `"orders" needs a value, as in "orders=Speed:desc+At;Date+At"`}}},
		{"orders=Speed", []wrong{{7, 12, `"Speed"` + one}}},
		{"orders=A+B;Speed:desc", []wrong{{11, 21, `"Speed:desc"` + one}}},
		{"orders=Speed,At", []wrong{
			{7, 12, `"Speed"` + one},
			{13, 15, `unknown word "At": the blank field may have api, row, edge, from, to, container, own, leases, directory, path, sep, suffixsep, key, was, next, escape, type, gone, formerly, prefix, ttl, conflict, orders, index, select, later, methods, note`},
		}},
		{"orders=A+B;", []wrong{{11, 11, `empty order: write orders separated by ";", as in "orders=Speed:desc+At;Date+At"`}}},
		{"orders=;A+B", []wrong{{7, 7, `empty order: write orders separated by ";", as in "orders=Speed:desc+At;Date+At"`}}},
		{"orders=A+", []wrong{{9, 9, `empty field path: write fields joined by "+", as in "orders=Speed:desc+At;Date+At"`}}},
		{"orders=A+A:desc", []wrong{{9, 15, `field path "A" occurs here twice, and the second has no effect: remove one`}}},
		{"orders=A:asc+B", []wrong{{9, 12, `"asc" is not a direction: write ":desc" for descending, and nothing for ascending`}}},
		{"orders=A:+B:DESC", []wrong{
			{9, 9, `"" is not a direction: write ":desc" for descending, and nothing for ascending`},
			{12, 16, `"DESC" is not a direction: write ":desc" for descending, and nothing for ascending`},
		}},
		{"orders=A-b+:desc", []wrong{
			{7, 10, `field path "A-b": "A-b" is not a Go field name: write the name as in the struct, not as in JSON`},
			{11, 11, `field path "" lacks a name before or after a point: write Go field names joined by "."`},
		}},
		{"orders=A + B; C+D", []wrong{
			{7, 9, `spaces around "A": write fields and "+" without spaces`},
			{10, 12, `spaces around "B": write fields and "+" without spaces`},
			{13, 17, `spaces around "C+D": write fields, "+" and ";" without spaces`},
		}},
		{"orders=A+B+C+D+E+F+G+H+I", []wrong{
			{7, 24, `"A+B+C+D+E+F+G+H+I" is an order by 9 properties, and a composite index has at most 8: leave the last ones out`},
		}},
	})
}

// checkOptions asserts what is promised of accepted options of a container.
func checkOptions(t *testing.T, tag string, typ Type) {
	t.Helper()
	if (typ.Conflict == "") != (typ.Offset("conflict") < 0) || typ.Conflict != "" && keyPath(span{typ.Conflict, 0}) != nil {
		t.Errorf("%q: accepted with conflicts by %q", tag, typ.Conflict)
	}
	if typ.TTL < noExpiry || typ.TTL > maxSeconds || (typ.TTL == 0) != (typ.Offset("ttl") < 0) {
		t.Errorf("%q: accepted with the time to live %d", tag, typ.TTL)
	}
	if (typ.Discriminator == "") != (typ.Offset("type") < 0) {
		t.Errorf("%q: accepted with the type %q", tag, typ.Discriminator)
	}
	if (typ.Orders == nil) != (typ.Offset("orders") < 0) {
		t.Errorf("%q: accepted with the orders %v", tag, typ.Orders)
	}
	for _, order := range typ.Orders {
		if len(order) < 2 || len(order) > maxSortPaths {
			t.Errorf("%q: accepted with an order by %d properties", tag, len(order))
		}
	}
}
