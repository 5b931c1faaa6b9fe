package partition

import (
	"strings"
	"testing"
)

func TestAppendLower(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"1HGCM82633A004352", "1hgcm82633a004352"},
		{"@AZ[`az{", "@az[`az{"},
		{"ÄÖİ\u212aſ日本\xff", "ÄÖİ\u212aſ日本\xff"}, // U+212A is the Kelvin sign, a K
	} {
		if got := string(AppendLower([]byte("K"), tt.text)); got != "K"+tt.want {
			t.Errorf("AppendLower(%q) = %q, want %q", tt.text, got, "K"+tt.want)
		}
		if got, want := (Hash{}).Int(1).Lower(tt.text), (Hash{}).Int(1).Text(tt.want); got != want {
			t.Errorf("the hash of lower-cased %q is not that of %q", tt.text, tt.want)
		}
	}
}

func TestLowerText(t *testing.T) {
	const advice = ": only ASCII has the same lower case in all languages, so change the case of such text before it is stored, and leave the option lower out"
	for _, tt := range []struct{ text, want string }{
		{"1HGCM82633A004352", ""},
		{"a-b %/", ""},
		{"", "T.VIN: is empty: set it before the key is made"},
		{"a\x00", "T.VIN: has the control character U+0000 at byte 1: remove it"},
		{"\xff", "T.VIN: is not valid UTF-8 at byte 0 (0xff): decode the text, or encode bytes as hexadecimal or base64url"},
		{"İ", `T.VIN: has "İ" (U+0130) at byte 0` + advice},
		{"ab日", `T.VIN: has "日" (U+65E5) at byte 2` + advice},
	} {
		got := ""
		if err := Check("T", LowerText("VIN", tt.text)); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("LowerText(%q): %s, want %s", tt.text, got, tt.want)
		}
	}
}

func FuzzLower(f *testing.F) {
	f.Add("1HGCM82633A004352")
	f.Add("Straße İ \u212a \xff\x00")
	f.Fuzz(func(t *testing.T, text string) {
		got := string(AppendLower(nil, text))
		if len(got) != len(text) || !strings.EqualFold(got, text) {
			t.Errorf("AppendLower(%q) = %q", text, got)
		}
		if again := string(AppendLower(nil, got)); again != got {
			t.Errorf("AppendLower of %q = %q, want it unchanged", got, again)
		}
		if Check("", LowerText("", text)) == nil && got != strings.ToLower(text) {
			t.Errorf("%q is accepted, and its lower case is not that of Unicode: %q", text, got)
		}
		if (Hash{}).Lower(text) != (Hash{}).Text(got) {
			t.Errorf("the hash of lower-cased %q is not that of %q", text, got)
		}
	})
}

func TestLowerDoesNotAllocate(t *testing.T) {
	buffer, vin := make([]byte, 0, 64), "1HGCM82633A004352"
	if n := testing.AllocsPerRun(100, func() {
		buffer = AppendLower(buffer[:0], vin)
		if (Hash{}).Lower(vin).Bucket(400) == 0 || Check("T", LowerText("VIN", vin)) != nil {
			t.Fatal("no bucket")
		}
	}); n != 0 {
		t.Errorf("lower case allocates %v times, want 0", n)
	}
}
