// The example stores documents of three types, reads them back in the ways that
// their partition keys allow, and prints the cost.
//
// It runs on an emulator of its own with five physical partitions, unless
// COSMOS_CONNECTION_STRING names an account, or COSMOS_ENDPOINT names one for
// Azure identity. In an account it creates the database pkgen-example and does
// not delete it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	account, err := connect()
	if err != nil {
		return err
	}
	defer account.close()
	db, err := openDatabase(ctx, account.client, "pkgen-example")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "On %s.\n", account.name)
	for _, part := range []func(context.Context, *azcosmos.DatabaseClient, io.Writer) error{
		runTelemetry, runFleet, runClickstream,
	} {
		if err := part(ctx, db, out); err != nil {
			return err
		}
	}
	return nil
}
