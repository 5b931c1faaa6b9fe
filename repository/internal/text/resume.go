package text

import (
	"slices"
	"strconv"
	"strings"
)

// After returns the condition that a document sorts after keys or, unless strict,
// like them. It consists of comparisons, which are true within one type, and of
// tests for the types that sort later. The other SDKs resume an ORDER BY in this way
// (OrderByCrossPartitionQueryPipelineStage in azure-cosmos-dotnet-v3).
func After(orders []Order, keys []SortValue, strict bool) (string, []Parameter) {
	var parameters []Parameter
	condition := ""
	for i, order := range slices.Backward(orders) {
		parameter := OwnParameter + "C" + strconv.Itoa(i)
		if value := keys[i].parameter(); value != nil {
			parameters = append(parameters, Parameter{Name: parameter, Value: value})
		}
		last := i == len(orders)-1
		terms := order.after(keys[i], parameter, last && !strict)
		if !last {
			terms = append(terms, "("+order.same(keys[i], parameter)+" AND ("+condition+"))")
		}
		if len(terms) == 0 { // no value sorts later
			terms = append(terms, "false")
		}
		condition = strings.Join(terms, " OR ")
	}
	return condition, parameters
}

// parameter returns the value of a parameter, nil where conditions need no parameter.
func (v SortValue) parameter() any {
	switch v.kind {
	case sortNumber:
		return v.number
	case sortString:
		return v.text
	default:
		return nil
	}
}

// is returns the condition that a property has a value of this kind.
func (k sortKind) is(property string) string {
	switch k {
	case sortUndefined:
		return "NOT IS_DEFINED(" + property + ")"
	case sortNull:
		return IsNull + "(" + property + ")"
	case sortFalse:
		return property + " = false"
	case sortTrue:
		return property + " = true"
	case sortNumber:
		return IsNumber + "(" + property + ")"
	case sortString:
		return IsString + "(" + property + ")"
	case sortArray:
		return IsArray + "(" + property + ")"
	default:
		return IsObject + "(" + property + ")"
	}
}

// same returns the condition that a property sorts like v.
func (o Order) same(v SortValue, parameter string) string {
	if v.parameter() != nil {
		return o.Property + " = " + parameter
	}
	return v.kind.is(o.Property)
}

// after returns conditions. One of them holds if a property sorts after v, or, if
// included is set, like v.
func (o Order) after(v SortValue, parameter string, included bool) []string {
	var terms []string
	if v.parameter() != nil {
		operator := " >"
		if o.Descending {
			operator = " <"
		}
		if included {
			operator += "="
		}
		terms = append(terms, o.Property+operator+" "+parameter)
	} else if included {
		terms = append(terms, v.kind.is(o.Property))
	}
	for kind := sortUndefined; kind <= sortObject; kind++ {
		if o.Descending && kind < v.kind || !o.Descending && kind > v.kind {
			terms = append(terms, kind.is(o.Property))
		}
	}
	return terms
}
