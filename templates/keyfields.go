package templates

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// keyField is a field of the key type.
type keyField struct {
	pk.Component
	name string // what the key type calls it
}

// keyFields returns the fields of the key type: the id, then the fields that make the
// id of the container, if there are several, and then those that make the partition
// key, and those that make the row key, each once, in order. A time with several layouts has the
// finest one. A repository.Time of the document is a time.Time here, since the
// start of a period is not an instant that a document stores.
func keyFields(t *Type) []keyField {
	fields := []keyField{{Component: pk.Component{Field: t.ID}}}
	for _, c := range t.keyComponents() {
		if c.placing {
			c.Layout = timelayout.Named(c.Layout)
		}
		at := slices.IndexFunc(fields, func(field keyField) bool { return field.Selector == c.Selector })
		switch {
		case at < 0:
			fields = append(fields, keyField{Component: c.Component})
		case c.Finer(fields[at].Component):
			fields[at].Layout, fields[at].Newest = c.Layout, c.Newest
		}
	}
	for i := range fields {
		if fields[i].Instant {
			fields[i].Type = timeType
		}
	}
	var methods []string
	switch {
	case t.Containers != nil:
		methods = append(methods, "Container")
	case t.Own != nil:
		methods = append(methods, ownMethod)
	case t.Row != nil:
		methods = append(methods, "RowKey")
	}
	nameFields(fields, methods)
	return fields
}

var timeType = pk.GoType{Path: timePath, Name: "Time"}

// nameFields names the fields of a key type by their Go names. The first field is
// the id: its name is ID, unless another field has that name. The names of the key
// type's methods are taken: of those that all key types have, and of these.
func nameFields(fields []keyField, methods []string) {
	taken := scope.Names{}
	taken.Add("PartitionKey", "Validate")
	taken.Add(methods...)
	for i := range fields[1:] {
		fields[1+i].name = taken.Take(fields[1+i].Name)
	}
	fields[0].name = taken.Take("ID", fields[0].Name, "ItemID")
}

// suffixName is the name of the random suffix in a key type with these fields.
func suffixName(fields []keyField) string {
	taken := scope.Names{}
	for _, field := range fields {
		taken.Add(field.name)
	}
	return taken.Take("Suffix", "RandomSuffix")
}
