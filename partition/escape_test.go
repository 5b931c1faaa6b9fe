package partition

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"
)

// escaped is a text, the separators, and what AppendEscaped writes.
type escaped struct{ text, separators, want string }

// escapedVectors may grow; a row that is there may never change.
var escapedVectors = []escaped{
	{"", "-", ""},
	{"abc-123", "", "abc-123"},
	{"abc-123", "-.", "abc%2D123"},
	{"abc-123", ".", "abc-123"},
	{"-", "-", "%2D"},
	{"a-b-", "-", "a%2Db%2D"},
	{"100%", "-", "100%25"},
	{"%2D", "-", "%252D"},
	{"%", "", "%25"},
	{"a|b.c", "|.", "a%7Cb%2Ec"},
	{"a b/c", "/", "a b%2Fc"},
	{"tab\tnul\x00", "-", "tab%09nul%00"},
	{"\x1f\x20\x7e\x7f", "-", "%1F ~%7F"},
	{"é日本", "-", "é日本"},
	{"é日本", "日", "é%E6%97%A5本"},
	{"é日本", "-é", "%C3%A9日本"},
	{"\u0080\u009f\u00a0", "-", "%C2%80%C2%9F\u00a0"},
	{"hi 😀", "-", "hi %F0%9F%98%80"},
	{"\U00010000\uffff", "-", "%F0%90%80%80\uffff"},
	{"\ufffd", "-", "\ufffd"},
	{"\ufffd", "\ufffd", "%EF%BF%BD"},
	{"a\xff", "-", "a%FF"},
	{"\xe6\x97", "-", "%E6%97"},
	{"\xed\xa0\x80", "-", "%ED%A0%80"},
	{"\xf0\x9f\x98", "-", "%F0%9F%98"},
	{`"\` + "\u2028<&>", "-", `"\` + "\u2028<&>"},
}

func TestAppendEscaped(t *testing.T) {
	for _, v := range escapedVectors {
		if got := string(AppendEscaped([]byte("k-"), v.text, v.separators)); got != "k-"+v.want {
			t.Errorf("AppendEscaped(%q, %q) = %q, want %q", v.text, v.separators, got, "k-"+v.want)
		}
		if got := string(AppendEscaped(nil, []byte(v.text), v.separators)); got != v.want {
			t.Errorf("AppendEscaped of the bytes of %q with %q = %q, want %q", v.text, v.separators, got, v.want)
		}
		if got, err := Unescape(v.want, v.separators); err != nil || got != v.text {
			t.Errorf("Unescape(%q, %q) = %q, %v, want %q", v.want, v.separators, got, err, v.text)
		}
	}
}

func TestAppendEscapedInt(t *testing.T) {
	for _, tt := range []struct {
		v          int64
		separators string
		want       string
	}{
		{0, "-", "0"},
		{-5, "-", "%2D5"},
		{-5, ".", "-5"},
		{-1 << 63, ".-", "%2D9223372036854775808"},
		{1<<63 - 1, "-", "9223372036854775807"},
	} {
		if got := string(AppendEscapedInt(nil, tt.v, tt.separators)); got != tt.want {
			t.Errorf("AppendEscapedInt(%d, %q) = %q, want %q", tt.v, tt.separators, got, tt.want)
		}
	}
}

func TestUnescapeRefuses(t *testing.T) {
	for _, tt := range []struct{ text, separators, want string }{
		{"%", "-", `has a "%" at byte 0 without two upper-case hexadecimal digits after it`},
		{"a%2", "-", `has a "%" at byte 1 without two upper-case hexadecimal digits after it`},
		{"%25%", "-", `has a "%" at byte 3 without two upper-case hexadecimal digits after it`},
		{"é%2d", "-", `has a "%" at byte 2 without two upper-case hexadecimal digits after it`},
		{"%D", "-", `has a "%" at byte 0 without two upper-case hexadecimal digits after it`},
		{"%G0", "-", `has a "%" at byte 0 without two upper-case hexadecimal digits after it`},
		{"%%25", "-", `has a "%" at byte 0 without two upper-case hexadecimal digits after it`},
		{"% 25", "-", `has a "%" at byte 0 without two upper-case hexadecimal digits after it`},
		{"%41", "-", `spells "A" at byte 0 in another way than the generated code`},
		{"%2D", ".", `spells "-" at byte 0 in another way than the generated code`},
		{"a-b", "-", `spells "-" at byte 1 in another way than the generated code`},
		{"%25\x00", "-", `spells "\x00" at byte 3 in another way than the generated code`},
		{"\x7f", "-", `spells "\x7f" at byte 0 in another way than the generated code`},
		{"\u0085", "-", `spells "\u0085" at byte 0 in another way than the generated code`},
		{"😀", "-", `spells "😀" at byte 0 in another way than the generated code`},
		{"a\xff", "-", `spells "\xff" at byte 1 in another way than the generated code`},
		{"%C3%A9", "-", `spells "é" at byte 0 in another way than the generated code`},
		{"\xc3%A9", "-", `spells "é" at byte 0 in another way than the generated code`},
		{"%C3\xa9", "-", `spells "é" at byte 0 in another way than the generated code`},
		{"%F0\x9f\x98\x80", "-", `spells "😀" at byte 0 in another way than the generated code`},
		{"%F0%9F%98\x80", "-", `spells "😀" at byte 0 in another way than the generated code`},
		{"日", "日", `spells "日" at byte 0 in another way than the generated code`},
	} {
		_, err := Unescape(tt.text, tt.separators)
		var keyErr *KeyError
		if !errors.As(err, &keyErr) || *keyErr != (KeyError{Reason: tt.want}) {
			t.Errorf("Unescape(%q, %q): %v, want %s", tt.text, tt.separators, err, tt.want)
		}
	}
}

func TestEscapedComponents(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Component
		want string // "" for a component that is accepted
	}{
		{"text that nothing else accepts", EscapedText("VIN", "\x00\xff😀"), ""},
		{"empty text", EscapedText("VIN", ""), "T.VIN: is empty: set it before the key is made"},
		{"lower text", EscapedLowerText("VIN", "AB\x00"), ""},
		{"empty lower text", EscapedLowerText("VIN", ""), "T.VIN: is empty: set it before the key is made"},
		{"lower text beyond ASCII", EscapedLowerText("City", "Zürich"),
			`T.City: has "ü" (U+00FC) at byte 1: only ASCII has the same lower case in all languages, so change the case of such text before it is stored, and leave the option lower out`},
		{"marshaler", EscapedMarshaled("Addr", onlyMarshaler("a\r")), ""},
		{"empty marshaler", EscapedMarshaled("Addr", netip.Addr{}), "T.Addr: is empty: set it before the key is made"},
		{"failing marshaler", EscapedMarshaled("Addr", failing{errors.New("no text")}), "T.Addr: is empty: MarshalText failed: give it a value that has a text"},
	} {
		got := ""
		if err := Check("T", tt.c); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestEscapingDoesNotAllocate(t *testing.T) {
	text := "a-b%\t é日本 \u0085 😀 \xff"
	buffer, bytes, plain := make([]byte, 0, 128), []byte(text), "1HGCM82633A004352"
	if n := testing.AllocsPerRun(100, func() {
		buffer = AppendEscaped(buffer[:0], text, "-.日")
		buffer = AppendEscaped(buffer, bytes, "-.日")
		buffer = AppendEscaped(buffer, plain, "-.日")
		buffer = AppendEscapedInt(buffer, -42, "-.")
		if err := Check("T", EscapedText("A", text), EscapedLowerText("B", plain)); err != nil {
			t.Fatal(err)
		}
		if _, err := Unescape(plain, "-."); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("escaping allocates %v times, want 0", n)
	}
	long := string(AppendEscaped(nil, strings.Repeat(text, 20), "-."))
	if n := testing.AllocsPerRun(100, func() {
		if _, err := Unescape(long, "-."); err != nil {
			t.Fatal(err)
		}
	}); n != 1 {
		t.Errorf("Unescape allocates %v times, want 1", n)
	}
}

// separatorsOf makes separators of any text: its characters that may be one.
func separatorsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '%' || r == utf8.RuneError || r < utf8.RuneSelf && (r < ' ' || r == 0x7F || strings.ContainsRune(hexDigits+"abcdefghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ", r)) {
			return -1
		}
		return r
	}, text)
}

func FuzzEscape(f *testing.F) {
	for _, v := range escapedVectors {
		f.Add(v.text, v.want, v.separators)
	}
	f.Add("a\xf0%9F%98", "%F0\x9f", "-.")
	f.Fuzz(func(t *testing.T, a, b, separators string) {
		separators = separatorsOf(separators)
		textA, textB := string(AppendEscaped(nil, a, separators)), string(AppendEscaped(nil, []byte(b), separators))
		if (a == b) != (textA == textB) {
			t.Errorf("%q and %q are written as %q and %q", a, b, textA, textB)
		}
		if back, err := Unescape(textA, separators); err != nil || back != a {
			t.Errorf("%q is written as %q, which is read as %q, %v", a, textA, back, err)
		}
		if strings.ContainsAny(textA, separators) {
			t.Errorf("%q is written as %q, which holds one of %q", a, textA, separators)
		}
		if a != "" && (Check("", Text("", textA)) != nil || !survivesHeader(textA)) {
			t.Errorf("%q is written as %q, which cannot be sent", a, textA)
		}
		if back, err := Unescape(b, separators); err == nil && string(AppendEscaped(nil, back, separators)) != b {
			t.Errorf("%q is read as %q, which is not written so", b, back)
		}
	})
}

func BenchmarkAppendEscaped(b *testing.B) {
	var array [64]byte
	for _, text := range []string{"1HGCM82633A004352", "abc-123-über"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(AppendEscaped(array[:0], text, "-.")) < len(text) {
					b.Fatal("too short")
				}
			}
		})
	}
}
