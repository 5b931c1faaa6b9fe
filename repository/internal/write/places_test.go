package write

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestPlacesInOrder sees in which order places are tried, and that a document which
// moves between two tries is found.
func TestPlacesInOrder(t *testing.T) {
	places := func(present int, names ...string) Places {
		m := Places{Present: present}
		for _, name := range names {
			m.All = append(m.All, Site{Place: wire.Place{ID: "e", Name: name, Text: name}})
		}
		return m
	}
	for _, tt := range []struct {
		places Places
		want   string
	}{
		{places(0, "4"), "4"},
		{places(0, "4", "12"), "4 12"},
		{places(1, "4", "12"), "12 4 12"},
		{places(2, "2", "4", "12"), "12 4 2 12"},
		{places(1, "2", "4", "12"), "4 12 2 4"},
	} {
		var tried []string
		_, err := tt.places.First(func(p Site) error {
			tried = append(tried, p.Name)
			return wire.ErrNotFound
		})
		if got := strings.Join(tried, " "); got != tt.want || !errors.Is(err, wire.ErrNotFound) {
			t.Errorf("tried %s, want %s: %v", got, tt.want, err)
		}
	}

	at := "4"
	p, err := places(1, "4", "12").First(func(p Site) error {
		if p.Name == at {
			return nil
		}
		at = "12" // it moves right after the first try
		return wire.ErrNotFound
	})
	if err != nil || p.Name != "12" {
		t.Errorf("a document that moves was found at %q: %v", p.Name, err)
	}

	var tried []string
	_, err = places(1, "4", "12").First(func(p Site) error {
		tried = append(tried, p.Name)
		return &wire.OperationError{Kind: wire.ErrNotFound, Unclear: true, Err: wire.ErrNotFound}
	})
	if !slices.Equal(tried, []string{"12"}) || !errors.Is(err, wire.ErrUnclear) {
		t.Errorf("after an unclear outcome: tried %v, %v", tried, err)
	}
}
