package transactions

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestNoTransactionsOfKeysThatEndInTheID refuses all that needs several documents in one
// logical partition, before a request, by one error.
func TestNoTransactionsOfKeysThatEndInTheID(t *testing.T) {
	t.Parallel()
	server, _, r := kit.NewSteps(t)
	ctx := t.Context()
	step := &fixtures.Step{ID: "1", Tenant: "t", User: "u", Session: 1}
	kit.MustPass(t, r.Create(ctx, step))
	key := step.Key()
	in := func(add func(tx repository.TransactionOf[fixtures.Step, fixtures.StepKey]) error) error {
		tx := repository.NewTransaction()
		err := add(r.In(tx)) //nolint:pkgen // it is refused
		if tx.Commit(ctx) == nil {
			t.Errorf("it was committed after %v", err)
		}
		return err
	}
	type of = repository.TransactionOf[fixtures.Step, fixtures.StepKey]
	called := false
	change := func(*repository.Transaction) error { called = true; return nil }
	server.ResetRequests()
	for name, err := range map[string]error{
		"Create":  in(func(tx of) error { return tx.Create(step) }),
		"Upsert":  in(func(tx of) error { return tx.Upsert(step) }),
		"Replace": in(func(tx of) error { return tx.Replace(step) }),
		"Delete":  in(func(tx of) error { return tx.Delete(key) }),
		"Patch":   in(func(tx of) error { return tx.Patch(key, fixtures.StepPatch.Value.Set(1)) }),
		"Get": in(func(tx of) error {
			_, err := tx.Get(key)
			return err
		}),
		"Read": in(func(tx of) error {
			_, err := tx.Read(ctx, key)
			return err
		}),
		"InTransaction": r.InTransaction(ctx, key, change),                                                        //nolint:pkgen // it is refused
		"a token":       r.InTransaction(ctx, key, change, repository.IdempotencyToken(r, step)),                  //nolint:pkgen // it is refused
		"of a tenant":   r.For("t").InTransaction(ctx, key, change),                                               //nolint:pkgen // it is refused
		"CreateAll":     kit.ErrorOf(r.CreateAll(documents.Items(step), documents.InTransactions()).Collect(ctx)), //nolint:pkgen // it is refused
		"UpsertAll":     kit.ErrorOf(r.UpsertAll(documents.Items(step), documents.InTransactions()).Collect(ctx)), //nolint:pkgen // it is refused
		"DeleteAll":     kit.ErrorOf(r.DeleteAll(documents.Items(key), documents.InTransactions()).Collect(ctx)),  //nolint:pkgen // it is refused
		"DeleteFound":   kit.ErrorOf(r.DeleteFound(r.ByTenant("t"), documents.InTransactions()).Collect(ctx)),     //nolint:pkgen // it is refused
	} {
		if err == nil || !strings.Contains(err.Error(), "the partition key of the type ends in the id, so each document has its own logical partition") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := server.Documents(); len(n) > 0 || called {
		t.Errorf("sent %v, and the function was called: %t", n, called)
	}
}

// TestBatchesOfKeysThatEndInTheID sends each item alone, as it is without InBatches.
func TestBatchesOfKeysThatEndInTheID(t *testing.T) {
	t.Parallel()
	server, _, r := kit.NewSteps(t)
	all := kit.ManySteps()
	server.ResetRequests()
	if summary, err := r.CreateAll(documents.Items(all...), documents.InBatches()).Collect(t.Context()); err != nil {
		t.Fatal(summary, err)
	}
	if n := server.Counts(); n[emulator.OpCreateItem] != len(all) || n[emulator.OpExecuteBatch] > 0 {
		t.Errorf("sent %v", n)
	}
	if summary, err := r.DeleteFound(r.Scan(), documents.InBatches()).Collect(t.Context()); err != nil || summary.Failed > 0 {
		t.Fatal(summary, err)
	}
	if n := server.Sent(emulator.OpDeleteItem); n != len(all) {
		t.Errorf("sent %d deletions", n)
	}
}
