package mongo

import (
	"errors"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		println(err.Error())
		code = 1
	}
	os.Exit(code)
}

// thing is a document as generated code would describe it.
type thing struct {
	ID    string `json:"id"`
	Site  string `json:"site"`
	Speed *int   `json:"speed"`
	ETag  string `json:"_etag,omitempty"`
}

type thingKey struct{ Site, ID string }

func (k thingKey) Validate() error {
	return partition.Check("thing", partition.ID(k.ID), partition.Text("Site", k.Site))
}

func thingModel() *generated.Model[thing, thingKey] {
	// By hand: generated code imports this package.
	return &generated.Model[thing, thingKey]{
		Type:       "thing",
		Path:       "/partitionKey",
		Synthetic:  true,
		Key:        func(t *thing) thingKey { return thingKey{t.Site, t.ID} },
		ID:         func(k thingKey) string { return k.ID },
		Text:       func(k thingKey) string { return "site-" + k.Site },
		ETag:       func(t *thing) *string { return &t.ETag },
		Properties: &generated.Properties{ID: "id", ETag: "_etag"},
	}
}

func place(partition, id string) api.Place {
	return api.Place{Partition: partition, ID: id}
}

func answerOf(t *testing.T, err error) *failure.Answer {
	t.Helper()
	var a *failure.Answer
	if !errors.As(err, &a) {
		t.Fatalf("a %T", err)
	}
	return a
}
