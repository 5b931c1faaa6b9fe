package repository

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// checkedETag returns the ETag in doc, which is to be stored at p, empty if it has none.
func checkedETag[T any, K generated.Key](d *Documents[T, K], op string, p wire.Place, doc *T) (azcore.ETag, error) {
	field := etag(d, doc)
	if field == nil {
		return "", nil
	}
	tag := azcore.ETag(*field)
	if err := wire.CheckETag(tag); err != nil {
		return "", &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	return tag, nil
}
