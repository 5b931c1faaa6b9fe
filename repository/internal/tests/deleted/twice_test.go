package deleted

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestDeleteTwice has a proxy that repeats the request by which a document is marked as
// deleted: the second one is refused, and the deletion is acknowledged.
func TestDeleteTwice(t *testing.T) {
	t.Parallel()
	models := map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{
		"plain": fixtures.UnstampedParcelModel, "stamped": fixtures.ParcelModel, "ambiguous": ambiguousParcels,
	}
	for name, model := range models {
		for _, deletion := range parcelDeletions {
			t.Run(fmt.Sprint(name, " ", deletion.name), func(t *testing.T) {
				t.Parallel()
				_, proxy, d, direct := kit.NewTwice(t, model, "/owner")
				p := &fixtures.Parcel{ID: "1", Owner: "o"}
				if err := direct.Create(context.Background(), p); err != nil {
					t.Fatal(err)
				}
				proxy.Fate = proxytest.Writes(proxytest.Twice, kit.AllWrites...)
				if err := deletion.run(context.Background(), d, p); err != nil {
					t.Errorf("got %v", err)
				}
				if proxy.Repeated() == 0 {
					t.Error("nothing was repeated")
				}
			})
		}
	}
}

// TestCreateTwiceAndDeleted has a proxy that repeats the request of a creation, and another
// program that deletes the document before the creation looks why it was refused.
func TestCreateTwiceAndDeleted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, model := range map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{"plain": fixtures.UnstampedParcelModel, "stamped": fixtures.ParcelModel} {
		for operation, create := range map[string]func(d *parcels, p *fixtures.Parcel) error{
			"Create": func(d *parcels, p *fixtures.Parcel) error { return d.Create(ctx, p) },
			"Upsert": func(d *parcels, p *fixtures.Parcel) error { return d.Upsert(ctx, p) },
			"Create in a transaction": func(d *parcels, p *fixtures.Parcel) error {
				return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Create(p) })
			},
			"Upsert in a transaction": func(d *parcels, p *fixtures.Parcel) error {
				return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Upsert(p) })
			},
		} {
			t.Run(name+" "+operation, func(t *testing.T) {
				t.Parallel()
				_, proxy, d, direct := kit.NewTwice(t, model, "/owner")
				p := &fixtures.Parcel{ID: "1", Owner: "o", Value: 1}
				sent, deleted := false, false
				proxy.Fate = func(r *http.Request) proxytest.Fate {
					if r.Method == http.MethodPost {
						sent = true
						return proxytest.Twice
					}
					if sent && !deleted && r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/docs/") {
						deleted = true
						if err := direct.Delete(ctx, fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}); err != nil {
							t.Error(err)
						}
					}
					return proxytest.Passes
				}
				err := create(d, p)
				if !errors.Is(err, repository.ErrUnclear) {
					t.Errorf("got %v", err)
				}
				if operation != "Create in a transaction" && !errors.Is(err, repository.ErrDeleted) { // which the service refuses without a look
					t.Errorf("got %v", err)
				}
				if !deleted {
					t.Error("nothing was deleted")
				}
			})
		}
	}
}

// TestReplaceTwiceAndDeleted has a proxy that repeats the request of a replacement, and another
// program that deletes the document before the replacement looks why it was refused.
func TestReplaceTwiceAndDeleted(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{"plain": fixtures.UnstampedParcelModel, "stamped": fixtures.ParcelModel} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, proxy, d, direct := kit.NewTwice(t, model, "/owner")
			p := &fixtures.Parcel{ID: "1", Owner: "o", Value: 1}
			if err := d.Create(context.Background(), p); err != nil {
				t.Fatal(err)
			}
			replaced := false
			proxy.Fate = func(r *http.Request) proxytest.Fate {
				if r.Method == http.MethodPut {
					replaced = true
					return proxytest.Twice
				}
				if replaced && r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/docs/") {
					if err := direct.Delete(context.Background(), fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}); err != nil {
						t.Error(err)
					}
				}
				return proxytest.Passes
			}
			p.Value = 2
			if err := d.Replace(context.Background(), p); !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, repository.ErrDeleted) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestTransactionTwiceUnread has a proxy that repeats a transaction, and a caller that gives up
// before pkgen has read why the second request was refused.
func TestTransactionTwiceUnread(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{"plain": fixtures.UnstampedParcelModel, "stamped": fixtures.ParcelModel} {
		for operation, add := range map[string]func(tx *repository.Transaction, d *parcels, p *fixtures.Parcel) error{
			"Replace": func(tx *repository.Transaction, d *parcels, p *fixtures.Parcel) error { return d.In(tx).Replace(p) },
			"Upsert":  func(tx *repository.Transaction, d *parcels, p *fixtures.Parcel) error { return d.In(tx).Upsert(p) },
		} {
			t.Run(name+" "+operation, func(t *testing.T) {
				t.Parallel()
				_, proxy, d, direct := kit.NewTwice(t, model, "/owner")
				p := &fixtures.Parcel{ID: "1", Owner: "o", Value: 1}
				if err := direct.Create(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				p.Value, p.ETag = 2, ""
				ctx, cancel := context.WithCancel(t.Context())
				sent := false
				proxy.Fate = func(r *http.Request) proxytest.Fate {
					switch {
					case r.Method == http.MethodPost:
						sent = true
						return proxytest.Twice
					case sent:
						cancel()
					}
					return proxytest.Passes
				}
				err := kit.Commit(ctx, func(tx *repository.Transaction) error { return add(tx, d, p) })
				now, read := direct.Get(t.Context(), fixtures.ParcelKey{ID: "1", Owner: "o"})
				if !errors.Is(err, repository.ErrUnclear) || read != nil || now.Value != 2 {
					t.Errorf("got %v, and stored is %+v, %v", err, now, read)
				}
			})
		}
	}
}

// TestDeletedTwiceUnread has a proxy that repeats the request of a deletion or a restoration,
// and a caller that gives up before pkgen has read why the second one was refused.
func TestDeletedTwiceUnread(t *testing.T) {
	t.Parallel()
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	for name, run := range map[string]func(ctx context.Context, d *parcels) error{
		"Delete":  func(ctx context.Context, d *parcels) error { return d.Delete(ctx, key) },
		"Restore": func(ctx context.Context, d *parcels) error { return kit.ErrorOf(repository.Restore(ctx, d, key)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, proxy, d, direct := kit.NewTwice(t, fixtures.ParcelModel, "/owner")
			if err := direct.Create(t.Context(), &fixtures.Parcel{ID: "1", Owner: "o"}); err != nil {
				t.Fatal(err)
			}
			if name == "Restore" {
				if err := direct.Delete(t.Context(), key); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			repeated := false
			proxy.Fate = func(r *http.Request) proxytest.Fate {
				switch {
				case r.Method == http.MethodGet && repeated:
					cancel()
				case r.Method != http.MethodGet:
					repeated = true
					return proxytest.Twice
				}
				return proxytest.Passes
			}
			if err := run(ctx, d); !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("got %v", err)
			}
		})
	}
}
