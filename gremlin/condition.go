package gremlin

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// conditions translates conditions into steps of a traversal. Its methods return a traversal
// without a start, such as has('speed', gt(b3)).
type conditions struct {
	t     *traversal
	id    string // the property that is the id
	there string // a property that each vertex has
}

// predicates are the names of predicates; see "Gremlin steps" on Microsoft's page "Azure Cosmos
// DB for Gremlin graph support and compatibility with TinkerPop features".
var predicates = map[condition.Op]string{
	condition.Eq: "eq", condition.Ne: "neq", condition.Lt: "lt", condition.Le: "lte", condition.Gt: "gt", condition.Ge: "gte",
	condition.StartsWith: "TextP.startingWith", condition.EndsWith: "TextP.endingWith", condition.Contains: "TextP.containing",
}

// where appends the conditions to the traversal, as successive filters.
func (c conditions) where(nodes []condition.Node) error {
	for _, n := range nodes {
		step, err := c.of(n)
		if err != nil {
			return err
		}
		c.t.add(".", step)
	}
	return nil
}

// of returns a condition as a step.
func (c conditions) of(n condition.Node) (string, error) {
	switch n := n.(type) {
	case *condition.Comparison:
		return c.comparison(n)
	case condition.All:
		if len(n) == 0 {
			return c.everywhere(), nil
		}
		return c.joined("and", n)
	case condition.Any:
		if len(n) == 0 {
			return c.nowhere(), nil
		}
		return c.joined("or", n)
	case condition.Not:
		return c.joined("not", []condition.Node{n.Of})
	case condition.Wrong:
		return "", n.Err
	}
	return "", fmt.Errorf("a condition of type %T", n)
}

func (c conditions) everywhere() string { return "has(" + quoted(c.there) + ")" }
func (c conditions) nowhere() string    { return "not(__." + c.everywhere() + ")" }

func (c conditions) joined(step string, nodes []condition.Node) (string, error) {
	terms := make([]string, len(nodes))
	for i, n := range nodes {
		inner, err := c.of(n)
		if err != nil {
			return "", err
		}
		terms[i] = "__." + inner
	}
	return step + "(" + strings.Join(terms, ", ") + ")", nil
}

// name returns the name of a property in traversals.
func (c conditions) name(property string) (string, error) {
	if property == c.id {
		property = "id"
	}
	if reason := checkName(property); reason != "" {
		return "", fmt.Errorf("property %q: %s", property, reason)
	}
	return quoted(property), nil
}

func (c conditions) comparison(n *condition.Comparison) (string, error) {
	name, err := c.name(n.Property)
	if err != nil {
		return "", err
	}
	values := make([]any, len(n.Values))
	for i, v := range n.Values {
		if values[i], err = operand(v); err != nil {
			return "", fmt.Errorf("property %q: %w", n.Property, err)
		}
	}
	wants := 1
	switch n.Op {
	case condition.Exists:
		return "has(" + name + ")", nil
	case condition.In:
		if len(values) == 0 {
			return c.nowhere(), nil
		}
		return "has(" + name + ", within(" + c.t.bind(values) + "))", nil
	case condition.EqFold:
		return "", fmt.Errorf("property %q: the API for Gremlin has no comparison that ignores the case of letters: store the text in lower case too", n.Property)
	case condition.Between:
		wants = 2
	}
	if len(values) != wants {
		return "", fmt.Errorf("property %q: a comparison with %d values needs %d", n.Property, len(values), wants)
	}
	if n.Op == condition.Between {
		return "and(__.has(" + name + ", gte(" + c.t.bind(values[0]) + ")), __.has(" + name + ", lte(" + c.t.bind(values[1]) + ")))", nil
	}
	predicate, ok := predicates[n.Op]
	if !ok {
		return "", fmt.Errorf("property %q: comparison %d is not known", n.Property, n.Op)
	}
	if _, text := values[0].(string); !text && len(predicate) > len("TextP") {
		return "", fmt.Errorf("property %q: a %T is not a text", n.Property, values[0])
	}
	return "has(" + name + ", " + predicate + "(" + c.t.bind(values[0]) + "))", nil
}
