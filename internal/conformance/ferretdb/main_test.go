package ferretdb

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/mongo"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// server is one FerretDB for all tests, each of which has a database of its own.
var server *Server

func TestMain(m *testing.M) {
	var err error
	if server, err = Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// reading is a document as generated code would describe it, with every kind of value.
type reading struct {
	ID     string            `json:"id"`
	Site   string            `json:"site"`
	Text   string            `json:"text"`
	Speed  int               `json:"speed"`
	Small  int               `json:"small,omitempty"`
	Weight *float64          `json:"weight"`
	At     time.Time         `json:"at"`
	Flag   bool              `json:"flag"`
	Raw    []byte            `json:"raw"`
	Tags   []string          `json:"tags"`
	Names  map[string]string `json:"names"`
	Meta   *meta             `json:"meta"`
	Object bson.ObjectID     `json:"object"`
	ETag   string            `json:"_etag,omitempty"`
}

type meta struct {
	Level int `json:"level,omitempty"`
}

type readingKey struct{ Site, ID string }

func (k readingKey) Validate() error {
	return partition.Check("reading", partition.ID(k.ID), partition.Text("Site", k.Site))
}

var readingFields = struct {
	ID, Text documents.String[reading, string]
	Speed    documents.Number[reading, int]
	Small    documents.Number[reading, int]
	Weight   documents.Number[reading, float64]
	At       documents.Instant[reading]
	Flag     documents.Bool[reading, bool]
	Tags     documents.Opaque[reading]
	Level    documents.Number[reading, int]
}{"id", "text", "speed", "?small", "weight", "at", "flag", "tags", "?meta.level"}

// By hand: this module does without generated code.
var readingModel = generated.Model[reading, readingKey]{
	Type:       "reading",
	Path:       "/partitionKey",
	Synthetic:  true,
	Key:        func(r *reading) readingKey { return readingKey{r.Site, r.ID} },
	ID:         func(k readingKey) string { return k.ID },
	Text:       func(k readingKey) string { return "site-" + k.Site },
	ETag:       func(r *reading) *string { return &r.ETag },
	Properties: &generated.Properties{ID: "id", ETag: "_etag"},
}

var databases atomic.Int64

// open returns a new database, with a client of Configure.
func open(t testing.TB, monitor *event.CommandMonitor) *mongo.Database {
	t.Helper()
	return openAt(t, server.URI(), monitor)
}

func openAt(t testing.TB, uri string, monitor *event.CommandMonitor) *mongo.Database {
	t.Helper()
	client, err := driver.Connect(mongo.Configure(options.Client().ApplyURI(uri).SetMonitor(monitor)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := client.Disconnect(ctx); err != nil {
			t.Error(err)
		}
	})
	return client.Database(fmt.Sprintf("d%d", databases.Add(1)))
}

func site(sites ...string) generated.Keys {
	texts := make([]string, len(sites))
	for i, s := range sites {
		texts[i] = "site-" + s
	}
	return generated.AnyOf(texts)
}
