// Package facts establishes the facts of a document, from which a model is made. A [Stated]
// document has the options of its blank field. A [Document] also has a known type: its fields,
// their tags, and their JSON.
//
// It knows Go types and encoding/json. It does not know how a key is made.
package facts

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Tagged is a field with a cosmos tag.
type Tagged struct {
	annotations.Field
	Ref *FieldRef
	At  func(offset int) token.Position // the position of a byte of the tag's value
}

// Word returns the position of a word of the tag.
func (t *Tagged) Word(name string) token.Position { return t.At(t.Offset(name)) }

// Document has the facts of a document: its declaration, its type, and the tags of all fields.
type Document struct {
	*Stated
	Named  *types.Named
	Struct *types.Struct
	Roles  []*Tagged  // tagged fields of the struct and of those it embeds, in order
	json   []Property // what encoding/json writes
	tags   map[*types.Var]tag
}

// tagged returns the first field whose tag matches, or nil.
func (d *Document) tagged(says func(*Tagged) bool) *Tagged {
	if i := slices.IndexFunc(d.Roles, says); i >= 0 {
		return d.Roles[i]
	}
	return nil
}

// tag is a parsed cosmos tag of a field.
type tag struct {
	said annotations.Field
	errs []*annotations.Error
}

// tagOf returns the parsed tag of a field from its text. It parses each tag once.
func (d *Document) tagOf(v *types.Var, text string) tag {
	t, known := d.tags[v]
	if !known {
		t.said, t.errs = annotations.ParseField(text)
		d.tags[v] = t
	}
	return t
}

// Said returns the cosmos tag of a property, or the zero value. Its errors are reported at the
// declaration of the struct.
func (d *Document) Said(p *Property) annotations.Field {
	if p.cosmos == "" {
		return annotations.Field{}
	}
	return d.tagOf(p.Field(), p.cosmos).said
}

// Stated is a document as it is declared, with the options of its blank fields. Its types may be
// unknown, as in a file of another build.
type Stated struct {
	*source.Declaration
	*diag.Findings
	Options TypeOptions
	Indexes []TypeOptions // of the global secondary indexes, in order
}

// TypeOptions are the options of a blank field.
type TypeOptions struct {
	annotations.Type
	At func(offset int) token.Position // the position of a byte of the tag's value
}

// State reads the options of a declaration.
func State(d *source.Declaration, r *diag.Reporter) *Stated {
	s := &Stated{Declaration: d, Findings: &diag.Findings{Report: r}}
	s.readOptions()
	return s
}

// readOptions reads the tags of the blank fields: one has the options of the type, and each of the
// others declares an index.
func (d *Stated) readOptions() {
	fields := d.Syntax.Fields.List
	found := false
	for i, field := range fields {
		if len(field.Names) == 0 || field.Names[0].Name != "_" {
			continue
		}
		t, _ := d.Unit.TagOf(d.File, field)
		value, ok := t.Lookup(source.CosmosKey)
		if !ok {
			continue
		}
		where := d.Unit.TagPosition(d.File, field)
		strct, isStruct := ast.Unparen(field.Type).(*ast.StructType)
		options, errs := annotations.ParseType(value.Value)
		index := options.Offset("index") >= 0
		switch {
		case found && !index:
			d.Errorf(where, "second blank field with options of %s: put all options into the first", d.Name())
			continue
		case !isStruct || len(strct.Fields.List) > 0 || len(field.Names) > 1:
			d.Errorf(where, "the options of %s must be on one blank field that takes no space: write _ struct{} before the tag", d.Name())
			continue
		case i == len(fields)-1:
			d.Errorf(where, "the options of %s are on the last field, where Go makes the struct larger for them: move the blank field to the top", d.Name())
			continue
		}
		at := d.Placer(value)
		d.tagErrors(errs, at)
		if index {
			d.Indexes = append(d.Indexes, TypeOptions{options, at})
			continue
		}
		found = true
		d.Options = TypeOptions{options, at}
		d.Acknowledge(options.Notes, nil, at)
	}
}

// tagErrors reports the errors of the tag parser.
func (d *Stated) tagErrors(errs []*annotations.Error, at func(int) token.Position) {
	for _, e := range errs {
		var change diag.Fix
		if start, end := at(e.Offset), at(e.End); e.Instead != "" && start.Offset < end.Offset {
			change = diag.Fix{Start: start.Offset, End: end.Offset, Text: e.Instead}
		}
		d.Fixable(at(e.Offset), change, e.Message)
	}
}

// Container returns the id of the container, or the name of the table, collection or graph. If the
// document has several containers, it returns the template of their ids, by Go field paths;
// [Document.Container] knows the properties.
func (d *Stated) Container() string {
	if d.Placed() {
		return d.Options.Containers.String()
	}
	switch d.API() {
	case annotations.Table: // names of tables have no hyphens
		return cmp.Or(d.Options.Container, d.Name())
	case annotations.Gremlin:
		return cmp.Or(d.Options.Container, Graph)
	}
	return cmp.Or(d.Options.Container, DefaultContainer(d.Name()))
}

// Placed reports whether the fields of a document determine its container.
func (d *Stated) Placed() bool { return len(d.Options.Containers.Levels) > 0 }

// Tiered reports whether tenants share a container, and may have one of their own.
func (d *Stated) Tiered() bool { return len(d.Options.Own.Levels) > 0 }

// Unnamed reports whether documents of d do not contain their type.
func (d *Stated) Unnamed() bool { return d.Options.Offset("type") < 0 }

// DefaultContainer is the type's name in kebab case: http-log for HTTPLog.
func DefaultContainer(typ string) string {
	return strings.ReplaceAll(goname.Snake(typ), "_", "-")
}

// Container returns the id of the container or, if the document has several, the template of their
// ids, by JSON properties. A field that is not a property keeps its Go name.
func (d *Document) Container() string {
	if !d.Placed() {
		return d.Stated.Container()
	}
	return d.byProperties(d.Options.Containers)
}

// Own returns the template of the ids of own containers, by JSON properties, or "" if
// the document has none.
func (d *Document) Own() string {
	if !d.Tiered() {
		return ""
	}
	return d.byProperties(d.Options.Own)
}

// byProperties converts a template of ids from Go field paths to JSON properties. A field that is
// not a property keeps its Go name.
func (d *Document) byProperties(t annotations.Template) string {
	level := slices.Clone(t.Levels[0])
	for i, part := range level {
		if part.Component == nil {
			continue
		}
		if path, _, _ := d.Follow(strings.Split(part.Component.Fields[0], ".")); path != nil {
			if ref := d.reference(path); ref.Property != nil {
				level[i].Component = &annotations.Component{Fields: []string{ref.PropertyPath()}, Format: part.Component.Format}
			}
		}
	}
	return annotations.Template{Levels: []annotations.Level{level}}.String()
}

// Resolve finds the type of a document and reads its tags. If the type is unknown, it reports that
// and returns nil.
func Resolve(s *Stated) *Document {
	if strings.Trim(s.Name(), "_") == "" {
		s.Errorf(s.Position(), "the name of type %s has only underscores, and the go command ignores files with this name: rename it", s.Name())
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
	d.listProperties()
	d.computedProperties()
	return d
}

// marshalers reports methods that keep encoding/json from writing the fields of d. A MarshalJSON of
// d itself is allowed; the run time checks that it writes the id.
func (d *Document) marshalers() {
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		if !HasMethod(d.Named, name) {
			continue
		}
		method, index, _ := types.LookupFieldOrMethod(d.Named, true, nil, name)
		switch {
		case len(index) > 1:
			field := d.Struct.Field(index[0])
			d.Errorf(d.Unit.Position(field.Pos()), "embedding %s gives type %s its %s method, so encoding/json would write only the embedded value: make it a field with a name, or give %s a MarshalJSON of its own", field.Name(), d.Name(), name, d.Name())
		case name == "MarshalText":
			d.Errorf(d.Unit.Position(method.Pos()), "type %s has a MarshalText method, so encoding/json would write it as a string, not as an object: rename the method, or add a MarshalJSON", d.Name())
		}
		return
	}
}

// readField reads the tag of a field declared in d, and the tags within the field if it is
// embedded.
func (d *Document) readField(field *ast.Field, own map[token.Pos]*types.Var) {
	t, hasTag := d.Unit.TagOf(d.File, field)
	if offset, message, found := t.Problem(); hasTag && found {
		d.Errorf(d.Unit.Offset(d.File, t.Whole.At(offset)), "%s", message)
		return
	}
	value, hasTag := t.Lookup(source.CosmosKey)
	if !hasTag {
		for _, ident := range source.FieldIdents(field) {
			if v := own[ident.Pos()]; v != nil && v.Embedded() {
				d.readEmbedded([]*types.Var{v}, d.Unit.Position(field.Pos()))
			}
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

// read reads the tag of the field at the end of a path. If the tag gives it no role and the field
// is embedded, it reads the tags within.
func (d *Document) read(path []*types.Var, text string, embedding token.Position, at func(int) token.Position) {
	v := path[len(path)-1]
	t := d.tagOf(v, text)
	if v.Embedded() && !t.said.HasRole() {
		d.readEmbedded(path, embedding)
	}
	d.tagErrors(t.errs, at)
	d.Acknowledge(t.said.Notes, v, at)
	if t.said.Within != "" {
		inner := d.within(path, strings.Split(t.said.Within, "."), at(t.said.ValueOffset("field")))
		if inner == nil {
			return
		}
		path = slices.Concat(path, inner)
	}
	d.Roles = append(d.Roles, &Tagged{t.said, d.reference(path), at})
}

// within follows names from the field at the end of a path, and returns the fields on the way. If a
// name does not exist, it reports that and returns nil.
func (d *Document) within(path []*types.Var, names []string, pos token.Position) []*types.Var {
	inner, n, in := FollowFrom(path[len(path)-1].Type(), d.Unit.Types, names)
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

// readEmbedded reads the tags of the fields that the embedded struct at the end of a path promotes.
// Problems of a struct in another package are reported at the embedding field.
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

// WordAt returns the position of a word in a field's tag, or of the field's declaration if another
// package declares it or the tag lacks the word.
func (d *Document) WordAt(v *types.Var, word string) token.Position {
	if file, t, ok := d.Unit.TagAt(v); ok {
		if value, ok := t.Lookup(source.CosmosKey); ok {
			if said, _ := annotations.ParseField(value.Value); said.Offset(word) >= 0 {
				return d.Unit.Offset(file, value.At(said.Offset(word)))
			}
		}
	}
	return d.Unit.Position(v.Pos())
}

// DeclaredAt returns the declaration of a field or, if another package declares it, the name of d's
// type.
func (d *Document) DeclaredAt(ref *FieldRef) token.Position {
	if _, syntax := d.Unit.SyntaxOf(ref.Field()); syntax != nil {
		return d.Unit.Position(syntax.Pos())
	}
	return d.Position()
}

// RandomPosition returns the position of the random suffix in the tags.
func (d *Document) RandomPosition() token.Position {
	if t := d.tagged(func(t *Tagged) bool { return t.Random }); t != nil {
		return t.Word("randomsuffix")
	}
	return d.KeyPosition()
}

// KeyPosition returns the first position in the tags that determines the key.
func (d *Document) KeyPosition() token.Position {
	if offset := d.Options.ValueOffset("key"); offset >= 0 {
		return d.Options.At(offset)
	}
	if t := d.tagged(func(t *Tagged) bool { return t.PK }); t != nil {
		return t.Word("pk")
	}
	return d.Position()
}

// ContainerPosition returns the position in the tags that determines the container.
func (d *Stated) ContainerPosition() token.Position {
	if offset := d.Options.ValueOffset("container"); offset >= 0 {
		return d.Options.At(offset)
	}
	return d.Position()
}

// PathPosition returns the position in the tags that determines the path of the key.
func (d *Document) PathPosition() token.Position {
	if t := d.tagged(func(t *Tagged) bool { return t.Synthetic }); t != nil {
		return d.JSONPosition(t.Ref, t.Word("synthetic"))
	}
	if offset := d.Options.Offset("path"); offset >= 0 {
		return d.Options.At(offset)
	}
	return d.Position()
}

// JSONPosition returns the position of a field's json tag, or otherwise.
func (d *Document) JSONPosition(ref *FieldRef, otherwise token.Position) token.Position {
	if file, t, ok := d.Unit.TagAt(ref.Field()); ok {
		if value, ok := t.Lookup(source.JSONKey); ok {
			return d.Unit.Offset(file, value.At(0))
		}
	}
	return otherwise
}

// JSONFix returns the change that sets the json tag of a field. It returns the zero Fix if the unit
// does not declare the field, or if the json key of its tag cannot be read.
func (d *Document) JSONFix(ref *FieldRef, value string) diag.Fix {
	file, t, ok := d.Unit.TagAt(ref.Field())
	if !ok {
		return diag.Fix{}
	}
	if old, ok := t.Lookup(source.JSONKey); ok {
		return diag.Fix{Start: old.At(0), End: old.At(len(old.Value)), Text: value}
	}
	start := t.Whole.At(0)
	pair := source.JSONKey + ":" + strconv.Quote(value) + " "
	if file.Text[start-1] != '`' {
		pair = strings.ReplaceAll(pair, `"`, `\"`)
	}
	return diag.Fix{Start: start, End: start, Text: pair}
}

// Unwritten returns why encoding/json does not write a field.
func (d *Document) Unwritten(ref *FieldRef) string {
	for i := range ref.Path {
		if ref.Path[i].Embedded() && i < len(ref.Path)-1 {
			continue
		}
		if !ref.Path[i].Exported() {
			return ref.Path[i].Name() + " is unexported, so encoding/json does not write it; export it"
		}
	}
	if _, t, ok := d.Unit.TagAt(ref.Field()); ok {
		if value, _ := t.Lookup(source.JSONKey); value.Value == "-" {
			return "`json:\"-\"` keeps it out of the document; give it a JSON name"
		}
	}
	return "encoding/json does not write it: another field has its JSON name, or an enclosing struct is left out; give it its own JSON name"
}

// TypeString returns a type as the package writes it.
func (d *Document) TypeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(d.Unit.Types))
}

// Prefix is the beginning of the ids of a document, according to its tags.
type Prefix struct {
	Text    string         // "" if ids may be any text
	Pos     token.Position // the position of the text, or of the id without one
	Unknown bool           // pkgen does not know the declaration of the id
}

// Prefix returns the prefix of d's ids. If d embeds the struct with the id, the tag of the blank
// field decides, not that of the id: several documents may embed that struct.
func (d *Document) Prefix() Prefix {
	p := Prefix{Pos: d.Position()}
	if ref := d.ByProperty(IDProperty); ref != nil {
		p.Pos = d.DeclaredAt(ref)
	}
	if t := d.tagged(func(t *Tagged) bool { return t.ID }); t != nil {
		if p.Text, p.Pos = t.Prefix, t.Word("id"); p.Text != "" {
			p.Pos = t.At(t.ValueOffset("prefix"))
		}
	}
	if offset := d.Options.ValueOffset("prefix"); offset >= 0 {
		p.Text, p.Pos = d.Options.Prefix, d.Options.At(offset)
	}
	return p
}

// PrefixInSyntax is Prefix for a document in a file of another build, whose field types are
// unknown.
func (d *Stated) PrefixInSyntax() Prefix {
	if d.Options.Prefix != "" {
		return Prefix{Text: d.Options.Prefix}
	}
	for _, field := range d.Syntax.Fields.List {
		t, _ := d.Unit.TagOf(d.File, field)
		value, tagged := t.Lookup(source.CosmosKey)
		if tag, _ := annotations.ParseField(value.Value); tagged && tag.ID {
			return Prefix{Text: tag.Prefix}
		}
		if value, ok := t.Lookup(source.JSONKey); ok {
			if name, _, _ := strings.Cut(value.Value, ","); name == IDProperty {
				return Prefix{}
			}
		}
	}
	return Prefix{Unknown: true}
}
