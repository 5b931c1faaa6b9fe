package harness

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

// Database is the id of each account's database.
const Database = "db"

// Account is an account in this process, with a database. Its clients, and others with the
// transport http.DefaultTransport, reach it without a network, so it may run in a bubble of
// testing/synctest. It ends with the test.
type Account struct {
	*server.Server
	DB *azcosmos.DatabaseClient // by a client with the options of New

	t        testing.TB
	endpoint string
	regions  map[string]string // endpoints by region name
	port     func() string     // opens the port and returns its connection string
}

// New starts an account, and creates its database by a client with these options; nil means the
// defaults of azcosmos.
func New(t testing.TB, o emulator.Options, client *azcosmos.ClientOptions) *Account {
	t.Helper()
	return NewShared(t, o, client, nil)
}

// NewShared is New with a throughput that the containers of the database share. With nil, each
// container has its own.
func NewShared(t testing.TB, o emulator.Options, client *azcosmos.ClientOptions, throughput *azcosmos.ThroughputProperties) *Account {
	t.Helper()
	// Account and clients produce much garbage in the test's process: collection took a fifth of
	// the time of tests.
	testgc.Less()
	a := &Account{t: t, endpoint: address(), regions: map[string]string{}}
	for _, name := range o.Regions {
		a.regions[name] = address()
	}
	o.RegionEndpoints = a.regions
	a.Server = Bare(t, o)
	reach(a.Server, "", a.endpoint)
	for name, endpoint := range a.regions {
		reach(a.Server, name, endpoint)
	}
	t.Cleanup(a.Close)
	a.port = sync.OnceValue(func() string { return Listen(t, a.Server, nil) })
	c := a.Client(client)
	_, err := c.CreateDatabase(context.Background(), azcosmos.DatabaseProperties{ID: Database}, &azcosmos.CreateDatabaseOptions{ThroughputProperties: throughput})
	if err == nil {
		a.DB, err = c.NewDatabase(Database)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Client returns a client of the account; nil options are the defaults of azcosmos.
func (a *Account) Client(o *azcosmos.ClientOptions) *azcosmos.Client {
	a.t.Helper()
	var options azcosmos.ClientOptions
	if o != nil {
		options = *o
	}
	if options.Transport == nil {
		options.Transport = http.DefaultClient
	}
	credential, err := azcosmos.NewKeyCredential(a.Key())
	var c *azcosmos.Client
	if err == nil {
		c, err = azcosmos.NewClientWithKey(a.endpoint, credential, &options)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(c.Close)
	return c
}

// Close ends the account before the test does. It then refuses connections.
func (a *Account) Close() {
	part(a.endpoint)
	for _, endpoint := range a.regions {
		part(endpoint)
	}
}

// RegionEndpoint returns the address of a region for clients in this process.
func (a *Account) RegionEndpoint(name string) string { return a.regions[name] }

// ConnectionString returns the connection string of a port, for other processes and for clients
// with real connections. The first call opens the port.
func (a *Account) ConnectionString() string { return a.port() }

// Endpoint returns the address of that port.
func (a *Account) Endpoint() string {
	_, rest, _ := strings.Cut(a.port(), "=")
	endpoint, _, _ := strings.Cut(rest, ";")
	return endpoint
}

// NewContainer is New with a container.
func NewContainer(t testing.TB, o emulator.Options, properties azcosmos.ContainerProperties, client *azcosmos.ClientOptions) (*Account, *azcosmos.ContainerClient) {
	t.Helper()
	a := New(t, o, client)
	return a, a.Create(properties)
}

// Create creates a container of the database.
func (a *Account) Create(properties azcosmos.ContainerProperties) *azcosmos.ContainerClient {
	a.t.Helper()
	_, err := a.DB.CreateContainer(context.Background(), properties, nil)
	var container *azcosmos.ContainerClient
	if err == nil {
		container, err = a.DB.NewContainer(properties.ID)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return container
}

// Recreate deletes a container and creates it again with ten physical partitions. It uses a client
// of its own, so the caches of other clients are out of date.
func (a *Account) Recreate(container *azcosmos.ContainerClient, properties azcosmos.ContainerProperties) {
	a.t.Helper()
	_, err := container.Delete(context.Background(), nil)
	if err == nil {
		throughput := azcosmos.NewManualThroughputProperties(100_000)
		_, err = a.Database(nil).CreateContainer(context.Background(), properties, &azcosmos.CreateContainerOptions{ThroughputProperties: &throughput})
	}
	if err != nil {
		a.t.Fatal(err)
	}
}

// Database returns the database by another client.
func (a *Account) Database(client *azcosmos.ClientOptions) *azcosmos.DatabaseClient {
	a.t.Helper()
	db, err := a.Client(client).NewDatabase(Database)
	if err != nil {
		a.t.Fatal(err)
	}
	return db
}

// Container returns a container by another client. It need not exist.
func (a *Account) Container(id string, client *azcosmos.ClientOptions) *azcosmos.ContainerClient {
	a.t.Helper()
	container, err := a.Database(client).NewContainer(id)
	if err != nil {
		a.t.Fatal(err)
	}
	return container
}

// Properties returns the properties of a container whose partition key has a level for each path.
func Properties(id string, paths ...string) azcosmos.ContainerProperties {
	kind := azcosmos.PartitionKeyKindHash
	if len(paths) > 1 {
		kind = azcosmos.PartitionKeyKindMultiHash
	}
	return azcosmos.ContainerProperties{
		ID: id, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: kind, Paths: paths, Version: 2},
	}
}
