package lock

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// FileName is the name of the file in the folder of a package.
const FileName = "pkgen.lock"

// Lock says how the keys of a package's types are made. It has one Entry for each type in use, and
// one that is gone for each container that a type has left.
type Lock []Entry

// Entry says how the partition key of a type's documents is made, and what else the lock records
// about them.
type Entry struct {
	Type string // Go name of the type
	// Container is the id of the container or, if documents of the type are in several containers,
	// the template of their ids, by JSON properties.
	Container string
	Definition
	// TTL is the container's default time to live in seconds. It is "-1" if only
	// documents with a ttl of their own expire, and "" if nothing expires. It can
	// change.
	TTL string
	// Conflict is the path of the number by which the last writer wins in several write regions:
	// "/revision". It is "" for /_ts, the default of the service. It is fixed when a container is
	// created.
	Conflict string

	Layout string // the template of the key, by JSON properties
	// Values are the JSON types of the key's values, separated by commas:
	// "number", "string,number". It is "" if all are strings.
	Values string
	Escape bool // components are percent-encoded
	// Discriminator is the text that distinguishes documents of this type from others; "" if there
	// is none.
	Discriminator string
	// Prefix is the text that every id begins with; "" if ids may be any text.
	Prefix string
	// Was are the earlier numbers of buckets, under which documents may be stored, separated by
	// commas, oldest last: "200,100". It is "" if there are none.
	Was string
	// Next is the number of buckets that the next release writes and this one reads;
	// "" if the number stays.
	Next string
	// Own is the template of the ids of tenants' own containers, by JSON properties:
	// "orders-{tenantId}". It is "" if there are none.
	Own string
	// Deleted is the property that marks documents as deleted: "deletedAt". It is "" if a deletion
	// removes them.
	Deleted string
	// API is the API that stores the documents: "table", "mongo" or "gremlin", and "" for NoSQL.
	// Container is then the name of a table, a collection or a graph.
	API string
	// Row is the template of row keys of a table, by JSON properties:
	// "{at|newest}-{id}". It is "" if the row key is the id.
	Row string
	// Schema is the number of the stored form of documents, and its property: "3,schema", or
	// "3+4,schema" if the next release writes form 4, and this one reads it. It is "" if documents
	// have no such number.
	Schema string
	// Aliases are the properties with other names in old documents, each after these names, newest
	// first: "fullName+display=name,years=age". It is "" if there are none.
	Aliases string
	// NextNames are the properties with other names in documents of the next release, in the form
	// of Aliases: "title=name".
	NextNames string
	// Unique are the unique properties, separated by commas, in the order of declaration; "" if
	// there are none.
	Unique string
	// Kinds are the kinds of the layout's properties, each once, in order, followed by those of the
	// container's template. The item id comes last, unless it is a text.
	Kinds []PropertyKind

	// Elsewhere is set if containers of the same id in other packages are in other databases.
	Elsewhere bool
	// Draft is set if the layout may still change, because no documents that matter are stored with
	// it.
	Draft bool
	// Gone is set if the type is gone, or has left the container; then another entry of the type is
	// in use. Its documents may still be stored.
	Gone bool

	// Properties are the properties that Go writes, sorted by pointer; nil if they are not known.
	Properties []Property

	// Computed are the properties that the service computes, by name.
	Computed []Computed

	// Indexes are the global secondary indexes that the type declares, by name.
	Indexes []Index
}

// Placed reports whether Container is a template, so that a document's fields determine its
// container.
func (e Entry) Placed() bool { return strings.ContainsAny(e.Container, "{}") }

// PropertyKind is the kind of a property in a key. The property may be hashed.
type PropertyKind struct {
	Property string // its name in layouts: "vin" or "meta.device"
	// Kind says how its text is made: one of the constants, or the type that marshals it as import
	// path and name, "log/slog.Level", with type arguments, and without a path for a type of the
	// package itself: ".Level".
	Kind string
	// Stored is the JSON pointer where documents have it, if the API has its own names of
	// properties: "/v". It is "" for other APIs, and if it is not known.
	Stored string
}

// Property is a property that Go writes.
type Property struct {
	Pointer string // JSON pointer: "/vin" or "/meta/device"
	JSON    string // "string", "number", "boolean", "object", "array", or "any" if code decides
	// Stored is like [PropertyKind].Stored, or Unstored.
	Stored string
	// Number is the Go type into which a number is read, with its size: "int64" for an int,
	// "float64". It is "" if JSON is another type, for a json.Number, if a method reads the number,
	// and if it is not known, as in files of earlier releases.
	Number string
}

// Computed is a property that the service computes when a query reads it.
type Computed struct {
	Name  string
	Query string // "SELECT VALUE LOWER(c.email) FROM c"
}

// Unstored is the Property.Stored of a property that the API does not store.
const Unstored = "-"

// Definition is the partition key definition of a container, which cannot change
// once the container exists.
type Definition struct {
	Path    string // "/partitionKey"; paths of a hierarchical key are separated by commas
	Kind    string // "Hash" or "MultiHash"
	Version int    // the version of the service's hash: 2
}

// Conflict returns two entries of a container that disagree on its definition, in the order of l,
// and false if there are none.
func (l Lock) Conflict() (a, b Entry, found bool) {
	first := make(map[string]Entry)
	for _, e := range l {
		other, ok := first[e.Container]
		if ok && other.Definition != e.Definition {
			return other, e, true
		}
		if !ok {
			first[e.Container] = e
		}
	}
	return Entry{}, Entry{}, false
}

// OtherComputed returns a property that one of two types in a container computes, and the other
// stores or computes by another query; "" if there is none.
func (e Entry) OtherComputed(other Entry) string {
	for _, pair := range [][2]Entry{{e, other}, {other, e}} {
		for _, c := range pair[0].Computed {
			i := slices.IndexFunc(pair[1].Computed, func(x Computed) bool { return x.Name == c.Name })
			stored := slices.ContainsFunc(pair[1].Properties, func(p Property) bool { return p.Pointer == jsonpointer.Of(c.Name) })
			if stored || i >= 0 && !cosmossql.SameComputed(c.Query, pair[1].Computed[i].Query) {
				return c.Name
			}
		}
	}
	return ""
}

// Find returns the entry of a type: the one in use, or the first that is gone.
func (l Lock) Find(typ string) (Entry, bool) {
	i := slices.IndexFunc(l, func(e Entry) bool { return e.Type == typ && !e.Gone })
	if i < 0 {
		i = slices.IndexFunc(l, func(e Entry) bool { return e.Type == typ })
	}
	if i < 0 {
		return Entry{}, false
	}
	return l[i], true
}

// FindIn returns the entry of a type in a container.
func (l Lock) FindIn(container, typ string) (Entry, bool) {
	i := slices.IndexFunc(l, func(e Entry) bool { return e.Type == typ && e.Container == container })
	if i < 0 {
		return Entry{}, false
	}
	return l[i], true
}

// sorted returns the entries by container and type.
func (l Lock) sorted() Lock {
	out := slices.Clone(l)
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Container, b.Container), strings.Compare(a.Type, b.Type))
	})
	return out
}

// idProperty is the item id. Its kind has a line unless it is a text.
const idProperty = "id"

// kinds returns the kinds of the components and the id, by property.
func (e Entry) kinds() map[string]string {
	kinds := make(map[string]string, len(e.Kinds)+1)
	kinds[idProperty] = Text
	for _, c := range e.Kinds {
		kinds[c.Property] = c.Kind
	}
	return kinds
}

// sameKinds reports whether both entries make the texts of components in the same way.
func (e Entry) sameKinds(other Entry) bool {
	return maps.EqualFunc(e.kinds(), other.kinds(), sameKind)
}

// sameKind reports whether two kinds make the same text from equal values. A number that is the
// whole key is the same as an integer or a float.
func sameKind(a, b string) bool {
	number := func(kind string) bool { return kind == Integer || kind == Float }
	return a == b || number(a) && number(b)
}
