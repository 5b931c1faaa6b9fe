package facts

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// API returns the API that stores the documents.
func (d *Stated) API() annotations.API { return d.Options.API }

// Graph is the lock's name for the graph of vertices and edges without a container=. The client
// selects the actual graph.
const Graph = "graph"

// BSONKey is the key of the struct tags that the driver of MongoDB reads.
const BSONKey = "bson"

// BSON says how the driver of MongoDB names a field of a struct, if it reads json tags where there
// are no bson tags (jsonStructTagParser of go.mongodb.org/mongo-driver/v2/bson, version 2.4.0): a
// bson tag hides the json tag with its options, and a field without a name has the Go name in lower
// case. Name is "" for a field that is left out. Inline is set if the field's own fields belong to
// the outer document.
type BSON struct {
	Name      string
	Inline    bool
	OmitEmpty bool
}

// BSONOf returns how field i of a struct is named.
func BSONOf(strct *types.Struct, i int) BSON {
	v := strct.Field(i)
	if !v.Exported() {
		return BSON{}
	}
	all := reflect.StructTag(strct.Tag(i))
	tag, ok := all.Lookup(BSONKey)
	if !ok {
		tag = all.Get(source.JSONKey)
	}
	if tag == "-" {
		return BSON{}
	}
	name, options, _ := strings.Cut(tag, ",")
	out := BSON{Name: name}
	if name == "" {
		out.Name = strings.ToLower(v.Name())
	}
	for option := range strings.SplitSeq(options, ",") {
		out.Inline = out.Inline || option == "inline"
		out.OmitEmpty = out.OmitEmpty || option == "omitempty"
	}
	return out
}

// Fields returns the properties of a struct by their names in the API of d: for MongoDB BSON names,
// without the fields that the driver leaves out, otherwise the names of encoding/json.
func (d *Document) Fields(strct *types.Struct) []Property {
	all := JSONFields(strct)
	if d.API() != annotations.Mongo {
		return all
	}
	var out []Property
	for _, p := range all {
		names, last := bsonNames(strct, p.Path)
		if len(names) != 1 {
			continue
		}
		p.Name, p.OmitEmpty, p.OmitZero, p.Quoted = names[0], last.OmitEmpty, false, false
		out = append(out, p)
	}
	return out
}

// Pointer returns the JSON pointer of a field in the API of d.
func (d *Document) Pointer(ref *FieldRef) string {
	if d.API() == annotations.Mongo {
		names, _ := bsonNames(d.Struct, ref.Path)
		return jsonpointer.Of(names...)
	}
	return ref.Pointer()
}

// KeyPath returns the partition key path of a field in the API of d.
func (d *Document) KeyPath(ref *FieldRef) string {
	if d.API() == annotations.Mongo {
		return d.Pointer(ref)
	}
	return ref.KeyPath()
}

// BSONNames returns the BSON names on the way to a field of a struct, or nil if the driver leaves
// one out.
func BSONNames(strct *types.Struct, path []*types.Var) []string {
	names, _ := bsonNames(strct, path)
	return names
}

// bsonNames returns the BSON names on the way to a field of a struct, and the tag of the last one;
// nil if the driver leaves one out.
func bsonNames(strct *types.Struct, path []*types.Var) ([]string, BSON) {
	var names []string
	var last BSON
	for n, v := range path {
		i := slices.IndexFunc(slices.Collect(strct.Fields()), func(f *types.Var) bool { return f == v })
		if i < 0 {
			return nil, BSON{}
		}
		if last = BSONOf(strct, i); last.Name == "" {
			return nil, BSON{}
		}
		if !last.Inline {
			names = append(names, last.Name)
		}
		if n == len(path)-1 {
			break
		}
		inner, _ := Pointee(v.Type())
		var ok bool
		if strct, ok = inner.Underlying().(*types.Struct); !ok {
			return nil, BSON{}
		}
	}
	return names, last
}

// bsonPackage is the package of the driver whose types have their own BSON.
const bsonPackage = "go.mongodb.org/mongo-driver/v2/bson"

// HasBSON reports whether the driver has its own encoding of a type.
func HasBSON(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == bsonPackage {
		return true
	}
	return hasOne(t, "MarshalBSON", "MarshalBSONValue") != ""
}

// ReadsBSON reports whether a type of HasBSON reads what it writes.
func ReadsBSON(t types.Type) bool {
	for write, read := range map[string]string{"MarshalBSON": "UnmarshalBSON", "MarshalBSONValue": "UnmarshalBSONValue"} {
		if hasOne(t, write) != "" && hasOne(t, read) == "" {
			return false
		}
	}
	return true
}

// OwnBSON returns the method with which a type would write or read its own BSON, or "".
func OwnBSON(t types.Type) string {
	return hasOne(t, "MarshalBSON", "MarshalBSONValue", "UnmarshalBSON", "UnmarshalBSONValue")
}

// hasOne returns the first of these methods that a type has, or a pointer to it, or "".
func hasOne(t types.Type, names ...string) string {
	for _, name := range names {
		object, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := object.(*types.Func); ok {
			return name
		}
	}
	return ""
}

// OmitsBSON reports whether the driver of MongoDB omits an empty field.
func (d *Document) OmitsBSON(ref *FieldRef) bool {
	_, last := bsonNames(d.Struct, ref.Path)
	return last.OmitEmpty
}
