package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// mongo is the API for MongoDB.
var mongo = api{
	emitter: collections{}, number: operations.Mongo, runtime: root + "mongo", in: "mongo", errors: "documents",
	container: "collection", handle: "Database", parameter: "db",
	fields: "refers to the properties of %s documents in queries.",
	left:   "%[2]s: the collection of %[1]s documents",
	id:     "_id", checkID: "MongoID", check: "Key", gone: ", or is gone", typed: true,
	costs: costs{
		write:    cost{Words: "one command, which carries the shard key", Requests: 1, Units: 5},
		verified: cost{Words: "a find and a conditional write, 2 commands that carry the shard key", Requests: 2, Units: 6},
		read:     cost{Words: "one find by _id and shard key, a point read", Requests: 1, Units: 1},
		many:     cost{Words: "one find for each key, 32 at once", Requests: 1, Units: 1},
		query:    cost{Words: "one find by the shard key, and a command for each further batch", Requests: 1, Units: 3},
		fanOut:   cost{Words: "one find by all shard keys, which reads the physical partitions involved, and a command for each further batch", Requests: 1, Units: 3, FanOut: true, Inside: true},
		scan:     cost{Words: "one find without a shard key, which reads every physical partition, and a command for each further batch", Requests: 1, Units: 3, FanOut: true, Inside: true},
		find:     cost{Words: "one find by _id and the shard keys of %d logical partitions", Requests: 1, Units: 3, FanOut: true, Inside: true},
	},
}

type collections struct{ others }

func (collections) provide(f *file) {
	collections{}.ensureIn(f, " creates the collection "+f.Container+" of "+f.Name+" documents, or checks the shard key of the existing one and adds missing indexes.",
		collections{}.described(f), "throughput")
}

func (collections) repository(f *file) {
	collections{}.repositoryIn(f, "collection", "collection "+f.Container+" of db, which "+f.ensureName+" creates", f.Container, "")
}

// described describes the collection.
func (collections) described(f *file) *jen.Statement {
	items := []jen.Code{
		named("Name", jen.Lit(f.Container)),
		named("ShardKey", jen.Lit(f.StoredName(f.Levels[0].Path))),
	}
	if len(f.Composites) > 0 {
		indexes := collect(f.Composites, func(composite []IndexPath) jen.Code {
			return jen.Values(collect(composite, func(path IndexPath) jen.Code {
				return jen.Values(named("Name", jen.Lit(f.StoredName(path.Path))), when(path.Descending, named("Descending", jen.True())))
			})...)
		})
		items = append(items, named("Indexes", rows(jen.Index().Index().Add(f.lib("Index")), indexes...)))
	}
	return rows(f.lib("Collection"), items...)
}
