package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/interop/keys/document"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

const databaseID = "keys"

// write creates the containers, and stores the samples as documents of Go.
func write(ctx context.Context, client *azcosmos.Client, out io.Writer) error {
	_, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: databaseID}, nil)
	var response *azcore.ResponseError
	if err != nil && (!errors.As(err, &response) || response.StatusCode != http.StatusConflict) {
		return err
	}
	db, err := client.NewDatabase(databaseID)
	if err != nil {
		return err
	}
	measurements, err := document.EnsureMeasurementContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		return err
	}
	visits, err := document.EnsureVisitContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		return err
	}
	s, err := samplesOf("go")
	if err != nil {
		return err
	}
	for _, m := range s.Measurements {
		if err := document.NewMeasurementRepository(measurements).Upsert(ctx, m); err != nil {
			return err
		}
	}
	for _, v := range s.Visits {
		if err := document.NewVisitRepository(visits).Upsert(ctx, v); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%d documents are written by Go\n", len(s.Measurements)+len(s.Visits))
	return err
}
