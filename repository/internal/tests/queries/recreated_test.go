package queries

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestFindInAContainerMadeAgain(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, clickstream.ClickContainer(), repository.Configure(nil))
	clicks := clickstream.NewClickRepository(container)
	ctx := context.Background()
	for _, round := range []string{"first", "second"} {
		for i := range 30 {
			c := clickstream.Click{ID: fmt.Sprint(i), Date: kit.Day, Page: "/" + round}
			if err := clicks.Create(ctx, &c); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 30 {
			if c, err := clicks.FindInBuckets(ctx, fmt.Sprint(i), kit.Day); err != nil || c.Page != "/"+round {
				t.Errorf("%s: click %d: %+v, %v", round, i, c, err)
			}
		}
		if round == "first" {
			server.Recreate(container, clickstream.ClickContainer())
		}
	}
}

func TestCursorOfAContainerThatIsNoMore(t *testing.T) {
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container)
	ctx := context.Background()
	for i := range 5 {
		e := kit.Event(0)
		e.ID = fmt.Sprint("x", i)
		if err := events.Create(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	one := events.ByDateAndVIN(kit.Day, kit.Event(0).VIN)
	page, err := one.Page(ctx, "", 2)
	if err != nil || page.Cursor == "" {
		t.Fatalf("got %+v, %v", page, err)
	}
	server.Recreate(container, fleet.VehicleEventContainer())
	if got, err := one.Page(ctx, page.Cursor, 2); !errors.Is(err, repository.ErrCursor) {
		t.Errorf("an empty container took the cursor of another: %+v, %v", got, err)
	}
}
