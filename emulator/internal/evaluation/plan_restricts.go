package evaluation

import "github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"

// bound is a necessary condition: path must equal one of values.
type bound struct {
	path   *path
	values []value.Value
}

// maxBounds is the maximum number of bounds that an AND keeps, so that combining them is cheap
// for any query. A dropped bound is safe: Restricts then finds fewer restrictions.
const maxBounds = 64

// boundsOfAll returns the bounds of an AND: the bounds of all terms.
func boundsOfAll(terms []*code) []bound {
	var all []bound
	for _, t := range terms {
		all = append(all, t.bounds...)
		if len(all) > maxBounds {
			return all[:maxBounds]
		}
	}
	return all
}

// boundsOfAny returns the bounds of an OR: the union of the values, for paths that every term
// bounds.
func boundsOfAny(terms []*code) []bound {
	var result []bound
	for _, b := range terms[0].bounds {
		union := append([]value.Value(nil), b.values...)
		for _, t := range terms[1:] {
			values, ok := t.bound(b.path)
			if !ok {
				union = nil
				break
			}
			union = append(union, values...)
		}
		if union != nil {
			result = append(result, bound{b.path, union})
		}
	}
	return result
}

// bound returns the smallest set of values to which the code bounds a path.
func (c *code) bound(p *path) ([]value.Value, bool) {
	var best []value.Value
	found := false
	for _, b := range c.bounds {
		if b.path.key == p.key && (!found || len(b.values) < len(best)) {
			best, found = b.values, true
		}
	}
	return best, found
}

// constantBound returns the bound of path IN (items), if all items are constant.
func constantBound(p *path, items []*code) []bound {
	values := make([]value.Value, len(items))
	for i, item := range items {
		if !item.constant {
			return nil
		}
		values[i] = item.value
	}
	return []bound{{p, values}}
}

// Restricts returns the values to which WHERE limits a property: every document that has a row
// has one of them at the path of property names. ok is false if WHERE does not limit the
// property. Restricts evaluates equalities with constants and parameters, IN lists, and AND
// and OR of these: enough to find the partitions that a query needs. The values are distinct.
// If there are none, no document can match. For a subquery in FROM over the container, the
// WHERE clause of the subquery counts. The cost is linear in the number of values.
func (p *Plan) Restricts(names ...string) (values []value.Value, ok bool) {
	s := p.main
	for s.inner != nil {
		s = s.inner
	}
	if s.where == nil {
		return nil, false
	}
	bounds, ok := s.where.bound(propertyPath(names))
	if !ok {
		return nil, false
	}
	seen := map[value.Key]bool{}
	for _, v := range bounds {
		if v.Kind() == value.Undefined || v.NonFinite() {
			continue // no document has such a value
		}
		k, scalar := v.Key()
		if scalar && seen[k] {
			continue
		}
		seen[k] = seen[k] || scalar
		values = append(values, v)
	}
	return values, true
}
