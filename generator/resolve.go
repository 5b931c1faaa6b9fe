package generator

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// tagged is a field with a cosmos tag.
type tagged struct {
	annotations.Field
	ref *fieldRef
	at  func(offset int) token.Position // where a byte of the tag's value is
}

// word returns where a word of the tag is.
func (t *tagged) word(name string) token.Position { return t.at(t.Offset(name)) }

// document is the facts of a document: what its declaration states, with its type
// and the tags of all fields.
type document struct {
	*stated
	named *types.Named
	strct *types.Struct
	roles []*tagged  // tagged fields of the struct and of those it embeds, in order
	json  []property // what encoding/json writes
}

// resolve finds the type of a document and reads its tags. It returns nil where
// the type is not known, which it reports.
func resolve(s *stated) *document {
	if strings.Trim(s.name(), "_") == "" {
		s.errorf(s.position(), "type %s has a name of underscores alone, and the go command ignores files called so: rename it", s.name())
		return nil
	}
	d := &document{stated: s}
	name, ok := s.unit.info.Defs[s.spec.Name].(*types.TypeName)
	if ok {
		d.named, ok = name.Type().(*types.Named)
	}
	if ok {
		d.strct, ok = d.named.Underlying().(*types.Struct)
	}
	if !ok {
		s.errorf(s.position(), "type %s cannot be resolved%s", s.name(), s.unit.because(s.spec, ": is it declared twice?"))
		return nil
	}
	d.json = jsonFields(d.strct)
	d.marshalers()
	own := make(map[token.Pos]*types.Var)
	for field := range d.strct.Fields() {
		own[field.Pos()] = field
	}
	for _, field := range d.syntax.Fields.List {
		d.readField(field, own)
	}
	d.laterProperties()
	return d
}

// marshalers reports methods by which encoding/json writes d as something else
// than its fields. A MarshalJSON of d's own is taken to know what it does; the
// run time checks that it writes the id.
func (d *document) marshalers() {
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		if !hasMethod(d.named, name) {
			continue
		}
		method, index, _ := types.LookupFieldOrMethod(d.named, true, nil, name)
		switch {
		case len(index) > 1:
			field := d.strct.Field(index[0])
			d.errorf(d.unit.position(field.Pos()), "embedding %s gives type %s its %s method, so encoding/json would write that alone: make it a field with a name, or give %s a MarshalJSON of its own", field.Name(), d.name(), name, d.name())
		case name == "MarshalText":
			d.errorf(d.unit.position(method.Pos()), "type %s has a MarshalText method, so encoding/json would write it as a string, not as an object: rename the method, or add a MarshalJSON", d.name())
		}
		return
	}
}

// readField reads the tag of a field of d's own, and the tags within it when it
// is embedded.
func (d *document) readField(field *ast.Field, own map[token.Pos]*types.Var) {
	t, hasTag := d.unit.tagOf(d.file, field)
	if offset, message, found := t.problem(); hasTag && found {
		d.errorf(d.unit.offset(d.file, t.whole.at(offset)), "%s", message)
		return
	}
	value, hasTag := t.lookup(cosmosKey)
	if !hasTag {
		if v := own[identPos(field)]; v != nil && v.Embedded() {
			d.readEmbedded([]*types.Var{v}, d.unit.position(field.Pos()))
		}
		return
	}
	if len(field.Names) > 0 && field.Names[0].Name == "_" {
		return
	}
	tag, errs := annotations.ParseField(value.value)
	at := d.placer(value)
	d.tagErrors(errs, at)
	for _, ident := range fieldIdents(field) {
		if v := own[ident.Pos()]; v != nil {
			if v.Embedded() && !tag.HasRole() {
				d.readEmbedded([]*types.Var{v}, d.unit.position(field.Pos()))
			}
			d.addRole([]*types.Var{v}, tag, at)
			d.acknowledge(tag.Notes, v, at)
		}
	}
}

// addRole adds what the tag of the field at the end of a path says: of that
// field, or of one within it.
func (d *document) addRole(path []*types.Var, tag annotations.Field, at func(int) token.Position) {
	if tag.Within != "" {
		inner := d.within(path, strings.Split(tag.Within, "."), at(tag.ValueOffset("field")))
		if inner == nil {
			return
		}
		path = slices.Concat(path, inner)
	}
	d.roles = append(d.roles, &tagged{tag, d.reference(path), at})
}

// within returns the fields on the way from the field at the end of a path to the
// one that names lead to, or reports why there is none and returns nil.
func (d *document) within(path []*types.Var, names []string, pos token.Position) []*types.Var {
	inner, n, in := followFrom(path[len(path)-1].Type(), d.unit.types, names)
	if inner != nil {
		return inner
	}
	owner := strings.Join(append([]string{d.selector(path)}, names[:n]...), ".")
	if in == nil {
		d.errorf(pos, "%s is no struct, and has no field %s: remove \"field\"", owner, names[n])
		return nil
	}
	advice := "name a Go field of it"
	if near := spelling.Nearest(names[n], fieldNames(in, 0)); near != "" {
		advice = "did you mean " + strconv.Quote(near) + "?"
	}
	d.errorf(pos, "%s has no field %s: %s", owner, names[n], advice)
	return nil
}

// readEmbedded reads the tags of the fields that path, the last of which is
// embedded, promotes. Where the embedded struct is of another package, its
// problems are reported at the embedding field.
func (d *document) readEmbedded(path []*types.Var, embedding token.Position) {
	embedded := dereference(path[len(path)-1].Type())
	strct, ok := embedded.Underlying().(*types.Struct)
	if !ok || len(path) > maxDepth {
		return
	}
	for _, v := range path[:len(path)-1] {
		if types.Identical(dereference(v.Type()), embedded) {
			return // it embeds itself, by pointer
		}
	}
	for i := range strct.NumFields() {
		field := strct.Field(i)
		way := append(slices.Clone(path), field)
		value, hasTag := reflect.StructTag(strct.Tag(i)).Lookup(cosmosKey)
		switch {
		case !hasTag && field.Embedded():
			d.readEmbedded(way, embedding)
		case hasTag && field.Name() != "_":
			if tag, _ := annotations.ParseField(value); field.Embedded() && !tag.HasRole() {
				d.readEmbedded(way, embedding)
			}
			at := func(int) token.Position { return embedding }
			if file, t, ok := d.unit.tagAt(field); ok {
				if literal, ok := t.lookup(cosmosKey); ok {
					at = func(offset int) token.Position { return d.unit.offset(file, literal.at(offset)) }
				}
			}
			tag, errs := annotations.ParseField(value)
			d.tagErrors(errs, at)
			d.addRole(way, tag, at)
			d.acknowledge(tag.Notes, field, at)
		}
	}
}

// maxDepth bounds how deep structs that embed others are followed. Those that
// embed each other by pointers have no end.
const maxDepth = 8
