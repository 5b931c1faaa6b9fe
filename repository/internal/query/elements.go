package query

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// ElementsName is the name of a list's elements in a row.
const ElementsName = "pkgenElements"

// Elements returns q for the documents with an element in a list that meets a condition,
// and the column of all these elements: the named properties of each, or whole elements if
// names is nil.
func (q Selection) Elements(list string, of condition.Node, names []string) (Selection, string, error) {
	q = q.Where([]condition.Node{condition.Elements{Property: list, Of: of}})
	if q.Err != nil {
		return q, "", q.Err
	}
	w := q.writer()
	w.Elements(list, of, func(element string) string {
		if names == nil {
			return element
		}
		members := make([]string, len(names))
		for i, name := range names {
			members[i] = text.Quote(name) + ": " + text.Within(element, jsonpointer.Of(name))
		}
		return "{" + strings.Join(members, ", ") + "}"
	})
	q.Parameters = w.parameters
	return q, w.Text.String() + " AS " + ElementsName, w.Err
}
