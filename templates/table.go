package templates

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// table is the Table API. Its queries read one logical partition each, in pages of at
// most 1,000 entities
// (https://learn.microsoft.com/rest/api/storageservices/query-timeout-and-pagination).
var table = api{
	emitter: tables{}, number: operations.Table, runtime: root + "table", in: "table", errors: "documents",
	container: "table", handle: "Service", parameter: "service",
	fields:  "refers to the properties of %s documents in conditions of queries.",
	left:    "%[2]s: the table of %[1]s documents",
	checkID: "TableID", check: "TableKey", typed: true, batch: 100,
	costs: costs{
		write:    cost{Words: "one request", Requests: 1, Units: 5},
		verified: cost{Words: "a read and a conditional write, 2 requests", Requests: 2, Units: 6},
		read:     cost{Words: "one point read, one request", Requests: 1, Units: 1},
		many:     cost{Words: "one point read for each key, 32 at once", Requests: 1, Units: 1},
		query:    cost{Words: "one query, a request for each page of up to 1,000", Requests: 1, Units: 3},
		fanOut:   cost{Words: "one query for each logical partition, several at a time, at least one request each", Requests: 1, Units: 3, FanOut: true, ByKey: true},
		scan:     cost{Words: "one query of the whole table, which reads every physical partition, a request for each page of up to 1,000", Requests: 1, Units: 3, FanOut: true, Inside: true},
		find:     cost{Words: "one query for each of %d logical partitions, several at a time, a request each", Requests: 1, Units: 3, FanOut: true, ByKey: true},
	},
}

type tables struct{ others }

func (tables) provide(f *file) {
	tables{}.ensureIn(f, " creates the table "+f.Container+" of "+f.Name+" documents, unless it exists: one request.", jen.Lit(f.Container))
}

func (tables) repository(f *file) {
	tables{}.repositoryIn(f, "table", "table "+f.Container+" of service, which "+f.ensureName+" creates", f.Container,
		"Upsert and Replace write whole entities: no property of an older one stays.")
}

// references leaves out the version and the key, which tables keep next to the properties.
func (tables) references(t *Type) []reference {
	return namesOf(slices.DeleteFunc(slices.Clone(t.Properties), func(p Property) bool {
		return t.ETag != nil && p.Pointer == t.ETag.Pointer || t.Stored != nil && p.Pointer == t.Stored.Pointer
	}))
}

// rowKeys are row keys with more than the id.
var rowKeys = feature{
	in:        func(t *Type) bool { return t.Row != nil },
	constants: (*file).rowLayout,
	keys:      (*file).rowKey,
	checks:    func(*file) []jen.Code { return []jen.Code{partition("RowKey", jen.Id("k").Dot("RowKey").Call())} },
	model:     func(f *file) members { return members{{"Row", jen.Id(f.keyName).Dot("RowKey")}} },
}

// rowComponents returns the components of the row key in order, without the id.
func (t *Type) rowComponents() []placed {
	return choose(componentsOf(t.Row), func(c placed) bool { return c.Selector != t.ID.Selector })
}

// newest reports whether the row key begins with a time counted backwards.
func (t *Type) newest() bool {
	return len(t.Row) > 0 && t.Row[0].Component != nil && t.Row[0].Component.Newest
}

// rowLayout writes the constant with the layout of the row key.
//
//	const EventRowLayout = "{at|newest}-{id}"
func (f *file) rowLayout() {
	counted := ""
	if slices.ContainsFunc(f.Row, func(p pk.Part) bool { return p.Component != nil && p.Component.Newest }) {
		counted = "A newest time is counted backwards: its 19 digits are the ticks of 100 ns until the end of year 9999."
	}
	f.declare(prose.Sentences(
		f.rowLayoutName+" is the layout of the row key.", counted, "Stored documents depend on it."),
		constant(f.rowLayoutName, jen.Lit(pk.Level{Parts: f.Row}.Layout())))
}

// rowKey writes the method that makes the row key of a key.
//
//	func (k EventKey) RowKey() string { … }
func (f *file) rowKey() {
	level := pk.Level{Made: true, Parts: f.Row}
	doc := "RowKey returns the row key of the " + f.Name + " that k identifies: " + describeLevel(level)
	if f.ExampleRow != "" {
		doc += ", such as " + strconv.Quote(f.ExampleRow)
	}
	order := ""
	if f.newest() {
		order = "The newest document of a logical partition sorts first: Table Storage lists it first, but Cosmos DB promises no order."
	}
	f.declare(prose.Sentences(doc+".", order), f.keyMethod("RowKey").Params().String().Block(f.textOfParts(level, nil)...))
}
