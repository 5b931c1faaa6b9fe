package partition

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// survivesHeader reports whether text comes back from the partition key header
// as azcosmos 1.5.0 writes it: strconv.QuoteToASCII, read as JSON.
func survivesHeader(text string) bool {
	var got string
	err := json.Unmarshal([]byte(strconv.QuoteToASCII(text)), &got)
	return err == nil && got == text
}

// TestEveryAcceptedRuneSurvivesTheHeader goes through all runes, surrogates
// included, and both ways: nothing that is accepted is mangled, and what is
// refused is either mangled or a control character.
func TestEveryAcceptedRuneSurvivesTheHeader(t *testing.T) {
	mangled, spared := 0, 0
	planes := seeds.Rows(t, 16, 1)
	last := rune(planes)<<16 | 0xFFFF
	for r := rune(0); r <= last; r++ {
		if !utf8.ValidRune(r) {
			continue // has no UTF-8, so it cannot be in a valid text
		}
		text := "a" + string(r) + "b"
		accepted, survives := Check("", Text("", text)) == nil, survivesHeader(text)
		control := r < 0x20 || 0x7F <= r && r <= 0x9F
		switch {
		case accepted && (!survives || control):
			t.Errorf("%U is accepted: survives the header: %t, control character: %t", r, survives, control)
		case !accepted && survives && !control:
			t.Errorf("%U is refused for nothing", r)
		case !accepted && survives:
			spared++
		case !accepted:
			mangled++
		}
	}
	// Survivors: \b \t \n \f \r and U+0080 to U+009F. Mangled: 27 other controls
	// below U+0020, DEL and the planes after the first: sixteen, with -short one.
	if spared != 5+32 || mangled != 27+1+planes<<16 {
		t.Errorf("%d refused runes survive and %d do not, want %d and %d", spared, mangled, 5+32, 27+1+planes<<16)
	}
}

func TestInvalidUTF8IsMangled(t *testing.T) {
	for _, text := range []string{"\xff", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80"} {
		if survivesHeader(text) {
			t.Errorf("%q survives the header", text)
		}
		if err := Check("", Text("", text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"", "1HGCM82633A004352", `"\/`, "é日本", "😀", "\x00", "\a\v", "\x7f", "\u0085", "\uFFFD", "\xff", "a\xc3", " ", ".", "..", "a ", "<&>\u2028",
		strings.Repeat("x", MaxIDBytes+1),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := Check("T", Text("F", text)); err == nil && !survivesHeader(text) {
			t.Errorf("%q is accepted and does not survive the header", text)
		} else if err != nil && !strings.HasPrefix(err.Error(), "T.F: ") {
			t.Errorf("error %q does not name the field", err)
		}
		if (Check("", Text("", text)) == nil) != (Check("", Marshaled("", onlyMarshaler(text))) == nil) {
			t.Errorf("%q: Text and Marshaled disagree", text)
		}
		if Check("", ID(text)) == nil && (text == "" || len(text) > MaxIDBytes || !utf8.ValidString(text) ||
			strings.ContainsAny(text, `/\?#`) || strings.HasSuffix(text, " ")) {
			t.Errorf("id %q is accepted", text)
		}
	})
}
