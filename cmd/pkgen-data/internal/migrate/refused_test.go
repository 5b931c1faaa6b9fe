package migrate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// refusals runs a migration, and returns why documents have no place: "missing 2".
func (r *rig) refusals() string {
	r.Helper()
	m, err := r.migrate(r.Context(), r.whole())
	if err != nil {
		r.Fatal(err)
	}
	var all []string
	for _, f := range m.Refused() {
		all = append(all, fmt.Sprintf("%s %d", f.Problem, f.Documents))
	}
	return strings.Join(all, ", ")
}

// pagesOfRefused returns how many state documents about refused documents there are.
func (r *rig) pagesOfRefused() int {
	return strings.Count(strings.Join(r.documents("state"), "\n"), ".refused.")
}

// put replaces a document of the source.
func (w *writer) put(id, key, document string) {
	w.Helper()
	if _, err := w.account.ReplaceItem(w.Context(), w.to, id, key, []byte(document), ""); err != nil {
		w.Fatal(err)
	}
}

// TestRefusedStay runs again after documents had no place, each time without a
// comparison: they are listed until they are mended or gone, whoever met them.
func TestRefusedStay(t *testing.T) {
	for _, versions := range []time.Duration{0, time.Hour} {
		r := newRig(t, server.Options{Partitions: 3, Lenient: true, AllVersions: versions}, toContainer, stateContainer)
		documents := append(events(20), `{"id":"a/b","vin":"vin-1","date":"d"}`, `{"id":"number","vin":"vin-1","date":7}`)
		for i := range 250 {
			documents = append(documents, fmt.Sprintf(`{"id":"m%d","vin":"vin-%d"}`, i, i%7))
		}
		r.load(fromContainer, documents...)
		for range 3 {
			for _, want := range []string{"missing 250", "refused 1", "other-type 1"} {
				if got := r.refusals(); !strings.Contains(got, want) {
					t.Fatalf("%q, want %q", got, want)
				}
			}
		}
		w := r.writer()
		for i := range 248 {
			w.put(fmt.Sprintf("m%d", i), keyOfEvent(i), fmt.Sprintf(`{"id":"m%d","vin":"vin-%d","date":"d"}`, i, i%7))
		}
		w.put("number", keyOfEvent(1), `{"id":"number","vin":"vin-1","date":8}`) // not mended
		if err := w.account.DeleteItem(t.Context(), w.to, "m248", keyOfEvent(248), ""); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, want := range []string{"missing 1", "refused 1", "other-type 1"} {
				if got := r.refusals(); !strings.Contains(got, want) {
					t.Fatalf("%q, want %q", got, want)
				}
			}
		}
		if n := r.pagesOfRefused(); n > 3 {
			t.Errorf("%d pages", n)
		}
	}
}

// TestRefusedMended mends all documents without a place: none is listed any more, and
// the state is as without them.
func TestRefusedMended(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, append(events(9), `{"id":"x","vin":"vin-1"}`)...)
	if got := r.refusals(); got != "missing 1" {
		t.Fatal(got)
	}
	r.writer().put("x", keyOfEvent(1), `{"id":"x","vin":"vin-1","date":"d"}`)
	if got := r.refusals(); got != "" || r.pagesOfRefused() != 0 {
		t.Errorf("%q, %d pages", got, r.pagesOfRefused())
	}
	r.finish()
}

// TestRefusedByAnother has documents without a place because of others, which change: the
// feed does not give the refused documents again.
func TestRefusedByAnother(t *testing.T) {
	r := newRig(t, server.Options{}, strings.TrimSuffix(toContainer, "}")+`,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/plate"]}]}}`, stateContainer)
	r.load(fromContainer,
		`{"id":"1","vin":"vin-1","date":"d","plate":"p"}`, `{"id":"2","vin":"vin-1","date":"d","plate":"p"}`,
		`{"id":"same","vin":"vin-1","date":"d"}`, `{"id":"same","vin":"vin-5","date":"d"}`)
	r.lock = strings.Replace(strings.Replace(rigLock, ".{vin%4}", "", 1), "\t\tcomponent vin text\n", "", 1)
	if got := r.refusals(); got != "unique-key 1" {
		t.Fatal(got)
	}
	if v := r.compare(); v.Equal || len(v.Refused) != 2 { // finds the collision
		t.Fatalf("%+v", v)
	}
	for range 2 {
		if got := r.refusals(); !strings.Contains(got, "unique-key 1") || !strings.Contains(got, "collision 1") {
			t.Fatal(got)
		}
	}
	w := r.writer()
	copied := "1"
	if strings.Contains(r.documents("daily")[0], `"id":"2"`) {
		copied = "2"
	}
	w.put(copied, keyOfEvent(1), `{"id":"`+copied+`","vin":"vin-1","date":"d","plate":"q"}`)
	if err := w.account.DeleteItem(t.Context(), w.to, "same", keyOfEvent(5), ""); err != nil {
		t.Fatal(err)
	}
	if got := r.refusals(); got != "" {
		t.Errorf("%q after all were mended", got)
	}
	if diff := cmp.Diff(r.documents("events"), r.documents("daily")); diff != "" {
		t.Error(diff)
	}
}

// TestRefusedCrashes kills a run at each of its requests: the next one lists the document
// without a place, whichever of them met it.
func TestRefusedCrashes(t *testing.T) {
	for at := 1; ; at++ {
		r := newRig(t, server.Options{}, toContainer, stateContainer)
		r.load(fromContainer, append(events(3), `{"id":"x","vin":"vin-1"}`)...)
		ctx, cancel := context.WithCancel(t.Context())
		l := &harness.Link{Account: r.server, Cancel: cancel, At: at, After: at%2 == 0}
		_, err := r.migrate(ctx, l)
		cancel()
		if got := r.refusals(); got != "missing 1" {
			t.Fatalf("request %d: %q", at, got)
		}
		if err == nil && at > 10 {
			t.Logf("%d requests", at)
			return
		}
	}
}
