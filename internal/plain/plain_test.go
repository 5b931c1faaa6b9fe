package plain_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

func TestPlain(t *testing.T) {
	for _, c := range []struct{ text, word, lines string }{
		{"", "", ""},
		{"a b/ü漢e\u0301😀.go", "a b/ü漢e\u0301😀.go", "a b/ü漢e\u0301😀.go"},
		{`"quoted" \ 'here'`, `"quoted" \ 'here'`, `"quoted" \ 'here'`},
		{"a\n\tb", `a\n\tb`, "a\n\tb"},
		{"a\r\x1b[31mb", `a\r\x1b[31mb`, `a\r\x1b[31mb`},
		{"a\u202eb\u2029c\u2028d\u0085e", `a\u202eb\u2029c\u2028d\u0085e`, `a\u202eb\u2029c\u2028d\u0085e`},
		{"a\xffb\ufffdc\U000e0001", "a\\xffb\ufffdc\\U000e0001", "a\\xffb\ufffdc\\U000e0001"},
		{"\ufeff\u00a0\x7f\x00", `\ufeff\u00a0\x7f\x00`, `\ufeff\u00a0\x7f\x00`},
	} {
		if got := plain.Word(c.text); got != c.word {
			t.Errorf("Word(%q) is %q, want %q", c.text, got, c.word)
		}
		if got := plain.Text(c.text); got != c.lines {
			t.Errorf("Text(%q) is %q, want %q", c.text, got, c.lines)
		}
	}
}
