// Package operations is the table of the methods by which programs read and write the
// documents of a type: what each takes and returns, which API has it, what it costs and
// reaches. What generated code, explain, vet and the analysis of calls say of a method comes
// from here. Queries by key are not in it: properties give them their names.
package operations

import "slices"

// APIs are APIs of Cosmos DB.
type APIs uint8

// The APIs.
const (
	NoSQL APIs = 1 << iota
	Table
	Mongo
	Gremlin

	All = NoSQL | Table | Mongo | Gremlin
)

// Needs is what a type must have, or lack, for an operation.
type Needs uint8

// What a type must have or lack.
const (
	ETag     Needs = 1 << iota // a field for the ETag
	Marks                      // a field that is tagged deleted
	OnePlace                   // a number of buckets that does not grow
	NoUnique                   // no unique properties
	NoOwn                      // tenants have no containers of their own
)

// Cost says what an operation sends.
type Cost int

// The costs. Those that end in Each are for each of several documents.
const (
	Read Cost = iota
	Create
	Upsert
	Replace
	Delete
	DeleteVersion // with the ETag as its condition
	Restore
	Purge
	Update
	Patch
	Move
	ReadMany
	CreateEach
	UpsertEach
	DeleteEach
	DeleteFound // each, besides the query that finds them
	Scan
	Feed
	Find // a search under all suffixes
)

// Reach says which documents an operation reads or writes.
type Reach int

// What an operation reaches.
const (
	OfKey    Reach = iota // the document of a key
	OfKeys                // the documents of several keys
	BothKeys              // the document of a key, and of the key that it gets
	Whole                 // all documents
)

// Does says what an operation does with the documents that its caller hands it, or has.
type Does int

// What an operation does.
const (
	Nothing    Does = iota
	Stores          // stores a new document
	Overwrites      // stores a document in place of the one of its key
	Changes         // stores what its caller's function makes of the stored document
	Moves           // gives a document another key
	Removes
)

// Operation is a method of a repository.
type Operation struct {
	Name       string
	Parameters string // their names for people, without the context and options
	Result     string // in Go, where T is the type of the documents, and K that of their keys
	Event      string // the operation in events of observers; of methods that share one, the plainest has it
	APIs       APIs
	Needs      Needs
	Cost       Cost
	Reach      Reach
	Does       Does

	Reads   bool // returns documents as they are stored
	Bulk    bool // does nothing before the method Collect or All of its result
	Feed    bool // it is a function of package feed, which takes the documents
	Written bool // generated code has a method of its own for it, with a comment about the type
	Query   bool // it is a query of generated code, which follows those by key
}

// Operations has all of them, in the order in which explain lists them.
var Operations = []Operation{
	{Name: "Create", Parameters: "document", Result: "error", Event: "create", APIs: All, Cost: Create, Does: Stores, Written: true},
	{Name: "Upsert", Parameters: "document", Result: "error", Event: "upsert", APIs: All, Cost: Upsert, Does: Overwrites, Written: true},
	{Name: "Replace", Parameters: "document", Result: "error", Event: "replace", APIs: All, Cost: Replace, Does: Overwrites, Written: true},
	{Name: "Get", Parameters: "key", Result: "(*T, error)", Event: "get", APIs: All, Cost: Read, Reads: true, Written: true},
	{Name: "Delete", Parameters: "key", Result: "error", Event: "delete", APIs: All, Cost: Delete, Does: Removes, Written: true},
	{Name: "Restore", Parameters: "key", Result: "(*T, error)", Event: "restore", APIs: NoSQL, Needs: Marks, Cost: Restore, Reads: true, Written: true},
	{Name: "Purge", Parameters: "key", Result: "error", Event: "purge", APIs: NoSQL, Needs: Marks, Cost: Purge, Does: Removes, Written: true},

	{Name: "Exists", Parameters: "key", Result: "(bool, error)", APIs: All, Cost: Read},
	{Name: "Update", Parameters: "key, change", Result: "error", APIs: NoSQL, Cost: Update, Does: Changes},
	{Name: "UpdateAndGet", Parameters: "key, change", Result: "(*T, error)", APIs: NoSQL, Cost: Update, Does: Changes, Reads: true},
	{Name: "Patch", Parameters: "key, operations", Result: "error", Event: "patch", APIs: NoSQL, Cost: Patch},
	{Name: "PatchAndGet", Parameters: "key, operations", Result: "(*T, error)", APIs: NoSQL, Cost: Patch, Reads: true},
	{Name: "PatchIf", Parameters: "key, condition, operations", Result: "error", APIs: NoSQL, Cost: Patch},
	{Name: "PatchIfAndGet", Parameters: "key, condition, operations", Result: "(*T, error)", APIs: NoSQL, Cost: Patch, Reads: true},
	{Name: "Move", Parameters: "from, document", Result: "error", Event: "move", APIs: NoSQL, Needs: OnePlace | NoUnique, Cost: Move, Reach: BothKeys, Does: Moves},
	{Name: "PrepareMove", Parameters: "from, document", Result: "(MoveState[K], error)", APIs: NoSQL, Needs: OnePlace | NoUnique, Cost: Read, Does: Moves},
	{Name: "ResumeMove", Parameters: "state", Result: "error", APIs: NoSQL, Needs: OnePlace | NoUnique, Cost: Move, Reach: BothKeys},
	{Name: "DeleteIfMatch", Parameters: "document", Result: "error", APIs: NoSQL | Table | Mongo, Needs: ETag, Cost: DeleteVersion},
	{Name: "GetMany", Parameters: "keys", Result: "([]*T, error)", Event: "get many", APIs: All, Cost: ReadMany, Reach: OfKeys, Reads: true},
	{Name: "CreateAll", Parameters: "documents", Result: "Bulk[*T]", APIs: All, Cost: CreateEach, Reach: OfKeys, Bulk: true},
	{Name: "UpsertAll", Parameters: "documents", Result: "Bulk[*T]", APIs: All, Cost: UpsertEach, Reach: OfKeys, Bulk: true},
	{Name: "DeleteAll", Parameters: "keys", Result: "Bulk[K]", APIs: All, Cost: DeleteEach, Reach: OfKeys, Bulk: true},
	{Name: "DeleteFound", Parameters: "query", Result: "Bulk[K]", APIs: NoSQL, Cost: DeleteFound, Reach: OfKeys, Bulk: true},
	{Name: "Changes", Parameters: "from", Result: "iter.Seq2[Change[T], error]", Event: "changes", APIs: NoSQL, Needs: NoOwn, Cost: Feed, Reach: Whole, Feed: true},

	// The parameters of these depend on the type.
	{Name: "FindInBuckets", Result: "(*T, error)", APIs: All, Cost: Find, Reads: true, Query: true},
	{Name: "Scan", Result: "Query[T]", APIs: All, Cost: Scan, Reach: Whole, Query: true},
}

// Apart are methods of the Documents of a run time that are not in the table: they begin a
// transaction, or are made of others, whose costs they have.
var Apart = []string{"In", "InTransaction", "UpdateOrCreate"}

// Shown is the name of the operation as code has it.
func (o *Operation) Shown() string {
	if o.Feed {
		return "feed." + o.Name
	}
	return o.Name
}

// Generated reports whether generated code alone has the operation: the run time has a
// function for it.
func (o *Operation) Generated() bool { return o.Needs&Marks != 0 || o.Cost == Find }

// Named returns the operation of a name, nil if there is none.
func Named(name string) *Operation {
	i := slices.IndexFunc(Operations, func(o Operation) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return &Operations[i]
}

// OfEvent returns the operation of an observer's event, nil if the event names none.
func OfEvent(event string) *Operation {
	i := slices.IndexFunc(Operations, func(o Operation) bool { return o.Event != "" && o.Event == event })
	if i < 0 {
		return nil
	}
	return &Operations[i]
}
