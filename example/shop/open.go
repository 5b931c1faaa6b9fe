package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/example/shop/orders"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/watch"
)

// A shop is the service, with what it keeps.
type shop struct {
	orders   orderStore
	feed     *documents.OrderRepository         // of all tenants
	byStatus *documents.OrderByStatusRepository // the index of orders
	readings *documents.ReadingRepository
	users    *documents.UserRepository
	balances *documents.BalanceRepository
	leases   *azcosmos.ContainerClient
	recent   *watch.Recent // what the requests of the last minutes cost
	observer observer
}

// open makes the database and its containers where they are missing, and compares those
// that are there with what the code expects. It waits for a new index, which would lack
// orders until it is built. Cursors go to browsers: cursorKey closes
// them, and all processes of the service need the same one. Without a key, cursors are
// good until the process ends.
func open(ctx context.Context, connectionString string, cursorKey []byte, told observer) (*shop, error) {
	client, err := azcosmos.NewClientFromConnectionString(connectionString, repository.Configure(nil))
	if err != nil {
		return nil, err
	}
	db, err := repository.EnsureDatabase(ctx, client, "shop")
	if err != nil {
		return nil, err
	}
	if len(cursorKey) == 0 {
		cursorKey = make([]byte, 32)
		_, _ = rand.Read(cursorKey) // which never fails
	}
	throughput := admin.Autoscale(1000)
	if err := documents.EnsureContainers(ctx, db, throughput, admin.WaitForIndex()); err != nil {
		return nil, err
	}
	leases, err := documents.EnsureOrderLeases(ctx, db, admin.AnyThroughput())
	if err != nil {
		return nil, err
	}

	var wrong error
	container := func(of azcosmos.ContainerProperties) *azcosmos.ContainerClient {
		c, err := db.NewContainer(of.ID) // which sends nothing
		wrong = errors.Join(wrong, err)
		return c
	}
	recent := new(watch.Recent)
	options := append(told.options(),
		repository.WithCursorKey(cursorKey),
		repository.WithObserver(recent.Observe),
		repository.WithObserver(watch.Logger(slog.Default(), watch.Dear(600))), // a hundred imported orders cost 500
	)
	inOrders := container(documents.OrderContainer())
	s := &shop{
		feed:     documents.NewOrderRepository(inOrders, options...),
		byStatus: documents.NewOrderByStatusRepository(container(documents.OrderByStatusContainer()), options...),
		readings: documents.NewReadingRepository(container(documents.ReadingContainer()), options...),
		users:    documents.NewUserRepository(container(documents.UserContainer()), options...),
		balances: documents.NewBalanceRepository(container(documents.BalanceContainer()), options...),
		leases:   leases,
		recent:   recent,
		observer: told,
	}
	s.orders = &orders.Store{Orders: s.feed, Entries: documents.NewEntryRepository(inOrders, options...)}
	return s, wrong
}
