package moves

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/telemetry"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestMove counts the requests of moves and checks the documents that remain.
func TestMove(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	for name, test := range map[string]struct {
		change func(*fleet.VehicleEvent)
		want   map[string]int
	}{
		"to another day": {func(e *fleet.VehicleEvent) { e.Date = kit.NextDay },
			map[string]int{emulator.OpReadItem: 1, emulator.OpCreateItem: 1, emulator.OpDeleteItem: 1}},
		"to another id": {func(e *fleet.VehicleEvent) { e.ID = "other" },
			map[string]int{emulator.OpReadItem: 1, emulator.OpCreateItem: 1, emulator.OpDeleteItem: 1}},
		"without an ETag": {func(e *fleet.VehicleEvent) { e.VIN, e.ETag = "other", "" },
			map[string]int{emulator.OpReadItem: 1, emulator.OpCreateItem: 1, emulator.OpDeleteItem: 1}},
		"within the item": {func(e *fleet.VehicleEvent) { e.VIN = kit.Roommate(e.VIN) },
			map[string]int{emulator.OpReadItem: 1, emulator.OpReplaceItem: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			e := kit.Event(1)
			if err := events.Create(ctx, e); err != nil {
				t.Fatal(err)
			}
			from := e.Key()
			e.Speed = 99
			test.change(e)
			server.ResetRequests()
			if err := events.Move(ctx, from, e); err != nil {
				t.Fatal(err)
			}
			if n := server.Documents(); !maps.Equal(n, test.want) {
				t.Errorf("sent %v", n)
			}
			got, err := events.Get(ctx, e.Key())
			if err != nil || *got != *e || got.Speed != 99 {
				t.Errorf("got %+v, %v, want %+v", got, err, e)
			}
			if _, err := events.Get(ctx, from); !errors.Is(err, repository.ErrNotFound) {
				t.Errorf("under the old key: %v", err)
			}
			if err := events.DeleteIfMatch(ctx, e); err != nil {
				t.Errorf("the ETag is not the stored one: %v", err)
			}
		})
	}
}

// TestMoveRefuses has moves that change nothing.
func TestMoveRefuses(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e, inTheWay := kit.Event(1), kit.Event(1)
	inTheWay.Date, inTheWay.Speed = kit.NextDay, 50
	for _, e := range []*fleet.VehicleEvent{e, inTheWay} {
		if err := events.Create(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	from := e.Key()
	missing, same, foreign, keyless, old := *e, *e, *e, *e, *e
	missing.ID, missing.Date = "missing", kit.NextDay
	foreign.VIN = kit.Roommate(e.VIN)
	keyless.Date = ""
	old.ETag, old.ID = `"old"`, "other"
	taken := *e
	taken.Date = kit.NextDay
	for name, test := range map[string]struct {
		from fleet.VehicleEventKey
		doc  *fleet.VehicleEvent
		want error
		text string
	}{
		"no document":           {from, nil, nil, "the document is nil"},
		"the same key":          {from, &same, nil, "use Replace"},
		"not there":             {kit.Event(2).Key(), &missing, repository.ErrNotFound, `"e0002"`},
		"another VIN's":         {foreign.Key(), &missing, repository.ErrNotFound, "is another"},
		"an old ETag":           {from, &old, repository.ErrPreconditionFailed, "read it again"},
		"an old ETag, one item": {from, &fleet.VehicleEvent{ID: e.ID, Date: kit.Day, VIN: foreign.VIN, ETag: `"old"`}, repository.ErrPreconditionFailed, ""},
		"the key is taken":      {from, &taken, repository.ErrAlreadyExists, "nothing was moved"},
		"from no key":           {keyless.Key(), &missing, nil, "Date"},
		"to no key":             {from, &keyless, nil, "Date"},
	} {
		t.Run(name, func(t *testing.T) {
			err := events.Move(ctx, test.from, test.doc)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v", err)
			}
			state, err := events.PrepareMove(ctx, test.from, test.doc)
			if test.want == repository.ErrAlreadyExists {
				err = events.ResumeMove(ctx, state) // PrepareMove does not look there
			}
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("prepared: %v", err)
			}
		})
	}
	if n := server.Documents(); n[emulator.OpDeleteItem] != 0 || n[emulator.OpUpsertItem] != 0 {
		t.Errorf("sent %v", n)
	}
	for _, e := range []*fleet.VehicleEvent{e, inTheWay} {
		if got, err := events.Get(ctx, e.Key()); err != nil || *got != *e {
			t.Errorf("got %+v, %v, want %+v", got, err, e)
		}
	}
	if n, err := events.Scan().Count(ctx); err != nil || n != 2 {
		t.Errorf("there are %d documents, %v", n, err)
	}
}

// TestMoveChoosesASuffix moves a click, whose synthetic field remembers another
// key, and once more after a failure.
func TestMoveChoosesASuffix(t *testing.T) {
	t.Parallel()
	server, clicks := kit.NewClicks(t)
	ctx := context.Background()
	c := clickstream.Click{ID: "1", Date: kit.Day}
	if err := clicks.Create(ctx, &c); err != nil {
		t.Fatal(err)
	}
	from := c.Key()
	c.Date = ""
	var keyError *partition.KeyError
	if err := clicks.Move(ctx, from, &c); !errors.As(err, &keyError) || c.Key().Suffix != from.Suffix {
		t.Errorf("without a date: %v, and the click is %+v", err, c)
	}
	c.Date = kit.NextDay
	server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Status: http.StatusForbidden})
	if err := clicks.Move(ctx, from, &c); err == nil {
		t.Error("the create was refused, the move was not")
	}
	chosen := c.Stored
	if !strings.HasPrefix(chosen, kit.NextDay+".") {
		t.Errorf("the click remembers the key %q", chosen)
	}
	if err := clicks.Move(ctx, from, &c); err != nil || c.Stored != chosen {
		t.Errorf("the second attempt: %v, with the key %q after %q", err, c.Stored, chosen)
	}
	got, err := clicks.Get(ctx, c.Key())
	if err != nil || *got != c {
		t.Errorf("got %+v, %v, want %+v", got, err, c)
	}
}

// TestMoveState writes states as JSON and reads them back.
func TestMoveState(t *testing.T) {
	testMoveState(t, repository.MoveState[fleet.VehicleEventKey]{
		From: kit.Event(1).Key(), To: kit.Event(2).Key(), ETag: `"1-<2>"`, RID: "a==", Document: json.RawMessage(`{"id":"\u00e9","n":[1.50]}`),
	})
	testMoveState(t, repository.MoveState[telemetry.ReadingKey]{To: telemetry.ReadingKey{ID: "é", DeviceID: `"`, Date: 2018}, Document: json.RawMessage("null")})
	testMoveState(t, repository.MoveState[clickstream.ClickKey]{From: clickstream.ClickKey{Suffix: 400}, Document: json.RawMessage("{}")})
	testMoveState(t, repository.MoveState[fixtures.VisitKey]{From: fixtures.VisitKey{At: time.Date(2024, 2, 29, 1, 2, 3, 4, time.UTC)}, Document: json.RawMessage("{}")})
}

func testMoveState[K interface {
	comparable
	Validate() error
}](t *testing.T, state repository.MoveState[K]) {
	t.Helper()
	var got repository.MoveState[K]
	if err := json.Unmarshal(asText(t, state), &got); err != nil {
		t.Fatal(err)
	}
	if got.From != state.From || got.To != state.To || got.ETag != state.ETag || got.RID != state.RID || string(got.Document) != string(state.Document) {
		t.Errorf("got %+v, want %+v", got, state)
	}
}

// TestResumeMoveRefuses has states that PrepareMove does not make.
func TestResumeMoveRefuses(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	from := e.Key()
	e.Date = kit.NextDay
	state, err := events.PrepareMove(ctx, from, e)
	if err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	type eventMove = repository.MoveState[fleet.VehicleEventKey]
	for name, test := range map[string]struct {
		change func(*eventMove)
		want   string
	}{
		"empty":            {func(s *eventMove) { *s = eventMove{} }, "ID"},
		"no new key":       {func(s *eventMove) { s.To.Date = "" }, "Date"},
		"another key":      {func(s *eventMove) { s.To.Date = "2018-08-11" }, "does not have the key"},
		"no document":      {func(s *eventMove) { s.Document = nil }, "cannot be read"},
		"no ETag":          {func(s *eventMove) { s.ETag = "" }, "incomplete"},
		"the key it has":   {func(s *eventMove) { s.From = s.To }, "incomplete"},
		"another document": {func(s *eventMove) { s.Document = json.RawMessage("{}") }, "does not have the key"},
	} {
		damaged := state
		test.change(&damaged)
		if err := events.ResumeMove(ctx, damaged); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := server.Documents(); len(n) != 0 {
		t.Errorf("sent %v", n)
	}
}
