package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// filter is the placeholder for a condition on the ORDER BY values, with which a client
// resumes the query. Without a condition the client writes true.
const filter = "({documentdb-formattableorderbyquery-filter})"

// rewriting fills the info of a plan.
type rewriting struct {
	query  *cosmossql.Query
	counts Counts
	info   *Info

	descending bool // see Of
}

// rewrite decides how the results are combined. Aggregates and groups come first, because
// ORDER BY has no effect on them.
func (r *rewriting) rewrite() error {
	main := r.query.Main
	if inner := main.Derived(); inner != nil && inner.WholeSet() {
		return r.distinctCount(inner)
	}
	r.window()
	if main.Distinct {
		r.info.DistinctType = distinctUnordered
	}
	switch {
	case len(main.GroupBy) > 0:
		return r.groups()
	case main.Grouped():
		return r.aggregates()
	case len(r.query.Order) > 0:
		r.order()
	case r.counts.Offset >= 0:
		items := cosmossql.FormatItems(main)
		if main.Distinct {
			r.info.RewrittenQuery = r.text("DISTINCT "+items, condition(main))
		} else {
			r.info.RewrittenQuery = r.text(items, condition(main), r.reach())
		}
	case main.Distinct && r.counts.Top >= 0:
		r.info.RewrittenQuery = r.text("DISTINCT "+cosmossql.FormatItems(main), condition(main))
	}
	return nil
}

// window sets the numbers at which the client cuts off.
func (r *rewriting) window() {
	for _, n := range []struct {
		count int
		to    **int
	}{{r.counts.Top, &r.info.Top}, {r.counts.Offset, &r.info.Offset}, {r.counts.Limit, &r.info.Limit}} {
		if n.count >= 0 {
			*n.to = &n.count
		}
	}
}

// reach is the clause with which each partition returns enough rows for OFFSET and LIMIT.
func (r *rewriting) reach() string {
	if r.counts.Offset < 0 {
		return ""
	}
	return "OFFSET 0 LIMIT " + strconv.Itoa(min(r.counts.Offset+r.counts.Limit, cosmossql.MaxCount))
}

// text joins a SELECT clause, FROM and the clauses after it.
func (r *rewriting) text(items string, clauses ...string) string {
	lines := []string{"SELECT " + items}
	if from := cosmossql.FormatFrom(r.query.Main); from != "" {
		lines = append(lines, "FROM "+from)
	}
	for _, c := range clauses {
		if c != "" {
			lines = append(lines, c)
		}
	}
	return strings.Join(lines, "\n")
}

// condition is the WHERE clause of a select with further terms.
func condition(s *cosmossql.Select, terms ...string) string {
	if s.Where != nil {
		terms = append([]string{cosmossql.Format(s.Where)}, terms...)
	}
	if len(terms) == 0 {
		return ""
	}
	text := terms[0]
	for _, t := range terms[1:] {
		text = "(" + text + " AND " + t + ")"
	}
	return "WHERE " + text
}

// order rewrites a query with ORDER BY: each row comes with its sort values.
func (r *rewriting) order() {
	main := r.query.Main
	var keys, items []string
	for _, o := range r.query.Order {
		e := cosmossql.Format(o.Path)
		direction, key := "Ascending", e
		if o.Score() != nil {
			r.info.HasNonStreamingOrderBy = true
			if r.descending {
				direction = "Descending"
			}
		}
		if o.Descending {
			direction, key = "Descending", e+" DESC"
		}
		keys, items = append(keys, key), append(items, `{"item": `+e+`}`)
		r.info.OrderBy = append(r.info.OrderBy, direction)
		r.info.OrderByExpressions = append(r.info.OrderByExpressions, e)
	}
	top, reach := "", r.reach()
	if r.counts.Top >= 0 {
		top = "TOP " + strconv.Itoa(r.counts.Top) + " "
	}
	if main.Distinct { // one row's duplicates must not use up the rows of others
		top, reach = "", ""
		if r.sortsByResult() {
			r.info.DistinctType = distinctOrdered
		}
	}
	name := main.Sources[0].Name()
	payload, terms := r.payload(), []string{filter}
	if main.Kind == cosmossql.SelectValue {
		terms = append(terms, "IS_DEFINED("+payload+")")
	}
	r.info.RewrittenQuery = r.text(
		top+name+"._rid, ["+strings.Join(items, ", ")+"] AS orderByItems, "+payload+" AS payload",
		condition(main, terms...),
		"ORDER BY "+strings.Join(keys, ", "),
		reach,
	)
}

// payload is the row of a select that is not grouped, as one value.
func (r *rewriting) payload() string {
	main := r.query.Main
	switch main.Kind {
	case cosmossql.SelectStar:
		return main.Sources[0].Name()
	case cosmossql.SelectValue:
		return cosmossql.Format(main.Items[0].Expr)
	}
	members := make([]string, len(main.Items))
	for i, item := range main.Items {
		members[i] = cosmossql.Quote(item.Name) + ": " + cosmossql.Format(item.Expr)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// sortsByResult reports whether equal rows are adjacent, because ORDER BY has exactly the
// expressions of SELECT.
func (r *rewriting) sortsByResult() bool {
	var selected []string
	for _, item := range r.query.Main.Items {
		selected = append(selected, cosmossql.Format(item.Expr))
	}
	sorted := slices.Clone(r.info.OrderByExpressions)
	slices.Sort(selected)
	slices.Sort(sorted)
	return slices.Equal(slices.Compact(selected), slices.Compact(sorted))
}

// distinctCount plans the count of distinct values, the only query over combined rows
// that clients can run: SELECT COUNT(1) FROM (SELECT DISTINCT VALUE c.name FROM c).
func (r *rewriting) distinctCount(inner *cosmossql.Select) error {
	main := r.query.Main
	counts := len(main.Aggregates) == 1 && len(main.Items) == 1 && main.Items[0].Expr == cosmossql.Expr(main.Aggregates[0]) &&
		main.Aggregates[0].Function.Name == "COUNT" && len(main.GroupBy) == 0 && main.Where == nil && len(main.Sources) == 1
	constant := false
	if counts {
		_, constant = main.Aggregates[0].Arg.(*cosmossql.Literal)
	}
	if !constant || !inner.Distinct || inner.Grouped() || inner.Derived() != nil && inner.Derived().WholeSet() {
		return status.BadRequest("A query over the rows of a subquery with DISTINCT, GROUP BY or aggregates cannot run over several partitions. " +
			"Only SELECT COUNT(1) FROM (SELECT DISTINCT …) can. Name one partition key, or combine the rows in the program.")
	}
	r.window()
	r.info.DistinctType = distinctUnordered
	r.info.DistinctCount = &DCount{}
	if main.Kind == cosmossql.SelectList {
		r.info.DistinctCount.Alias = main.Items[0].Name
	}
	r.info.RewrittenQuery = cosmossql.FormatSelect(inner)
	return nil
}
