package query

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// listCondition lists the values of j: those of one level by IN, their prefix, or
// the range in which they lie, those of several each by its levels, and documents
// each by its id as well.
func listCondition(s *store.Store, j job) (string, []azcosmos.QueryParameter) {
	if !j.listed {
		return "", nil
	}
	var parameters []azcosmos.QueryParameter
	parameter := func(value any) string {
		name := text.OwnParameter + "K" + strconv.Itoa(len(parameters))
		parameters = append(parameters, azcosmos.QueryParameter{Name: name, Value: value})
		return name
	}
	if j.prefix != "" {
		return "STARTSWITH(" + text.Property(s.Paths[0]) + ", " + parameter(j.prefix) + ")", parameters
	}
	if j.ranged {
		texts := slices.Sorted(maps.Keys(j.texts))
		key := text.Property(s.Paths[0])
		condition := key + " >= " + parameter(texts[0]) + " AND " + key + " <= " + parameter(texts[len(texts)-1])
		return condition, parameters
	}
	terms := make([]string, len(j.values))
	listed := len(s.Paths) == 1 && j.values[0].ID == ""
	for i, v := range j.values {
		if listed {
			terms[i] = parameter(v.Value)
			continue
		}
		levels, ok := v.Value.([]any)
		if !ok {
			levels = []any{v.Value}
		}
		var equal []string
		if v.ID != "" {
			equal = append(equal, text.Property("/id")+" = "+parameter(v.ID))
		}
		for n, level := range levels {
			equal = append(equal, text.Property(s.Paths[n])+" = "+parameter(level))
		}
		terms[i] = "(" + strings.Join(equal, " AND ") + ")"
	}
	if listed {
		return text.Property(s.Paths[0]) + " IN (" + strings.Join(terms, ", ") + ")", parameters
	}
	return strings.Join(terms, " OR "), parameters
}
