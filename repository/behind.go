package repository

import (
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// fromOn returns the condition that a document sorts after keys or, unless strict,
// like them. It is made of comparisons, which are true within one type, and of
// tests for the types that come later: the way in which the other SDKs resume an
// ORDER BY (OrderByCrossPartitionQueryPipelineStage in azure-cosmos-dotnet-v3).
func fromOn(orders []sortOrder, keys []sortValue, strict bool) (string, []azcosmos.QueryParameter) {
	var parameters []azcosmos.QueryParameter
	condition := ""
	for i, order := range slices.Backward(orders) {
		parameter := ownParameter + "C" + strconv.Itoa(i)
		if value := keys[i].parameter(); value != nil {
			parameters = append(parameters, azcosmos.QueryParameter{Name: parameter, Value: value})
		}
		last := i == len(orders)-1
		terms := order.behind(keys[i], parameter, last && !strict)
		if !last {
			terms = append(terms, "("+order.same(keys[i], parameter)+" AND ("+condition+"))")
		}
		if len(terms) == 0 { // of nothing that comes later
			terms = append(terms, "false")
		}
		condition = strings.Join(terms, " OR ")
	}
	return condition, parameters
}

// parameter returns the value as a parameter, nil if conditions need none.
func (v sortValue) parameter() any {
	switch v.kind {
	case sortNumber:
		return v.number
	case sortString:
		return v.text
	default:
		return nil
	}
}

// is returns the condition that a property is of one kind.
func (k sortKind) is(property string) string {
	switch k {
	case sortUndefined:
		return "NOT IS_DEFINED(" + property + ")"
	case sortNull:
		return isNull + "(" + property + ")"
	case sortFalse:
		return property + " = false"
	case sortTrue:
		return property + " = true"
	case sortNumber:
		return isNumber + "(" + property + ")"
	case sortString:
		return isString + "(" + property + ")"
	case sortArray:
		return isArray + "(" + property + ")"
	default:
		return isObject + "(" + property + ")"
	}
}

// same returns the condition that a property sorts like v.
func (o sortOrder) same(v sortValue, parameter string) string {
	if v.parameter() != nil {
		return o.property + " = " + parameter
	}
	return v.kind.is(o.property)
}

// behind returns conditions of which one holds if a property sorts behind v, or if
// it sorts alike and that is to be included.
func (o sortOrder) behind(v sortValue, parameter string, included bool) []string {
	var terms []string
	if v.parameter() != nil {
		operator := " >"
		if o.descending {
			operator = " <"
		}
		if included {
			operator += "="
		}
		terms = append(terms, o.property+operator+" "+parameter)
	} else if included {
		terms = append(terms, v.kind.is(o.property))
	}
	for kind := sortUndefined; kind <= sortObject; kind++ {
		if o.descending && kind < v.kind || !o.descending && kind > v.kind {
			terms = append(terms, kind.is(o.property))
		}
	}
	return terms
}
