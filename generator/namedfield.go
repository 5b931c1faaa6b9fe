package generator

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// namedField finds the field that a path in a tag's word names, or reports why
// there is none.
func (d *document) namedField(word, text string, pos token.Position) *fieldRef {
	names := strings.Split(text, ".")
	path, n, in := d.follow(names)
	if path != nil {
		return d.reference(path)
	}
	switch {
	case in == nil && n > 0:
		d.errorf(pos, "%s names no field: %s is not a struct, so it has no field %s", word, strings.Join(names[:n], "."), names[n])
	case in == nil:
		d.errorf(pos, "%s names no field: %s has no field %s", word, d.name(), names[n])
	default:
		candidates := fieldNames(in, 0)
		owner := d.name()
		if n > 0 {
			owner = strings.Join(names[:n], ".")
		}
		advice := "name a Go field as it is written in the struct"
		near := spelling.Nearest(names[n], candidates)
		for _, p := range jsonFields(in) {
			if p.name == names[n] {
				near = p.field().Name()
			}
		}
		if near != "" {
			advice = "did you mean " + strconv.Quote(strings.Join(append(slices.Clone(names[:n]), near), ".")) + "?"
		}
		d.errorf(pos, "%s names no field: %s has no field %s; %s", word, owner, names[n], advice)
	}
	return nil
}
