package lock

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormerWord reads and writes the word of a type.
func TestFormerWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]FormerName{
		"former=fullName+display=name,years=age": {{"name", []string{"fullName", "display"}}, {"age", []string{"years"}}},
		"former=a=b=c+d":                         {{"b=c+d", []string{"a"}}},
		"former=a:b+c.d=e f":                     {{"e f", []string{"a:b", "c.d"}}},
		"former=":                                nil,
		"former=a":                               nil,
		"former=a=":                              nil,
		"former==b":                              nil,
		"former=a++b=c":                          nil,
		"former=a=b,":                            nil,
	} {
		var e Entry
		if got := e.set(word); got != (want != nil) {
			t.Errorf("%s: got %v", word, got)
		}
		if want == nil {
			continue
		}
		if diff := cmp.Diff(want, e.FormerNames()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
		if got := "former=" + FormerOf(e.FormerNames()); got != word {
			t.Errorf("got %s, want %s", got, word)
		}
	}
}
