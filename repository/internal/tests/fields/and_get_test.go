package fields

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// answers is a policy that notes which writes ask for the stored document. If it
// has a body, it replaces the body of their answers.
type answers struct {
	asked *[]bool
	body  *string
}

func (a answers) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if method := r.Raw().Method; err == nil && (method == http.MethodPatch || method == http.MethodPut) {
		*a.asked = append(*a.asked, r.Raw().Header.Get("Prefer") != "return=minimal")
		if *a.body != "as it is" {
			response.Body = io.NopCloser(strings.NewReader(*a.body))
			response.ContentLength = int64(len(*a.body))
		}
	}
	return response, err
}

// newAnswers is an empty container of vehicle events, whose client has a policy.
func newAnswers(t *testing.T) (*harness.Account, *fleet.VehicleEventRepository, answers) {
	t.Helper()
	body := "as it is"
	a := answers{new([]bool), &body}
	var options azcosmos.ClientOptions
	options.PerCallPolicies = []policy.Policy{a}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(&options))
	return server, fleet.NewVehicleEventRepository(container), a
}

// andGet are the operations that change an event by one and return the stored
// document.
func andGet(events *fleet.VehicleEventRepository) map[string]func(context.Context, fleet.VehicleEventKey) (*fleet.VehicleEvent, error) {
	f, p := fleet.VehicleEventFields, fleet.VehicleEventPatch
	return map[string]func(context.Context, fleet.VehicleEventKey) (*fleet.VehicleEvent, error){
		"update": func(ctx context.Context, key fleet.VehicleEventKey) (*fleet.VehicleEvent, error) {
			return events.UpdateAndGet(ctx, key, kit.Faster)
		},
		"patch": func(ctx context.Context, key fleet.VehicleEventKey) (*fleet.VehicleEvent, error) {
			return events.PatchAndGet(ctx, key, p.Speed.Increment(1))
		},
		"patch if": func(ctx context.Context, key fleet.VehicleEventKey) (*fleet.VehicleEvent, error) {
			return events.PatchIfAndGet(ctx, key, f.Speed.Ge(0), p.Speed.Increment(1))
		},
	}
}

// TestAndGet changes a document and gets it with its new ETag, without another
// read.
func TestAndGet(t *testing.T) {
	server, events, a := newAnswers(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	for name, change := range andGet(events) {
		before, err := events.Get(ctx, e.Key())
		if err != nil {
			t.Fatal(err)
		}
		server.ResetRequests()
		*a.asked = nil
		got, err := change(ctx, e.Key())
		if err != nil || got.Speed != before.Speed+1 || got.ETag == before.ETag || len(*a.asked) != 1 || !(*a.asked)[0] {
			t.Fatalf("%s: got %+v, %v after %+v; asked %v", name, got, err, before, *a.asked)
		}
		reads := server.Documents()[emulator.OpReadItem]
		if name == "update" && reads != 1 || name != "update" && reads != 0 {
			t.Errorf("%s: %d reads", name, reads)
		}
		stored, err := events.Get(ctx, e.Key())
		if err != nil || *stored != *got {
			t.Errorf("%s: got %+v, and stored is %+v, %v", name, got, stored, err)
		}
		if err := events.Replace(ctx, got); err != nil {
			t.Errorf("%s: replace of what was stored: %v", name, err)
		}
	}
	// The others do not ask for it.
	*a.asked = nil
	p := fleet.VehicleEventPatch
	err := errors.Join(events.Patch(ctx, e.Key(), p.Speed.Set(1)), events.Update(ctx, e.Key(), kit.Faster),
		events.PatchIf(ctx, e.Key(), fleet.VehicleEventFields.Speed.Eq(2), p.Speed.Set(1)))
	if err != nil || len(*a.asked) != 3 || (*a.asked)[0] || (*a.asked)[1] || (*a.asked)[2] {
		t.Errorf("%v, and asked %v", err, *a.asked)
	}
}

// TestAndGetOfNothing returns no document with an error.
func TestAndGetOfNothing(t *testing.T) {
	_, events, _ := newAnswers(t)
	ctx := context.Background()
	for name, change := range andGet(events) {
		if got, err := change(ctx, kit.Event(1).Key()); got != nil || !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if got, err := change(ctx, fleet.VehicleEventKey{}); got != nil || err == nil {
			t.Errorf("%s without a key: got %+v, %v", name, got, err)
		}
	}
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	got, err := events.PatchIfAndGet(ctx, e.Key(), fleet.VehicleEventFields.Speed.Lt(0), fleet.VehicleEventPatch.Speed.Set(1))
	if got != nil || !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("a condition that does not hold: got %+v, %v", got, err)
	}
}

// TestAndGetWithoutTheBody loses the document in the answer: the change takes
// effect once, and the error matches ErrUnclear.
func TestAndGetWithoutTheBody(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"empty": "", "an object": "{}", "null": "null", "another document": `{"id":"other"}`, "half": `{"id":"e0000`} {
		t.Run(name, func(t *testing.T) {
			_, events, a := newAnswers(t)
			ctx := context.Background()
			e := kit.Event(1)
			if err := events.Create(ctx, e); err != nil {
				t.Fatal(err)
			}
			*a.body = body
			speed := e.Speed
			for op, change := range andGet(events) {
				got, err := change(ctx, e.Key())
				if got != nil || !errors.Is(err, repository.ErrUnclear) {
					t.Errorf("%s: got %+v, %v", op, got, err)
				}
				speed++
				if stored, err := events.Get(ctx, e.Key()); err != nil || stored.Speed != speed {
					t.Errorf("%s: stored is %+v, %v, want the speed %d", op, stored, err, speed)
				}
			}
		})
	}
}

// minimal is a policy that asks for answers to writes without documents.
type minimal struct{}

func (minimal) Do(r *policy.Request) (*http.Response, error) {
	r.Raw().Header.Set("Prefer", "return=minimal")
	return r.Next()
}

// TestAndGetReadsWhatIsLeftOut has a client that asks for answers without
// documents.
func TestAndGetReadsWhatIsLeftOut(t *testing.T) {
	var options azcosmos.ClientOptions
	options.PerCallPolicies = []policy.Policy{minimal{}}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(&options))
	events := fleet.NewVehicleEventRepository(container)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	for op, change := range andGet(events) {
		before, err := events.Get(ctx, e.Key())
		if err != nil {
			t.Fatal(err)
		}
		got, err := change(ctx, e.Key())
		if err != nil || got.Speed != before.Speed+1 || got.ETag == before.ETag {
			t.Errorf("%s: got %+v, %v", op, got, err)
		}
	}
	// Nor can it be read: the error says that the patch took effect.
	server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusForbidden})
	_, err := events.PatchAndGet(ctx, e.Key(), fleet.VehicleEventPatch.Speed.Set(77))
	if err == nil || !strings.Contains(err.Error(), "after the write took effect") || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
	server.ClearFaults()
	if got, err := events.Get(ctx, e.Key()); err != nil || got.Speed != 77 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestAndGetWhereKeysCollide reads first, as the others do.
func TestAndGetWhereKeysCollide(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	n := &fixtures.Note{ID: "1", Topic: "a", Title: "b-c", Text: "old"}
	if err := r.Create(ctx, n); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	got, err := r.PatchAndGet(ctx, n.Key(), repository.PatchValue[fixtures.Note, string]("/text").Set("new"))
	if err != nil || got.Text != "new" || got.ETag == "" || got.ETag == n.ETag {
		t.Errorf("got %+v, %v", got, err)
	}
	if sent := server.Documents(); !maps.Equal(sent, map[string]int{emulator.OpReadItem: 1}) {
		t.Errorf("sent %v", sent)
	}
	other := fixtures.NoteKey{ID: "1", Topic: "a-b", Title: "c"}
	if got, err := r.PatchAndGet(ctx, other, repository.PatchValue[fixtures.Note, string]("/text").Set("x")); got != nil || !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("of another document: %+v, %v", got, err)
	}
}

// TestUpdateLeavesTheNewETag uses the document that Update passed to its
// function.
func TestUpdateLeavesTheNewETag(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	var seen *fleet.VehicleEvent
	err := events.Update(ctx, e.Key(), func(e *fleet.VehicleEvent) error { seen = e; return kit.Faster(e) })
	if err != nil || seen.ETag == e.ETag {
		t.Fatalf("the ETag is %s after %s, %v", seen.ETag, e.ETag, err)
	}
	seen.Speed = 99
	if err := events.Replace(ctx, seen); err != nil {
		t.Error(err)
	}
}
