package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// opEnsure is the operation of EnsureDatabase, as errors name it.
const opEnsure = "ensure"

// EnsureDatabase returns the database of an id, and creates it, without throughput of its own,
// if it is missing: one request, or two. A program may call it at each start, and many
// programs at once. Containers in it are made by [admin.Ensure] and generated functions.
//
// The error is an *[Error]. An identity of Microsoft Entra ID may read a database, but not
// create it: make it with az cosmosdb sql database create first.
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
