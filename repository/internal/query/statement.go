package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Statement is the SQL of a query, but for the condition that lists a job's
// partition keys.
type Statement struct {
	// Columns are what is selected of a document; nil is all of it.
	Columns []string

	// Combined says that an item of a response is not one document, but made of
	// several: an aggregate, or a distinct value.
	Combined bool

	// Lazy says that a page is asked for when the documents before it have been used,
	// and not ahead.
	Lazy bool

	Distinct bool
	Top      int // 0 is no TOP

	// Ranked is an expression of SQL by which each physical partition sorts the nearest
	// first, in place of orders. The caller merges the items of all.
	Ranked string

	conditions []string
	parameters []azcosmos.QueryParameter
	orders     []text.Order
	group      []string // properties by which documents are put into groups
}

// sql returns the text of the statement with one more condition, if that is not
// empty.
func (s *Statement) sql(condition string) string {
	var b strings.Builder
	b.Grow(256)
	b.WriteString("SELECT ")
	if s.Distinct {
		b.WriteString("DISTINCT ")
	}
	if s.Top > 0 {
		b.WriteString("TOP " + strconv.Itoa(s.Top) + " ")
	}
	if s.Columns == nil {
		b.WriteString("*")
	}
	for i, column := range s.Columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(column)
	}
	b.WriteString(" FROM c")
	and := " WHERE ("
	for _, c := range s.conditions {
		b.WriteString(and + c + ")")
		and = " AND ("
	}
	if condition != "" {
		b.WriteString(and + condition + ")")
	}
	if s.group != nil {
		b.WriteString(" GROUP BY " + strings.Join(s.group, ", "))
	}
	b.WriteString(text.OrderClause(s.orders))
	if s.Ranked != "" {
		b.WriteString(" ORDER BY " + s.Ranked)
	}
	return b.String()
}

// combines says that the results of several physical partitions are more than
// those of one after the other, as the gateway gives them: they are sorted or
// aggregated. Distinct values are, too, but can be told apart here.
func (s *Statement) combines() bool {
	return len(s.orders) > 0 || s.Ranked != "" || s.Combined && !s.Distinct
}

// certain is a property that every item of a response has, or empty.
func (s *Statement) certain() string {
	switch {
	case s.Columns == nil:
		return wire.IDPath[0]
	case !s.Combined:
		return wire.RIDPath[0]
	case s.group != nil:
		return groupPayload
	case slices.Contains(s.Columns, CountColumn):
		return "n"
	default:
		return ""
	}
}

// unlisted says that more documents than are wanted may be asked for, since what
// is returned tells them apart.
func (s *Statement) unlisted() bool { return !s.Combined && s.Top == 0 }

// CountColumn counts documents. Every query with it has a row in its result.
const CountColumn = "COUNT(1) AS n"
