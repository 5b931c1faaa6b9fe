package moves

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/telemetry"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// movable describes a type whose documents move.
type movable[T any, K generated.Key] struct {
	container azcosmos.ContainerProperties
	documents func(*azcosmos.ContainerClient) *repository.Documents[T, K]
	doc       func() *T
	change    func(*T) // of its key and of what it says
	key       func(*T) K
	says      func(*T) string
}

// TestMoveCrashes has moves that crash at each of their requests, before and
// after its effect, and continuations that crash as well. There is a document at
// any time, and exactly one in the end. Without -seeds 3 the continuation crashes
// at the same request.
func TestMoveCrashes(t *testing.T) {
	seeds.Long(t)
	t.Run("all", func(t *testing.T) {
		t.Run("hash suffix", movable[fleet.VehicleEvent, fleet.VehicleEventKey]{
			container: fleet.VehicleEventContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[fleet.VehicleEvent, fleet.VehicleEventKey] {
				return fleet.NewVehicleEventRepository(c).Documents
			},
			doc:    func() *fleet.VehicleEvent { return kit.Event(1) },
			change: func(e *fleet.VehicleEvent) { e.Date, e.Speed = "2018-08-10", 99 },
			key:    (*fleet.VehicleEvent).Key,
			says:   func(e *fleet.VehicleEvent) string { return e.Date + string(rune(e.Speed)) },
		}.crashes)
		t.Run("hash suffix, the same item", movable[fleet.VehicleEvent, fleet.VehicleEventKey]{
			container: fleet.VehicleEventContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[fleet.VehicleEvent, fleet.VehicleEventKey] {
				return fleet.NewVehicleEventRepository(c).Documents
			},
			doc:    func() *fleet.VehicleEvent { return kit.Event(1) },
			change: func(e *fleet.VehicleEvent) { e.VIN = kit.Roommate(kit.Event(1).VIN) },
			key:    (*fleet.VehicleEvent).Key,
			says:   func(e *fleet.VehicleEvent) string { return e.VIN },
		}.crashes)
		t.Run("concatenation, without an ETag", movable[telemetry.Reading, telemetry.ReadingKey]{
			container: telemetry.ReadingContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[telemetry.Reading, telemetry.ReadingKey] {
				return telemetry.NewReadingRepository(c).Documents
			},
			doc:    func() *telemetry.Reading { return &telemetry.Reading{ID: "1", DeviceID: "d<1>", Date: 2018} },
			change: func(r *telemetry.Reading) { r.ID, r.Celsius = "2", 20.5 }, // in one logical partition
			key:    (*telemetry.Reading).Key,
			says:   func(r *telemetry.Reading) string { return r.DeviceID + string(rune(r.Celsius)) },
		}.crashes)
		t.Run("random suffix", movable[clickstream.Click, clickstream.ClickKey]{
			container: clickstream.ClickContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[clickstream.Click, clickstream.ClickKey] {
				return clickstream.NewClickRepository(c).Documents
			},
			doc:    func() *clickstream.Click { return &clickstream.Click{ID: "1", Date: kit.Day} },
			change: func(c *clickstream.Click) { c.Date, c.Page = "2018-08-10", "/moved" },
			key:    (*clickstream.Click).Key,
			says:   func(c *clickstream.Click) string { return c.Date + c.Page },
		}.crashes)
		t.Run("hierarchical key", movable[fixtures.Visit, fixtures.VisitKey]{
			container: fixtures.VisitContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[fixtures.Visit, fixtures.VisitKey] {
				return repository.New(c, fixtures.VisitModel)
			},
			doc:    func() *fixtures.Visit { v := kit.AVisit(); return &v },
			change: func(v *fixtures.Visit) { v.TenantID, v.At, v.Note = "fabrikam", v.At.AddDate(0, 2, 0), "moved" },
			key:    (*fixtures.Visit).Key,
			says:   func(v *fixtures.Visit) string { return v.TenantID + v.At.UTC().String() + v.Note },
		}.crashes)
		t.Run("hierarchical key that ends in the id", movable[fixtures.Step, fixtures.StepKey]{
			container: fixtures.StepContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[fixtures.Step, fixtures.StepKey] {
				return repository.New(c, fixtures.StepModel)
			},
			doc:    func() *fixtures.Step { return &fixtures.Step{ID: "1", Tenant: "t", User: "u", Session: 1} },
			change: func(s *fixtures.Step) { s.ID, s.Value = "2", 1 },
			key:    (*fixtures.Step).Key,
			says:   func(s *fixtures.Step) string { return s.ID + string(rune('a'+s.Value)) },
		}.crashes)
		t.Run("colliding keys", movable[fixtures.Note, fixtures.NoteKey]{
			container: fixtures.NoteContainer(),
			documents: func(c *azcosmos.ContainerClient) *repository.Documents[fixtures.Note, fixtures.NoteKey] {
				return repository.New(c, fixtures.NoteModel)
			},
			doc:    func() *fixtures.Note { n := kit.LeftNote; return &n },
			change: func(n *fixtures.Note) { n.Topic, n.Title = kit.RightNote.Topic, kit.RightNote.Title }, // the same item
			key:    (*fixtures.Note).Key,
			says:   func(n *fixtures.Note) string { return n.Topic },
		}.crashes)
	})
	harness.Settled(t)
}

func (m movable[T, K]) crashes(t *testing.T) {
	t.Parallel()
	background := context.Background()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, m.container, repository.Configure(harness.Impatient(harness.Intercepted)))
	r := m.documents(container)
	all := func() []*T {
		docs, err := repository.NewQuery(r, generated.Keys{}).Collect(background)
		if err != nil {
			t.Fatal(err)
		}
		return docs
	}
	each := func() {
		if len(all()) == 0 {
			t.Error("there is no document")
		}
	}
	moves, part := 0, seeds.Part(t, "continuations that crash at another request")
	for first := range crashPoints {
		for second := range crashPoints {
			if part && second != first {
				continue
			}
			for _, resumed := range []bool{false, true} {
				moves++
				doc := m.doc()
				if err := r.Create(background, doc); err != nil {
					t.Fatal(err)
				}
				from := m.key(doc)
				m.change(doc)
				want := m.says(doc)
				move := func(ctx context.Context) error { return r.Move(ctx, from, doc) }
				if resumed {
					state, err := r.PrepareMove(background, from, doc)
					if err != nil {
						t.Fatal(err)
					}
					text := asText(t, state)
					move = func(ctx context.Context) error {
						var state repository.MoveState[K] // as a new process has it
						if err := json.Unmarshal(text, &state); err != nil {
							t.Fatal(err)
						}
						return m.documents(container).ResumeMove(ctx, state)
					}
				}
				for _, o := range []crashPoint{first, second} {
					c := &harness.Crash{At: o.at, After: o.after, Counts: harness.IsOfDocuments, Each: each}
					ctx, crashed := c.Context(background)
					if err := move(ctx); (err != nil) != crashed() {
						t.Fatalf("%v, then %v: %v", first, second, err)
					}
				}
				for range 2 {
					if err := move(background); err != nil {
						t.Fatalf("%v, then %v: %v", first, second, err)
					}
				}
				docs := all()
				if len(docs) != 1 || m.says(docs[0]) != want || m.key(docs[0]) != m.key(doc) {
					t.Fatalf("%v, then %v: %d documents, the first is %+v", first, second, len(docs), docs[0])
				}
				if err := r.Delete(background, m.key(doc)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if !part && moves != 2*8*8 || part && moves != 2*8 {
		t.Errorf("tried %d moves", moves)
	}
}

// crashPoint is a request, and whether it takes effect before the crash.
type crashPoint struct {
	at    int
	after bool
}

// crashPoints are all the crashes of an operation of up to four requests.
func crashPoints(yield func(crashPoint) bool) {
	for at := range 4 {
		for _, after := range []bool{false, true} {
			if !yield(crashPoint{at, after}) {
				return
			}
		}
	}
}

func asText(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
