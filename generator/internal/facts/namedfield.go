package facts

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// NamedField finds the field that a path in a tag's word names, or reports why
// there is none.
func (d *Document) NamedField(word, text string, pos token.Position) *FieldRef {
	names := strings.Split(text, ".")
	path, n, in := d.Follow(names)
	if path != nil {
		return d.reference(path)
	}
	switch {
	case in == nil && n > 0:
		d.Errorf(pos, "%s names no field: %s is not a struct, so it has no field %s", word, strings.Join(names[:n], "."), names[n])
	case in == nil:
		d.Errorf(pos, "%s names no field: %s has no field %s", word, d.Name(), names[n])
	default:
		candidates := fieldNames(in, 0)
		owner := d.Name()
		if n > 0 {
			owner = strings.Join(names[:n], ".")
		}
		advice := "name a Go field as it is written in the struct"
		near := spelling.Nearest(names[n], candidates)
		for _, p := range JSONFields(in) {
			if p.Name == names[n] {
				near = p.Field().Name()
			}
		}
		if near != "" {
			advice = "did you mean " + strconv.Quote(strings.Join(append(slices.Clone(names[:n]), near), ".")) + "?"
		}
		d.Errorf(pos, "%s names no field: %s has no field %s; %s", word, owner, names[n], advice)
	}
	return nil
}
