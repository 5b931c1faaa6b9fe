package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// opEnsure is the name of EnsureDatabase in errors.
const opEnsure = "ensure"

// EnsureDatabase returns the database with this id, and creates it without throughput of its
// own if it is missing: one request, or two. It may be called at every start, and by many
// programs at once. [admin.Ensure] and generated functions make its containers.
//
// The error is an *[Error]. A Microsoft Entra ID identity may read a database but not create
// it: create it first, with az cosmosdb sql database create.
//
// [admin.Ensure]: https://pkg.go.dev/github.com/cosmos-pkgen/pkgen/repository/admin#Ensure
func EnsureDatabase(ctx context.Context, client *azcosmos.Client, id string) (*azcosmos.DatabaseClient, error) {
	if client == nil {
		return nil, &Error{Op: opEnsure, Type: "database", ID: id, Err: errors.New("the client is nil")}
	}
	db, err := client.NewDatabase(id)
	if err == nil {
		_, err = db.Read(ctx, nil)
	}
	if err == nil {
		return db, nil
	}
	failed := wire.NewError(opEnsure, "database", id, "", err)
	if !errors.Is(failed, ErrNotFound) && !errors.Is(failed, ErrNoContainer) {
		return nil, failed
	}
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: id}, nil)
	if err == nil {
		return db, nil
	}
	if failed = wire.NewError(opEnsure, "database", id, "", err); errors.Is(failed, ErrAlreadyExists) { // another program was faster
		return db, nil
	}
	return nil, failed
}
