package main

import (
	"context"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/mongo"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/table"
)

// places say where the server of each API is. An empty one is left out.
type places struct {
	nosql, table string // connection strings
	mongo        string // a URI
	gremlin      string // a URL
}

// open connects to each API, and creates containers that are missing. The function that
// it returns closes the connections.
func open(ctx context.Context, at places) (all []store, closing func(), err error) {
	var closers []func()
	closing = func() {
		for _, c := range closers {
			c()
		}
	}
	if at.nosql != "" {
		readings, err := openNoSQL(ctx, at.nosql)
		if err != nil {
			return nil, closing, err
		}
		all = append(all, nosqlStore(readings))
	}
	if at.table != "" {
		readings, err := openTable(ctx, at.table)
		if err != nil {
			return nil, closing, err
		}
		all = append(all, tableStore(readings))
	}
	if at.mongo != "" {
		readings, client, err := openMongo(ctx, at.mongo)
		if err != nil {
			return nil, closing, err
		}
		closers = append(closers, func() { _ = client.Disconnect(ctx) })
		all = append(all, mongoStore(readings))
	}
	if at.gremlin != "" {
		readings, client, err := openGremlin(at.gremlin, os.Getenv("GREMLIN_KEY"))
		if err != nil {
			return nil, closing, err
		}
		closers = append(closers, client.Close)
		all = append(all, gremlinStore(readings))
	}
	return all, closing, nil
}

func openNoSQL(ctx context.Context, connection string) (*ReadingRepository, error) {
	client, err := azcosmos.NewClientFromConnectionString(connection, repository.Configure(nil))
	if err != nil {
		return nil, err
	}
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet"}, nil); err != nil {
		return nil, err
	}
	db, err := client.NewDatabase("fleet")
	if err != nil {
		return nil, err
	}
	container, err := EnsureReadingContainer(ctx, db, admin.Autoscale(4000))
	if err != nil {
		return nil, err
	}
	return NewReadingRepository(container), nil
}

func openTable(ctx context.Context, connection string) (*TableReadingRepository, error) {
	service, err := aztables.NewServiceClientFromConnectionString(connection, table.Configure(nil))
	if err != nil {
		return nil, err
	}
	if err := EnsureTableReadingTable(ctx, service); err != nil {
		return nil, err
	}
	return NewTableReadingRepository(service), nil
}

func openMongo(ctx context.Context, uri string) (*MongoReadingRepository, *mongo.Client, error) {
	client, err := driver.Connect(mongo.Configure(options.Client().ApplyURI(uri)))
	if err != nil {
		return nil, nil, err
	}
	db := client.Database("fleet")
	if err := EnsureMongoReadingCollection(ctx, db, mongo.Autoscale(4000)); err != nil {
		return nil, nil, err
	}
	return NewMongoReadingRepository(db), client, nil
}

func openGremlin(endpoint, key string) (*GraphReadingRepository, *gremlin.Client, error) {
	client, err := gremlin.NewClient(endpoint, "db", "graph", key)
	if err != nil {
		return nil, nil, err
	}
	return NewGraphReadingRepository(client), client, nil
}
