package migration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestMigrationOvertaken has a program overtake another one: after each number of
// requests of the first, the second sends each number of requests; then the first goes
// on to its end, and then the second. What both were told is judged as in
// TestMigrationModel.
func TestMigrationOvertaken(t *testing.T) {
	both, fresh := repository.PhaseBoth, repository.PhaseNew
	const (
		old  = `{"id":"%s","truck":"t","route":"r","log":"first","old":"old-t"}`
		mark = `{"id":"%s","truck":"t","route":"r","log":"%s","old":"old-t","_move":{"state":"moved","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}`
		live = `{"id":"%s","truck":"t","route":"r","log":"first","key":"new-r"}`
	)
	type side struct {
		phase repository.Phase
		name  string
	}
	t.Run("all", func(t *testing.T) {
		for _, pair := range []struct {
			name           string
			olden, newer   string // what the containers have
			first, another side
		}{
			{"creations", "", "", side{both, "create"}, side{fresh, "create"}},
			{"the other creation first", "", "", side{fresh, "create"}, side{both, "create"}},
			{"upserts", "", "", side{both, "upsert"}, side{fresh, "upsert"}},
			{"a read while it moves", old, "", side{fresh, "get"}, side{fresh, "move"}},
			{"a query while it moves", old, "", side{both, "all"}, side{fresh, "move"}},
			{"a query of the new phase", old, "", side{fresh, "all"}, side{fresh, "move"}},
			{"a query of one on its way", fmt.Sprintf(mark, "%s", "first"), "", side{both, "all"}, side{fresh, "update"}},
			{"an update while it moves", old, "", side{both, "update"}, side{fresh, "move"}},
			{"a move while it is updated", old, "", side{fresh, "move"}, side{both, "update"}},
			{"a deletion while it moves", old, "", side{fresh, "delete"}, side{fresh, "move"}},
			{"a move while it is deleted", old, "", side{fresh, "move"}, side{both, "delete"}},
			{"two moves", old, "", side{fresh, "move"}, side{fresh, "move"}},
			// A move that ended before it removed the mark, and a change since.
			{"a read while it is deleted", fmt.Sprintf(mark, "%s", "before"), live, side{both, "get"}, side{fresh, "delete"}},
			{"a query while it is deleted", fmt.Sprintf(mark, "%s", "before"), live, side{both, "all"}, side{fresh, "delete"}},
		} {
			t.Run(pair.name, func(t *testing.T) {
				t.Parallel()
				h := newHauls(t, 0)
				most := seeds.Rows(t, 6, 2)
				for n := range most {
					for other := 1; other <= most; other++ {
						m := &migrationTrial{
							T: t, id: fmt.Sprint(n, "-", other), hauls: h, arrivals: make(chan *turn), rand: rand.New(rand.NewPCG(1, 1)),
						}
						put := func(c *azcosmos.ContainerClient, key, doc string) {
							if doc == "" {
								return
							}
							m.first = "first"
							if _, err := c.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(key), fmt.Appendf(nil, doc, m.id), nil); err != nil {
								t.Fatal(err)
							}
						}
						put(h.old, "old-t", pair.olden)
						put(h.new, "new-r", pair.newer)
						m.overtake(n, other, func(ctx context.Context, h hauls) {
							m.act(ctx, h, pair.first.phase, pair.first.name, "a")
						}, func(ctx context.Context, h hauls) {
							m.act(ctx, h, pair.another.phase, pair.another.name, "b")
						})
						if t.Failed() {
							t.Fatalf("after %d requests of the first, %d of the other", n, other)
						}
					}
				}
			})
		}
	})
	harness.Settled(t)
}

// act is do, or a move of all documents.
func (m *migrationTrial) act(ctx context.Context, h hauls, phase repository.Phase, name, argument string) {
	if name != "move" {
		m.do(ctx, h.in(phase), name, argument)
		return
	}
	if _, err := admin.MoveAll(ctx, h.in(phase), admin.Run{}); err != nil {
		m.Errorf("MoveAll: %v", err)
	}
}

// overtake lets one program send n requests, then another one others requests; then the first
// one continues.
func (m *migrationTrial) overtake(n, others int, one, another func(context.Context, hauls)) {
	ctx := context.Background()
	done := make(chan struct{})
	var work sync.WaitGroup
	first := m.start(ctx, &work, 0, one)
	second := m.start(ctx, &work, 0, another)
	m.pick = func(waiting []*turn) (*turn, verdict) {
		wanted := first
		if first.acted >= n && second.acted < others {
			wanted = second
		}
		w := waiting[0] // if the other one has ended, or pauses
		for _, candidate := range waiting {
			if candidate.by == wanted {
				w = candidate
			}
		}
		w.by.acted++
		return w, acts
	}
	go func() { work.Wait(); close(done) }()
	m.schedule(done)
	m.end(ctx)
}
