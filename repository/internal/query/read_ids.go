package query

import (
	"context"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ReadIDs returns the documents of these ids in the logical partition of p, by
// one query: whole, or of each these columns.
func ReadIDs(ctx context.Context, s *store.Store, op string, p wire.Place, ids []string, columns []string) ([][]byte, error) {
	one := Statement{Columns: columns}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = text.OwnParameter + "I" + strconv.Itoa(i)
		one.parameters = append(one.parameters, azcosmos.QueryParameter{Name: names[i], Value: id})
	}
	one.conditions = []string{text.Property("/id") + " IN (" + strings.Join(names, ", ") + ")"}
	e := newExecution(s, one, nil)
	e.op = op
	var all [][]byte
	err := e.pages(ctx, job{key: p.Key, name: p.Name}, func(items [][]byte, _ bool) error {
		all = append(all, items...)
		return nil
	})
	return all, err
}
