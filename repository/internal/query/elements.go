package query

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// ElementsName is what the elements of a list are called in a row.
const ElementsName = "pkgenElements"

// Elements returns q for the documents that have an element for which a condition holds, in the
// list of a field, and the column with all of these elements: of each the properties of these
// names, or the whole element if names are nil.
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
