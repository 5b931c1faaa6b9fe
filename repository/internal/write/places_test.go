package write

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestPlacesInOrder sees in which order places are read.
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
		{places(1, "4", "12"), "12 4"},
		{places(2, "2", "4", "12"), "12 4 2"},
		{places(1, "2", "4", "12"), "4 12 2"},
	} {
		names := []string{tt.places.Home().Name}
		for _, p := range tt.places.Others() {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != tt.want || !slices.Equal(names, strings.Fields(tt.want)) {
			t.Errorf("read %s, want %s", got, tt.want)
		}
	}
}
