package changes

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// sender sends keys and compares what arrives.
type sender struct {
	wire   *kit.Wire
	notes  kit.Notes
	visits *fixtures.VisitRepository
}

func newSender(t testing.TB) sender {
	w, container := kit.NewWire(t, "{}")
	return sender{w, kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, kit.UnverifiedNotes)}}, fixtures.NewVisitRepository(container)}
}

// send sends a text that partition.Check accepts, as a component and as a level,
// together with a number, and reports whether they are accepted.
func (s sender) send(t testing.TB, text string, number int) bool {
	t.Helper()
	ctx := context.Background()
	n := fixtures.Note{ID: "1", Topic: text, Title: "T"}
	if n.Key().Validate() != nil {
		return false
	}
	if err := s.notes.Create(ctx, &n); err != nil {
		t.Fatal(err)
	}
	if got := s.wire.Key(t); len(got) != 1 || got[0] != text+"-t" {
		t.Fatalf("the key %q was sent as %q", text+"-t", got)
	}
	var body struct {
		Key string `json:"partitionKey"`
	}
	if err := json.Unmarshal(s.wire.Body, &body); err != nil || body.Key != text+"-t" {
		t.Fatalf("the key %q was written as %q, %v", text+"-t", body.Key, err)
	}
	v := fixtures.VisitKey{ID: "1", TenantID: text, Floor: number, At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}
	if v.Validate() != nil {
		return true
	}
	levels := fixtures.VisitModel.Values(v)
	document, err := json.Marshal(map[string]any{"id": "1", "tenantId": levels[0], "place": map[string]any{"floor": levels[1]}, "partitionKey": levels[2]})
	if err != nil {
		t.Fatal(err)
	}
	s.wire.Document = document
	if _, err := s.visits.Get(ctx, v); err != nil {
		t.Fatal(err)
	}
	if got := s.wire.Key(t); !reflect.DeepEqual(got, levels) || got[1] != float64(number) || int(got[1].(float64)) != number {
		t.Fatalf("the levels %q were sent as %q", levels, got)
	}
	return true
}

// TestEveryAcceptedRuneIsSentUnharmed sends all runes that partition.Check
// accepts, in keys that are as long as can be.
func TestEveryAcceptedRuneIsSentUnharmed(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	s := newSender(t)
	accepted := 0
	var text []byte
	flush := func() {
		if len(text) > 0 && !s.send(t, string(text), accepted) {
			t.Fatalf("a text of accepted runes is refused: %q", text)
		}
		text = text[:0]
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) || partition.Check("", partition.Text("", string(r))) != nil {
			continue
		}
		accepted++
		text = utf8.AppendRune(text, r)
		if len(text) > partition.MaxKeyBytes-len("-T")-utf8.UTFMax {
			flush()
		}
	}
	flush()
	// The Basic Multilingual Plane without surrogates and 65 control characters.
	if accepted != 1<<16-2048-65 {
		t.Errorf("%d runes are accepted", accepted)
	}
}

// FuzzPartitionKeyHeader looks at the partition key header that the SDK sends
// for texts and integers that package partition accepts, as they are and
// escaped.
func FuzzPartitionKeyHeader(f *testing.F) {
	s := newSender(f)
	for _, text := range []string{
		"abc-123", `"\/`, "é日本", "😀", "\x00", "\a\v", "\x7f", "\u0085", "\ufffd", "\xff", "a\xc3", "<&>\u2028\u2029", "%2D", " ", "\ufeff", `\u0041`, "a,b]", "ſK",
		strings.Repeat("\u0800", partition.MaxKeyBytes/3),
	} {
		f.Add(text, 0)
	}
	f.Add("n", 1<<53)
	f.Add("n", -1<<53)
	f.Add("n", math.MaxInt)
	f.Fuzz(func(t *testing.T, text string, number int) {
		s.send(t, text, number)
		if partition.Check("", partition.EscapedText("", text)) != nil {
			return
		}
		escaped := string(partition.AppendEscaped(nil, text, "-"))
		if !s.send(t, escaped, number) && len(escaped)+len("-t") <= partition.MaxKeyBytes {
			t.Errorf("%q is escaped as %q, which is refused", text, escaped)
		}
	})
}
