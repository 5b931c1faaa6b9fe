package lock

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// The kinds of components whose text is not made by a method of a type.
const (
	Text    = "text"  // a string, unchanged
	Integer = "int"   // an integer, in digits
	Bool    = "bool"  // true or false
	Float   = "float" // a number that is the key itself
	Time    = "time"  // a time.Time, in the format of the layout
)

// kinds maps kinds to values.
var kinds = []struct {
	kind    string
	value   pk.Value
	meaning string
}{
	{Text, pk.String, "the text itself"},
	{Integer, pk.Int, "the digits of an integer"},
	{Integer, pk.Uint, "the digits of an integer"},
	{Bool, pk.Bool, "true or false"},
	{Float, pk.Float, "a number"},
	{Time, pk.Time, "a time in the format of the layout"},
}

// KindOf returns the kind of a value, or "" for a text made by a method, whose type is the kind.
func KindOf(v pk.Value) string {
	for _, k := range kinds {
		if k.value == v {
			return k.kind
		}
	}
	return ""
}

// ValueOf returns the value of a kind, and a description of its texts: "true or false".
func ValueOf(kind string) (v pk.Value, meaning string) {
	for _, k := range kinds {
		if k.kind == kind {
			return k.value, k.meaning
		}
	}
	return pk.Text, "what the method MarshalText of " + strings.TrimPrefix(kind, ".") + " writes"
}

// Key returns the key of the entry. The error concerns the layout.
func (e Entry) Key() (pk.Key, error) {
	t, problem := annotations.ParseTemplate(e.Layout)
	if problem != nil {
		return pk.Key{}, problem
	}
	k := e.KeyOf(t)
	k.Escape = e.Escape
	paths := strings.Split(e.Path, ",")
	for i := range k.Levels[:min(len(paths), len(k.Levels))] {
		level := &k.Levels[i]
		level.Path = paths[i]
		level.Made = level.Made || level.Path != level.Parts[0].Component.Pointer
	}
	return k, nil
}

// KeyOf returns the key of a template by JSON properties, with the kinds of the entry.
func (e Entry) KeyOf(t annotations.Template) pk.Key {
	return pk.Of(t, func(property string) pk.Field {
		f := pk.Field{Property: property, Pointer: "/" + strings.ReplaceAll(property, ".", "/"), Value: pk.Any}
		if property == idProperty && e.Type != "" {
			f.Value = pk.String
		}
		for _, k := range e.Kinds {
			if k.Property != property {
				continue
			}
			if f.Value, _ = ValueOf(k.Kind); f.Value == pk.Text {
				f.Type = typeOf(k.Kind)
			}
			break
		}
		return f
	})
}

// typeOf returns the Go type of a kind.
func typeOf(kind string) pk.GoType {
	generic, _, _ := strings.Cut(kind, "[")
	point := strings.LastIndexByte(generic, '.')
	return pk.GoType{Path: kind[:max(point, 0)], Name: kind[point+1:]}
}
