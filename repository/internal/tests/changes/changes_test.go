package changes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestChanges(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]*azcosmos.ClientOptions{"configured": repository.Configure(nil), "plain": nil} {
		t.Run(name, func(t *testing.T) {
			c := kit.NewThings(t, emulator.Options{Partitions: 5}, client, true)
			ctx := context.Background()
			all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 50)
			got, cursor := kit.ChangedIDs(t, feed.Changes(ctx, c.Documents, feed.FromBeginning(), feed.UntilCaughtUp(), feed.PageSize(4)))
			if want := kit.ChangedThings(all); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if n := 5*150 + 200; len(cursor) > n {
				t.Errorf("the cursor has %d bytes, more than %d", len(cursor), n)
			}
			for _, id := range []int{7, 8} {
				if err := c.Upsert(ctx, all[id]); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.Delete(ctx, kit.ThingKey{ID: all[9].ID, Base: all[9].Base}); err != nil {
				t.Fatal(err)
			}
			got, cursor = kit.ChangedIDs(t, feed.Changes(ctx, c.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp()))
			if want := []string{all[7].ID, all[8].ID}; !slices.Equal(got, want) {
				t.Errorf("then got %v, want %v", got, want)
			}
			if got, _ := kit.ChangedIDs(t, feed.Changes(ctx, c.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp())); got != nil {
				t.Errorf("at last got %v", got)
			}
		})
	}
}

// undated takes the time at which a change feed begins from requests, like a
// service that does not understand it, and notes it.
type undated struct{ seen map[string]bool }

func (u undated) Do(r *policy.Request) (*http.Response, error) {
	if text := r.Raw().Header.Get("If-Modified-Since"); text != "" {
		u.seen[text] = true
		r.Raw().Header.Del("If-Modified-Since")
	}
	return r.Next()
}

func TestChangesFromATime(t *testing.T) {
	u := undated{map[string]bool{}}
	for name, policies := range map[string][]policy.Policy{"understood": nil, "not understood": {u}} {
		t.Run(name, func(t *testing.T) {
			o := azcosmos.ClientOptions{}
			o.PerRetryPolicies = policies
			c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(&o), false)
			ctx := context.Background()
			all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 6)
			c.Server.Advance(time.Hour)
			since := time.Now().Add(time.Hour)
			for _, x := range all[2:4] {
				if err := c.Replace(ctx, x); err != nil {
					t.Fatal(err)
				}
			}
			from := feed.FromTime(since)
			for change, err := range feed.Changes(ctx, c.Documents, from, feed.UntilCaughtUp()) {
				if err != nil || change.Doc.ID != all[2].ID && change.Doc.ID != all[3].ID {
					t.Fatalf("got %+v, %v", change.Doc, err)
				}
				if change.Time.Before(since.Truncate(time.Second)) || change.Time.After(since.Add(time.Minute)) {
					t.Errorf("written at %v, after %v", change.Time, since)
				}
				from = feed.FromCursor(change.Cursor())
				if change.Doc.ID == all[2].ID {
					break
				}
			}
			if got, _ := kit.ChangedIDs(t, feed.Changes(ctx, c.Documents, from, feed.UntilCaughtUp())); !slices.Equal(got, []string{all[3].ID}) {
				t.Errorf("after the first: %v", got)
			}
		})
	}
	if len(u.seen) == 0 {
		t.Error("no time was sent")
	}
	for text := range u.seen {
		if _, err := http.ParseTime(text); err != nil || !strings.HasSuffix(text, " GMT") {
			t.Errorf("the time %q is not in the form of HTTP: %v", text, err)
		}
	}
}

func TestChangesOfOneType(t *testing.T) {
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, kit.ThingContainer, repository.Configure(nil))
	model := kit.ThingModel
	model.Discriminator = &generated.Discriminator{Property: "type", Value: "thing"}
	c := repository.New(container, &model)
	ctx := context.Background()
	write := func(id, kind string) {
		t.Helper()
		if kind == "thing" {
			if err := c.Upsert(ctx, &kit.Thing{ID: id, Base: "x", Properties: map[string]any{"type": kind}}); err != nil {
				t.Fatal(err)
			}
			return
		}
		body := fmt.Appendf(nil, `{"id":%q,"pk":%q,"type":%q}`, id, id, kind)
		if _, err := container.UpsertItem(ctx, azcosmos.NewPartitionKeyString(id), body, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		write(fmt.Sprint("o", i), "other")
	}
	write("t1", "thing")
	for i := range 20 {
		write(fmt.Sprint("o", i), "other")
	}
	caughtUp := ""
	last := feed.OnCaughtUp(func(cursor string) { caughtUp = cursor })
	got, cursor := kit.ChangedIDs(t, feed.Changes(ctx, c, feed.FromBeginning(), feed.UntilCaughtUp(), last))
	if !slices.Equal(got, []string{"t1"}) {
		t.Errorf("got %v", got)
	}
	for name, from := range map[string]struct {
		cursor string
		read   int
	}{"of the change": {cursor, 20}, "of the end": {caughtUp, 0}} {
		server.ResetRequests()
		if got, _ := kit.ChangedIDs(t, feed.Changes(ctx, c, feed.FromCursor(from.cursor), feed.UntilCaughtUp())); got != nil {
			t.Errorf("from the cursor %s: %v", name, got)
		}
		read := 0
		for _, r := range server.Requests() {
			read += r.Items
		}
		if read > from.read {
			t.Errorf("from the cursor %s: %d documents were read again", name, read)
		}
	}
}

func TestChangesThatDoNotDecode(t *testing.T) {
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(nil), true)
	ctx := context.Background()
	all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 5)
	broken := errors.New("broken")
	picky := repository.WithUnmarshal(func(data []byte, v any) error {
		if strings.Contains(string(data), all[2].ID) {
			return broken
		}
		return v.(*kit.Thing).UnmarshalJSON(data)
	})
	things := repository.New(c.Server.Container("things", repository.Configure(nil)), &kit.LeveledThingModel, picky)
	var got []string
	cursor := ""
	for change, err := range feed.Changes(ctx, things, feed.FromBeginning(), feed.UntilCaughtUp()) {
		var own *repository.Error
		switch {
		case err == nil:
			got, cursor = append(got, change.Doc.ID), change.Cursor()
		case !errors.Is(err, broken) || !errors.As(err, &own) || own.ID != all[2].ID || !strings.Contains(own.PartitionKey, all[2].Base):
			t.Errorf("got %v", err)
		}
	}
	if !slices.Equal(got, []string{all[0].ID, all[1].ID}) {
		t.Errorf("before the error: %v", got)
	}
	if rest, _ := kit.ChangedIDs(t, feed.Changes(ctx, c.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp())); !slices.Equal(rest, kit.ChangedThings(all[2:])) {
		t.Errorf("with another decoder: %v", rest)
	}
}
