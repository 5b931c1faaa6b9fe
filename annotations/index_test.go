package annotations

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestIndexTags reads tags of global secondary indexes. A comma before a brace is one between
// levels there.
func TestIndexTags(t *testing.T) {
	component := func(format string, fields ...string) Part {
		return Part{Component: &Component{Fields: fields, Format: format}}
	}
	for _, tt := range []struct {
		tag  string
		want Type
	}{
		{"index=ByCustomer,key={CustomerID}", Type{
			Index: "ByCustomer", Key: Template{Levels: []Level{{component("", "CustomerID")}}}, KeyPaths: []Path{{"CustomerID", 22}},
		}},
		{"index=ByCustomer,key={CustomerID}-{At|month},container=by-customer,select=at+total,orders=Total+At,later,note=ambiguous", Type{
			Index: "ByCustomer", Container: "by-customer", Select: []string{"at", "total"}, Later: true,
			Key:      Template{Levels: []Level{{component("", "CustomerID"), {Literal: "-"}, component("2006-01", "At")}}},
			KeyPaths: []Path{{"CustomerID", 22}, {"At", 35}},
			Orders:   [][]SortPath{{{Path{"Total", 90}, false}, {Path{"At", 96}, false}}},
			Notes:    []Acknowledgement{{"ambiguous", 110}},
		}},
		{"key={TenantID},{CustomerID},{VIN%4},container=x,index=A", Type{
			Index: "A", Container: "x",
			Key:      Template{Levels: []Level{{component("", "TenantID")}, {component("", "CustomerID")}, {{Component: &Component{Fields: []string{"VIN"}, Buckets: 4}}}}},
			KeyPaths: []Path{{"TenantID", 5}, {"CustomerID", 16}, {"VIN", 29}},
		}},
	} {
		got, errs := ParseType(tt.tag)
		if len(errs) > 0 {
			t.Errorf("%q: %v", tt.tag, errs[0])
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Type{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.tag, diff)
		}
	}
	field, errs := ParseField("synthetic=ByCustomer")
	if field.Indexed != "ByCustomer" || field.Synthetic || !field.HasRole() || len(errs) > 0 {
		t.Errorf("a field of an index: %+v, %v", field, errs)
	}
}

// TestErrorsOfIndexes has what tags of indexes can have wrong.
func TestErrorsOfIndexes(t *testing.T) {
	const of = `it belongs to the type; write it on the blank field with the type's options, and keep "index" on a separate blank field`
	checkGolden(t, typeErrors, []golden{
		{"index=A", []wrong{{0, 5, `"index" needs "key": an index has its own key; write "index=ByCustomer,key={CustomerID}"`}}},
		{"index=byA,key={A}", []wrong{{6, 9, `"byA" is no name of an index: write a Go name that begins with a capital letter, such as ByCustomer`}}},
		{"index=By-A,key={A}", []wrong{{6, 10, `"By-A" is no name of an index: write a Go name that begins with a capital letter, such as ByCustomer`}}},
		{"index=A,key={A},path=/x", []wrong{{16, 20, `"index" and "path" exclude each other: ` + of}}},
		{"ttl=60,index=A,key={A}", []wrong{{7, 12, `"ttl" and "index" exclude each other: ` + of}}},
		{"select=a", []wrong{{0, 6, `"select" needs "index": it belongs to a global secondary index; write "index=ByCustomer,key={CustomerID}" on a separate blank field`}}},
		{"index=A,key={A},select=a++a", []wrong{{25, 25, `a name is missing: write JSON properties joined by "+", as in "select=at+total"`}, {26, 27, `"a" occurs here twice: write each property once`}}},
		{"index=A,key={A}.{*%4}", []wrong{{16, 21, `{*%4} is a random bucket, which cannot be computed again, and the run time makes the key of an index with each write: hash a field, as in {VIN%4}`}}},
		{"index=A,key={A},{A}", []wrong{{16, 19, `level 2 repeats level 1, and spreads nothing: remove one`}}},
		{"index=A,key={A}, {B}", []wrong{{16, 20, `spaces around the level "{B}": a comma alone separates levels, as in {tenantId},{userId}`}}},
		{"index=A,key={A},{B},{C},{ID}", []wrong{{24, 28, `template "{A},{B},{C},{ID}" has a fourth level, and the key of an index has three at most: join fields, or leave some out`}}},
		{"index=A,key={A},x{B}", []wrong{{16, 20, `unknown word "x{B}": a comma ends the level before it; begin each level of the key with a field, as in "key={TenantID},{CustomerID}"`}}},
		{"index=A,key={A},container=x-{A}", []wrong{{26, 31, `"x-{A}" is a template of ids, and an index is one container: write its id, as in "container=order-by-customer"`}}},
		{"key={A},{B}", []wrong{{8, 11, `unknown word "{B}": a comma ends the template before it; a key of several levels has "pk,level=1", "pk,level=2" on its fields`}}},
		{"index=A,key={A}-{A},{B}-{B}", []wrong{{16, 19, `field "A" occurs here twice: its text is in the key already; remove one`}, {24, 27, `field "B" occurs here twice: its text is in the key already; remove one`}}},
	})
	checkGolden(t, fieldErrors, []golden{
		{"synthetic=byA", []wrong{{10, 13, `"byA" is no name of an index: write a Go name that begins with a capital letter, such as ByCustomer`}}},
		{"synthetic=", []wrong{{0, 9, `"synthetic" needs a value, as in "synthetic=ByCustomer": for the key of the document itself write "synthetic" alone`}}},
		{"pk,synthetic=A", []wrong{{3, 12, `a field cannot be both "pk" and "synthetic": give each role a field of its own; only "id,pk" can be combined`}}},
	})
}
