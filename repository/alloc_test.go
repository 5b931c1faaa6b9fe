package repository_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestAllocations compares the operations of a layout whose keys cannot collide
// with the SDK's own requests and encoding/json. The rest is the key, its place
// in the document, and its name in errors.
func TestAllocations(t *testing.T) {
	const document = `{"id":"1","topic":"a","title":"b","text":"c","partitionKey":"a-b"}`
	_, container := kit.NewWire(t, document)
	r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, kit.UnverifiedNotes)}}
	ctx := context.Background()
	n := fixtures.Note{ID: "1", Topic: "a", Title: "b", Text: "c"}
	pk := azcosmos.NewPartitionKeyString("a-b")
	write := func(send func([]byte) (azcosmos.ItemResponse, error)) func() error {
		return func() error {
			n.ETag = ""
			body, err := json.Marshal(&n)
			if err == nil {
				_, err = send(body)
			}
			return err
		}
	}
	for _, test := range []struct {
		name      string
		bare, own func() error
		most      float64
	}{
		{"Get", func() error {
			response, err := container.ReadItem(ctx, pk, "1", nil)
			if err == nil {
				err = json.Unmarshal(response.Value, new(fixtures.Note))
			}
			return err
		}, func() error { _, err := r.Get(ctx, n.Key()); return err }, 6},
		{"Delete",
			func() error { _, err := container.DeleteItem(ctx, pk, "1", nil); return err },
			func() error { return r.Delete(ctx, n.Key()) }, 8},
		{"Upsert",
			write(func(body []byte) (azcosmos.ItemResponse, error) { return container.UpsertItem(ctx, pk, body, nil) }),
			func() error { n.ETag = ""; return r.Upsert(ctx, &n) }, 13},
		{"Replace",
			write(func(body []byte) (azcosmos.ItemResponse, error) {
				return container.ReplaceItem(ctx, pk, "1", body, nil)
			}),
			func() error { n.ETag = ""; return r.Replace(ctx, &n) }, 14},
	} {
		count := func(f func() error) float64 {
			if err := f(); err != nil {
				t.Fatal(err)
			}
			return testing.AllocsPerRun(200, func() { _ = f() })
		}
		if extra := count(test.own) - count(test.bare); extra > test.most+harness.RaceAllocations {
			t.Errorf("%s allocates %v times besides the request and its JSON, want %v", test.name, extra, test.most)
		}
	}
}

// TestRoutingAllocations checks that a point read in a type with several containers
// allocates one time more than in a type with one container: the container's name.
func TestRoutingAllocations(t *testing.T) {
	_, client := kit.NewWireClient(t, `{"id":"a1","device":"d1","at":"2024-01-05T12:00:00.0000000Z","pk":"d1-2024-01-05"}`)
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(kit.Window(1))
	if err != nil {
		t.Fatal(err)
	}
	one := *fixtures.ReadingModel
	one.Containers = nil
	ctx, key := context.Background(), kit.ReadingAt("a1", 1, 5).Key()
	count := func(d *repository.Documents[fixtures.Reading, fixtures.ReadingKey]) float64 {
		if _, err := d.Get(ctx, key); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(200, func() { _, _ = d.Get(ctx, key) })
	}
	plain, routed := count(repository.New(container, &one)), count(repository.NewIn(db, fixtures.ReadingModel))
	if routed > plain+1+harness.RaceAllocations {
		t.Errorf("a routed read allocates %v times, a plain one %v times", routed, plain)
	}
}

// TestAllocationsOfChanges makes a change of a patch from its text and its operation alone.
func TestAllocationsOfChanges(t *testing.T) {
	type document struct{}
	speed, number := repository.PatchNumber[document, int]("/speed"), 120
	var change repository.PatchOperation[document]
	if n := testing.AllocsPerRun(100, func() { change = speed.Set(number) }); n > 2 {
		t.Errorf("a change allocates %v times, want its text and its operation", n)
	}
	if want := `{"op":"set","path":"/speed","value":120}`; change.String() != want {
		t.Errorf("the change is %s, want %s", change, want)
	}
}
