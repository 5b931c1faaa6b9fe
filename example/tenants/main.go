package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tenants:", err)
		os.Exit(1)
	}
}

// tenants are how many orders each tenant has at the beginning.
var tenants = []struct {
	name   string
	orders int
}{{"adventure", 20}, {"contoso", 300}, {"fabrikam", 40}, {"northwind", 10}}

// run starts the service, moves the tenant that uses most, and checks what clients find.
func run(ctx context.Context, out io.Writer) error {
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	if err != nil {
		return err
	}
	defer server.Close()
	db, directory, err := createDatabase(ctx, server.Client(repository.Configure(nil)))
	if err != nil {
		return err
	}
	meter := new(tenancy.Meter)
	s := &service{NewOrderRepository(db, directory, repository.WithObserver(meter.Observe))}
	address, stop, err := listen(ctx, s.handler())
	if err != nil {
		return err
	}
	defer stop()

	for _, t := range tenants {
		c := &client{address: address, tenant: t.name}
		for n := range t.orders {
			if err := c.put(ctx, orderID(n), orderTotal(n)); err != nil {
				return err
			}
		}
	}
	use := meter.Take()
	fmt.Fprintf(out, "%d tenants share the container %s:\n", len(tenants), OrderContainer().ID)
	for _, t := range use.Tenants {
		fmt.Fprintf(out, "  %-10s %5.0f RU\n", t.Tenant, t.RequestUnits)
	}
	return moved(ctx, out, db, directory, address, largest(use).Tenant)
}

// moved moves a tenant while clients read and write its orders, and checks them.
func moved(ctx context.Context, out io.Writer, db *azcosmos.DatabaseClient, directory *tenancy.TenantDirectory, address, tenant string) error {
	c := &client{address: address, tenant: tenant}
	orders, err := c.count(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nMoving %s to %s while clients read and write its orders:\n", tenant, OrderOwnContainer(tenant).ID)
	stop := c.start(ctx, orders)
	summary, err := moveOut(ctx, db, directory, tenant)
	totals, failed := stop()
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	printMove(out, summary)
	fmt.Fprintf(out, "  clients    sent %d requests, of which none failed; the slowest took %d ms\n", c.requests, c.slowest.Milliseconds())
	if c.repeated > 0 {
		fmt.Fprintf(out, "             %d were repeated\n", c.repeated)
	}

	lives, err := directory.Refresh(ctx, OrderContainer().ID, tenant)
	if err != nil {
		return err
	}
	there := 0
	for id, want := range totals {
		if err := c.has(ctx, id, want); err != nil {
			return err
		}
		if want != 0 {
			there++
		}
	}
	count, err := c.count(ctx)
	if err != nil {
		return err
	}
	if count != orders+there {
		return fmt.Errorf("%s has %d orders, and should have %d", tenant, count, orders+there)
	}
	fmt.Fprintf(out, "\n%s lives in %s. All of its orders are there, as they were last written.\n", tenant, lives.Container)
	return nil
}

// start begins to read and write orders of a tenant that has so many. The function that it
// returns stops that, and returns what was written last.
func (c *client) start(ctx context.Context, orders int) (stop func() (map[string]int, error)) {
	const clients = 3
	done := make(chan struct{})
	all := map[string]int{}
	var mu sync.Mutex
	var failed error
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			totals, err := c.write(ctx, fmt.Sprintf("client-%d", i), done)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			maps.Copy(all, totals)
		})
		running.Go(func() {
			err := c.read(ctx, orders, done)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	return func() (map[string]int, error) {
		close(done)
		running.Wait()
		return all, failed
	}
}

// createDatabase makes the container that tenants share, and the directory that says where
// they live. A move waits for both times of the directory twice: they are short here, and
// 10 and 35 seconds unless a program says otherwise.
func createDatabase(ctx context.Context, client *azcosmos.Client) (*azcosmos.DatabaseClient, *tenancy.TenantDirectory, error) {
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		return nil, nil, err
	}
	db, err := client.NewDatabase("shop")
	if err != nil {
		return nil, nil, err
	}
	if _, err := EnsureOrderContainer(ctx, db, admin.AnyThroughput()); err != nil {
		return nil, nil, err
	}
	directory, err := EnsureOrderDirectory(ctx, db, admin.AnyThroughput(),
		tenancy.WithResidenceTTL(500*time.Millisecond), tenancy.WithResidenceGrace(1500*time.Millisecond))
	return db, directory, err
}

// listen serves requests on this machine.
func listen(ctx context.Context, handler http.Handler) (address string, stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) }) // until it is closed
	return "http://" + listener.Addr().String(), func() {
		_ = server.Close() // all answers have come
		serving.Wait()
		http.DefaultClient.CloseIdleConnections()
	}, nil
}
