package wire

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

func TestDateOf(t *testing.T) {
	want := time.Date(2026, 11, 22, 20, 1, 2, 0, time.UTC)
	for header, known := range map[string]bool{
		"Sun, 22 Nov 2026 20:01:02 GMT":  true,
		"Sunday, 22-Nov-26 20:01:02 GMT": true,
		"Sun Nov 22 20:01:02 2026":       true,
		"":                               false,
		"2026-11-22T20:01:02Z":           false,
		"Sun, 22 Nov 2026 20:01:02":      false,
		"yesterday":                      false,
	} {
		got, err := DateOf(&http.Response{Header: http.Header{"Date": {header}}})
		switch {
		case known && (err != nil || !got.Equal(want)):
			t.Errorf("%q: got %v, %v", header, got, err)
		case !known && (!errors.Is(err, ErrNoDate) || !got.IsZero()):
			t.Errorf("%q: got %v, %v, want ErrNoDate", header, got, err)
		}
	}
	for name, answer := range map[string]*http.Response{"no answer": nil, "no header": {}} {
		if got, err := DateOf(answer); !errors.Is(err, ErrNoDate) || !got.IsZero() {
			t.Errorf("%s: got %v, %v, want ErrNoDate", name, got, err)
		}
	}
}
