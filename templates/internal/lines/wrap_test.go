package lines

import (
	"strings"
	"testing"
)

// TestWrap breaks lines as jennifer writes them, and leaves literals alone.
func TestWrap(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, test := range []struct{ name, line, want string }{
		{"short", "func (r * R) Get (ctx context.Context) error {", "func (r * R) Get (ctx context.Context) error {"},
		{
			"a method",
			"func (r * R) By" + long + " (a,b string,c map [string] []int,d func (int,int) error) repository.Query [T] {",
			"func (r *R) By" + long + "(\na, b string, c map[string][]int, d func (int,int) error,\n) repository.Query[T] {",
		},
		{
			"a function",
			"func New" + long + " (c * azcosmos.ContainerClient,opts ... repository.Option) * R {",
			"func New" + long + "(\nc *azcosmos.ContainerClient, opts ... repository.Option,\n) *R {",
		},
		{
			"a method of many parameters",
			"func (r * R) By (a" + long + ",b string,c" + long + " map [string] []int) error {",
			"func (r *R) By(\na" + long + ",b string,\nc" + long + " map[string][]int,\n) error {",
		},
		{
			"calls",
			`return NewQuery (r . Documents,Partition (key . Key (),Text ("A",a),Text ("B) . Where (",b)) . Where ("/a",a) . Where ("/` + long[20:] + `",string (c)))`,
			`return NewQuery(r.Documents,Partition(key.Key(),Text("A",a),Text("B) . Where (",b)).Where("/a",a).` + "\n" + `Where("/` + long[20:] + `",string(c)))`,
		},
		{"a call in a condition", "if err := Check (" + `"A",` + long + long[35:] + ",Text (b)); err != nil {", `if err := Check("A",` + long + long[35:] + ",\nText(b)); err != nil {"},
		{
			"a function within another one",
			"func (at time.Time) string { return " + long + "Key {A : a,B : f (a,b),C : " + long + "} . PartitionKey () },",
			"func (at time.Time) string {\nreturn " + long + "Key {\nA: a,\nB: f(a,b),\nC: " + long + ",\n}.PartitionKey()\n},",
		},
		{
			"a tag",
			"Name string `json:\"a . b ( c : " + long + long + "\"`",
			"Name string `json:\"a . b ( c : " + long + long + "\"`",
		},
		{"a comment", "// func " + long + long + " (a,b string) {", "// func " + long + long + " (a,b string) {"},
	} {
		if got := string(Wrap([]byte(test.line + "\n"))); got != test.want+"\n" {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}
