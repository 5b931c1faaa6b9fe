package write

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestLengthInUTF8 compares lengths with those of JSON that has no escapes but the
// necessary ones.
func TestLengthInUTF8(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	letters := []rune("ab\\\"/<>&\u2028\u2029é日😀\n\t\x01\x7fu003c")
	for range 2000 {
		var text []rune
		for range random.IntN(30) {
			text = append(text, letters[random.IntN(len(letters))])
		}
		escaped, err := json.Marshal(map[string]string{"text": string(text)})
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(map[string]string{"text": string(text)}); err != nil {
			t.Fatal(err)
		}
		// The encoder escapes these two in any case.
		plain := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(want.String(), "\n"))
		if got := lengthInUTF8(escaped); got != len(plain) {
			t.Fatalf("%s has %d bytes, want %d", escaped, got, len(plain))
		}
	}
	for text, want := range map[string]int{`"\ud83d\ude00"`: 6, `"\u00e9"`: 4, `"\u0001"`: 8, `"\\u003c"`: 9, `"\u00`: 5, `"\`: 2} {
		if got := lengthInUTF8([]byte(text)); got != want {
			t.Errorf("%s has %d bytes, want %d", text, got, want)
		}
	}
}

func TestCheckSize(t *testing.T) {
	for text, fits := range map[string]bool{
		strings.Repeat("x", maxDocumentBytes):           true,
		strings.Repeat("x", maxDocumentBytes+1):         false,
		strings.Repeat(`\u003c`, maxDocumentBytes/2):    true,
		strings.Repeat(`\u003c`, maxDocumentBytes+1):    false,
		strings.Repeat(`\u0001`, maxDocumentBytes/6+1):  false,
		strings.Repeat("\\\\u003c", maxDocumentBytes/6): false,
	} {
		if err := checkSize([]byte(text)); (err == nil) != fits || err != nil && !errors.Is(err, wire.ErrTooLarge) {
			t.Errorf("%d bytes that begin with %q: %v", len(text), text[:7], err)
		}
	}
}
