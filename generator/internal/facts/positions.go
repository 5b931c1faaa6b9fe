package facts

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// DeclaredAt returns where a field is declared. For a field of another package, it
// returns the place of the name of d's type.
func (d *Document) DeclaredAt(ref *FieldRef) token.Position {
	if _, syntax := d.Unit.SyntaxOf(ref.Field()); syntax != nil {
		return d.Unit.Position(syntax.Pos())
	}
	return d.Position()
}

// RandomPosition returns where the tag asks for a random suffix.
func (d *Document) RandomPosition() token.Position {
	for _, t := range d.Roles {
		if t.Random {
			return t.Word("randomsuffix")
		}
	}
	return d.KeyPosition()
}

// KeyPosition returns where the tags first say what the key is.
func (d *Document) KeyPosition() token.Position {
	if offset := d.Options.ValueOffset("key"); offset >= 0 {
		return d.Options.At(offset)
	}
	for _, t := range d.Roles {
		if t.PK {
			return t.Word("pk")
		}
	}
	return d.Position()
}

// ContainerPosition returns where the tags say in which container documents are.
func (d *Stated) ContainerPosition() token.Position {
	if offset := d.Options.ValueOffset("container"); offset >= 0 {
		return d.Options.At(offset)
	}
	return d.Position()
}

// PathPosition returns where the tags say to which path the key is written.
func (d *Document) PathPosition() token.Position {
	for _, t := range d.Roles {
		if t.Synthetic {
			return d.JSONPosition(t.Ref, t.Word("synthetic"))
		}
	}
	if offset := d.Options.Offset("path"); offset >= 0 {
		return d.Options.At(offset)
	}
	return d.Position()
}

// JSONPosition returns where the json tag of a field is, or the given place.
func (d *Document) JSONPosition(ref *FieldRef, otherwise token.Position) token.Position {
	if file, t, ok := d.Unit.TagAt(ref.Field()); ok {
		if value, ok := t.Lookup(source.JSONKey); ok {
			return d.Unit.Offset(file, value.At(0))
		}
	}
	return otherwise
}

// JSONFix returns the change that gives a field a json tag of the value. It returns
// none if the unit does not declare the field, or if the json key of its tag cannot
// be read.
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

// Unwritten says why encoding/json does not write a field.
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
	return "encoding/json does not write it: its JSON name is that of another field, or a struct around it is left out; give it a JSON name of its own"
}

// TypeString writes a type as the package does.
func (d *Document) TypeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(d.Unit.Types))
}
