package mongo

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func TestConfigure(t *testing.T) {
	o := Configure(options.Client().SetRetryWrites(true).SetBSONOptions(&options.BSONOptions{NilSliceAsEmpty: true}))
	if *o.RetryWrites || *o.RetryReads || !o.BSONOptions.UseJSONStructTags || !o.BSONOptions.NilSliceAsEmpty || o.Monitor == nil {
		t.Errorf("got %+v", o)
	}
	if Configure(nil) == nil {
		t.Error("no options")
	}
	for address, want := range map[string]bool{
		"localhost:27017": true, "127.0.0.1:1": true, "[::1]:27017": true, "/tmp/mongodb-27017.sock": true, "a.localhost:1": true,
		"account.mongo.cosmos.azure.com:10255": false, "10.0.0.1:27017": false, "localhost.example.com:1": false, "": false,
	} {
		if isThisMachine(address) != want {
			t.Errorf("%q: %v", address, !want)
		}
	}
}

func TestDraft(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	fake := serve(t, func(string, bson.Raw) any { return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}} })
	model := thingModel()
	model.Draft = true
	local := New(fake.connect(t, Configure), "things", model)
	for range 2 {
		if err := local.Create(ctx, one()); err != nil {
			t.Error(err)
		}
	}
	if got := fake.seen(); !slices.Equal(got, []string{"ping", "insert", "insert"}) {
		t.Errorf("sent %v", got)
	}
	plain := New(fake.connect(t, func(o *options.ClientOptions) *options.ClientOptions { return o }), "things", model)
	if err := plain.Create(ctx, one()); !errors.Is(err, documents.ErrDraft) || !strings.Contains(err.Error(), "mongo.Configure") {
		t.Errorf("got %v", err)
	}
	if _, err := NewQuery(plain, generated.Keys{}).Collect(ctx); !errors.Is(err, documents.ErrDraft) {
		t.Errorf("got %v", err)
	}
	if got := fake.seen(); slices.Contains(got, "insert") || slices.Contains(got, "find") {
		t.Errorf("sent %v", got)
	}
}
