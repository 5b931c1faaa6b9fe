package repository_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestChangesAfterASplitInTheMiddleOfAPage(t *testing.T) {
	t.Parallel()
	for _, splits := range []int{1, 15} {
		afterSplits(t, splits)
	}
}

func afterSplits(t *testing.T, splits int) {
	t.Helper()
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(nil), false)
	all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 40)
	size := feed.PageSize(30)
	got, cursor := c.Some(t, "", 20, size)
	for id := range splits {
		if err := c.Server.Split("db", "things", strconv.Itoa(id)); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // within the page in which the SDK finds the split, and within those after it
		var more []string
		more, cursor = c.Some(t, cursor, 2, size)
		got = append(got, more...)
	}
	rest, _ := c.Some(t, cursor, -1)
	got = append(got, rest...)
	slices.Sort(got)
	if want := kit.ChangedThings(all); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestChangesAfterManySplits has every worker find its physical partition split
// into sixteen, while they wait.
func TestChangesAfterManySplits(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for name, client := range map[string]*azcosmos.ClientOptions{"configured": repository.Configure(nil), "plain": nil} {
		t.Run(name, func(t *testing.T) {
			const n = 4
			c := kit.NewThings(t, emulator.Options{Partitions: n}, client, false)
			all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 100)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			counts := map[string]int{}
			changed := 0
			for change, err := range feed.Changes(ctx, c.Documents, feed.FromBeginning()) {
				if err != nil {
					if changed != 200 || !errors.Is(err, context.Canceled) {
						t.Errorf("after %d changes: %v", changed, err)
					}
					break
				}
				counts[change.Doc.ID]++
				switch changed++; changed {
				case 100:
					for id := range 15 * n { // in the order in which they come to be
						if err := c.Server.Split("db", "things", strconv.Itoa(id)); err != nil {
							t.Fatal(err)
						}
					}
					for _, x := range all {
						if err := c.Replace(ctx, x); err != nil {
							t.Fatal(err)
						}
					}
				case 200:
					cancel()
				}
			}
			for id, count := range counts {
				if count != 2 {
					t.Errorf("thing %s came %d times", id, count)
				}
			}
		})
	}
}

func TestChangesAfterAMerge(t *testing.T) {
	c := kit.NewThings(t, emulator.Options{Partitions: 3}, nil, false)
	all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 60)
	got, cursor := c.Some(t, "", 7)
	texts := make([]string, len(all))
	for i, x := range all {
		texts[i] = kit.ThingKey{ID: x.ID, Base: x.Base}.Text()
	}
	rest, _ := c.Some(t, inTwo(t, cursor, texts), -1, feed.PageSize(5))
	got = append(got, rest...)
	slices.Sort(got)
	if want := kit.ChangedThings(all); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestChangesInAContainerMadeAgain has an SDK that still knows the deleted
// container of this name, which had fewer physical partitions.
func TestChangesInAContainerMadeAgain(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]*azcosmos.ClientOptions{"configured": repository.Configure(nil), "plain": nil} {
		t.Run(name, func(t *testing.T) {
			server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), client)
			events := fleet.NewVehicleEventRepository(container)
			ctx := context.Background()
			read := func(from feed.From) (n int, cursor string, err error) {
				for change, err := range feed.Changes(ctx, events.Documents, from, feed.UntilCaughtUp()) {
					if err != nil {
						return n, cursor, err
					}
					n, cursor = n+1, change.Cursor()
				}
				return n, cursor, nil
			}
			kit.Fill(t, events, 50)
			n, cursor, err := read(feed.FromBeginning())
			if n != 50 || err != nil {
				t.Errorf("first: %d, %v", n, err)
			}
			server.Recreate(container, fleet.VehicleEventContainer())
			kit.Fill(t, events, 80)
			if n, _, err := read(feed.FromCursor(cursor)); n != 0 || !errors.Is(err, repository.ErrCursor) {
				t.Errorf("the cursor of another container gave %d changes, %v", n, err)
			}
			if n, _, err := read(feed.FromBeginning()); n != 80 || err != nil {
				t.Errorf("the new container gave %d changes, %v", n, err)
			}
		})
	}
}

func TestChangesWhileAContainerIsMadeAgain(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]*azcosmos.ClientOptions{"configured": repository.Configure(nil), "plain": nil} {
		t.Run(name, func(t *testing.T) {
			if client == nil {
				seeds.Long(t)
			}
			server, container := harness.NewContainer(t, emulator.Options{Partitions: 1}, kit.ThingContainer, client)
			c := kit.Things{Documents: repository.New(container, &kit.ThingModel), Server: server}
			r := rand.New(rand.NewPCG(1, 1))
			c.Fill(t, r, 30)
			n := 0
			for _, err := range feed.Changes(context.Background(), c.Documents, feed.FromBeginning(), feed.PageSize(10)) {
				if err != nil {
					if n != 20 || !strings.Contains(err.Error(), "created again") {
						t.Errorf("after %d changes: %v", n, err)
					}
					break
				}
				if n++; n == 1 {
					for server.Sent(emulator.OpReadChangeFeed) < 2 { // the worker has the second page
						time.Sleep(time.Millisecond)
					}
					server.Recreate(container, kit.ThingContainer)
					c.Fill(t, r, 400) // more than 20 in each physical partition
				}
			}
		})
	}
}

func TestChangesOfAnotherType(t *testing.T) {
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container)
	kit.Fill(t, events, 1)
	ctx := context.Background()
	cursor := ""
	for change, err := range feed.Changes(ctx, events.Documents, feed.FromBeginning(), feed.UntilCaughtUp()) {
		if err != nil {
			t.Fatal(err)
		}
		cursor = change.Cursor()
	}
	server.ResetRequests()
	c := repository.New(container, &kit.ThingModel)
	for name, cursor := range map[string]string{"of another type": cursor, "of nothing": "nonsense", "damaged": cursor[1:]} {
		for _, err := range feed.Changes(ctx, c, feed.FromCursor(cursor)) {
			if !errors.Is(err, repository.ErrCursor) {
				t.Errorf("a cursor %s: %v", name, err)
			}
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests were sent for cursors that do not fit", n)
	}
	if (feed.Change[kit.Thing]{}).Cursor() != "" {
		t.Error("no change has a cursor")
	}
}
