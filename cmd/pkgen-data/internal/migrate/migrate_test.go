package migrate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// TestCopy copies a container, and then what has changed in it.
func TestCopy(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 3}, toContainer, stateContainer)
	r.load(fromContainer, events(500)...)
	m, err := r.migrate(t.Context(), r.whole())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.documents("events"), r.documents("daily")); diff != "" {
		t.Error(diff)
	}
	if done := m.Done(); done.Documents != 500 || done.Charge < 500*5 {
		t.Errorf("%+v", done)
	}
	w := r.writer()
	for i := range 20 {
		w.replace(i%10, 1000+i)
	}
	if _, err := r.migrate(t.Context(), r.whole()); err != nil {
		t.Fatal(err)
	}
	got := r.documents("daily")
	if diff := cmp.Diff(r.documents("events"), got); diff != "" || !strings.Contains(strings.Join(got, ""), `"speed":1019`) {
		t.Error(diff)
	}
}
