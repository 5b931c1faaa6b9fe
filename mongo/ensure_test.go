package mongo

import (
	"context"
	"errors"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

var readings = Collection{Name: "readings", ShardKey: "partitionKey", Indexes: [][]Index{{{Name: "speed"}, {Name: "at", Descending: true}}}}

// TestEnsureByAction has an account with request units, as Microsoft's pages describe its
// answers.
func TestEnsureByAction(t *testing.T) {
	t.Parallel()
	there := bson.D{
		{Key: "ok", Value: 1}, {Key: "collection", Value: "readings"}, {Key: "provisionedThroughput", Value: 400},
		{Key: "shardKeyDefinition", Value: bson.D{{Key: "partitionKey", Value: "hash"}}},
	}
	auto := append(slices.Clone(there), bson.E{Key: "autoScaleSettings", Value: bson.D{{Key: "maxThroughput", Value: 4000}}})
	for name, test := range map[string]struct {
		exists  bson.D
		want    Throughput
		differs []string
	}{
		"new":             {nil, Autoscale(4000), nil},
		"new, manual":     {nil, Manual(500), nil},
		"new, any":        {nil, Throughput{}, nil},
		"as wanted":       {there, Manual(400), nil},
		"any throughput":  {auto, Throughput{}, nil},
		"autoscale":       {auto, Autoscale(4000), nil},
		"another":         {there, Autoscale(4000), []string{"throughput"}},
		"more":            {there, Manual(500), []string{"throughput"}},
		"no shard key":    {bson.D{{Key: "ok", Value: 1}}, Throughput{}, []string{"shard key"}},
		"other shard key": {bson.D{{Key: "ok", Value: 1}, {Key: "shardKeyDefinition", Value: bson.D{{Key: "x", Value: "hash"}}}}, Manual(400), []string{"shard key", "throughput"}},
	} {
		indexed := false
		fake := serve(t, func(name string, command bson.Raw) any {
			switch action, _ := lookup(command, "customAction"); {
			case name == "createIndexes":
				indexed = command.Lookup("indexes", "0", "key", "_id").AsInt64() == -1
			case action == "CreateCollection" && test.exists != nil:
				return failed(48, "the resource exists")
			case action == "CreateCollection":
				if key, _ := lookup(command, "shardKey"); key != "partitionKey" {
					return failed(2, "no shard key")
				}
				manual, _ := command.Lookup("offerThroughput").AsInt64OK()
				most, _ := command.Lookup("autoScaleSettings", "maxThroughput").AsInt64OK()
				if test.want.auto && most != int64(test.want.units) || !test.want.auto && manual != int64(test.want.units) {
					return failed(2, "another throughput")
				}
			case action == "GetCollection":
				return test.exists
			}
			return bson.D{{Key: "ok", Value: 1}}
		})
		err := Ensure(context.Background(), fake.connect(t, Configure), readings, test.want)
		var differs *CollectionError
		var got []string
		if errors.As(err, &differs) {
			for _, d := range differs.Differences {
				got = append(got, d.What)
			}
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(got, test.differs) || indexed != (test.differs == nil) {
			t.Errorf("%s: %v, indexed %v: %v", name, got, indexed, err)
		}
	}
}

// TestEnsureSharded has a cluster with shards.
func TestEnsureSharded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key     bson.D
		sharded bool
		differs bool
	}{
		"new":         {nil, true, false},
		"hashed":      {bson.D{{Key: "partitionKey", Value: "hashed"}}, false, false},
		"by range":    {bson.D{{Key: "partitionKey", Value: 1}}, false, true},
		"another key": {bson.D{{Key: "x", Value: "hashed"}}, false, true},
	} {
		sharded := false
		fake := serve(t, func(name string, command bson.Raw) any {
			if _, err := command.LookupErr("customAction"); err == nil {
				return failed(59, "no such command")
			}
			switch name {
			case "hello":
				return bson.D{{Key: "ok", Value: 1}, {Key: "msg", Value: "isdbgrid"}}
			case "find":
				if test.key == nil {
					return cursorOf(0, "firstBatch", bson.A{})
				}
				return cursorOf(0, "firstBatch", bson.A{bson.D{{Key: "_id", Value: "d.readings"}, {Key: "key", Value: test.key}}})
			case "shardCollection":
				key, _ := lookup(command, "key", "partitionKey")
				sharded = key == "hashed"
			}
			return bson.D{{Key: "ok", Value: 1}}
		})
		err := Ensure(context.Background(), fake.connect(t, Configure), readings, Throughput{})
		var differs *CollectionError
		if errors.As(err, &differs) != test.differs || !test.differs && err != nil || sharded != test.sharded {
			t.Errorf("%s: sharded %v, %v", name, sharded, err)
		}
	}
}

func TestThroughput(t *testing.T) {
	for _, wrong := range []Throughput{Manual(300), Manual(450), Autoscale(500), Autoscale(1500), Manual(-1)} {
		if err := Ensure(context.Background(), nil, readings, wrong); err == nil {
			t.Errorf("%v is not refused", wrong)
		}
	}
	if err := Ensure(context.Background(), nil, Collection{Name: "x"}, Throughput{}); err == nil {
		t.Error("no shard key is not refused")
	}
}
