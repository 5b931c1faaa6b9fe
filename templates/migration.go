package templates

import (
	"reflect"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// migrations are of documents that move from the container of another type.
var migrations = feature{
	in:    func(t *Type) bool { return t.Former != nil },
	types: (*file).migration,
}

// migration compares a type with its former type, from which its documents move.
type migration struct {
	fields  []keyField // of the key of the type
	former  []keyField // of the key of the former type
	queries []keyQuery // of the type, which the former type has too
}

// newMigration compares a type with its former type.
func newMigration(t *Type) migration {
	// The names of parameters, and taken names, do not matter here.
	empty := scope.Scope{Names: scope.Names{}}
	now, former := &plan{Type: t, scope: empty, fields: keyFields(t)}, &plan{Type: t.Former, scope: empty, fields: keyFields(t.Former)}
	m := migration{fields: now.fields, former: former.fields}
	others := former.keyQueries()
	m.queries = slices.DeleteFunc(now.keyQueries(), func(w keyQuery) bool {
		return !slices.ContainsFunc(others, w.same)
	})
	return m
}

// same reports whether two queries have one name and the same parameters, and select the
// same documents. A time may be a day to one layout and a month to another.
func (w keyQuery) same(other keyQuery) bool {
	if w.name != other.name || len(w.args) != len(other.args) || (w.between == nil) != (other.between == nil) {
		return false
	}
	if w.between != nil && !sameComponent(w.between.Component, other.between.Component) {
		return false
	}
	for i, a := range w.args {
		if !sameComponent(a.Component, other.args[i].Component) || !reflect.DeepEqual(a.Type, other.args[i].Type) {
			return false
		}
	}
	return true
}

func sameComponent(a, b pk.Component) bool {
	return a.Selector == b.Selector && a.Layout == b.Layout && a.Lower == b.Lower
}

// covered reports whether the key of the type has all fields of the former type's key.
func (m migration) covered() bool {
	return !slices.ContainsFunc(m.former, func(field keyField) bool { return m.fieldOf(field) == "" })
}

// fieldOf returns the key type's name for a field of the former key type, or "".
func (m migration) fieldOf(field keyField) string {
	i := slices.IndexFunc(m.fields, func(own keyField) bool { return own.Selector == field.Selector })
	if i < 0 {
		return ""
	}
	return m.fields[i].name
}

// union returns the fields of both key types, each once.
func (m migration) union() []keyField {
	all := slices.Clone(m.fields)
	taken := scope.Of(collect(all, func(field keyField) string { return field.name })...)
	for _, field := range m.former {
		if m.fieldOf(field) == "" {
			field.name = taken.Take(field.name, "Old"+field.name)
			all = append(all, field)
		}
	}
	return all
}

// migration writes the repository over two containers.
//
//	type VehicleEventMigration struct {
//		*repository.Migration[VehicleEvent, VehicleEventKey]
//
//		from *OldVehicleEventRepository
//		to   *VehicleEventRepository
//	}
//
//	func NewVehicleEventMigration(from *OldVehicleEventRepository, to *VehicleEventRepository, phase repository.Phase) *VehicleEventMigration { … }
func (f *file) migration() {
	m := newMigration(f.Type)
	key := f.keyName
	if !m.covered() {
		key = f.migrationKeyName
		f.declare(key+" identifies one "+f.Name+" in both containers of a "+f.migrationName+".",
			jen.Type().Id(key).StructFunc(func(g *jen.Group) {
				for _, field := range m.union() {
					g.Id(field.name).Add(goType(field.Type))
				}
			}))
	}
	f.declare(f.migrationName+" reads and writes the "+f.Name+" documents while they move from the container of "+f.Former.names().repositoryName+
		" to the container of "+f.repositoryName+". It is safe for concurrent use. repository.Migration says what operations do and cost in each phase.",
		jen.Type().Id(f.migrationName).Struct(
			ptr(repository("Migration").Types(jen.Id(f.Name), jen.Id(key))),
			param("from", ptr(jen.Id(f.Former.names().repositoryName))),
			param("to", ptr(jen.Id(f.repositoryName))),
		))
	parameters := []jen.Code{param("from", ptr(jen.Id(f.Former.names().repositoryName))), param("to", ptr(jen.Id(f.repositoryName)))}
	convert := func(from, to string) jen.Code {
		converted := jen.Id(f.doc)
		if from != to {
			converted = jen.Parens(ptr(jen.Id(to))).Call(jen.Id(f.doc))
		}
		return oneLine(param(f.doc, ptr(jen.Id(from))), ptr(jen.Id(to)), converted)
	}
	made := repository("NewMigration").Call(append([]jen.Code{jen.Id("from").Dot("Documents"), jen.Id("to").Dot("Documents"), jen.Id("phase")}, []jen.Code{convert(f.Name, f.Former.Name), convert(f.Former.Name, f.Name), f.bothKeys(m, key)}...)...)
	f.declare(f.newMigrationName+" returns the repository of both containers for programs in this phase. It sends nothing.",
		jen.Func().Id(f.newMigrationName).Params(append(parameters, jen.Id("phase").Add(repository("Phase")))...).Add(ptr(jen.Id(f.migrationName))).Block(jen.Return(addr(rows(jen.Id(f.migrationName), made, jen.Id("from"), jen.Id("to"))))))
	for _, w := range m.queries {
		f.inBoth(w.name, w.list(), f.selected(w), w.parameters())
	}
	f.inBoth("Scan", nil, "all "+f.Name+" documents", nil)
}

// selected says which documents a query selects.
func (f *file) selected(w keyQuery) string {
	words := "the " + f.Name + " documents"
	if len(w.args) > 0 {
		words += " of " + prose.Enumerate(w.list()[:len(w.args)])
	}
	if w.between != nil {
		words += " between " + w.from + " and " + w.to
	}
	return words
}

// bothKeys writes the function from a key to the keys of both containers.
//
//	func(k VehicleEventMigrationKey) (OldVehicleEventKey, VehicleEventKey) {
//		return OldVehicleEventKey{ID: k.ID, Date: k.Date, VIN: k.VIN}, k
//	}
func (f *file) bothKeys(m migration, key string) jen.Code {
	literal := func(typ string, fields []keyField) jen.Code {
		var items []jen.Code
		for _, field := range fields {
			i := slices.IndexFunc(m.union(), func(own keyField) bool { return own.Selector == field.Selector })
			items = append(items, named(field.name, jen.Id("k").Dot(m.union()[i].name)))
		}
		return jen.Id(typ).Values(items...)
	}
	own := jen.Code(jen.Id("k"))
	if !m.covered() {
		own = literal(f.keyName, m.fields)
	}
	former := literal(f.Former.names().keyName, m.former)
	if f.Former.Name == f.Name {
		former = jen.Id("k")
	}
	return jen.Func().Params(jen.Id("k").Id(key)).Params(jen.Id(f.Former.names().keyName), jen.Id(f.keyName)).Block(jen.Return(former, own))
}

// inBoth writes a query of both containers.
//
//	func (r *StayMigration) ByHotel(hotel string) repository.MigrationQuery[Stay] {
//		return repository.InBoth(r.Migration, r.from.ByHotel(hotel), r.to.ByHotel(hotel))
//	}
func (f *file) inBoth(name string, arguments []string, words string, parameters []jen.Code) {
	list := ids(arguments)
	query := repository("InBoth").Call(jen.Id("r").Dot("Migration"),
		jen.Id("r").Dot("from").Dot(name).Call(list...), jen.Id("r").Dot("to").Dot(name).Call(list...))
	f.declare(name+" selects "+words+" in both containers, at the cost of "+name+" in each.",
		jen.Func().Params(param("r", ptr(jen.Id(f.migrationName)))).Id(name).Params(parameters...).
			Qual(repositoryPath, "MigrationQuery").Types(jen.Id(f.Name)).Block(jen.Return(query)))
}
