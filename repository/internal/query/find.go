package query

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Matches reports whether a document has the properties that filters ask for, as
// the service does for the filters of a query. Those of a base ask for equality.
func Matches(item []byte, filters []generated.Filter) bool {
	for _, f := range filters {
		want, err := json.Marshal(f.Value)
		if err != nil || !equal(text.ValueAt(item, text.Names(f.Property)), want, f.Fold) {
			return false
		}
	}
	return true
}

// equal reports whether two JSON values are equal, numbers as the doubles that
// the service takes them for, or are texts that differ in upper and lower case
// alone if fold is set.
func equal(a, b json.RawMessage, fold bool) bool {
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	text, isText := left.(string)
	other, areTexts := right.(string)
	if fold && isText && areTexts {
		return strings.EqualFold(text, other)
	}
	return reflect.DeepEqual(left, right)
}

// FindByID returns the documents of this id under keys, as a query does, and
// unlike the SDK's ReadManyItems also from a container that was made again.
func FindByID(ctx context.Context, s *store.Store, op, id string, keys generated.Keys) ([][]byte, error) {
	name := text.OwnParameter + "ID"
	st := Statement{
		conditions: []string{text.Property("/id") + " = " + name},
		parameters: []azcosmos.QueryParameter{{Name: name, Value: id}},
	}
	values := list(s, keys)
	var jobs []job
	m, version, _ := s.Physical(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, &wire.OperationError{Op: op, Type: s.Type, ID: id, Err: ctx.Err()}
	case m != nil:
		if err := locateAll(values); err != nil {
			return nil, err
		}
		jobs = scopedJobs(values, "", false, m, version)
	default: // a filter, which the gateway walks
		jobs = byGateway(values)
	}
	e := newExecution(s, st, func(raw []byte) (any, error) { return raw, nil })
	e.op = op
	return Collect(typed[[]byte](e.each(ctx, jobs, e.read)))
}
