// Package face has the words of each API of Cosmos DB in generated code: where its run
// time is, what it calls things, and what its operations cost.
package face

// Face is an API as generated code shows it.
type Face struct {
	Path    string // import path of the run time
	Package string // its name

	// Container is what the API calls a container, and Document what it stores for a document.
	Container, Document string

	// Handle is the type of the run time by which a program reaches the service, and
	// Parameter the name of parameters of it.
	Handle, Parameter string

	// Condition says how a version is sent with a write.
	Condition string

	Costs Costs
}

// Cost is what an operation costs.
type Cost struct {
	Words           string
	Requests, Units int  // of a fan-out, for each part that it reads
	FanOut          bool // it reads several parts of the container
	ByKey           bool // the parts are logical partitions, each with a request of its own
	Inside          bool // the service reads the parts for one request
}

// Costs are the costs of operations.
//
// A point read of 1 KB costs one request unit by definition. The other numbers are
// rough, and come from Microsoft's pages on request units and query performance.
type Costs struct {
	Write    Cost
	Verified Cost // a write that first looks whose document is there
	Read     Cost
	Many     Cost // a read of several keys
	Query    Cost // of one logical partition
	FanOut   Cost // of several
	Scan     Cost // of the container
	Find     Cost // of an id in several logical partitions; Words has %d, their number
}

const root = "github.com/cosmos-pkgen/pkgen/"

// NoSQL is the API that package repository uses.
var NoSQL = Face{
	Path: root + "repository", Package: "repository", Container: "container", Document: "document",
	Condition: "sent as If-Match",
	Costs: Costs{
		Write:    Cost{Words: "one write, about 5 request units for 1 KB", Requests: 1, Units: 5},
		Verified: Cost{Words: "a read and a write on condition, 2 requests and about 6 request units for 1 KB", Requests: 2, Units: 6},
		Read:     Cost{Words: "one point read, 1 request unit for 1 KB", Requests: 1, Units: 1},
		Many:     Cost{Words: "one query for each physical partition that holds some of them, about 3 request units and 1 for each KB", Requests: 1, Units: 3, FanOut: true},
		Query:    Cost{Words: "one query, about 3 request units a page", Requests: 1, Units: 3},
		FanOut:   Cost{Words: "one query for each physical partition that holds some of them, about 3 request units a page of each", Requests: 1, Units: 3, FanOut: true},
		Scan:     Cost{Words: "one query for each physical partition, about 3 request units a page", Requests: 1, Units: 3, FanOut: true},
		Find:     Cost{Words: "one request to each physical partition that holds some of the %d logical partitions, about 3 request units each", Requests: 1, Units: 3, FanOut: true},
	},
}

// Table is the Table API. Its queries read one logical partition each, in pages of at
// most 1,000 entities
// (https://learn.microsoft.com/rest/api/storageservices/query-timeout-and-pagination).
var Table = Face{
	Path: root + "table", Package: "table", Container: "table", Document: "entity",
	Handle: "Service", Parameter: "service",
	Condition: "sent as If-Match",
	Costs: Costs{
		Write:    Cost{Words: "one request", Requests: 1, Units: 5},
		Verified: Cost{Words: "a read and a write on condition, 2 requests", Requests: 2, Units: 6},
		Read:     Cost{Words: "one point read, one request", Requests: 1, Units: 1},
		Many:     Cost{Words: "one point read for each of them, 32 at once", Requests: 1, Units: 1},
		Query:    Cost{Words: "one query, a request for each page of up to 1,000", Requests: 1, Units: 3},
		FanOut:   Cost{Words: "one query for each of these, several at a time, a request or more each", Requests: 1, Units: 3, FanOut: true, ByKey: true},
		Scan:     Cost{Words: "one query of the whole table, which reads every physical partition, a request for each page of up to 1,000", Requests: 1, Units: 3, FanOut: true, Inside: true},
		Find:     Cost{Words: "one query for each of %d logical partitions, several at a time, a request each", Requests: 1, Units: 3, FanOut: true, ByKey: true},
	},
}

// Mongo is the API for MongoDB.
var Mongo = Face{
	Path: root + "mongo", Package: "mongo", Container: "collection", Document: "document",
	Handle: "Database", Parameter: "db",
	Condition: "part of the filter",
	Costs: Costs{
		Write:    Cost{Words: "one command, which carries the shard key", Requests: 1, Units: 5},
		Verified: Cost{Words: "a find and a write on condition, 2 commands that carry the shard key", Requests: 2, Units: 6},
		Read:     Cost{Words: "one find by _id and shard key, a point read", Requests: 1, Units: 1},
		Many:     Cost{Words: "one find for each of them, 32 at once", Requests: 1, Units: 1},
		Query:    Cost{Words: "one find by the shard key, and a command for each further batch", Requests: 1, Units: 3},
		FanOut:   Cost{Words: "one find by all their shard keys, which reads the physical partitions that hold some of them, and a command for each further batch", Requests: 1, Units: 3, FanOut: true, Inside: true},
		Scan:     Cost{Words: "one find without a shard key, which reads every physical partition, and a command for each further batch", Requests: 1, Units: 3, FanOut: true, Inside: true},
		Find:     Cost{Words: "one find by _id and the shard keys of %d logical partitions", Requests: 1, Units: 3, FanOut: true, Inside: true},
	},
}

// Gremlin is the API for Apache Gremlin. It has no versions of vertices.
var Gremlin = Face{
	Path: root + "gremlin", Package: "gremlin", Container: "graph", Document: "vertex",
	Handle: "Client", Parameter: "g",
	Costs: Costs{
		Write:    Cost{Words: "one traversal", Requests: 1, Units: 5},
		Verified: Cost{Words: "a read and a write, 2 traversals", Requests: 2, Units: 6},
		Read:     Cost{Words: "the point read g.V([key, id])", Requests: 1, Units: 1},
		Many:     Cost{Words: "one point read for each of them, 32 at once", Requests: 1, Units: 1},
		Query:    Cost{Words: "one traversal for each 1,000 of them", Requests: 1, Units: 3},
		FanOut:   Cost{Words: "one traversal for each 1,000 of the partition keys, which reads the physical partitions that hold some of them, and one more for each further 1,000 documents", Requests: 1, Units: 3, FanOut: true, Inside: true},
		Scan:     Cost{Words: "one traversal for each 1,000 documents, which reads every physical partition", Requests: 1, Units: 3, FanOut: true, Inside: true},
		Find:     Cost{Words: "one traversal by the id and the partition keys of %d logical partitions", Requests: 1, Units: 3, FanOut: true, Inside: true},
	},
}
