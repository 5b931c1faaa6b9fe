package querytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

type slips = repository.Documents[forms.Slip, forms.SlipKey]

var (
	slipKey   = forms.SlipKey{ID: "1", Key: "k"}
	slipLabel = forms.SlipPatch.Label
	slipCents = forms.SlipPatch.Cents
)

// slipModel is the model of slips.
func slipModel(change func(*generated.Model[forms.Slip, forms.SlipKey])) *generated.Model[forms.Slip, forms.SlipKey] {
	m := *forms.SlipModel
	if change != nil {
		change(&m)
	}
	return &m
}

// slipModels are those in which writes differ.
var slipModels = map[string]func(*generated.Model[forms.Slip, forms.SlipKey]){
	"alone": nil,
	"for good": func(m *generated.Model[forms.Slip, forms.SlipKey]) {
		forGood := *m.Deleted
		forGood.Seconds = 0
		m.Deleted = &forGood
	},
	"unstamped": func(m *generated.Model[forms.Slip, forms.SlipKey]) { m.Stamps = nil },
	"shared": func(m *generated.Model[forms.Slip, forms.SlipKey]) {
		m.Discriminator = &generated.Discriminator{Property: "type", Others: []string{"other"}}
	},
	"ambiguous": func(m *generated.Model[forms.Slip, forms.SlipKey]) {
		m.Ambiguous, m.Same = true, func(a, b forms.SlipKey) bool { return a == b }
	},
}

// Of the slip "1" of the key "k": the first form, the second one with an alias, and a
// form that nobody knows yet.
const (
	slipOfForm1 = `{"id":"1","key":"k","euros":3,"title":"t","made":"2018-08-09T00:00:00.0000000Z","changed":"2018-08-10T00:00:00.0000000Z","n":4}`
	slipRenamed = `{"id":"1","key":"k","cents":300,"schema":2,"title":"t","made":"2018-08-09T00:00:00.0000000Z","changed":"2018-08-10T00:00:00.0000000Z","n":4}`
	slipOfForm3 = `{"id":"1","key":"k","cents":{"whole":3},"schema":3,"title":"t","made":"2018-08-09T00:00:00.0000000Z","changed":"2018-08-10T00:00:00.0000000Z","n":4}`
)

// slipTime is when slips are written.
var slipTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

const (
	slipGone   = `"gone":"2026-01-02T03:04:05.0000000Z"`
	markedSlip = `,` + slipGone + `,"ttl":1000}`
)

// markedAs returns a stored slip as one that is marked.
func markedAs(raw string) string { return strings.TrimSuffix(raw, "}") + markedSlip }

func newSlips(t testing.TB, change func(*generated.Model[forms.Slip, forms.SlipKey])) (*harness.Account, *azcosmos.ContainerClient, *slips) {
	t.Helper()
	expires := int32(-1)
	properties := harness.Properties("slips", "/key")
	properties.DefaultTimeToLive = &expires
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, properties, repository.Configure(harness.PerCall(harness.Intercepted)))
	return server, container, repository.New(container, slipModel(change), repository.WithClock(func() time.Time { return slipTime }))
}

// inTransaction is a transaction of one operation.
func inTransaction(ctx context.Context, d *slips, add func(repository.TransactionOf[forms.Slip, forms.SlipKey]) error) error {
	tx := repository.NewTransaction()
	if err := add(d.In(tx)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// slipDeletions are the ways to delete the slip.
var slipDeletions = map[string]func(context.Context, *slips) error{
	"Delete": func(ctx context.Context, d *slips) error { return d.Delete(ctx, slipKey) },
	"DeleteAll": func(ctx context.Context, d *slips) error {
		_, err := d.DeleteAll(documents.Items(slipKey)).Collect(ctx)
		return err
	},
	"DeleteAll in batches": func(ctx context.Context, d *slips) error {
		_ = repository.Purge(ctx, d, forms.SlipKey{ID: "2", Key: "k"}) // of a time before
		if err := d.Upsert(ctx, &forms.Slip{ID: "2", Key: "k"}); err != nil {
			return err
		}
		_, err := d.DeleteAll(documents.Items([]forms.SlipKey{{ID: "2", Key: "k"}, slipKey}...), documents.InBatches()).Collect(ctx)
		return err
	},
	"Delete in a transaction": func(ctx context.Context, d *slips) error {
		return inTransaction(ctx, d, func(in repository.TransactionOf[forms.Slip, forms.SlipKey]) error { return in.Delete(slipKey) })
	},
}

// slipReads are the ways to read the slip.
var slipReads = map[string]func(context.Context, *slips) (*forms.Slip, error){
	"Get": func(ctx context.Context, d *slips) (*forms.Slip, error) { return d.Get(ctx, slipKey) },
	"All": func(ctx context.Context, d *slips) (*forms.Slip, error) {
		for s, err := range d.Scan().All(ctx) {
			return s, err
		}
		return nil, repository.ErrNotFound
	},
	"In a transaction": func(ctx context.Context, d *slips) (*forms.Slip, error) {
		tx := repository.NewTransaction()
		pending, err := d.In(tx).Get(slipKey)
		if err == nil {
			err = tx.Commit(ctx)
		}
		if err != nil {
			return nil, err
		}
		return pending.Doc()
	},
}

// slipWrites change the slip, or store it; those that create say so.
var slipWrites = []struct {
	name    string
	creates bool
	run     func(context.Context, *slips) error
}{
	{"Create", true, func(ctx context.Context, d *slips) error { return d.Create(ctx, &forms.Slip{ID: "1", Key: "k"}) }},
	{"Upsert", true, func(ctx context.Context, d *slips) error { return d.Upsert(ctx, &forms.Slip{ID: "1", Key: "k"}) }},
	{"UpsertAll in batches", true, func(ctx context.Context, d *slips) error {
		_, err := d.UpsertAll(documents.Items([]*forms.Slip{{ID: "2", Key: "k"}, {ID: "1", Key: "k"}}...), documents.InBatches()).Collect(ctx)
		return errors.Join(err, d.Delete(ctx, forms.SlipKey{ID: "2", Key: "k"}), repository.Purge(ctx, d, forms.SlipKey{ID: "2", Key: "k"}))
	}},
	{"Upsert in a transaction", true, func(ctx context.Context, d *slips) error {
		return inTransaction(ctx, d, func(in repository.TransactionOf[forms.Slip, forms.SlipKey]) error {
			return in.Upsert(&forms.Slip{ID: "1", Key: "k"})
		})
	}},
	{"Replace", false, func(ctx context.Context, d *slips) error { return d.Replace(ctx, &forms.Slip{ID: "1", Key: "k"}) }},
	{"Replace on any ETag", false, func(ctx context.Context, d *slips) error {
		return d.Replace(ctx, &forms.Slip{ID: "1", Key: "k", ETag: "*"})
	}},
	{"Replace in a transaction", false, func(ctx context.Context, d *slips) error {
		return inTransaction(ctx, d, func(in repository.TransactionOf[forms.Slip, forms.SlipKey]) error {
			return in.Replace(&forms.Slip{ID: "1", Key: "k"})
		})
	}},
	{"Patch", false, func(ctx context.Context, d *slips) error { return d.Patch(ctx, slipKey, slipLabel.Set("x")) }},
	{"PatchAndGet", false, func(ctx context.Context, d *slips) error {
		return second(d.PatchAndGet(ctx, slipKey, slipCents.Increment(1)))
	}},
	{"Patch in a transaction", false, func(ctx context.Context, d *slips) error {
		return inTransaction(ctx, d, func(in repository.TransactionOf[forms.Slip, forms.SlipKey]) error {
			return in.Patch(slipKey, slipLabel.Set("x"))
		})
	}},
	{"Update", false, func(ctx context.Context, d *slips) error {
		return d.Update(ctx, slipKey, func(s *forms.Slip) error { s.Cents++; return nil })
	}},
}

// second is the error of a call that returns something else as well.
func second[T any](_ T, err error) error { return err }

// sameJSON reports whether two texts are the same document.
func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	var parsed [2]map[string]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &parsed[i]); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(parsed[0]) == fmt.Sprint(parsed[1])
}

// TestFormsAreMarked deletes documents of all forms in each way. The mark leaves the form
// as it is.
func TestFormsAreMarked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for model, change := range slipModels {
		for name, run := range slipDeletions {
			t.Run(model+" "+name, func(t *testing.T) {
				t.Parallel()
				server, container, all := newSlips(t, change)
				for _, raw := range []string{slipOfForm1, slipRenamed, slipOfForm3} {
					put(t, container, raw)
					if model == "ambiguous" && raw == slipOfForm3 {
						if err := run(ctx, all); !errors.Is(err, repository.ErrNewerDocument) || !sameJSON(t, rawAt(t, container, "1", "k"), raw) {
							t.Errorf("%s: %v", raw, err)
						}
						continue
					}
					want := markedAs(raw)
					if model == "for good" {
						want = strings.Replace(want, `,"ttl":1000`, "", 1)
					}
					if model != "unstamped" {
						want = strings.Replace(want, `"2018-08-10T00:00:00.0000000Z","n":4`, `"2026-01-02T03:04:05.0000000Z","n":5`, 1)
					}
					// The answer to the first attempt is lost.
					for _, op := range []string{emulator.OpPatchItem, emulator.OpExecuteBatch} {
						server.Inject(emulator.Fault{Operation: op, Drop: true, After: true, Count: 1})
					}
					err := run(ctx, all)
					server.ClearFaults()
					if got := rawAt(t, container, "1", "k"); err != nil || !sameJSON(t, got, want) {
						t.Errorf("got %s, want %s: %v", got, want, err)
					}
					if err := run(ctx, all); !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrDeleted) {
						t.Errorf("%s, a second time: %v", raw, err)
					}
				}
			})
		}
	}
}

// TestMarkedForms reads and writes marked documents of all forms: only WithDeleted, Restore
// and Purge find them.
//
//nolint:gocyclo // one table of all writes
func TestMarkedForms(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for model, change := range slipModels {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			_, container, all := newSlips(t, change)
			for _, raw := range []string{slipOfForm1, slipRenamed, slipOfForm3} {
				newer := raw == slipOfForm3
				marked := markedAs(raw)
				put(t, container, marked)
				for name, read := range slipReads {
					if _, err := read(ctx, all); !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrNewerDocument) {
						t.Errorf("%s of %s: %v", name, raw, err)
					}
					got, err := read(ctx, repository.WithDeleted(all))
					switch {
					case newer && !errors.Is(err, repository.ErrNewerDocument):
						t.Errorf("%s of %s: %v", name, raw, err)
					case !newer && err != nil:
						t.Errorf("%s of %s: %v", name, raw, err)
					case !newer && (got.Cents != 300 || got.Label != "t" || got.Schema != 2 || got.Gone != repository.NewTime(slipTime) || got.N != 4 || got.Made.Time().Year() != 2018 || got.ETag == ""):
						t.Errorf("%s of %s: got %+v", name, raw, got)
					}
				}
				for change, err := range feed.Changes(ctx, all, feed.FromBeginning(), feed.UntilCaughtUp()) {
					switch {
					case newer && errors.Is(err, repository.ErrNewerDocument):
					case newer || err != nil || !change.Deleted || change.Doc.Cents != 300 || change.Doc.Gone.IsZero():
						t.Errorf("the feed gives %+v of %s: %v", change, raw, err)
					}
				}
				for _, w := range slipWrites {
					for what, d := range map[string]*slips{"alone": all, "of those shown": repository.WithDeleted(all)} {
						kind := repository.ErrNotFound
						if w.creates {
							kind = repository.ErrAlreadyExists
						}
						if err := w.run(ctx, d); !errors.Is(err, kind) || !errors.Is(err, repository.ErrDeleted) || errors.Is(err, repository.ErrNewerDocument) {
							t.Errorf("%s%s, of %s: %v", w.name, what, raw, err)
						}
					}
				}
				if got := rawAt(t, container, "1", "k"); !sameJSON(t, got, marked) {
					t.Errorf("got %s, want %s", got, marked)
				}
				err := kit.ErrorOf(repository.Restore(ctx, all, slipKey))
				if newer {
					if !errors.Is(err, repository.ErrNewerDocument) || !sameJSON(t, rawAt(t, container, "1", "k"), marked) {
						t.Errorf("%s was restored: %v", raw, err)
					}
					if err = repository.Purge(ctx, all, slipKey); (err != nil) != (model == "ambiguous") {
						t.Errorf("%s was not purged: %v", raw, err)
					}
					continue
				}
				want := raw
				if model != "unstamped" {
					want = strings.Replace(want, `"2018-08-10T00:00:00.0000000Z","n":4`, `"2026-01-02T03:04:05.0000000Z","n":5`, 1)
				}
				if got := rawAt(t, container, "1", "k"); err != nil || !sameJSON(t, got, want) {
					t.Errorf("got %s, want %s: %v", got, want, err)
				}
				if got, err := all.Get(ctx, slipKey); err != nil || got.Cents != 300 || got.Label != "t" || !got.Gone.IsZero() {
					t.Errorf("got %+v: %v", got, err)
				}
			}
		})
	}
}

// TestDeleteIfMatchOfForms deletes a version that no longer exists, of documents of all forms:
// the error is about the version, not about the form.
func TestDeleteIfMatchOfForms(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, container, all := newSlips(t, nil)
	for _, raw := range []string{slipOfForm1, slipOfForm3} {
		put(t, container, slipOfForm1)
		s, err := all.Get(ctx, slipKey)
		if err != nil {
			t.Fatal(err)
		}
		put(t, container, raw)
		for name, err := range map[string]error{
			"alone":            all.DeleteIfMatch(ctx, s),
			"in a transaction": inTransaction(ctx, all, func(in repository.TransactionOf[forms.Slip, forms.SlipKey]) error { return in.DeleteIfMatch(s) }),
		} {
			if !errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrNewerDocument) || strings.Contains(err.Error(), "earlier form") {
				t.Errorf("%s, %s: %v", name, raw, err)
			}
		}
	}
}

// TestUpgradeOfMarked stores marked documents in the present form. They stay marked, and go
// when they would have gone; one that is restored later reads as all others.
func TestUpgradeOfMarked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, raw := range []string{slipOfForm1, slipRenamed} {
		server, container, all := newSlips(t, nil)
		put(t, container, raw)
		if err := all.Delete(ctx, slipKey); err != nil {
			t.Fatal(err)
		}
		server.Advance(600 * time.Second)
		done, err := admin.Upgrade(ctx, all, admin.Run{})
		if err != nil || done.Found != 1 || done.Changed != 1 || !done.Done() {
			t.Fatalf("%+v, %v", done, err)
		}
		const want = `{"cents":300,"changed":"2026-01-02T03:04:05.0000000Z",` + slipGone + `,"id":"1","key":"k","label":"t","made":"2018-08-09T00:00:00.0000000Z","n":5,"schema":2,"ttl":400}`
		got := strings.Replace(rawAt(t, container, "1", "k"), `"ttl":399`, `"ttl":400`, 1) // a second has begun meanwhile
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if _, err := all.Get(ctx, slipKey); !errors.Is(err, repository.ErrDeleted) {
			t.Errorf("it is not marked: %v", err)
		}
		if done, err := admin.Upgrade(ctx, repository.WithDeleted(all), admin.Run{}); err != nil || done.Found != 0 {
			t.Errorf("a second run: %+v, %v", done, err)
		}
		server.Advance(395 * time.Second)
		if err := kit.ErrorOf(repository.Restore(ctx, all, slipKey)); err != nil {
			t.Fatal(err)
		}
		if raw := rawAt(t, container, "1", "k"); strings.Contains(raw, "ttl") || strings.Contains(raw, "gone") {
			t.Errorf("got %s", raw)
		}
		if err := all.Delete(ctx, slipKey); err != nil {
			t.Fatal(err)
		}
		server.Advance(1002 * time.Second)
		if _, err := repository.WithDeleted(all).Get(ctx, slipKey); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("it is there still: %v", err)
		}
	}
}

// TestUpgradeEndsMarked renews a marked document whose service removes it when its time is
// over, counted from the deletion.
func TestUpgradeEndsMarked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, container, all := newSlips(t, nil)
	put(t, container, slipOfForm1)
	if err := all.Delete(ctx, slipKey); err != nil {
		t.Fatal(err)
	}
	server.Advance(600 * time.Second)
	if _, err := admin.Upgrade(ctx, all, admin.Run{}); err != nil {
		t.Fatal(err)
	}
	server.Advance(395 * time.Second)
	if _, err := repository.WithDeleted(all).Get(ctx, slipKey); err != nil {
		t.Errorf("it is gone too early: %v", err)
	}
	server.Advance(7 * time.Second)
	if _, err := repository.WithDeleted(all).Get(ctx, slipKey); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("it is there still: %v", err)
	}
}

// TestMarkedDuringUpgrade marks or restores a document between the read and the write of a
// renewal: neither is lost.
func TestMarkedDuringUpgrade(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, row := range map[string]struct {
		before func(*slips) error // the renewal
		during func(*slips) error
		renew  func(context.Context, *slips) error
		is     error // of renew
		marked bool
	}{
		"Delete during Upgrade":  {nil, deleteSlip, upgradeSlips, nil, true},
		"Restore during Upgrade": {deleteSlip, restoreSlip, upgradeSlips, nil, false},
		"Purge during Upgrade":   {deleteSlip, func(d *slips) error { return repository.Purge(ctx, d, slipKey) }, upgradeSlips, nil, false},
		"Delete during a patch": {nil, deleteSlip, func(ctx context.Context, d *slips) error {
			return d.Patch(ctx, slipKey, slipLabel.Set("x"))
		}, repository.ErrDeleted, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, container, all := newSlips(t, nil)
			put(t, container, slipOfForm1)
			if row.before != nil {
				if err := row.before(all); err != nil {
					t.Fatal(err)
				}
			}
			var failed error
			hooked := atomic.Bool{}
			ctx := harness.Intercept(ctx, harness.Before(func() {
				if !hooked.Swap(true) {
					failed = row.during(all)
				}
			}, http.MethodPut))
			err := row.renew(ctx, all)
			if !hooked.Load() || failed != nil {
				t.Fatalf("%v, %v", hooked.Load(), failed)
			}
			if row.is == nil && err != nil || !errors.Is(err, row.is) {
				t.Errorf("got %v", err)
			}
			_, err = all.Get(ctx, slipKey)
			if errors.Is(err, repository.ErrDeleted) != row.marked {
				t.Errorf("got %v", err)
			}
		})
	}
}

func deleteSlip(d *slips) error { return d.Delete(context.Background(), slipKey) }

func restoreSlip(d *slips) error {
	return kit.ErrorOf(repository.Restore(context.Background(), d, slipKey))
}

func upgradeSlips(ctx context.Context, d *slips) error {
	done, err := admin.Upgrade(ctx, d, admin.Run{})
	return errors.Join(err, done.Err)
}

// TestDeleteFoundForms deletes what a query finds: documents of earlier forms, which stay in
// their form. One of a later form ends the query, as it ends others.
func TestDeleteFoundForms(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for model, change := range slipModels {
		for _, batches := range []bool{false, true} {
			t.Run(fmt.Sprint(model, " ", batches), func(t *testing.T) {
				t.Parallel()
				_, container, all := newSlips(t, change)
				var options []documents.BulkOption
				if batches {
					options = append(options, documents.InBatches())
				}
				forms := []string{slipOfForm1, slipRenamed, slipOfForm3}
				for i, raw := range forms[:2] {
					put(t, container, strings.Replace(raw, `"id":"1"`, fmt.Sprintf(`"id":"%d"`, i), 1))
				}
				if _, err := all.DeleteFound(all.Scan(), options...).Collect(ctx); err != nil {
					t.Fatal(err)
				}
				for i, part := range []string{`"euros":3`, `"schema":2`} {
					if got := rawAt(t, container, fmt.Sprint(i), "k"); !strings.Contains(got, part) || !strings.Contains(got, slipGone) || !strings.Contains(got, `"title":"t"`) {
						t.Errorf("got %s", got)
					}
				}
				put(t, container, strings.Replace(forms[2], `"id":"1"`, `"id":"2"`, 1))
				_, err := all.DeleteFound(all.Scan(), options...).Collect(ctx)
				if got := rawAt(t, container, "2", "k"); !errors.Is(err, repository.ErrNewerDocument) || strings.Contains(got, "gone") {
					t.Errorf("got %s: %v", got, err)
				}
			})
		}
	}
}
