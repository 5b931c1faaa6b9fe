package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Resolve finds the type of a document and reads its tags. If the type is not
// known, it reports that and returns nil.
func Resolve(s *Stated) *Document {
	if strings.Trim(s.Name(), "_") == "" {
		s.Errorf(s.Position(), "type %s has a name of underscores alone, and the go command ignores files called so: rename it", s.Name())
		return nil
	}
	d := &Document{Stated: s, tags: make(map[*types.Var]tag)}
	name, ok := s.Unit.Info.Defs[s.Spec.Name].(*types.TypeName)
	if ok {
		d.Named, ok = name.Type().(*types.Named)
	}
	if ok {
		d.Struct, ok = d.Named.Underlying().(*types.Struct)
	}
	if !ok {
		s.Errorf(s.Position(), "type %s cannot be resolved%s", s.Name(), s.Unit.Because(s.Spec, ": is it declared twice?"))
		return nil
	}
	d.json = JSONFields(d.Struct)
	d.marshalers()
	own := make(map[token.Pos]*types.Var)
	for field := range d.Struct.Fields() {
		own[field.Pos()] = field
	}
	for _, field := range d.Syntax.Fields.List {
		d.readField(field, own)
	}
	d.laterProperties()
	d.aliases()
	d.searchProperties()
	return d
}

// marshalers reports methods with which encoding/json would not write the fields of
// d. It does not report a MarshalJSON of d's own; the run time checks that it writes
// the id.
func (d *Document) marshalers() {
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		if !HasMethod(d.Named, name) {
			continue
		}
		method, index, _ := types.LookupFieldOrMethod(d.Named, true, nil, name)
		switch {
		case len(index) > 1:
			field := d.Struct.Field(index[0])
			d.Errorf(d.Unit.Position(field.Pos()), "embedding %s gives type %s its %s method, so encoding/json would write that alone: make it a field with a name, or give %s a MarshalJSON of its own", field.Name(), d.Name(), name, d.Name())
		case name == "MarshalText":
			d.Errorf(d.Unit.Position(method.Pos()), "type %s has a MarshalText method, so encoding/json would write it as a string, not as an object: rename the method, or add a MarshalJSON", d.Name())
		}
		return
	}
}

// readField reads the tag of a field of d's own, and the tags within it if it is
// embedded.
func (d *Document) readField(field *ast.Field, own map[token.Pos]*types.Var) {
	t, hasTag := d.Unit.TagOf(d.File, field)
	if offset, message, found := t.Problem(); hasTag && found {
		d.Errorf(d.Unit.Offset(d.File, t.Whole.At(offset)), "%s", message)
		return
	}
	value, hasTag := t.Lookup(source.CosmosKey)
	if !hasTag {
		if v := own[source.IdentPos(field)]; v != nil && v.Embedded() {
			d.readEmbedded([]*types.Var{v}, d.Unit.Position(field.Pos()))
		}
		return
	}
	if len(field.Names) > 0 && field.Names[0].Name == "_" {
		return
	}
	for _, ident := range source.FieldIdents(field) {
		if v := own[ident.Pos()]; v != nil {
			d.read([]*types.Var{v}, value.Value, d.Unit.Position(field.Pos()), d.Placer(value))
		}
	}
}

// read reads the tag of the field at the end of a path, and, if it gives the field no
// role, the tags within the field if that is embedded.
func (d *Document) read(path []*types.Var, text string, embedding token.Position, at func(int) token.Position) {
	v := path[len(path)-1]
	t := d.tagOf(v, text)
	if v.Embedded() && !t.said.HasRole() {
		d.readEmbedded(path, embedding)
	}
	d.tagErrors(t.errs, at)
	d.addRole(path, t.said, at)
	d.Acknowledge(t.said.Notes, v, at)
}

// addRole adds the role that a tag gives to the field at the end of a path, or to a
// field within it.
func (d *Document) addRole(path []*types.Var, tag annotations.Field, at func(int) token.Position) {
	if tag.Within != "" {
		inner := d.within(path, strings.Split(tag.Within, "."), at(tag.ValueOffset("field")))
		if inner == nil {
			return
		}
		path = slices.Concat(path, inner)
	}
	d.Roles = append(d.Roles, &Tagged{tag, d.reference(path), at})
}

// within follows names from the field at the end of a path, and returns the fields
// on the way. If a name leads nowhere, it reports that and returns nil.
func (d *Document) within(path []*types.Var, names []string, pos token.Position) []*types.Var {
	inner, n, in := followFrom(path[len(path)-1].Type(), d.Unit.Types, names)
	if inner != nil {
		return inner
	}
	owner := strings.Join(append([]string{d.Selector(path)}, names[:n]...), ".")
	if in == nil {
		d.Errorf(pos, "%s is not a struct, and has no field %s: remove \"field\"", owner, names[n])
		return nil
	}
	advice := "name a Go field of it"
	if near := spelling.Nearest(names[n], fieldNames(in, 0)); near != "" {
		advice = "did you mean " + strconv.Quote(near) + "?"
	}
	d.Errorf(pos, "%s has no field %s: %s", owner, names[n], advice)
	return nil
}

// readEmbedded reads the tags of the fields that the embedded struct at the end of
// a path promotes. If the struct is of another package, its problems are reported at
// the embedding field.
func (d *Document) readEmbedded(path []*types.Var, embedding token.Position) {
	embedded := Dereference(path[len(path)-1].Type())
	strct, ok := embedded.Underlying().(*types.Struct)
	if !ok || len(path) > maxDepth {
		return
	}
	for _, v := range path[:len(path)-1] {
		if types.Identical(Dereference(v.Type()), embedded) {
			return // it embeds itself, by pointer
		}
	}
	for i := range strct.NumFields() {
		field := strct.Field(i)
		way := append(slices.Clone(path), field)
		value, hasTag := reflect.StructTag(strct.Tag(i)).Lookup(source.CosmosKey)
		switch {
		case !hasTag && field.Embedded():
			d.readEmbedded(way, embedding)
		case hasTag && field.Name() != "_":
			at := func(int) token.Position { return embedding }
			if file, t, ok := d.Unit.TagAt(field); ok {
				if literal, ok := t.Lookup(source.CosmosKey); ok {
					at = func(offset int) token.Position { return d.Unit.Offset(file, literal.At(offset)) }
				}
			}
			d.read(way, value, embedding, at)
		}
	}
}
