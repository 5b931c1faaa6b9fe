package annotations

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place is where a word is allowed.
type Place int

// The places of a word.
const (
	OnField Place = iota + 1 // the tag of a field of the document
	OnType                   // the tag of the blank field, _ struct{}, which holds the type's options
)

// ValueKind is the kind of text after a word's equals sign. Help prints it as the placeholder.
type ValueKind string

// The kinds of value.
const (
	NoValue     ValueKind = ""               // the word has no value
	Count       ValueKind = "N"              // a decimal number
	Counts      ValueKind = "N[+N…]"         // decimal numbers
	TimeFormat  ValueKind = "LAYOUT"         // a format for Layout
	FieldPaths  ValueKind = "PATH[+PATH…]"   // Go field paths
	FieldPath   ValueKind = "PATH"           // one Go field path
	ContainerID ValueKind = "ID"             // the id of a container
	KeyPath     ValueKind = "/NAME[/NAME…]"  // a partition key path
	Separator   ValueKind = "TEXT"           // text in keys
	IDPrefix    ValueKind = "PREFIX"         // prefix of ids
	OnlyNone    ValueKind = "none"           // the word none
	KeyTemplate ValueKind = "TEMPLATE"       // a Template of one level, with Go field paths: of a key, or of ids
	GoType      ValueKind = "TYPE"           // a struct type of the package
	TypeName    ValueKind = "NAME"           // the documents' name of a type
	Seconds     ValueKind = "SECONDS"        // a time to live, or -1
	Duration    ValueKind = "DURATION"       // whole seconds in the form of time.ParseDuration, such as 720h
	APIName     ValueKind = "NAME"           // an API of Cosmos DB
	VectorIndex ValueKind = "TYPE"           // a type of vector index
	Quantizer   ValueKind = "METHOD"         // compression of a vector index
	Resolution  ValueKind = "lww[:/NAME…]"   // a container's conflict resolution, with the path of a property
	Language    ValueKind = "LANGUAGE"       // a language, such as en-US
	Expression  ValueKind = "EXPRESSION"     // an expression of SQL over the document c
	Names       ValueKind = "NAME[+NAME…]"   // names of notes, or JSON names
	SortOrders  ValueKind = "ORDER[;ORDER…]" // Go field paths joined by +, with :desc after descending ones
	IndexName   ValueKind = "INDEX"          // the name of a global secondary index
)

// Need is a condition of a word: the same tag must have one of the other words. Why is the
// reason and the remedy, for messages and help.
type Need struct {
	OneOf []string
	Why   string
}

// Conflict is a word that cannot be combined with another. Why is the reason and
// the remedy, for messages and help.
type Conflict struct {
	Word string
	Why  string
}

// Word is one row of the table that drives the parser, its messages and the help. A role makes
// a field special; every other word is an option of a role.
type Word struct {
	Name     string
	Place    Place
	Value    ValueKind
	Optional bool // the word may also appear without a value
	Role     bool
	Together []string   // for a role: other roles allowed on the same field
	Needs    []Need     // words that must be in the same tag
	Excludes []Conflict // words that must not be in the same tag
	Help     string     // its meaning in one line, in the present tense
	Example  string     // a value of a tag that has the word
}

// Usage returns the word with a placeholder for the value, for help: pk, buckets=N,
// synthetic[=INDEX].
func (w Word) Usage() string {
	switch {
	case w.Value == NoValue:
		return w.Name
	case w.Optional:
		return w.Name + "[=" + string(w.Value) + "]"
	}
	return w.Name + "=" + string(w.Value)
}

// Words returns a copy of the table, in the order of the documentation: first words for fields,
// then those for types, roles before options.
func Words() []Word {
	out := make([]Word, len(table))
	for i, r := range table {
		w := r.Word
		w.Together = slices.Clone(w.Together)
		w.Needs = slices.Clone(w.Needs)
		for j, n := range w.Needs {
			w.Needs[j].OneOf = slices.Clone(n.OneOf)
		}
		w.Excludes = excludes(w)
		out[i] = w
	}
	return out
}

// row is a word with the function that stores its value. The value is trimmed and not empty;
// for a word without one it is the zero span. For a wrong value the function reports an error
// and stores nothing.
type row struct {
	Word
	set func(p *parser, value span)
}

// Reasons that several rows share.
const (
	whySuffixPK = "a suffix is a part of the partition key; write \"pk,\" before it"
	whyBuckets  = "say how many suffixes there are, for example \"buckets=400\""
	whyOneValue = "a level is one value; tag one field for each level, or join them in a synthetic key without levels"
	whyOneOrder = "levels are ordered by their numbers; remove \"order\""
	whyNoPath   = "the item id is a property of the document itself; tag its field"
	whyNoCase   = "a formatted time has no case; keep \"format\" for a time, \"lower\" for a text"
	whyTemplate = "the template has the text between the fields; write the text there"
	whyUnique   = "it is for a field without another role; tag the field whose values must be unique"
	whyIsKey    = "a document's key never changes; if the value identifies one document, write \"id,pk\""
	whyLater    = "either every document has this property from the start, or none has; remove \"later\""
	whySchema   = "predicates already treat documents without the number as the first form; remove \"later\""
	whyWas      = "it is the earlier bucket count, as in \"buckets=400,was=100\"; write a former name of a property as \"was=fullName\""
	whyNext     = "it is the next bucket count, as in \"buckets=100,next=400\", or the next schema number, as in \"schema=1,next=2\"; write the next name of a property as \"next=name\""
	whyWasKey   = "it is the earlier bucket count of the template; write \"key={Date}.{VIN%400},was=100\""
	whyNextKey  = "it is the bucket count of the template in the next release; write \"key={Date}.{VIN%100},next=400\""
	whyComputed = "documents do not store a computed property; remove the other word"
	whyTenant   = "a tenant is a property that many documents share; put \"tenant\" on the first component of the key"
	whyNoFormat = "a tenant is a string, an integer or a type with a text form; remove \"tenant\""
	whyOneCase  = "queries distinguish upper and lower case, and this key would put two tenants into one logical partition; remove \"lower\""
	whyRandom   = "documents keep their random suffixes, so none has to move; remove \"was\""
	whyOwn      = "a directory records which tenants have their own containers; write \"own=orders-{TenantID},directory=tenants\""
	whyEnds     = "an edge leads from a vertex of one type to a vertex of another; write \"edge,from=Device,to=Site\""
	whyOfIndex  = "it belongs to a global secondary index; write \"index=ByCustomer,key={CustomerID}\" on a separate blank field"
	whyLaterKey = "on the blank field it belongs to a global secondary index; write \"index=ByCustomer,key={CustomerID}-{Region},later\", or put it on the field whose property old documents lack"
	whyIndexKey = "an index has its own key; write \"index=ByCustomer,key={CustomerID}\""
	whyNotIndex = "it belongs to the type; write it on the blank field with the type's options, and keep \"index\" on a separate blank field"
	whyList     = "a list with \"elements\" has no other role; keep one of them"
	whyOneHash  = "a key has one suffix; keep \"hashsuffix\" if queries know the field that is hashed, else \"randomsuffix\""
)

// roles are the words that make a field special, except pk.
var roles = []string{"id", "synthetic", "etag", "ttl", "ts", "created", "updated", "version", "deleted", "schema", "rest"}

// ofTypes are the words of the blank field for the type, not for an index of it.
var ofTypes = []string{
	"api", "row", "edge", "from", "to", "own", "leases", "directory", "path", "sep", "suffixsep", "was", "next", "escape",
	"type", "gone", "formerly", "prefix", "ttl", "conflict", "methods",
}

// exclusions are words that exclude each other: each of the first list with each of the second.
var exclusions = []struct {
	place        Place
	these, those []string
	why          string
}{
	{OnField, []string{"id"}, []string{"field"}, whyNoPath},
	{OnField, []string{"concat"}, []string{"level"}, whyOneValue},
	{OnField, []string{"order"}, []string{"level"}, whyOneOrder},
	{OnField, []string{"hashsuffix"}, []string{"randomsuffix"}, whyOneHash},
	{OnField, []string{"randomsuffix"}, []string{"was"}, whyRandom},
	{OnField, []string{"format"}, []string{"lower"}, whyNoCase},
	{OnField, []string{"later"}, []string{"id", "pk", "synthetic", "etag", "ts", "rest", "tenant"}, whyLater},
	{OnField, []string{"later"}, []string{"schema"}, whySchema},
	{OnField, []string{"tenant"}, slices.Concat(roles, []string{"unique"}), whyTenant},
	{OnField, []string{"tenant"}, []string{"format"}, whyNoFormat},
	{OnField, []string{"tenant"}, []string{"lower"}, whyOneCase},
	{OnField, []string{"unique"}, []string{"id", "pk"}, whyIsKey},
	{OnField, []string{"unique"}, roles[1:], whyUnique},
	{OnField, []string{"vector"}, []string{"text"}, whyNotText},
	{OnField, []string{"computed"}, slices.Concat(roles, []string{"pk", "later", "was", "next", "unique", "tenant", "vector", "text", "elements"}), whyComputed},
	{OnField, []string{"elements"}, slices.Concat(roles, []string{"pk", "unique", "tenant", "vector", "text"}), whyList},
	{OnField, metrics[:1], metrics[1:], whyOneMetric},
	{OnField, metrics[1:2], metrics[2:], whyOneMetric},
	{OnType, []string{"key"}, []string{"sep", "suffixsep"}, whyTemplate},
	{OnType, []string{"index"}, ofTypes, whyNotIndex},
}

// excludes returns the words that exclude a word.
func excludes(w Word) []Conflict {
	var out []Conflict
	for _, e := range exclusions {
		others := e.those
		if !slices.Contains(e.these, w.Name) {
			others = e.these
			if !slices.Contains(e.those, w.Name) {
				continue
			}
		}
		for _, other := range others {
			if e.place == w.Place {
				out = append(out, Conflict{other, e.why})
			}
		}
	}
	return out
}

// table is the only list of words of the language.
var table = []row{
	{Word{
		Name: "id", Place: OnField, Role: true, Together: []string{"pk"},
		Help:    "the item id, a string or a type with a text form; default: the field whose JSON name is id",
		Example: "id",
	}, func(p *parser, _ span) { p.field.ID = true }},
	{Word{
		Name: "pk", Place: OnField, Role: true, Together: []string{"id"},
		Help:    "the partition key: the property itself, or with an option a component of a synthetic key",
		Example: "pk",
	}, func(p *parser, _ span) { p.field.PK = true }},
	{Word{
		Name: "synthetic", Place: OnField, Value: IndexName, Optional: true, Role: true,
		Help:    "the string field that stores the synthetic key in the document; required with randomsuffix; with a value, it stores the key of that index",
		Example: "synthetic",
	}, (*parser).synthetic},
	{Word{
		Name: "etag", Place: OnField, Role: true,
		Help:    "the field for the item's ETag; default: the field whose JSON name is _etag",
		Example: "etag",
	}, func(p *parser, _ span) { p.field.ETag = true }},
	{Word{
		Name: "ttl", Place: OnField, Role: true,
		Help:    "the integer field for the item's own time to live in seconds; default: the field whose JSON name is ttl",
		Example: "ttl",
	}, func(p *parser, _ span) { p.field.TTL = true }},
	{Word{
		Name: "ts", Place: OnField, Role: true,
		Help:    "the integer field for the time of the last change, in seconds; default: the field whose JSON name is _ts",
		Example: "ts",
	}, func(p *parser, _ span) { p.field.TS = true }},
	{Word{
		Name: "created", Place: OnField, Role: true,
		Help:    "the time of creation, a repository.Time that the run time sets",
		Example: "created",
	}, func(p *parser, _ span) { p.field.Created = true }},
	{Word{
		Name: "updated", Place: OnField, Role: true,
		Help:    "the time of the last write or patch, a repository.Time that the run time sets",
		Example: "updated",
	}, func(p *parser, _ span) { p.field.Updated = true }},
	{Word{
		Name: "version", Place: OnField, Role: true,
		Help:    "an integer that the run time sets to 1 in a new document, and raises by 1 with each write or patch",
		Example: "version",
	}, func(p *parser, _ span) { p.field.Version = true }},
	{Word{
		Name: "deleted", Place: OnField, Role: true,
		Help:    "the time of deletion, a repository.Time that the run time sets: Delete marks documents, and reads and queries omit marked documents",
		Example: "deleted",
	}, func(p *parser, _ span) { p.field.Deleted = true }},
	{Word{
		Name: "schema", Place: OnField, Value: Count, Role: true,
		Help:    "an integer that records the form of a stored document; the run time sets it to N, and reads convert older documents by the method Upgrade",
		Example: "schema=3",
	}, func(p *parser, v span) { p.field.Schema = check(p, v, schema) }},
	{Word{
		Name: "rest", Place: OnField, Role: true,
		Help:    "the map[string]json.RawMessage that keeps properties without a field",
		Example: "rest",
	}, func(p *parser, _ span) { p.field.Rest = true }},
	{Word{
		Name: "prefix", Place: OnField, Value: IDPrefix,
		Needs:   []Need{{[]string{"id"}, "every id begins with it; write \"id,prefix=order-\""}},
		Help:    "the beginning of every id, checked before each request; either all types of a container have a prefix, or none has",
		Example: "id,prefix=order-",
	}, func(p *parser, v span) { p.field.Prefix = p.text(v, idPrefix) }},
	{Word{
		Name: "purge", Place: OnField, Value: Duration,
		Needs:   []Need{{[]string{"deleted"}, "it sets how long a deleted document is kept; write \"deleted,purge=720h\""}},
		Help:    "how long after its deletion the service removes a document; default: never",
		Example: "deleted,purge=720h",
	}, func(p *parser, v span) { p.field.Purge = check(p, v, duration) }},
	{Word{
		Name: "concat", Place: OnField,
		Needs:   []Need{{[]string{"pk"}, "it joins components of the partition key; write \"pk,concat\""}},
		Help:    "a component of a synthetic key, joined with the other concat fields in declaration order",
		Example: "pk,concat",
	}, func(p *parser, _ span) { p.field.Concat = true }},
	{Word{
		Name: "order", Place: OnField, Value: Count,
		Needs:   []Need{{[]string{"concat"}, "it is the position of a joined component; write \"pk,concat,order=1\""}},
		Help:    "the position of a concat field in the key, from 1; write it on all concat fields or on none",
		Example: "pk,concat,order=1",
	}, func(p *parser, v span) { p.field.Order = check(p, v, order) }},
	{Word{
		Name: "hashsuffix", Place: OnField, Value: FieldPaths,
		Needs:   []Need{{[]string{"pk"}, whySuffixPK}, {[]string{"buckets"}, whyBuckets}},
		Help:    "the key ends in a bucket computed from these fields; a reader that knows them reads one logical partition",
		Example: "pk,hashsuffix=VIN,buckets=400",
	}, func(p *parser, v span) { p.field.Hash = p.paths(v) }},
	{Word{
		Name: "randomsuffix", Place: OnField,
		Needs:   []Need{{[]string{"pk"}, whySuffixPK}, {[]string{"buckets"}, whyBuckets}},
		Help:    "the key ends in a random bucket, chosen when the document is created",
		Example: "pk,randomsuffix,buckets=400",
	}, func(p *parser, _ span) { p.field.Random = true }},
	{Word{
		Name: "buckets", Place: OnField, Value: Count,
		Needs: []Need{{[]string{"hashsuffix", "randomsuffix"},
			"it is the number of buckets; write \"hashsuffix=FIELD\" for a computed suffix or \"randomsuffix\" for a random one"}},
		Help:    "the number of buckets, 2 to 10000; a few for each physical partition are enough",
		Example: "pk,hashsuffix=VIN,buckets=400",
	}, func(p *parser, v span) { p.field.Buckets = check(p, v, buckets) }},
	{Word{
		Name: "was", Place: OnField, Value: Counts,
		Help:    "earlier bucket counts, oldest last: documents stored under them are still found; without a suffix, former names of the property, newest first: was=fullName",
		Example: "pk,hashsuffix=VIN,buckets=400,was=200+100",
	}, func(*parser, span) {}}, // read when all words are known: see otherReleases
	{Word{
		Name: "next", Place: OnField, Value: Count,
		Help:    "the bucket count or the schema number of the next release; this release reads it but does not write it; without either, the next name of the property: next=name",
		Example: "pk,hashsuffix=VIN,buckets=100,next=400",
	}, func(*parser, span) {}}, // read when all words are known: see otherReleases
	{Word{
		Name: "format", Place: OnField, Value: TimeFormat,
		Needs:   []Need{{[]string{"pk"}, "it formats a component of the partition key; write \"pk,\" before it"}},
		Help:    "the format of a time, in UTC: year, month, day, hour, instant, or a Go layout such as 2006-01-02T15:04",
		Example: "pk,format=day",
	}, func(p *parser, v span) { p.field.Format = check(p, v, timeLayout) }},
	{Word{
		Name: "lower", Place: OnField,
		Needs:   []Need{{[]string{"pk"}, "it changes a component of the partition key; write \"pk,lower\""}},
		Help:    "a string in ASCII lower case; the run time refuses letters beyond ASCII",
		Example: "pk,lower",
	}, func(p *parser, _ span) { p.field.Lower = true }},
	{Word{
		Name: "level", Place: OnField, Value: Count,
		Needs:   []Need{{[]string{"pk"}, "it is a level of the partition key; write \"pk,level=1\""}},
		Help:    "a level of a hierarchical key, 1 to 3: the property itself, or with an option a text made of it; the last level may be the id, also as level 4",
		Example: "pk,level=1",
	}, func(p *parser, v span) { p.field.Level = check(p, v, level) }},
	{Word{
		Name: "field", Place: OnField, Value: FieldPath,
		Needs:   []Need{{[]string{"pk"}, "it names the field of a struct that is in the partition key; write \"pk,\" before it"}},
		Help:    "on a struct: the Go path of the field within it that the tag describes",
		Example: "pk,level=2,field=City",
	}, func(p *parser, v span) { p.field.Within = p.text(v, fieldPath) }},
	{Word{
		Name: "later", Place: OnField,
		Help:    "a property that old documents lack; predicates and reads treat it as zero there",
		Example: "later",
	}, func(p *parser, _ span) { p.field.Later = true }},
	{Word{
		Name: "tenant", Place: OnField,
		Help:    "the tenant of a document, the first component of the key or of the container; generates a repository for one tenant",
		Example: "pk,concat,tenant",
	}, func(p *parser, _ span) { p.field.Tenant = true }},
	{Word{
		Name: "unique", Place: OnField,
		Help:    "no two documents have the same value of the property, across all partition keys",
		Example: "unique",
	}, func(p *parser, _ span) { p.field.Unique = true }},
	{Word{
		Name: "vector", Place: OnField, Value: Count,
		Needs:   []Need{{metrics, whyMetric}, {[]string{"index"}, whyIndex}},
		Help:    "a vector of 1 to 4096 numbers, for queries for the nearest; needs a metric and an index",
		Example: "vector=1536,cosine,index=diskANN",
	}, func(p *parser, v span) { p.field.Dimensions = check(p, v, dimensions) }},
	{Word{
		Name: "cosine", Place: OnField,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "vectors are compared by the cosine of their angle, from -1 to 1; the greatest is the nearest",
		Example: "vector=1536,cosine,index=diskANN",
	}, setMetric("cosine")},
	{Word{
		Name: "dotproduct", Place: OnField,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "vectors are compared by their dot product; the greatest is the nearest",
		Example: "vector=1536,dotproduct,index=diskANN",
	}, setMetric("dotproduct")},
	{Word{
		Name: "euclidean", Place: OnField,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "vectors are compared by their distance, from 0; the least is the nearest",
		Example: "vector=128,euclidean,index=flat",
	}, setMetric("euclidean")},
	{Word{
		Name: "index", Place: OnField, Value: VectorIndex,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "the index of a vector: flat is exact, up to 505 dimensions; quantizedFlat and diskANN are approximate",
		Example: "vector=128,euclidean,index=flat",
	}, func(p *parser, v span) { p.field.Index = check(p, v, vectorIndex) }},
	{Word{
		Name: "float16", Place: OnField,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "the container stores the numbers of a vector in 16 bits, which halves its storage and rounds them; up to 65504",
		Example: "vector=1536,cosine,index=diskANN,float16",
	}, func(p *parser, _ span) { p.field.Float16 = true }},
	{Word{
		Name: "quantizer", Place: OnField, Value: Quantizer,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "how a quantizedFlat or diskANN index compresses vectors: product, the service's default, or spherical",
		Example: "vector=1536,cosine,index=diskANN,quantizer=spherical",
	}, func(p *parser, v span) { p.field.Quantizer = check(p, v, quantizer) }},
	{Word{
		Name: "quantizationbytes", Place: OnField, Value: Count,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "the bytes of a vector after product quantization, 1 to 512, at most one for each number; more bytes are more exact and cost more",
		Example: "vector=1536,cosine,index=diskANN,quantizationbytes=192",
	}, func(p *parser, v span) { p.field.QuantizationBytes = check(p, v, quantizationBytes) }},
	{Word{
		Name: "searchlist", Place: OnField, Value: Count,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "how many vectors are compared while a diskANN index is built, 25 to 500; more vectors improve results and slow writes",
		Example: "vector=1536,cosine,index=diskANN,searchlist=200",
	}, func(p *parser, v span) { p.field.SearchList = check(p, v, searchList) }},
	{Word{
		Name: "shardkey", Place: OnField, Value: FieldPath, Optional: true,
		Needs:   []Need{{[]string{"vector"}, whyVector}},
		Help:    "divides the index of a vector by the values of a field, for searches within one value; without a field, by the partition key or its first level",
		Example: "vector=1536,cosine,index=diskANN,shardkey=TenantID",
	}, (*parser).shardKey},
	{Word{
		Name: "text", Place: OnField, Value: Language,
		Help:    "a string with a full-text index in this language",
		Example: "text=en-US",
	}, func(p *parser, v span) { p.field.Language = check(p, v, language) }},
	{Word{
		Name: "elements", Place: OnField,
		Help:    "a list, for query conditions on its elements; generates their fields, such as LineFields of a []Line",
		Example: "elements",
	}, func(p *parser, _ span) { p.field.Elements = true }},
	{Word{
		Name: "computed", Place: OnField, Value: Expression,
		Help:    "the service computes the property from the document c when a query reads it; documents do not store it; commas within parentheses, brackets and quotes belong to the expression",
		Example: "computed=LOWER(c.email)",
	}, func(p *parser, v span) { p.field.Computed = p.text(v, expression) }},
	{Word{
		Name: "note", Place: OnField, Value: Names,
		Help:    "acknowledges notes about the field, so that they are not printed",
		Example: "note=int64",
	}, func(p *parser, v span) { p.field.Notes = p.acknowledged(v) }},

	{Word{
		Name: "api", Place: OnType, Value: APIName,
		Help:    "the API of Cosmos DB that stores the documents: nosql (the default), table, mongo or gremlin",
		Example: "api=table",
	}, (*parser).api},
	{Word{
		Name: "row", Place: OnType, Value: KeyTemplate,
		Help:    "for a table: the row key, a template of Go field paths with the id last; |newest sorts the newest time first; default: the id",
		Example: "api=table,row={At|newest}-{ID}",
	}, (*parser).row},
	{Word{
		Name: "edge", Place: OnType,
		Needs:   []Need{{[]string{"from"}, whyEnds}, {[]string{"to"}, whyEnds}},
		Help:    "for a graph: the documents are edges, stored with the vertices that they lead from",
		Example: "api=gremlin,edge,from=Device,to=Site",
	}, func(p *parser, _ span) { p.typ.Edge = true }},
	{Word{
		Name: "from", Place: OnType, Value: GoType,
		Needs:   []Need{{[]string{"edge"}, whyEnds}},
		Help:    "the type of the vertices that the edges lead from",
		Example: "api=gremlin,edge,from=Device,to=Site",
	}, func(p *parser, v span) { p.typ.From = p.text(v, goType) }},
	{Word{
		Name: "to", Place: OnType, Value: GoType,
		Needs:   []Need{{[]string{"edge"}, whyEnds}},
		Help:    "the type of the vertices that the edges lead to",
		Example: "api=gremlin,edge,from=Device,to=Site",
	}, func(p *parser, v span) { p.typ.To = p.text(v, goType) }},
	{Word{
		Name: "container", Place: OnType, Value: ContainerID,
		Help:    "the id of the container, or a template that gives each period or tenant its own container: telemetry-{At|2006-01}; default: the type's name in kebab case",
		Example: "container=readings",
	}, (*parser).container},
	{Word{
		Name: "own", Place: OnType, Value: KeyTemplate,
		Help:    "a template of the ids of tenants' own containers, for tenants that move out of the shared container",
		Example: "container=orders,own=orders-{TenantID}",
	}, (*parser).own},
	{Word{
		Name: "leases", Place: OnType, Value: ContainerID,
		Help:    "the id of the container for the leases of the type's processors; it is created, deployed and checked with the type's container",
		Example: "container=readings,leases=leases",
	}, func(p *parser, v span) { p.typ.Leases = p.text(v, containerID) }},
	{Word{
		Name: "directory", Place: OnType, Value: ContainerID,
		Needs:   []Need{{[]string{"own"}, whyOwn}},
		Help:    "the id of the container for the tenant directory; it is created, deployed and checked with the type's container",
		Example: "container=orders,own=orders-{TenantID},directory=tenants",
	}, func(p *parser, v span) { p.typ.Directory = p.text(v, containerID) }},
	{Word{
		Name: "path", Place: OnType, Value: KeyPath,
		Help:    "the container's partition key path: letters, digits and _, nested with /",
		Example: "path=/partitionKey",
	}, func(p *parser, v span) { p.typ.Path = p.text(v, keyPath) }},
	{Word{
		Name: "sep", Place: OnType, Value: Separator,
		Help:    "the text between concatenated components; default: a hyphen",
		Example: "sep=-",
	}, func(p *parser, v span) { p.typ.Sep = p.text(v, separator) }},
	{Word{
		Name: "suffixsep", Place: OnType, Value: Separator,
		Help:    "the text between the key and its suffix, without digits; default: a point",
		Example: "suffixsep=.",
	}, func(p *parser, v span) { p.typ.SuffixSep = p.text(v, suffixSeparator) }},
	{Word{
		Name: "key", Place: OnType, Value: KeyTemplate,
		Help:    "the whole synthetic key, a template of Go field paths, in place of pk and its options; the key of an index may have levels: {TenantID},{CustomerID}",
		Example: "key=customer:{CustomerID}:{Month|2006-01}.{VIN|lower%400}",
	}, (*parser).key},
	{Word{
		Name: "was", Place: OnType, Value: Counts,
		Needs:   []Need{{[]string{"key"}, whyWasKey}},
		Help:    "earlier bucket counts of the template, oldest last: documents stored under them are still found",
		Example: "key={Date}.{VIN%400},was=200+100",
	}, func(p *parser, v span) { p.typ.Was = p.counts(v) }},
	{Word{
		Name: "next", Place: OnType, Value: Count,
		Needs:   []Need{{[]string{"key"}, whyNextKey}},
		Help:    "the bucket count of the template in the next release; this release reads it but does not write it",
		Example: "key={Date}.{VIN%100},next=400",
	}, func(p *parser, v span) { p.typ.Next = check(p, v, buckets) }},
	{Word{
		Name: "escape", Place: OnType,
		Help:    "components are percent-encoded, so that different components never make the same key, and keys can be parsed",
		Example: "escape,sep=|",
	}, func(p *parser, _ span) { p.typ.Escape = true }},
	{Word{
		Name: "type", Place: OnType, Value: TypeName,
		Help:    "the value of the property type in documents; required for all but one of the types that share a container",
		Example: "type=reading",
	}, func(p *parser, v span) { p.typ.Discriminator = p.text(v, typeName) }},
	{Word{
		Name: "gone", Place: OnType, Value: Names,
		Help:    "removed JSON properties, nested ones with points; stored documents lose them; needed until the lock has recorded the removal",
		Example: "gone=speed+trip.from",
	}, (*parser).gone},
	{Word{
		Name: "formerly", Place: OnType, Value: GoType,
		Help:    "the type whose container and layout the documents move from; generates a repository over both containers",
		Example: "container=readings-2,formerly=OldReading",
	}, func(p *parser, v span) { p.typ.Formerly = p.text(v, goType) }},
	{Word{
		Name: "prefix", Place: OnType, Value: IDPrefix,
		Help:    "the beginning of every id, for a type whose id is declared in an embedded struct",
		Example: "prefix=order-",
	}, func(p *parser, v span) { p.typ.Prefix = p.text(v, idPrefix) }},
	{Word{
		Name: "ttl", Place: OnType, Value: Seconds,
		Help:    "the container's default time to live; -1: only documents with their own ttl expire",
		Example: "ttl=86400",
	}, func(p *parser, v span) { p.typ.TTL = check(p, v, seconds) }},
	{Word{
		Name: "conflict", Place: OnType, Value: Resolution,
		Help:    "allows several write regions: of two updates at once, the one with the greater _ts, or the greater number at a path, wins, and the other is lost",
		Example: "conflict=lww:/revision",
	}, func(p *parser, v span) { p.typ.Conflict = check(p, v, resolution) }},
	{Word{
		Name: "orders", Place: OnType, Value: SortOrders,
		Help:    "the orders by several fields that queries use, PATH+PATH or PATH:desc+PATH; each becomes a composite index of the container",
		Example: ordersExample,
	}, func(p *parser, v span) { p.typ.Orders = p.orders(v) }},
	{Word{
		Name: "index", Place: OnType, Value: IndexName,
		Needs:   []Need{{[]string{"key"}, whyIndexKey}},
		Help:    "on its own blank field: a global secondary index, a container that the service derives from the type's container; needs key, and may have container, select, orders, later and note",
		Example: "index=ByCustomer,key={CustomerID}-{At|2006-01}",
	}, func(p *parser, v span) { p.typ.Index = p.text(v, indexName) }},
	{Word{
		Name: "select", Place: OnType, Value: Names,
		Needs:   []Need{{[]string{"index"}, whyOfIndex}},
		Help:    "the JSON properties in the index, besides those of both keys; default: all",
		Example: "index=ByCustomer,key={CustomerID},select=at+total",
	}, (*parser).selected},
	{Word{
		Name: "later", Place: OnType,
		Needs:   []Need{{[]string{"index"}, whyLaterKey}},
		Help:    "this release writes the key of the index into documents; a later release creates the index",
		Example: "index=ByMonth,key={At|2006-01},later",
	}, func(p *parser, _ span) { p.typ.Later = true }},
	{Word{
		Name: "methods", Place: OnType, Value: OnlyNone,
		Help:    "generates methods only on the key type, for a type with its own PartitionKey or Key",
		Example: "methods=none",
	}, func(p *parser, v span) { p.typ.NoMethods = check(p, v, onlyNone) }},
	{Word{
		Name: "note", Place: OnType, Value: Names,
		Help:    "acknowledges notes about the type and its fields, so that they are not printed",
		Example: "note=ambiguous+synthetic",
	}, func(p *parser, v span) { p.typ.Notes = p.acknowledged(v) }},
}

// keyText checks that every character of the text is legal in a partition key and in this
// package's notation: valid UTF-8 without control characters, up to U+FFFF, and without
// reserved characters. The SDK for Go writes keys into a header like strconv.QuoteToASCII,
// which differs from JSON for DEL, for some control characters, and beyond U+FFFF. Kind is the
// name of the text in messages.
func keyText(s span, reserved, kind string) *Error {
	for i := 0; i < len(s.text); {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		c := s.slice(i, i+size)
		switch {
		case r == utf8.RuneError && size == 1:
			return c.errorf("%s %q holds bytes that are not UTF-8: save the file as UTF-8", kind, s.text)
		case unicode.IsControl(r):
			return c.errorf("%s %q holds a control character, which a key cannot hold: remove it", kind, s.text)
		case r > 0xFFFF:
			return c.errorf("%s %q holds %q, and the SDK cannot send characters beyond U+FFFF in a key: use another", kind, s.text, c.text)
		case strings.ContainsRune(reserved, r):
			return c.errorf("%s %q may not hold %q, which has a meaning in tags and templates: remove it", kind, s.text, c.text)
		}
		i += size
	}
	return nil
}
