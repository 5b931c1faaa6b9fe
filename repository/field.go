package repository

import (
	"fmt"
	"strconv"
	"strings"
)

// fieldPath is a field in terms of SQL.
type fieldPath struct {
	// property is how SQL names the property.
	property string

	// omitted says that Go leaves the property out when it is zero, where holder
	// is there.
	omitted bool

	// holder is how SQL names the object behind the last pointer on the way to
	// the property. Without that object there is no property, zero or not. It is
	// empty if the way goes through no pointer.
	holder string
}

// absent returns SQL that is true where Go has left out a zero value, and false
// elsewhere.
func (p fieldPath) absent() string {
	undefined := "NOT IS_DEFINED(" + p.property + ")"
	if p.holder == "" {
		return undefined
	}
	return "(" + isObject + "(" + p.holder + ") AND " + undefined + ")"
}

// parseField takes a field apart: the JSON pointer of a property (RFC 6901), and
// before it a question mark if Go leaves the property out when it is zero. A
// number behind the question mark says how many names of the pointer lead to the
// last struct that Go holds by a pointer: ?1/meta/count is a count that is left
// out of a meta that may itself be nil, and then has no count.
func parseField(field string) (fieldPath, error) {
	mark, pointer, ok := strings.Cut(field, "/")
	if !ok || mark != "" && mark[0] != '?' {
		return fieldPath{}, fmt.Errorf("field %q is not a JSON pointer: write / before each name, such as %q", field, "/"+field)
	}
	if strings.Contains(withoutEscapes.Replace(pointer), "~") {
		return fieldPath{}, fmt.Errorf("field %q is not a JSON pointer: write ~0 for ~ and ~1 for / in a name", field)
	}
	p := fieldPath{property: property("/" + pointer), omitted: mark != ""}
	if len(mark) > 1 {
		names := strings.Split(pointer, "/")
		n, err := strconv.Atoi(mark[1:])
		if err != nil || n < 1 || n >= len(names) {
			return fieldPath{}, fmt.Errorf("field %q: behind ? stands how many of the %d names before the last lead to a pointer: write ? alone if none does",
				field, len(names)-1)
		}
		p.holder = property("/" + strings.Join(names[:n], "/"))
	}
	return p, nil
}

var (
	// escapeName returns a name as it stands in a JSON pointer.
	escapeName = strings.NewReplacer("~", "~0", "/", "~1")

	unescapeName = strings.NewReplacer("~1", "/", "~0", "~")

	// withoutEscapes leaves out what escapeName writes.
	withoutEscapes = strings.NewReplacer("~0", "", "~1", "")
)
