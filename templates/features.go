package templates

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// feature is what a type may have besides its key, and what it adds to the file. Nothing of a
// feature runs for a type without it.
type feature struct {
	in      func(*Type) bool
	imports []string                // that no other type may need
	fields  func(*Type) []*pk.Field // of the document, which the file names

	constants func(*file)            // after the layout
	keys      func(*file)            // methods of the key type
	checks    func(*file) []jen.Code // the last ones of Validate
	model     func(*file) members
	functions func(*file) // after the model
	writes    func(*file) // methods of the repository, before the queries
	reads     func(*file) // and after them
	tenants   func(*file) // methods of the repository of one tenant
	types     func(*file) // after the repository

	prices func(*plan, *prices)
	// words returns sentences for the comment of Create, Upsert, Replace or Get.
	words func(*file, operations.Cost) string
}

// features are all of them. Comments have their words, and files their declarations, in this order.
var features = []*feature{
	&rowKeys, &prefixes, &placements, &windowed, &ownContainers, &companions, &growth, &uniques, &deletion, &stamping, &schemas,
	&discriminators, &rest, &aliased, &vectors, &computing, &tenants, &migrations, &indexes, &conflicts,
}

// features returns the features of a type.
func (t *Type) features() []*feature {
	var all []*feature
	for _, x := range features {
		if x.in(t) {
			all = append(all, x)
		}
	}
	return all
}

// members are fields of the run time's model.
type members []member

type member struct {
	name  string
	value jen.Code
}

// order is the order of the model's fields in the file.
var order = []string{
	"Type", "Path", "Paths", "Key", "ID", "Text", "Value", "Values", "Draft", "Others", "Later", "Made", "Same", "Ambiguous",
	"Synthetic", "Stored", "ETag", "Random", "Written", "Discriminator", "Prefix", "Rest", "Known", "Stamps", "Deleted", "Schema",
	"Unique", "Row", "Properties", "Integers", "Aliases", "Vectors", "Computed", "Containers", "At", "Tenant", "Own", "Indexed", "Conflict",
}

// sorted are the fields of a literal.
func (m members) sorted() []jen.Code {
	slices.SortFunc(m, func(a, b member) int { return slices.Index(order, a.name) - slices.Index(order, b.name) })
	return collect(m, func(x member) jen.Code { return named(x.name, x.value) })
}

// when adds a field if it is there.
func (m members) when(is bool, name string, value jen.Code) members {
	if is {
		return append(m, member{name, value})
	}
	return m
}
