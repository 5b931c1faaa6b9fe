package provision

import (
	"context"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Count returns how many databases and containers an account has: a request for all
// databases, one for the containers of each, and more for longer lists. A database that
// is dropped meanwhile has none.
func Count(ctx context.Context, client *azcosmos.Client) (databases, containers int, err error) {
	var o azcosmos.QueryDatabasesOptions
	for {
		var page azcosmos.QueryDatabasesResponse
		err := wire.Reread(ctx, func() (err error) {
			page, err = client.NewQueryDatabasesPager("SELECT * FROM c", &o).NextPage(ctx)
			return wire.DatabasesAnswer(page, err)
		})
		if err != nil {
			return 0, 0, wire.NewOperationError("count", "databases", "", "", err)
		}
		for _, d := range page.Databases {
			n, found, err := countIn(ctx, client, d.ID)
			if err != nil {
				return 0, 0, wire.NewOperationError("count", "containers of database", d.ID, "", err)
			}
			if found {
				databases++
				containers += n
			}
		}
		if o.ContinuationToken = page.ContinuationToken; o.ContinuationToken == nil {
			return databases, containers, nil
		}
	}
}

// countIn returns how many containers a database has, and whether it exists.
func countIn(ctx context.Context, client *azcosmos.Client, database string) (n int, found bool, err error) {
	db, err := client.NewDatabase(database)
	if err != nil {
		return 0, false, err
	}
	var o azcosmos.QueryContainersOptions
	for {
		var page azcosmos.QueryContainersResponse
		err := wire.Reread(ctx, func() (err error) {
			page, err = db.NewQueryContainersPager("SELECT * FROM c", &o).NextPage(ctx)
			return wire.ContainersAnswer(page, err)
		})
		if wire.StatusOf(err) == http.StatusNotFound {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, err
		}
		n += len(page.Containers)
		if o.ContinuationToken = page.ContinuationToken; o.ContinuationToken == nil {
			return n, true, nil
		}
	}
}
