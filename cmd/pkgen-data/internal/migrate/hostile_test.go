package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// TestOddKeys copies documents whose keys in the source are of every sort, and changes
// all of them afterwards: each is found again in the source, and its copy replaced.
func TestOddKeys(t *testing.T) {
	keys := []string{
		`"a\nb\t\u0000\u007f"`, `"\"],[\""`, `"é✓😀\u2028"`, `" "`, `""`, `"%2F/?#"`, `"<a>&"`,
		`null`, `true`, `1`, `-0.5`, `1e300`, `9007199254740993`, `{}`, // {}: no property
	}
	for _, kind := range []string{`{"paths":["/vin"],"kind":"Hash","version":2}`, `{"paths":["/vin","/site/name"],"kind":"MultiHash","version":2}`} {
		r := newRig(t, server.Options{Partitions: 3}, toContainer, stateContainer)
		r.lock = strings.Replace(strings.Replace(rigLock, ".{vin%4}", "", 1), "\t\tcomponent vin text\n", "", 1)
		document := func(i int, more string) string {
			if keys[i] == "{}" {
				return fmt.Sprintf(`{"id":"%d","date":"d"%s}`, i, more)
			}
			return fmt.Sprintf(`{"id":"%d","date":"d","vin":%s,"site":{"name":%[2]s}%s}`, i, keys[i], more)
		}
		var documents []string
		for i := range keys {
			documents = append(documents, document(i, ""))
		}
		r.load(`{"id":"events","partitionKey":`+kind+`}`, documents...)
		if v := r.compare(); !v.Equal || v.Source != int64(len(keys)) {
			t.Fatalf("%+v", v)
		}
		w := r.writer()
		for i := range keys {
			k, refusal := mustRekeyer(t, r).rekey(json.RawMessage(document(i, "")), 0)
			if refusal != nil {
				t.Fatal(refusal)
			}
			w.put(fmt.Sprint(i), k.source, document(i, `,"more":1`))
		}
		m, err := r.migrate(t.Context(), r.whole())
		if err != nil || len(m.Refused()) > 0 {
			t.Fatal(m.Refused(), err)
		}
		got := r.documents("daily")
		if diff := cmp.Diff(r.documents("events"), got); diff != "" || strings.Count(strings.Join(got, ""), "more") != len(keys) {
			t.Error(diff)
		}
		r.finish()
	}
}

// mustRekeyer returns the rekeyer of a rig.
func mustRekeyer(t *testing.T, r *rig) *rekeyer {
	t.Helper()
	o, err := r.options(t.Context(), r.connect(r.whole()))
	if err != nil {
		t.Fatal(err)
	}
	k, err := newRekeyer(o.From, o.To, o.Types)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestSeveralTypes has documents of other types in the source: they have no place, unless
// the types are chosen; then they stay where they are, also if a run had refused them.
func TestSeveralTypes(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.lock = strings.Replace(rigLock, "{vin%4}", "{vin%4} as=event", 1)
	var documents []string
	for i, d := range events(20) {
		documents = append(documents, strings.Replace(d, "{", `{"type":`+[]string{`"event"`, `"other"`, `7`, `["event"]`}[i%4]+`,`, 1))
	}
	r.load(fromContainer, documents...)
	if got := r.refusals(); got != "no-type 15" {
		t.Fatal(got)
	}
	o, err := r.options(t.Context(), r.connect(r.whole()))
	if err != nil {
		t.Fatal(err)
	}
	o.Chosen = true
	m, err := New(t.Context(), o)
	if err == nil {
		err = m.Run(t.Context())
	}
	if err != nil || len(m.Refused()) > 0 {
		t.Fatal(m.Refused(), err)
	}
	if v, err := m.Cutover(t.Context()); err != nil || !v.Equal || v.Source != 5 || v.Destination != 5 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestCutoversAtOnce has several machines at the cutover at the same time: one ends the
// migration, and the others find that out.
func TestCutoversAtOnce(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 3}, toContainer, stateContainer)
	r.load(fromContainer, events(200)...)
	var group sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		group.Go(func() {
			var v *Verdict
			if v, errs[i] = r.cutover(t.Context(), r.whole(), false); errs[i] == nil && !v.Equal {
				t.Errorf("%+v", v)
			}
		})
	}
	group.Wait()
	if n := len(slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err != nil })); n != 1 {
		t.Errorf("%d ended the migration: %v", n, errs)
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, errClosed) && !errors.Is(err, errCutover) && !errors.Is(err, errTaken) {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(r.documents("events"), r.documents("daily")); diff != "" {
		t.Error(diff)
	}
}
