package lease

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestLeftoversOfSeveralContainers has leases of one container cover the ranges of leases of
// another, which are needed all the same.
func TestLeftoversOfSeveralContainers(t *testing.T) {
	seen := func(id, lowest, highest string, byRange bool) Seen {
		return Seen{Lease: Lease{ID: id, Range: &Range{lowest, highest}, byRange: byRange}}
	}
	all := []Seen{
		seen("p_x_A=..0", "", "FF", false),
		seen("p_x_B=..1", "", "80", false),
		seen("p_x_B=..2", "80", "FF", false),
		seen("p_x_C=..0", "", "FF", false), // was divided
		seen("p_x_C=..1", "", "80", false),
		seen("p_x_C=..2", "80", "FF", false),
		seen("p_x_D=..-FF", "", "FF", true),
	}
	needed, left := leftovers(all)
	if len(needed) != 6 || len(left) != 1 || left[0].Lease.ID != "p_x_C=..0" {
		t.Errorf("needed %v, left %v", needed, left)
	}
}

func TestLeasesOfWindows(t *testing.T) {
	at := time.Date(2026, 11, 22, 14, 51, 54, 5e8, time.UTC)
	for _, d := range []Dialect{DotNet, JavaEPK} {
		l := d.NewLease("p", "", Range{"", "FF"}, `"7"`, at)
		for _, w := range []Window{
			{},
			{Container: "telemetry-2026-11", Changed: at},
			{Container: "telemetry-2026-11", End: true},
			{Container: "telemetry-2026-11", Changed: at, End: true, Closed: at.Add(time.Hour)},
		} {
			l.Window = w
			document, err := d.Encode(l, fleet)
			if err != nil {
				t.Fatal(err)
			}
			if w.Container == "" && strings.Contains(string(document), nameWindow) {
				t.Errorf("the lease of a type with one container: %s", document)
			}
			read, err := d.Parse(document)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(w, read.Window); diff != "" {
				t.Errorf("%s: %s", d, diff)
			}
			l.stored = document // the next one is written over it
		}
	}
	for _, bad := range []string{`{}`, `null`, `{"pkgenWindow":7}`, `{"pkgenWindow":""}`} {
		if w := windowOf([]byte(bad)); w != (Window{}) {
			t.Errorf("%s: %+v", bad, w)
		}
	}
	if w := windowOf([]byte(`{"pkgenWindow":"w","pkgenChanged":"soon","pkgenEnd":true,"pkgenClosed":null}`)); w != (Window{Container: "w"}) {
		t.Errorf("times that cannot be read: %+v", w)
	}
}
