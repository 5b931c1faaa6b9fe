package azurite

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tables"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/table"
)

// TestWritesTwice has a proxy of HTTP that repeats each write: the first request takes
// effect, and the second answer comes back. A write is acknowledged, or its error matches
// ErrUnclear, and no error says that nothing was stored.
func TestWritesTwice(t *testing.T) {
	ctx := context.Background()
	type events = tables.EventRepository
	commit := func(r *events, add ...func(table.Operations[tables.Event, tables.EventKey]) error) error {
		tx := table.NewTransaction()
		for _, f := range add {
			if err := f(r.In(tx)); err != nil {
				return err
			}
		}
		return tx.Commit(ctx)
	}
	type operations = table.Operations[tables.Event, tables.EventKey]
	for _, test := range []struct {
		name  string
		there bool // the documents are there before
		run   func(r *events, all []*tables.Event) error
		want  error // that the error matches besides ErrUnclear; nil is success
	}{
		{"Create", false, func(r *events, all []*tables.Event) error {
			return errors.Join(r.Create(ctx, all[0]), r.Create(ctx, all[1]))
		}, documents.ErrAlreadyExists},
		{"CreateAll", false, func(r *events, all []*tables.Event) error {
			_, err := r.CreateAll(documents.Items(all...)).Collect(ctx)
			return err
		}, documents.ErrAlreadyExists},
		{"CreateAll in batches", false, func(r *events, all []*tables.Event) error {
			_, err := r.CreateAll(documents.Items(all...), documents.InBatches()).Collect(ctx)
			return err
		}, documents.ErrAlreadyExists},
		{"Upsert", false, func(r *events, all []*tables.Event) error {
			_, err := r.UpsertAll(documents.Items(all...)).Collect(ctx)
			return err
		}, nil},
		{"Replace", true, func(r *events, all []*tables.Event) error {
			all[0].ETag, all[1].ETag = "", ""
			return errors.Join(r.Replace(ctx, all[0]), r.Replace(ctx, all[1]))
		}, nil},
		{"Replace of a version", true, func(r *events, all []*tables.Event) error {
			return errors.Join(r.Replace(ctx, all[0]), r.Replace(ctx, all[1]))
		}, documents.ErrPreconditionFailed},
		{"transaction of Create", false, func(r *events, all []*tables.Event) error {
			return commit(r, func(o operations) error { return o.Create(all[0]) }, func(o operations) error { return o.Create(all[1]) })
		}, documents.ErrAlreadyExists},
		{"transaction of Upsert and Create", false, func(r *events, all []*tables.Event) error {
			return commit(r, func(o operations) error { return o.Upsert(all[0]) }, func(o operations) error { return o.Create(all[1]) })
		}, documents.ErrAlreadyExists},
		{"transaction of Replace", true, func(r *events, all []*tables.Event) error {
			return commit(r, func(o operations) error { return o.Replace(all[0]) }, func(o operations) error { return o.Replace(all[1]) })
		}, documents.ErrPreconditionFailed},
		{"transaction of Delete and Create", false, func(r *events, all []*tables.Event) error {
			gone := *all[0]
			gone.ID = "gone"
			if err := r.Upsert(ctx, &gone); err != nil {
				return err
			}
			return commit(r, func(o operations) error { return o.Delete(gone.Key()) }, func(o operations) error { return o.Create(all[0]) },
				func(o operations) error { return o.Create(all[1]) })
		}, documents.ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			direct := noEvents(t, server.Address())
			proxy := &proxytest.Proxy{}
			r := tables.NewEventRepository(Service(t, server.Address(), func(o *aztables.ClientOptions) { o.Transport = proxy }))
			all := batchEvents(2)
			all = []*tables.Event{all[0], all[3]} // of one logical partition
			for _, e := range all {
				if test.there {
					if err := direct.Create(ctx, e); err != nil {
						t.Fatal(err)
					}
				}
				e.Text = "now"
			}
			proxy.Fate = proxytest.Writes(proxytest.Twice, http.MethodPost, http.MethodPut, http.MethodPatch)
			err := test.run(r, all)
			if test.want == nil && err != nil || test.want != nil && (!errors.Is(err, test.want) || !errors.Is(err, documents.ErrUnclear)) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "nothing of the transaction was stored") {
				t.Errorf("the text is %v", err)
			}
			if proxy.Repeated() == 0 {
				t.Error("nothing was repeated")
			}
			for _, e := range all {
				if now, err := direct.Get(ctx, e.Key()); err != nil || now.Text != "now" {
					t.Errorf("stored: %+v, %v", now, err)
				}
			}
		})
	}
}
