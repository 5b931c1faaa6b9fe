package suggest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// structure has the facts of a struct type for the choice of a key.
type structure struct {
	name   string
	fields []field // the fields that JSON writes, in the order of declaration
	// The field for a synthetic key: that of the property partitionKey, or the name of a new one.
	// Both are empty if the property is not a string.
	stored, storedName string
	id                 string   // the Go name of the item id
	embeddedID         string   // the Go name of an item id that is promoted from an embedded struct
	passed             []string // fields that would find documents but cannot be tagged, with the reason
	changing           []string // Go names of fields whose names suggest changing values
	own, system        bool     // there are properties besides the id: the program's own, the service's
	noMethods          bool     // a field or method of the type has the name of a generated method
}

// kind is the kind of a field's values.
type kind int

const (
	other   kind = iota // not suitable for a key
	text                // strings and types with a text form
	integer             // whole numbers
	boolean             // true and false
	moment              // time.Time or repository.Time
)

// field is a field that may be in a key.
type field struct {
	name     string // in Go
	property string // in JSON
	words    []string
	kind     kind
	rank     rank // 0 if it does not find documents
	values   int  // the number of constants of its type
}

// keyPathName matches a property that a partition key path can name without quotes.
var keyPathName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// plainProperty is the default property of a synthetic key.
const plainProperty = "partitionKey"

// read examines a struct type. It returns nil and the reason if the struct is not a document. The
// reason is "" if nothing suggests that it is one.
func read(named *types.Named, syntax *ast.StructType) (*structure, string) {
	strct, _ := named.Underlying().(*types.Struct)
	if strct == nil {
		return nil, ""
	}
	shared := sharedTags(syntax)
	s := &structure{name: named.Obj().Name(), storedName: freeName(named), noMethods: member(named, "PartitionKey") || member(named, "Key")}
	hasJSON, almost, inherited := false, "", ""
	for i := range strct.NumFields() {
		v, tag := strct.Field(i), reflect.StructTag(strct.Tag(i))
		value, ok := tag.Lookup("json")
		hasJSON = hasJSON || ok
		property, options, _ := strings.Cut(value, ",")
		if v.Embedded() && property == "" {
			inherited = cmp.Or(s.embed(named, v), inherited)
			continue
		}
		if property == "" {
			property = v.Name()
		}
		s.count(v, property)
		switch {
		case !v.Exported() || value == "-":
			continue
		case shared[v.Name()]:
			s.pass(v, property, options, "its field is declared together with others, which one tag would mark all: declare it by itself first")
			continue
		case property == "id" && kindOf(v.Type()) == text:
			s.id = v.Name()
			continue
		case property == "id":
			almost = fmt.Sprintf("field %s has the property id and is of type %s, and the id of an item is a string: declare it as one, or as a type with a MarshalText method", v.Name(), types.TypeString(v.Type(), (*types.Package).Name))
			continue
		case strings.EqualFold(v.Name(), "id"):
			almost = fmt.Sprintf("field %s has the property %s, and every item needs a string with the JSON name id: write `json:\"id\"`", v.Name(), property)
			continue
		case property == plainProperty:
			s.storedName = ""
			if facts.IsString(v.Type()) {
				s.stored = v.Name()
			}
			continue
		}
		if f, ok := readField(v, property, options); ok {
			s.fields = append(s.fields, f)
		}
	}
	s.dropHolders()
	s.dropChanging()
	switch {
	case !hasJSON:
		return nil, ""
	case s.id == "" && s.embeddedID == "":
		return nil, almost
	case inherited != "":
		return nil, inherited + ", which it embeds, has cosmos tags: add what is missing by hand"
	}
	return s, ""
}

// readField returns a field for a key, and false if it is unsuitable: the property belongs to the
// service, or JSON may omit it.
func readField(v *types.Var, property, options string) (field, bool) {
	f := field{name: v.Name(), property: property, words: goname.LowerWords(v.Name()), kind: kindOf(v.Type()), values: constants(v.Type())}
	if f.kind == other || ofService(property) || !keyPathName.MatchString(property) {
		return f, false
	}
	for option := range strings.SplitSeq(options, ",") {
		basic, _ := types.Unalias(v.Type()).Underlying().(*types.Basic)
		isText := basic != nil && basic.Info()&types.IsString != 0
		switch {
		case option == "string" && f.kind != moment && !isText,
			(option == "omitempty" || option == "omitzero") && f.kind != moment && !isText:
			return f, false
		}
	}
	if !f.few() && (f.kind == text || f.kind == integer) {
		f.rank = rankOf(f.words)
	}
	return f, true
}

// count records whether a field is the program's own or the service's.
func (s *structure) count(v *types.Var, property string) {
	s.system = s.system || strings.HasPrefix(property, "_")
	s.own = s.own || v.Exported() && property != "id" && !ofService(property)
}

// ofService reports whether the service defines the meaning of a property.
func ofService(property string) bool { return strings.HasPrefix(property, "_") || property == "ttl" }

// few reports whether the field has few values.
func (f field) few() bool {
	return f.kind == boolean || f.values > 1 || f.kind != moment && slices.Contains(fewValues, f.words[len(f.words)-1])
}

// kindOf returns the kind of a type's values.
func kindOf(t types.Type) kind {
	_, isPointer := t.Underlying().(*types.Pointer)
	named, _ := types.Unalias(t).(*types.Named)
	ofTime := named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time"
	switch form := facts.FormOf(t); {
	case form == facts.Time || form == facts.Instant:
		return moment
	case ofTime:
		return other
	case form == facts.Text || form == facts.TextAndCode:
		if !isPointer && types.Comparable(t) {
			return text
		}
	case form == facts.String || form == facts.Number:
		return text
	case form == facts.Int || form == facts.Uint:
		return integer
	case form == facts.Bool:
		return boolean
	}
	return other
}

// constants returns the number of constants of a named type: the values of an enumeration.
func constants(t types.Type) int {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0
	}
	n, scope := 0, named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			n++
		}
	}
	return n
}

// sharedTags returns the names of fields that are declared together, which one tag would apply to.
func sharedTags(syntax *ast.StructType) map[string]bool {
	out := make(map[string]bool)
	for _, f := range syntax.Fields.List {
		if len(f.Names) > 1 {
			for _, name := range f.Names {
				out[name.Name] = true
			}
		}
	}
	return out
}

// freeName returns the name of a new field for the stored key.
func freeName(named *types.Named) string {
	name := "Stored"
	for member(named, name) {
		name += "Key"
	}
	return name
}

// member reports whether a type has a field or a method of the name.
func member(named *types.Named, name string) bool {
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name)
	return object != nil
}

// hasCosmosTag reports whether a field of a struct has a cosmos tag, even a malformed one.
func hasCosmosTag(syntax *ast.StructType) bool {
	return slices.ContainsFunc(syntax.Fields.List, func(f *ast.Field) bool {
		return f.Tag != nil && f.Tag.Kind == token.STRING && cosmosKey.MatchString(f.Tag.Value)
	})
}

// cosmosKey matches the key cosmos in the source of a tag.
var cosmosKey = regexp.MustCompile(`(?i)(?:^|[\s,;"` + "`" + `])cosmos\s*[:="]`)

// embed records the facts of an embedded struct, and returns its name if it has cosmos tags.
func (s *structure) embed(named *types.Named, v *types.Var) string {
	s.own = true
	s.passWithin(v)
	id, tagged := embedded(v.Type())
	if id != "" && promoted(named, id) {
		s.embeddedID = id
	}
	if tagged {
		return v.Name()
	}
	return ""
}

// embedded returns the Go name of the item id in an embedded struct or in those
// that it embeds, or "", and whether one of them has cosmos tags.
func embedded(t types.Type, within ...types.Type) (id string, tagged bool) {
	t = held(t)
	strct, ok := t.Underlying().(*types.Struct)
	if !ok || slices.Contains(within, t) {
		return "", false
	}
	for i := range strct.NumFields() {
		v, tag := strct.Field(i), reflect.StructTag(strct.Tag(i))
		property, _, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case property == "id" && facts.IsString(v.Type()):
			id = v.Name()
		case v.Embedded() && property == "":
			inner, innerTagged := embedded(v.Type(), append(within, t)...)
			id, tagged = cmp.Or(id, inner), tagged || innerTagged
		}
		_, ok := tag.Lookup("cosmos")
		tagged = tagged || ok
	}
	return id, tagged
}

// promoted reports whether a name selects a field of an embedded struct.
func promoted(named *types.Named, name string) bool {
	object, index, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), name)
	v, ok := object.(*types.Var)
	return ok && v.IsField() && len(index) > 1
}

// pass records a field that would find documents but cannot be tagged.
func (s *structure) pass(v *types.Var, property, options, reason string) {
	if f, ok := readField(v, property, options); ok && f.rank > 0 && !f.changes() {
		s.passed = append(s.passed, property+": "+reason)
	}
}

// passWithin records such fields of an embedded struct.
func (s *structure) passWithin(v *types.Var) {
	strct, ok := held(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range strct.NumFields() {
		inner, tag := strct.Field(i), reflect.StructTag(strct.Tag(i))
		property, options, _ := strings.Cut(tag.Get("json"), ",")
		if property == "" {
			property = inner.Name()
		}
		if inner.Exported() && !inner.Embedded() && property != "-" && property != "id" {
			s.pass(inner, property, options, fmt.Sprintf("it is a field of the embedded %s, which other types may share: tag it there by hand", v.Name()))
		}
	}
}

// holders maps types that are parts of documents to the first struct that contains them, directly
// or in another part: embedded or, if that struct looks like a document, in a field, list or map.
// Other structs, such as responses and caches, also contain documents in fields, which are
// documents all the same.
func holders(pkgs []pkg) map[types.Type]*types.TypeName {
	out := make(map[types.Type]*types.TypeName)
	for _, p := range pkgs {
		for _, d := range p.structs {
			strct, ok := d.named.Underlying().(*types.Struct)
			if !ok {
				continue
			}
			document := d.structure != nil || d.reason != "" // a document with a mistake counts
			for v := range stored(strct) {
				if t := held(v.Type()); document {
					hold(out, d.named, t)
				} else if v.Embedded() && t != d.named && out[t] == nil {
					out[t] = d.named.Obj()
				}
			}
		}
	}
	return out
}

// hold records that a type is a part of a document, and its own parts in turn.
func hold(out map[types.Type]*types.TypeName, document *types.Named, t types.Type) {
	if t == document || out[t] != nil {
		return
	}
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	out[t] = document.Obj()
	for v := range stored(strct) {
		hold(out, document, held(v.Type()))
	}
}

// stored yields the fields of a struct that JSON writes.
func stored(strct *types.Struct) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		for i := range strct.NumFields() {
			v := strct.Field(i)
			if tag := reflect.StructTag(strct.Tag(i)).Get("json"); tag == "-" || !v.Exported() && !v.Embedded() {
				continue
			}
			if !yield(v) {
				return
			}
		}
	}
}

// held returns the innermost type that a type contains or points to, or the type itself if it is
// recursive, as in type L []L.
func held(t types.Type) types.Type {
	var through []*types.Named
	for {
		switch inner := types.Unalias(t).(type) {
		case *types.Named:
			switch inner.Underlying().(type) {
			case *types.Pointer, *types.Slice, *types.Array, *types.Map:
			default:
				return inner
			}
			if slices.Contains(through, inner) {
				return inner
			}
			through, t = append(through, inner), inner.Underlying()
		case *types.Pointer:
			t = inner.Elem()
		case *types.Slice:
			t = inner.Elem()
		case *types.Array:
			t = inner.Elem()
		case *types.Map:
			t = inner.Elem()
		default:
			return inner
		}
	}
}
