package repository_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestMuxOverWindows has two types of one template handled by one processor, and refuses
// those that are in other containers.
func TestMuxOverWindows(t *testing.T) {
	t.Parallel()
	w := newWorkers(t, 1)
	of := func(value, template string) *repository.Documents[fixtures.Reading, fixtures.ReadingKey] {
		model := *fixtures.ReadingModel
		model.Type = value
		model.Discriminator = &generated.Discriminator{Property: "kind", Value: value}
		containers := *model.Containers
		containers.Parts = []generated.ContainerPart{{Text: template}, {Field: "At", Layout: "2006-01"}}
		model.Containers = &containers
		return repository.NewIn(w.DB, &model, withNow(w.clock.now))
	}
	hot, cold := of("hot", "telemetry-"), of("cold", "telemetry-")
	w.Make(t, kit.Window(1), kit.Window(2))
	ctx := context.Background()
	var got kit.SeenChanges
	handle := func(prefix string) func(context.Context, []feed.Delivery[fixtures.Reading]) error {
		return func(_ context.Context, changes []feed.Delivery[fixtures.Reading]) error {
			for _, c := range changes {
				got.Note(prefix + c.Doc.ID)
			}
			return nil
		}
	}
	var want []string
	for i := range 6 {
		x := kit.ReadingAt(fmt.Sprint("r", i), 1+i%2, 3)
		documents := hot
		if x.Kind = "hot"; i > 2 {
			x.Kind, documents = "cold", cold
		}
		if err := documents.Create(ctx, x); err != nil {
			t.Fatal(err)
		}
		want = append(want, x.Kind+x.ID)
	}
	var mux feed.Mux
	feed.Handle(hot, &mux, handle("hot"))
	feed.Handle(cold, &mux, handle("cold"))
	end := kit.RunProcessor(t, mux.Processor("p", w.leases, kit.Quick))
	if all := inOrder(got.Await(t, len(want))); !slices.Equal(all, inOrder(want)) {
		t.Errorf("got %q, want %q", all, want)
	}
	end()
	if err := runs(t, feed.NewProcessor(hot, "p", w.leases, handle(""), kit.Quick)); err == nil || !strings.Contains(err.Error(), "another type") {
		t.Errorf("one of the types under the name of both: %v", err)
	}
	var apart feed.Mux
	feed.Handle(hot, &apart, handle(""))
	feed.Handle(of("cold", "archive-"), &apart, handle(""))
	if err := runs(t, apart.Processor("q", w.leases, kit.Quick)); err == nil || !strings.Contains(err.Error(), "a processor for each template") {
		t.Errorf("types of two templates: %v", err)
	}
	var mixed feed.Mux
	feed.Handle(hot, &mixed, handle(""))
	one, err := w.DB.NewContainer(kit.Window(1))
	if err != nil {
		t.Fatal(err)
	}
	model := *fixtures.ReadingModel
	model.Containers, model.Discriminator = nil, &generated.Discriminator{Property: "kind", Value: "cold"}
	feed.Handle(repository.New(one, &model), &mixed, handle(""))
	if err := runs(t, mixed.Processor("r", w.leases, kit.Quick)); err == nil || !strings.Contains(err.Error(), "a Mux for each") {
		t.Errorf("one container and several: %v", err)
	}
}
