//go:build !race

// One goroutine reads texts here: there is nothing to watch.

package main

import (
	"sync"
	"testing"
)

// readTree reads the repository once for all tests.
var readTree = sync.OnceValues(func() ([]room, error) { return survey("../..") })

func surveyed(t *testing.T) []room {
	t.Helper()
	text(t, "../../go.mod") // so that no result of another go.mod is taken from the cache
	rooms, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	if len(rooms) < 100 {
		t.Fatalf("found %d packages", len(rooms))
	}
	return rooms
}

// seam is the room in whose terms the rooms of the run time send requests.
const seam = "repository/internal/wire"

// TestNoTypeIsAnAlias holds public types to what go doc can show: of an alias it
// shows neither fields nor methods, so that it must name a type that has a page of its own.
func TestNoTypeIsAnAlias(t *testing.T) {
	for _, r := range surveyed(t) {
		for _, name := range r.aliases {
			if r.folder == seam {
				continue // plain data of the SDK, for the rooms of the run time alone
			}
			t.Errorf("%s.%s is an internal package's type, of which go doc shows nothing: declare it, and convert it in one place", r.folder, name)
		}
	}
}
