package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAliasWord reads and writes the word of a type.
func TestAliasWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]Aliased{
		"alias=fullName+display=name,years=age": {{"name", []string{"fullName", "display"}}, {"age", []string{"years"}}},
		"former=fullName=name":                  {{"name", []string{"fullName"}}},
		"alias=a=b=c+d":                         {{"b=c+d", []string{"a"}}},
		"alias=a:b+c.d=e f":                     {{"e f", []string{"a:b", "c.d"}}},
		"alias=":                                nil,
		"alias=a":                               nil,
		"alias=a=":                              nil,
		"alias==b":                              nil,
		"alias=a++b=c":                          nil,
		"alias=a=b,":                            nil,
	} {
		var e Entry
		if got := e.set(word); got != (want != nil) {
			t.Errorf("%s: got %v", word, got)
		}
		if want == nil {
			continue
		}
		if diff := cmp.Diff(want, e.AliasedProperties()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
		if got := "alias=" + AliasesOf(e.AliasedProperties()); got != strings.Replace(word, "former=", "alias=", 1) {
			t.Errorf("got %s, want %s", got, word)
		}
	}
}
