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
			"func (r *R) By" + long + "(\na,b string,\nc map[string][]int,\nd func (int,int) error,\n) repository.Query[T] {",
		},
		{
			"a function",
			"func New" + long + " (c * azcosmos.ContainerClient,opts ... repository.Option) * R {",
			"func New" + long + "(\nc *azcosmos.ContainerClient,\nopts ... repository.Option,\n) *R {",
		},
		{
			"conditions",
			`) . Where ("/a",a) . WhereFold ("/b) . Where (",b) . Where ("/` + long + `",string (c)))`,
			").\n" + `Where("/a",a).` + "\n" + `WhereFold("/b) . Where (",b).` + "\n" + `Where("/` + long + `",string(c)))`,
		},
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
