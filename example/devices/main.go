package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "devices:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	if err != nil {
		return err
	}
	defer server.Close()
	stores, closing, err := open(ctx, places{
		nosql:   server.ConnectionString(),
		table:   os.Getenv("TABLE_CONNECTION_STRING"),
		mongo:   os.Getenv("MONGO_URI"),
		gremlin: os.Getenv("GREMLIN_ENDPOINT"),
	})
	defer closing()
	if err != nil {
		return err
	}
	return page(ctx, os.Stdout, stores)
}
