// Package operations is the table of the methods by which programs read and write the documents of
// a type: parameters and results, APIs, cost and reach. Generated code, explain, vet and the
// analysis of calls use it. Queries by key are not in it, because their names depend on properties.
package operations

import "slices"

// APIs is a set of APIs of Cosmos DB.
type APIs uint8

// The APIs.
const (
	NoSQL APIs = 1 << iota
	Table
	Mongo
	Gremlin

	All = NoSQL | Table | Mongo | Gremlin
)

// Needs are conditions on a type for an operation.
type Needs uint8

// What a type must have or lack.
const (
	ETag     Needs = 1 << iota // a field for the ETag
	Marks                      // a field tagged deleted
	OnePlace                   // a number of buckets that does not grow
	NoUnique                   // no unique properties
	NoOwn                      // no own containers of tenants
)

// Cost classifies the requests of an operation.
type Cost int

// The costs. Names that end in Each are per document.
const (
	Read Cost = iota
	Create
	Upsert
	Replace
	Delete
	DeleteVersion // conditional on the ETag
	Restore
	Purge
	Update
	Patch
	Move
	ReadMany
	CreateEach
	UpsertEach
	DeleteEach
	DeleteFound // per document, besides the query that finds them
	Scan
	Feed
	Find // a search under all suffixes
)

// Reach is the set of documents that an operation reads or writes.
type Reach int

// What an operation reaches.
const (
	OfKey    Reach = iota // the document of a key
	OfKeys                // the documents of several keys
	BothKeys              // the document of a key, and of its new key
	Whole                 // all documents
)

// Does is the effect of an operation on the documents of its caller.
type Does int

// What an operation does.
const (
	Nothing    Does = iota
	Stores          // stores a new document
	Overwrites      // stores a document, and replaces the one of its key
	Changes         // stores the result of the caller's function on the stored document
	Moves           // gives a document another key
	Removes
)

// Operation is a method of a repository.
type Operation struct {
	Name       string
	Parameters string // their names, without the context and options
	Result     string // in Go, where T is the type of documents, and K of keys
	Event      string // the operation in events of observers; if methods share one, the simplest method has it
	APIs       APIs
	Needs      Needs
	Cost       Cost
	Reach      Reach
	Does       Does

	Reads   bool // returns stored documents
	Bulk    bool // sends nothing before the method Collect or All of its result
	Feed    bool // a function of package feed, with the documents as an argument
	Written bool // generated code has a method for it, with a comment about the type
	Query   bool // a generated query, listed after the queries by key
}

// Operations are all operations, in the order in which explain lists them.
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

// Apart are methods of a run time's Documents that are not in the table: they begin a transaction,
// or combine others and have their costs.
var Apart = []string{"In", "InTransaction", "UpdateOrCreate"}

// Shown returns the name of the operation in code.
func (o *Operation) Shown() string {
	if o.Feed {
		return "feed." + o.Name
	}
	return o.Name
}

// Generated reports whether the operation is a method of generated code only: the run time has a
// function for it.
func (o *Operation) Generated() bool { return o.Needs&Marks != 0 || o.Cost == Find }

// Named returns the operation with a name, or nil.
func Named(name string) *Operation {
	i := slices.IndexFunc(Operations, func(o Operation) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return &Operations[i]
}

// OfEvent returns the operation of an observer's event, or nil.
func OfEvent(event string) *Operation {
	i := slices.IndexFunc(Operations, func(o Operation) bool { return o.Event != "" && o.Event == event })
	if i < 0 {
		return nil
	}
	return &Operations[i]
}
