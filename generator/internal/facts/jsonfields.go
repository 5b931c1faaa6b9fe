package facts

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// Property is a field that encoding/json writes.
type Property struct {
	Name      string
	index     []int        // as in reflect.StructField.Index
	Path      []*types.Var // the fields on the way; the last one is the field itself
	tagged    bool         // a json tag has the name
	Quoted    bool         // ",string"
	OmitEmpty bool
	OmitZero  bool
	cosmos    string // its cosmos tag; see [Document.Said]
}

// Field returns the field itself.
func (p *Property) Field() *types.Var { return p.Path[len(p.Path)-1] }

// JSONFields returns the properties that encoding/json writes for a struct, in the order of
// declaration. It is typeFields of encoding/json/encode.go of Go 1.25, for go/types: it visits
// embedded structs level by level. Of several fields with one name the shallowest wins, then the
// tagged one; otherwise none.
func JSONFields(root *types.Struct) []Property {
	w := jsonWalk{visited: make(map[string]bool)}
	next := []embedded{{strct: root}}
	for len(next) > 0 {
		current := next
		w.next = nil
		w.count, w.nextCount = w.nextCount, make(map[string]int)
		for _, e := range current {
			if e.key != "" && w.visited[e.key] {
				continue
			}
			w.visited[e.key] = true
			for i := range e.strct.NumFields() {
				w.field(e, i)
			}
		}
		next = w.next
	}
	return dominant(w.found)
}

// embedded is a struct whose fields are promoted to the root, or the root.
type embedded struct {
	strct *types.Struct
	key   string // its type; "" for the root
	index []int
	path  []*types.Var
}

// jsonWalk is the state of JSONFields.
type jsonWalk struct {
	found   []Property
	visited map[string]bool // types of levels above
	next    []embedded      // the level below
	// How often the types of this level, and those of the level below, are embedded there.
	count, nextCount map[string]int
}

// field adds field i of a struct, or queues an embedded struct for the next level.
func (w *jsonWalk) field(e embedded, i int) {
	field := e.strct.Field(i)
	elem := Dereference(field.Type())
	inner, isStruct := elem.Underlying().(*types.Struct)
	if !field.Exported() && (!field.Anonymous() || !isStruct) {
		return
	}
	tag := reflect.StructTag(e.strct.Tag(i)).Get(source.JSONKey)
	if tag == "-" {
		return
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validJSONName(name) {
		name = ""
	}
	index := append(slices.Clone(e.index), i)
	path := append(slices.Clone(e.path), field)
	if name == "" && field.Anonymous() && isStruct {
		key := types.TypeString(elem, nil)
		w.nextCount[key]++
		if w.nextCount[key] == 1 {
			w.next = append(w.next, embedded{strct: inner, key: key, index: index, path: path})
		}
		return
	}
	p := Property{Name: name, index: index, Path: path, tagged: name != "", cosmos: reflect.StructTag(e.strct.Tag(i)).Get(source.CosmosKey)}
	if name == "" {
		p.Name = field.Name()
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "string":
			p.Quoted = quotable(elem)
		case "omitempty":
			p.OmitEmpty = true
		case "omitzero":
			p.OmitZero = true
		}
	}
	w.found = append(w.found, p)
	if w.count[e.key] > 1 {
		w.found = append(w.found, p) // twice, because two embeddings at a level hide each other
	}
}

// dominant keeps, of the fields with each name, the one that encoding/json writes, if any.
func dominant(all []Property) []Property {
	var out []Property
	for i, p := range all {
		wins := true
		for j, other := range all {
			if i == j || other.Name != p.Name {
				continue
			}
			closer := len(p.index) < len(other.index)
			if !closer && (len(p.index) > len(other.index) || other.tagged || !p.tagged) {
				wins = false
				break
			}
		}
		if wins {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Property) int { return slices.Compare(a.index, b.index) })
	return out
}

// quotable reports whether the option string affects a type.
func quotable(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0
}

// validJSONName is isValidTag of encoding/json, the condition for a name in a tag.
func validJSONName(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return name != ""
}

// isPart reports whether d can only be part of other documents: it lacks an id or a partition key,
// or has type parameters.
func (d *Document) isPart() bool {
	hasID := d.ByProperty(IDProperty) != nil || d.tagged(func(t *Tagged) bool { return t.ID }) != nil
	hasKey := d.Options.Edge || d.Options.Offset("key") >= 0 || d.tagged(func(t *Tagged) bool { return t.PK }) != nil
	return !hasID || !hasKey || d.Spec.TypeParams != nil
}

// PartsOf returns the documents that are part of others: those that can only be a part, and that
// another document of the run embeds, also from another package. A type whose tags all concern
// properties is also a part if it has no id, or if another document contains it.
func PartsOf(documents []*Document) map[*Document]bool {
	out := make(map[*Document]bool)
	for _, d := range documents {
		if !d.isPart() {
			continue
		}
		plain := d.Options.Words() == 0 && len(d.Indexes) == 0 && d.tagged(func(t *Tagged) bool { return t.HasRole() }) == nil
		out[d] = plain && d.ByProperty(IDProperty) == nil || slices.ContainsFunc(documents, func(other *Document) bool {
			return other != d && (embeds(other.Struct, d.Named.Obj(), 0) || plain && holds(other.Struct, d.Named.Obj(), make(map[types.Type]bool)))
		})
	}
	return out
}

// holds reports whether a type is, or contains, the struct type t. Seen are the visited types.
func holds(in types.Type, t *types.TypeName, seen map[types.Type]bool) bool {
	in = types.Unalias(in)
	if seen[in] {
		return false
	}
	seen[in] = true
	if named, ok := in.(*types.Named); ok && sameName(named.Obj(), t) {
		return true
	}
	switch u := in.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if holds(field.Type(), t, seen) {
				return true
			}
		}
	case *types.Pointer, *types.Slice, *types.Array, *types.Map:
		return holds(u.(interface{ Elem() types.Type }).Elem(), t, seen)
	}
	return false
}

// embeds reports whether a struct embeds a type, at any depth. It compares import path and name,
// because each package has been type-checked separately.
func embeds(strct *types.Struct, t *types.TypeName, depth int) bool {
	for field := range strct.Fields() {
		if !field.Embedded() {
			continue
		}
		elem := Dereference(field.Type())
		if named, ok := elem.(*types.Named); ok && sameName(named.Obj(), t) {
			return true
		}
		if inner, ok := elem.Underlying().(*types.Struct); ok && depth < maxDepth && embeds(inner, t, depth+1) {
			return true
		}
	}
	return false
}

func sameName(a, b *types.TypeName) bool {
	return a.Name() == b.Name() && a.Pkg() != nil && b.Pkg() != nil && a.Pkg().Path() == b.Pkg().Path()
}
