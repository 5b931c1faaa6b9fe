package generator

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// declaredAt returns where a field is declared, or the name of d's type where
// that is in another package.
func (d *document) declaredAt(ref *fieldRef) token.Position {
	if _, syntax := d.unit.syntaxOf(ref.field()); syntax != nil {
		return d.unit.position(syntax.Pos())
	}
	return d.position()
}

// randomPosition returns where the tag asks for a random suffix.
func (d *document) randomPosition() token.Position {
	for _, t := range d.roles {
		if t.Random {
			return t.word("randomsuffix")
		}
	}
	return d.keyPosition()
}

// keyPosition returns where the tags first say what the key is.
func (d *document) keyPosition() token.Position {
	if offset := d.options.ValueOffset("key"); offset >= 0 {
		return d.options.at(offset)
	}
	for _, t := range d.roles {
		if t.PK {
			return t.word("pk")
		}
	}
	return d.position()
}

// pathPosition returns where the tags say to which path the key is written.
func (d *document) pathPosition() token.Position {
	for _, t := range d.roles {
		if t.Synthetic {
			return d.jsonPosition(t.ref, t.word("synthetic"))
		}
	}
	if offset := d.options.Offset("path"); offset >= 0 {
		return d.options.at(offset)
	}
	return d.position()
}

// jsonPosition returns where the json tag of a field is, or the given place.
func (d *document) jsonPosition(ref *fieldRef, otherwise token.Position) token.Position {
	if file, t, ok := d.unit.tagAt(ref.field()); ok {
		if value, ok := t.lookup(jsonKey); ok {
			return d.unit.offset(file, value.at(0))
		}
	}
	return otherwise
}

// jsonFix returns the change that gives a field a json tag of the value; none
// where the unit does not declare the field, or its tag has a json key that
// cannot be read.
func (d *document) jsonFix(ref *fieldRef, value string) fix {
	file, t, ok := d.unit.tagAt(ref.field())
	if !ok {
		return fix{}
	}
	if old, ok := t.lookup(jsonKey); ok {
		return fix{old.at(0), old.at(len(old.value)), value}
	}
	start := t.whole.at(0)
	pair := jsonKey + ":" + strconv.Quote(value) + " "
	if file.text[start-1] != '`' {
		pair = strings.ReplaceAll(pair, `"`, `\"`)
	}
	return fix{start, start, pair}
}

// unwritten says why encoding/json does not write a field.
func (d *document) unwritten(ref *fieldRef) string {
	for i := range ref.path {
		if ref.path[i].Embedded() && i < len(ref.path)-1 {
			continue
		}
		if !ref.path[i].Exported() {
			return ref.path[i].Name() + " is unexported, so encoding/json does not write it; export it"
		}
	}
	if _, t, ok := d.unit.tagAt(ref.field()); ok {
		if value, _ := t.lookup(jsonKey); value.value == "-" {
			return "`json:\"-\"` keeps it out of the document; give it a JSON name"
		}
	}
	return "encoding/json does not write it: its JSON name is that of another field, or a struct around it is left out; give it a JSON name of its own"
}

// typeString writes a type as the package does.
func (d *document) typeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(d.unit.types))
}
