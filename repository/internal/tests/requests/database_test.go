package requests

import (
	"errors"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestEnsureDatabase makes a database by several programs at once, and counts requests.
func TestEnsureDatabase(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server := emulator.New(t, emulator.Options{})
	client := server.Client(repository.Configure(nil))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			db, err := repository.EnsureDatabase(ctx, client, "shop")
			if err != nil || db.ID() != "shop" {
				t.Errorf("%v", err)
			}
		})
	}
	all.Wait()
	server.ResetRequests()
	_, err := repository.EnsureDatabase(ctx, client, "shop")
	kit.MustPass(t, err)
	for _, r := range server.Requests() {
		if r.Operation != emulator.OpReadDatabase && r.Operation != emulator.OpReadAccount {
			t.Errorf("one that is there: %s", r.Operation)
		}
	}
	server.Inject(emulator.Fault{Operation: emulator.OpReadDatabase, Status: 403})
	var own *repository.Error
	if _, err = repository.EnsureDatabase(ctx, client, "shop"); !errors.As(err, &own) || own.Status != 403 || own.ID != "shop" {
		t.Errorf("got %v", err)
	}
	if _, err = repository.EnsureDatabase(ctx, nil, "shop"); err == nil {
		t.Error("a nil client is accepted")
	}
}
