package repository_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/docs"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/sales"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestDocs finds the Go of the guides in the examples, which compile, line by
// line.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("example_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*/example_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var examples strings.Builder
	for _, file := range append(append(files, more...), "../example/docs/page.go", "../example/moving/vehicle_event.go", "../example/projection/main.go", "../internal/fixtures/types.go") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples.WriteString(unindented(string(text)))
	}
	for _, guide := range []string{"../docs/querying.md", "../docs/cursors.md", "../docs/errors.md", "../docs/provisioning.md", "../docs/changefeed.md", "../docs/processor.md", "../docs/writing.md", "../docs/migration.md", "../docs/indexes.md", "../docs/search.md"} {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		blocks := goBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no examples", guide)
		}
		for _, block := range blocks {
			if !strings.Contains(examples.String(), unindented(block[1])) {
				t.Errorf("%s: no example has\n%s", guide, block[1])
			}
		}
	}
}

// unindented returns text without the space before its lines.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimLeft(line, "\t "))
	}
	return b.String()
}

// TestExamplesOfTheGuides runs them.
func TestExamplesOfTheGuides(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 30)
	server.Advance(time.Minute)
	for name, err := range map[string]error{
		"all":        exampleAll(ctx, events),
		"builders":   exampleBuilders(ctx, events),
		"aggregates": exampleAggregates(ctx, events),
		"groups":     exampleGroups(ctx, events),
		"having":     exampleHaving(ctx, events),
		"take while": exampleTakeWhile(ctx, events),
		"plan":       examplePlan(ctx, events),
		"many":       exampleMany(ctx, events, []fleet.VehicleEventKey{kit.Event(3).Key(), kit.Event(99).Key()}),
		"session":    exampleSession(ctx, events, kit.Event(7)),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if cursor, err := examplePage(ctx, events, ""); err != nil || cursor != "" {
		t.Errorf("the only page has the cursor %q, %v", cursor, err)
	}
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	if err := exampleCursorKey(ctx, container, []byte("0123456789abcdef"), []byte("fedcba9876543210"), "of another time"); err != nil {
		t.Error(err)
	}
	_, container = harness.NewContainer(t, emulator.Options{Partitions: 5}, sales.OrderContainer(), repository.Configure(nil))
	orders := sales.NewOrderRepository(container)
	if err := orders.Create(ctx, &sales.Order{ID: "1", TenantID: "contoso", CustomerID: "c", Status: "open", Lines: []sales.Line{{SKU: "bolt", Quantity: 3}}}); err != nil {
		t.Fatal(err)
	}
	if found, err := exampleElements(ctx, orders); err != nil || len(found) != 1 {
		t.Errorf("%d orders, %v", len(found), err)
	}
	if err := exampleJoin(ctx, orders); err != nil {
		t.Error(err)
	}
	if err := exampleErrors(ctx, events, kit.Event(99).Key()); err != nil {
		t.Error(err)
	}
	if err := exampleErrors(ctx, events, kit.Event(1).Key()); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Error(err)
	}
	if made := exampleFields(noTrips{}, "v", time.Date(2018, 8, 9, 6, 5, 4, 120_000_000, time.UTC)); len(made) != 3 {
		t.Errorf("got %v", made)
	}
	if _, err := exampleClient("nonsense"); err == nil {
		t.Error("a client of nonsense")
	}
}

type noTrips struct{}

func (noTrips) ByVIN(string) repository.Query[Trip] { return repository.Query[Trip]{} }

// TestExamplesOfSearch runs those of the page about search.
func TestExamplesOfSearch(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, docs.PageContainer(), repository.Configure(nil))
	pages, ctx := docs.NewPageRepository(container), context.Background()
	question := make([]float32, 1536)
	question[7] = 1
	for id, body := range map[string]string{"1": "a red bicycle", "2": "a red house", "3": "nothing of that"} {
		if err := pages.Create(ctx, &docs.Page{ID: id, Site: id, Body: body, Embedding: question}); err != nil {
			t.Fatal(err)
		}
	}
	if err := exampleNearest(ctx, pages, question); err != nil {
		t.Error(err)
	}
	if found, err := exampleWords(ctx, pages); err != nil || len(found) != 1 || found[0].ID != "1" {
		t.Errorf("%d pages, %v", len(found), err)
	}
	if best, err := exampleRank(ctx, pages, question); err != nil || len(best) != 3 || best[0].Document.ID != "1" || best[1].Document.ID != "2" {
		t.Errorf("%d pages, %v", len(best), err)
	}
}
