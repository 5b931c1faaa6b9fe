package annotations

import (
	"slices"
	"strings"
)

// maxSortPaths is the number of properties that a composite index may have,
// from the service quotas of Azure Cosmos DB.
// https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxSortPaths = 8

// descending follows a descending path in an order, after directionSign.
const (
	descending    = "desc"
	directionSign = ":"
)

const ordersExample = "orders=Speed:desc+At;Date+At"

// SortPath is a Go field path by which queries sort.
type SortPath struct {
	Path

	Descending bool
}

// orders reads orders that are separated by semicolons.
func (p *parser) orders(v span) [][]SortPath {
	var out [][]SortPath
	for s := range v.pieces(";") {
		if strings.TrimSpace(s.text) == "" {
			p.fail(s, "empty order: write orders separated by \";\", as in %q", ordersExample)
			continue
		}
		out = append(out, p.sortPaths(p.trim(s, "write fields, \"+\" and \";\" without spaces")))
	}
	return out
}

// sortPaths reads the paths of one order, and reports the bad ones.
func (p *parser) sortPaths(v span) []SortPath {
	var out []SortPath
	n := 0
	for s := range v.pieces("+") {
		n++
		if strings.TrimSpace(s.text) == "" {
			p.fail(s, "empty field path: write fields joined by \"+\", as in %q", ordersExample)
			continue
		}
		s = p.trim(s, "write fields and \"+\" without spaces")
		path, ok := p.sortPath(s)
		switch {
		case !ok:
		case slices.ContainsFunc(out, func(o SortPath) bool { return o.Text == path.Text }):
			p.fail(s, "field path %q occurs here twice: its order is settled by the first; remove one", path.Text)
		default:
			out = append(out, path)
		}
	}
	switch {
	case n == 1:
		p.fail(v, "%q is an order by one property, which needs no composite index: write two fields or more joined by \"+\", or leave the order out", v.text)
	case n > maxSortPaths:
		p.fail(v, "%q is an order by %d properties, and a composite index has at most %d: leave the last ones out", v.text, n, maxSortPaths)
	}
	return out
}

// sortPath reads a path with its direction, and returns false after an error.
func (p *parser) sortPath(s span) (SortPath, bool) {
	name, direction, given := strings.Cut(s.text, directionSign)
	if given && direction != descending {
		at := s.slice(len(name)+len(directionSign), len(s.text))
		p.fail(at, "%q is no direction: write %q for descending, and nothing for ascending", direction, directionSign+descending)
		return SortPath{}, false
	}
	path := s.slice(0, len(name))
	if err := fieldPath(path); err != nil {
		p.errs = append(p.errs, err)
		return SortPath{}, false
	}
	return SortPath{Path{path.text, path.offset}, given}, true
}
