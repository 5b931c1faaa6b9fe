package query

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Advice returns the header x-ms-cosmos-query-advice of the query: the rules of the service's
// query advisor that apply to it, in the form that azure-cosmos for Python 4.17.1 reads
// (QueryAdvice.try_create_from_string). If no rule applies, the list is empty, as in
// QueryAdvisorBaselineTest of the .NET SDK.
//
// The page of each rule says when it applies (https://aka.ms/CosmosDB/QueryAdvisor/QA1000 and
// so on). If two pages differ, a rule applies only if both conditions are true.
func (q *Query) Advice() string {
	type entry struct {
		ID     string   `json:"Id"`
		Params []string `json:"Params"`
	}
	entries := []entry{}
	for _, id := range q.advisedRules() {
		entries = append(entries, entry{id, []string{}})
	}
	text, _ := json.Marshal(entries)
	return url.PathEscape(string(text))
}

var comparisons = []string{"=", "!=", "<>", "<", "<=", ">", ">="}

// advisedRules returns the ids of the rules that apply, each once, sorted.
func (q *Query) advisedRules() (ids []string) {
	for s := range q.parsed.Main.Selects() {
		if s.Distinct && len(s.Sources) > 1 {
			ids = append(ids, "QA1001")
		}
		if slices.ContainsFunc(s.GroupBy, isComputable) {
			ids = append(ids, "QA1005")
		}
		for _, clause := range s.Clauses() {
			for e := range cosmossql.Inside(clause) {
				if call, ok := e.(*cosmossql.Call); ok && clockRules[call.Function.Name] != "" {
					ids = append(ids, clockRules[call.Function.Name])
				}
			}
		}
		for e := range cosmossql.Inside(s.Where) {
			if id := q.conditionRule(e); id != "" {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// clockRules are the rules for functions whose result differs from document to document. The
// .NET SDK's baseline has one for SELECT too.
var clockRules = map[string]string{
	"GETCURRENTDATETIME":  "QA1007",
	"GETCURRENTTICKS":     "QA1008",
	"GETCURRENTTIMESTAMP": "QA1009",
}

// conditionRule returns the id of the rule for one expression of WHERE, or "".
func (q *Query) conditionRule(e cosmossql.Expr) string {
	switch e := e.(type) {
	case *cosmossql.Call:
		return q.callRule(e)
	case *cosmossql.Binary:
		if slices.Contains(comparisons, e.Word) && (foldsCase(e.Left) || foldsCase(e.Right)) {
			return "QA1006"
		}
	case *cosmossql.In:
		if foldsCase(e.Operand) {
			return "QA1006"
		}
	}
	return ""
}

// isComputable reports whether a computed property could replace an expression of GROUP BY:
// the expression is not a property, and does not depend on the time.
func isComputable(e cosmossql.Expr) bool {
	switch e.(type) {
	case *cosmossql.Access, *cosmossql.Alias:
		return false
	}
	for part := range cosmossql.Inside(e) {
		if call, ok := part.(*cosmossql.Call); ok && call.Function.Volatile {
			return false
		}
	}
	return true
}

// foldsCase reports whether an expression is UPPER or LOWER of a property.
func foldsCase(e cosmossql.Expr) bool {
	call, ok := e.(*cosmossql.Call)
	return ok && (call.Function.Name == "UPPER" || call.Function.Name == "LOWER") && cosmossql.ReadsProperty(call)
}

// callRule returns the id of the rule for a call in WHERE, or "".
func (q *Query) callRule(call *cosmossql.Call) string {
	if !cosmossql.ReadsProperty(call) {
		return ""
	}
	switch call.Function.Name {
	case "CONTAINS":
		return "QA1002"
	case "ARRAY_CONTAINS", "STARTSWITH", "STRINGEQUALS", "ENDSWITH":
		if len(call.Args) < 3 || !q.isTrue(call.Args[2]) {
			return ""
		}
	}
	switch call.Function.Name {
	case "ARRAY_CONTAINS":
		return "QA1000"
	case "STARTSWITH", "STRINGEQUALS":
		return "QA1003"
	case "ENDSWITH":
		return "QA1004"
	}
	return ""
}

// isTrue reports whether an argument is true, itself or as a parameter.
func (q *Query) isTrue(e cosmossql.Expr) bool {
	switch e := e.(type) {
	case *cosmossql.Literal:
		return e.Bool
	case *cosmossql.Parameter:
		v := q.parameters[e.Word]
		return v.Kind() == value.Bool && v.Bool()
	}
	return false
}
