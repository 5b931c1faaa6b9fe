package plan

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// aggregateTypes are the names of aggregates in plans.
var aggregateTypes = map[string]string{
	"AVG": "Average", "COUNT": "Count", "COUNTIF": "CountIf", "MAX": "Max", "MIN": "Min", "SUM": "Sum",
}

// composition is the service's refusal of an expression such as ABS(AVG(c.age)).
func composition() error {
	return status.BadRequest("Compositions of aggregates and other expressions are not allowed.")
}

// aggregates rewrites a query with aggregates and without GROUP BY.
func (r *rewriting) aggregates() error {
	main := r.query.Main
	if main.Kind == cosmossql.SelectValue {
		a, ok := main.Items[0].Expr.(*cosmossql.Aggregate)
		if !ok {
			return composition()
		}
		r.info.Aggregates = append(r.info.Aggregates, aggregateTypes[a.Function.Name])
		r.info.RewrittenQuery = r.text("VALUE ["+partial(a)+"]", condition(main))
		return nil
	}
	payload, err := r.groupPayload()
	if err != nil {
		return err
	}
	r.info.RewrittenQuery = r.text(payload+" AS payload", condition(main))
	return nil
}

// groups rewrites a query with GROUP BY.
func (r *rewriting) groups() error {
	main := r.query.Main
	var keys, items []string
	for _, e := range main.GroupBy {
		text := cosmossql.Format(e)
		keys, items = append(keys, text), append(items, `{"item": `+text+`}`)
	}
	r.info.GroupByExpressions = keys
	var payload string
	var err error
	if main.Kind == cosmossql.SelectValue {
		payload, err = r.groupValue()
	} else {
		payload, err = r.groupPayload()
	}
	if err != nil {
		return err
	}
	r.info.RewrittenQuery = r.text("["+strings.Join(items, ", ")+"] AS groupByItems, "+payload+" AS payload",
		condition(main), "GROUP BY "+strings.Join(keys, ", "))
	return nil
}

// groupValue is the payload of SELECT VALUE with GROUP BY.
func (r *rewriting) groupValue() (string, error) {
	e := r.query.Main.Items[0].Expr
	if a, ok := e.(*cosmossql.Aggregate); ok {
		r.info.Aggregates = append(r.info.Aggregates, aggregateTypes[a.Function.Name])
		return "[" + partial(a) + "]", nil
	}
	if cosmossql.HasAggregate(e) {
		return "", composition()
	}
	return cosmossql.Format(e), nil
}

// groupPayload is the row of a group. Each aggregate in it is a partial result.
func (r *rewriting) groupPayload() (string, error) {
	main := r.query.Main
	members := make([]string, len(main.Items))
	for i, item := range main.Items {
		var text string
		var kind *string
		switch a, ok := item.Expr.(*cosmossql.Aggregate); {
		case ok:
			name := aggregateTypes[a.Function.Name]
			kind, text = &name, partial(a)
		case cosmossql.HasAggregate(item.Expr):
			return "", composition()
		default:
			text = cosmossql.Format(item.Expr)
		}
		r.info.GroupByAliases = append(r.info.GroupByAliases, item.Name)
		r.info.GroupByAliasTypes[item.Name] = kind
		members[i] = cosmossql.Quote(item.Name) + ": " + text
	}
	return "{" + strings.Join(members, ", ") + "}", nil
}

// partial is the object in which a physical partition returns its part of an aggregate. An
// average is a sum and a count. MIN and MAX have a count, which distinguishes a group without
// values from a group of values that cannot be compared.
func partial(a *cosmossql.Aggregate) string {
	arg := cosmossql.Format(a.Arg)
	switch name := a.Function.Name; name {
	case "AVG":
		return fmt.Sprintf(`{"item": {"sum": SUM(%s), "count": COUNT(%s)}}`, arg, arg)
	case "MIN", "MAX":
		return fmt.Sprintf(`{"item": %s(%s), "item2": {"%s": %s(%s), "count": COUNT(%s)}}`, name, arg, strings.ToLower(name), name, arg, arg)
	default:
		return fmt.Sprintf(`{"item": %s(%s)}`, name, arg)
	}
}
