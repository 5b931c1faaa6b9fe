package writes

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestDeleteIfMatch(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	old := *e
	if err := events.Update(ctx, e.Key(), kit.Faster); err != nil {
		t.Fatal(err)
	}
	if err := events.DeleteIfMatch(ctx, &old); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("an old ETag: %v", err)
	}
	moved := old
	moved.Date, moved.Stored = "2018-08-10", ""
	if err := events.DeleteIfMatch(ctx, &moved); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("another key: %v", err)
	}
	now, err := events.Get(ctx, e.Key())
	if err != nil {
		t.Fatal(err)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpDeleteItem, Status: http.StatusInternalServerError, After: true})
	if err := events.DeleteIfMatch(ctx, now); err != nil {
		t.Errorf("the answer was lost: %v", err)
	}
	if err := events.DeleteIfMatch(ctx, now); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("a second time: %v", err)
	}
}

// TestDeleteIfMatchRefuses has documents without the ETag of the stored document.
func TestDeleteIfMatchRefuses(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	server.ResetRequests()
	anyTag := kit.Event(1)
	anyTag.ETag = "*"
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"no document": {events.DeleteIfMatch(ctx, nil), "the document is nil"},
		"no ETag":     {events.DeleteIfMatch(ctx, kit.Event(1)), "has no ETag: read it first, or use Delete"},
		"any ETag":    {events.DeleteIfMatch(ctx, anyTag), "has no ETag: read it first, or use Delete"},
		"no key":      {events.DeleteIfMatch(ctx, &fleet.VehicleEvent{ID: "1", ETag: "x"}), "Date"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v", name, test.err)
		}
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("sent %v", n)
	}
	clickServer, clicks := kit.NewClicks(t)
	c := clickstream.Click{ID: "1", Date: kit.Day}
	if err := clicks.Create(ctx, &c); err != nil {
		t.Fatal(err)
	}
	clickServer.ResetRequests()
	if err := clicks.DeleteIfMatch(ctx, &c); err == nil || !strings.Contains(err.Error(), "no field for the ETag") {
		t.Errorf("no field: %v", err)
	}
	c.Date = "2018-08-10"
	if err := clicks.DeleteIfMatch(ctx, &c); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("a changed key: %v", err)
	}
	if n := clickServer.Documents(); len(n) != 0 {
		t.Errorf("sent %v", n)
	}
}
