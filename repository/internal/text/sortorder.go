package text

import (
	"fmt"
	"strings"
)

// Order is one term of an ORDER BY clause.
type Order struct {
	Property   string   // as SQL names it
	Path       []string // the names that lead to it within a document
	Descending bool
}

// NewOrder returns the order by a field of generated code: see [ParseField].
func NewOrder(field string, descending bool) (Order, error) {
	p, err := ParseField(field)
	if p.Former != nil {
		err = fmt.Errorf("%s: %w", p.Property, ErrRenamed)
	}
	_, pointer, _ := strings.Cut(field, "/")
	return Order{Property: p.Property, Path: Names("/" + pointer), Descending: descending}, err
}

// OrderClause returns the ORDER BY clause of orders, with a space before it, and
// nothing if there are none.
func OrderClause(orders []Order) string {
	terms := make([]string, len(orders))
	for i, o := range orders {
		terms[i] = o.Property + " ASC"
		if o.Descending {
			terms[i] = o.Property + " DESC"
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(terms, ", ")
}

// SortKeys appends to a slice the values by which orders sort a document.
func SortKeys(to []SortValue, orders []Order, document []byte) ([]SortValue, error) {
	for _, o := range orders {
		v, err := SortValueOf(ValueAt(document, o.Path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Property, err)
		}
		to = append(to, v)
	}
	return to, nil
}

// CompareKeys compares the values by which orders sort two documents.
func CompareKeys(orders []Order, a, b []SortValue) int {
	for i, o := range orders {
		if c := a[i].Compare(b[i]); c != 0 {
			if o.Descending {
				return -c
			}
			return c
		}
	}
	return 0
}
