package table

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Ensure creates a table unless it exists: one request. In Cosmos DB, the table has the
// throughput of its account or the service's default; infrastructure tools can change it. Names
// have 3 to 63 letters and digits, and begin with a letter. Ensure may be called several times
// and by several programs.
func Ensure(ctx context.Context, service *Service, name string) error {
	if service == nil {
		return errors.New("ensure table " + name + ": the service is nil")
	}
	t := wire.Table{Name: name}
	_, err := api.Attempt(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, t.Send(ctx, func(ctx context.Context) error {
			_, err := service.CreateTable(ctx, name, nil)
			return err
		})
	})
	var response *azcore.ResponseError
	if errors.As(err, &response) && aztables.TableErrorCode(response.ErrorCode) == aztables.TableAlreadyExists {
		return nil
	}
	if err != nil {
		return documents.NewWriteError("ensure table", name, api.Place{}, err)
	}
	return nil
}
