package write

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// answered returns an answer with a header Date.
func answered(date string) wire.Answer {
	return wire.Answer{RawResponse: &http.Response{Header: http.Header{"Date": {date}}}}
}

// undated are answers that do not say what time it is.
var undated = map[string]wire.Answer{"no answer": {}, "no date": answered(""), "unreadable": answered("yesterday")}

// TestWaitWithoutDate waits as long as may be necessary.
func TestWaitWithoutDate(t *testing.T) {
	const written = 1_000_000
	for name, answer := range undated {
		if wait := waitAfter(written, answer); wait != store.CommitWait {
			t.Errorf("%s: waits for %v, want %v", name, wait, store.CommitWait)
		}
	}
	answer := answered(time.Unix(written+4, 0).UTC().Format(http.TimeFormat))
	if wait := waitAfter(written, answer); wait != store.CommitWait-4*time.Second {
		t.Errorf("4 seconds later: waits for %v, want %v", wait, store.CommitWait-4*time.Second)
	}
}

// TestLifeWithoutDate leaves documents that move their whole time to live.
func TestLifeWithoutDate(t *testing.T) {
	const raw = `{"id":"1","ttl":100,"_ts":1000000}`
	life := func(answer wire.Answer) (byRekey, byMigration float64) {
		t.Helper()
		date, _ := wire.DateOf(answer.RawResponse)
		r := Relocation{Old: &Side{Expiry: func(context.Context) (system.Expiry, error) { return -1, nil }}}
		aged, err := r.aged(t.Context(), &found{raw: []byte(raw), date: date})
		if err != nil {
			t.Fatal(err)
		}
		body, err := bodyOf(sighting{raw: []byte(raw), written: 1_000_000, answer: answer}, -1, false)
		if err != nil {
			t.Fatal(err)
		}
		left := func(document []byte) float64 {
			var d map[string]any
			if err := json.Unmarshal(document, &d); err != nil {
				t.Fatal(err)
			}
			return d["ttl"].(float64)
		}
		return left(body), left(aged)
	}
	for name, answer := range undated {
		if a, b := life(answer); a != 100 || b != 100 {
			t.Errorf("%s: the time to live is %v and %v, want 100", name, a, b)
		}
	}
	if a, b := life(answered(time.Unix(1_000_030, 0).UTC().Format(http.TimeFormat))); a != 70 || b != 70 {
		t.Errorf("30 seconds later the time to live is %v and %v, want 70", a, b)
	}
}

// TestDiscardWithoutDate removes no document whose age is unknown.
func TestDiscardWithoutDate(t *testing.T) {
	w := &Writer{Store: &store.Store{Container: wire.Container{Type: "Doc"}}} // to which nothing can be sent
	for name, answer := range undated {
		o := sighting{site: Site{Writer: w}, answer: answer}
		if err := (Places{}).discard(t.Context(), "rekey", o, sighting{}); !errors.Is(err, wire.ErrNoDate) {
			t.Errorf("%s: got %v, want ErrNoDate", name, err)
		}
	}
}
