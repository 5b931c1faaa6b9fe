package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/cosmos-pkgen/pkgen/internal/api"
)

// Collection is the collection that [Ensure] creates or compares. Generated code makes it.
type Collection struct {
	Name     string
	ShardKey string // a property, or a path such as "meta.site"; the service hashes it

	// Indexes are compound indexes, one for each order that queries use. Ensure adds _id
	// to each, in the direction of the last property, as [Query.OrderBy] sorts.
	Indexes [][]Index
}

// Index is a property of a compound index.
type Index struct {
	Name       string // a property, or a path
	Descending bool
}

// Difference is a property of a collection that is not as wanted.
type Difference struct {
	What string // "shard key", "throughput" or "index"
	Have string
	Want string
}

// CollectionError is the error of an existing collection that is not as wanted.
type CollectionError struct {
	Collection  string
	Differences []Difference
}

// Error names the collection and all differences.
func (e *CollectionError) Error() string {
	texts := make([]string, len(e.Differences))
	for i, d := range e.Differences {
		texts[i] = fmt.Sprintf("its %s is %s, and should be %s", d.What, d.Have, d.Want)
	}
	return fmt.Sprintf("collection %s: %s", e.Collection, strings.Join(texts, "; "))
}

// Ensure creates a collection with its shard key, its throughput and its indexes, if it does
// not exist; otherwise it compares the collection and adds missing indexes. If anything else
// differs, the error is a [*CollectionError], and nothing is changed: the shard key of a
// collection never changes, and the service's command UpdateCollection changes throughput.
//
// Accounts with request units use the service's command CreateCollection. A server with shards,
// MongoDB 6 or later, uses shardCollection. Any other server, such as one for tests, gets a
// plain collection, in which each _id is unique.
//
// It costs one to four requests. Several programs may call it at once.
func Ensure(ctx context.Context, db *Database, c Collection, t Throughput) error {
	e := ensuring{db: db, want: c}
	if err := e.run(ctx, t); err != nil {
		var differs *CollectionError
		if errors.As(err, &differs) {
			return err
		}
		return fmt.Errorf("ensure collection %s: %w", c.Name, err)
	}
	return nil
}

type ensuring struct {
	db    *Database
	want  Collection
	sends sends
}

func (e *ensuring) run(ctx context.Context, t Throughput) error {
	if e.want.Name == "" || e.want.ShardKey == "" {
		return errors.New("a collection has a name and a shard key")
	}
	if err := t.check(); err != nil {
		return err
	}
	err := e.byAction(ctx, t)
	if hasCode(err, codeCommandNotFound) || hasCode(err, codeCommandNotSupported) {
		err = e.byCommand(ctx)
	}
	if err != nil {
		return err
	}
	return e.indexes(ctx)
}

// command sends a command, and again if the server was busy.
func (e *ensuring) command(ctx context.Context, db *Database, command bson.D) (bson.Raw, error) {
	return api.Attempt(ctx, func(ctx context.Context) (raw bson.Raw, err error) {
		err = e.sends.one(ctx, func(ctx context.Context) error {
			raw, err = db.RunCommand(ctx, command).Raw()
			return err
		})
		return raw, err
	})
}

func hasCode(err error, code int) bool {
	var server driver.ServerError
	return errors.As(err, &server) && server.HasErrorCode(code)
}

// byAction creates or compares the collection with the commands of Cosmos DB (Microsoft's page
// "Use MongoDB extension commands").
func (e *ensuring) byAction(ctx context.Context, t Throughput) error {
	create := bson.D{{Key: "customAction", Value: "CreateCollection"}, {Key: "collection", Value: e.want.Name}, {Key: "shardKey", Value: e.want.ShardKey}}
	switch {
	case t.auto:
		create = append(create, bson.E{Key: "autoScaleSettings", Value: bson.D{{Key: "maxThroughput", Value: t.units}}})
	case t.units > 0:
		create = append(create, bson.E{Key: "offerThroughput", Value: t.units})
	}
	_, createErr := e.command(ctx, e.db, create)
	if createErr == nil || hasCode(createErr, codeCommandNotFound) || hasCode(createErr, codeCommandNotSupported) {
		return createErr
	}
	// The code of an existing collection is not documented: check whether it exists.
	raw, err := e.command(ctx, e.db, bson.D{{Key: "customAction", Value: "GetCollection"}, {Key: "collection", Value: e.want.Name}})
	if err != nil {
		return createErr
	}
	var have struct {
		Shard bson.D `bson:"shardKeyDefinition"`
		Units int32  `bson:"provisionedThroughput"`
		Auto  struct {
			Most int32 `bson:"maxThroughput"`
		} `bson:"autoScaleSettings"`
	}
	if err := bson.Unmarshal(raw, &have); err != nil {
		return fmt.Errorf("the answer to GetCollection cannot be read: %w", err)
	}
	var differences []Difference
	if len(have.Shard) != 1 || have.Shard[0].Key != e.want.ShardKey {
		differences = append(differences, e.shard(have.Shard))
	}
	now := Throughput{units: have.Units}
	if have.Auto.Most > 0 {
		now = Throughput{units: have.Auto.Most, auto: true}
	}
	if t != (Throughput{}) && now != t {
		text := now.String()
		if now == (Throughput{}) {
			text = "that of the database, or serverless"
		}
		differences = append(differences, Difference{"throughput", text, t.String()})
	}
	return e.differ(differences)
}

func (e *ensuring) differ(differences []Difference) error {
	if len(differences) == 0 {
		return nil
	}
	return &CollectionError{e.want.Name, differences}
}

func (e *ensuring) shard(have bson.D) Difference {
	d := Difference{What: "shard key", Have: "missing", Want: e.want.ShardKey}
	if len(have) > 0 {
		d.Have = keyText(have)
	}
	return d
}

// keyText returns the properties of a shard key or an index.
func keyText(key bson.D) string {
	texts := make([]string, len(key))
	for i, k := range key {
		texts[i] = fmt.Sprintf("%s %v", k.Key, k.Value)
	}
	return strings.Join(texts, ", ")
}

// byCommand creates the collection with the commands of MongoDB.
func (e *ensuring) byCommand(ctx context.Context) error {
	raw, err := e.command(ctx, e.db, bson.D{{Key: "hello", Value: 1}})
	if err != nil {
		return err
	}
	if message, _ := lookup(raw, "msg"); message == "isdbgrid" { // mongos
		return e.sharded(ctx)
	}
	_, err = e.command(ctx, e.db, bson.D{{Key: "create", Value: e.want.Name}})
	if hasCode(err, codeNamespaceExists) {
		return nil
	}
	return err
}

func (e *ensuring) sharded(ctx context.Context) error {
	name := e.db.Name() + "." + e.want.Name
	var have struct {
		Key bson.D `bson:"key"`
	}
	_, err := api.Attempt(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, e.sends.one(ctx, func(ctx context.Context) error {
			err := e.db.Client().Database("config").Collection("collections").FindOne(ctx, bson.D{{Key: "_id", Value: name}}).Decode(&have)
			if errors.Is(err, driver.ErrNoDocuments) {
				return nil
			}
			return err
		})
	})
	hashed := bson.D{{Key: e.want.ShardKey, Value: "hashed"}}
	switch {
	case err != nil:
		return err
	case len(have.Key) == 1 && have.Key[0] == hashed[0]:
		return nil
	case len(have.Key) > 0:
		return e.differ([]Difference{{"shard key", keyText(have.Key), keyText(hashed)}})
	}
	_, err = e.command(ctx, e.db.Client().Database("admin"), bson.D{{Key: "shardCollection", Value: name}, {Key: "key", Value: hashed}})
	return err
}

// indexes creates missing indexes: the server keeps existing ones.
func (e *ensuring) indexes(ctx context.Context) error {
	if len(e.want.Indexes) == 0 {
		return nil
	}
	models := make([]driver.IndexModel, len(e.want.Indexes))
	texts := make([]string, len(models))
	for i, index := range e.want.Indexes {
		keys := indexKeys(index)
		models[i].Keys = keys
		texts[i] = keyText(keys)
	}
	_, err := api.Attempt(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, e.sends.one(ctx, func(ctx context.Context) error {
			_, err := e.db.Collection(e.want.Name).Indexes().CreateMany(ctx, models)
			return err
		})
	})
	if hasCode(err, codeIndexOptionsConflict) || hasCode(err, codeIndexKeySpecsConflict) {
		return e.differ([]Difference{{"index", "one of the same name or properties with other options", strings.Join(texts, " and ")}})
	}
	return err
}

func indexKeys(index []Index) bson.D {
	keys := make(bson.D, 0, len(index)+1)
	direction := 1
	for _, p := range index {
		if direction = 1; p.Descending {
			direction = -1
		}
		keys = append(keys, bson.E{Key: p.Name, Value: direction})
	}
	if !slices.ContainsFunc(keys, func(k bson.E) bool { return k.Key == "_id" }) {
		keys = append(keys, bson.E{Key: "_id", Value: direction})
	}
	return keys
}
