package query

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestBeginWithoutDate needs one answer that has a date, and takes the first time of
// several.
func TestBeginWithoutDate(t *testing.T) {
	d := dates{began: time.Now()}
	d.note(nil)
	d.note(&http.Response{})
	d.note(&http.Response{Header: http.Header{"Date": {"yesterday"}}})
	if at, err := d.begin(); !errors.Is(err, wire.ErrNoDate) {
		t.Errorf("without a date: got %v, %v, want ErrNoDate", at, err)
	}
	first := time.Date(2026, 11, 22, 20, 1, 2, 0, time.UTC)
	for _, date := range []time.Time{first.Add(time.Minute), first, first.Add(time.Hour)} {
		d.note(&http.Response{Header: http.Header{"Date": {date.Format(http.TimeFormat)}}})
	}
	d.note(&http.Response{})
	if at, err := d.begin(); err != nil || at.After(first) || at.Before(first.Add(-10*time.Second)) {
		t.Errorf("got %v, %v, want %v or a little before", at, err, first)
	}
}
