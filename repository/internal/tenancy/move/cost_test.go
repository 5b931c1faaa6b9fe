package move

import (
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// TestCost measures what a fence costs a write, and what a move costs by the number of
// documents: request units by the emulator's model, and the pause. The emulator answers no
// write by 449, so that contention on the fence is not in these figures. With -tenants
// above 50 there is one move of 10,000 documents.
func TestCost(t *testing.T) {
	r := newRig(t)
	shared := r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	key := azcosmos.NewPartitionKeyString("a")
	from := &side{epoch: 1, Container: wire.Container{Client: shared, Type: "orders", Paths: []string{tenantPath}}, tenant: wire.Place{ID: tenancy.FenceID, Key: key, Value: "a"}}
	if err := from.arm(t.Context(), true, false); err != nil {
		t.Fatal(err)
	}
	charge := func(what string, send func(i int) (float32, error)) float64 {
		const times = 50
		var sum float32
		for i := range times {
			units, err := send(i)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			sum += units
		}
		t.Logf("%s: %.2f RU", what, sum/times)
		return float64(sum / times)
	}
	batch := func(add func(b *azcosmos.TransactionalBatch, i int)) func(i int) (float32, error) {
		return func(i int) (float32, error) {
			b := shared.NewTransactionalBatch(key)
			b.PatchItem(tenancy.FenceID, tenancy.FencePatch().SDK(), nil)
			add(&b, i)
			response, err := shared.ExecuteTransactionalBatch(t.Context(), b, nil)
			if err == nil && !response.Success {
				err = fmt.Errorf("%+v", response.OperationResults)
			}
			return response.RequestCharge, err
		}
	}
	id := func(i int) string { return fmt.Sprintf("d%d", i) }
	plain := charge("a plain upsert", func(i int) (float32, error) {
		response, err := shared.UpsertItem(t.Context(), key, object(t, "a", id(i), "text"), nil)
		return response.RequestCharge, err
	})
	fenced := charge("an upsert with the fence", batch(func(b *azcosmos.TransactionalBatch, i int) { b.UpsertItem(object(t, "a", id(i), "text"), nil) }))
	charge("a deletion with the fence", batch(func(b *azcosmos.TransactionalBatch, i int) {
		b.DeleteItem(id(i), nil)
		b.UpsertItem(tenancy.NewTombstone(tenantPath, "a", id(i)), nil)
	}))
	if fenced <= plain || fenced > 4*plain {
		t.Errorf("a write costs %.1f RU, and %.1f with the fence", plain, fenced)
	}
	sizes := []int{1, 100}
	if *tenants > 50 {
		sizes = append(sizes, 10_000)
	}
	for _, n := range sizes {
		tenant := fmt.Sprintf("of %d", n)
		r.store(shared, tenant, some(n))
		done, err := Run(t.Context(), r.settings(tenant, "orders-own"))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d documents: %.0f RU, %.1f for each; %v, of which writers wait for %v", n, done.RequestUnits, done.RequestUnits/float64(n), done.Duration, done.Pause)
		if most := 40*float64(n) + 300; done.RequestUnits > most {
			t.Errorf("moving %d documents costs %.0f RU, want at most %.0f", n, done.RequestUnits, most)
		}
	}
}
