// Command processor is a process of a change feed processor, next to processes of
// other SDKs: it prints the number of each document that it handles, a line each, and
// ends when its input ends.
//
//	processor range|epk NAME DATABASE CONTAINER LEASES
//
// The first argument is the dialect of the leases: that of handleChanges in Java, or
// that of handleLatestVersionChanges. COSMOS_CONNECTION_STRING names the account.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/interop/processor/document"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

func main() {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // an error is an end, too
		stop()
	}()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "processor:", err)
		os.Exit(1)
	}
}

var dialects = map[string]feed.LeaseDialect{"range": feed.JavaRange, "epk": feed.JavaEPK}

// run handles changes until ctx ends.
func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 5 || dialects[args[0]] == feed.DotNet {
		return errors.New("usage: processor range|epk NAME DATABASE CONTAINER LEASES")
	}
	client, err := azcosmos.NewClientFromConnectionString(os.Getenv("COSMOS_CONNECTION_STRING"), repository.Configure(nil))
	if err != nil {
		return fmt.Errorf("COSMOS_CONNECTION_STRING: %w", err)
	}
	defer client.Close()
	container, err := client.NewContainer(args[2], args[3])
	if err != nil {
		return err
	}
	leases, err := client.NewContainer(args[2], args[4])
	if err != nil {
		return err
	}
	// The checks of other languages have the same times.
	p := feed.NewProcessor(document.NewNumberedRepository(container).Documents, args[1], leases,
		func(_ context.Context, changes []feed.Delivery[document.Numbered]) error {
			for _, c := range changes {
				if _, err := fmt.Fprintln(out, c.Doc.N); err != nil {
					return err
				}
			}
			return nil
		},
		feed.WithLeaseDialect(dialects[args[0]]),
		feed.WithLeaseTimes(feed.LeaseTimes{Acquire: 500 * time.Millisecond, Renew: 500 * time.Millisecond, Expire: 5 * time.Second}),
		feed.PageSize(5), feed.PollEvery(100*time.Millisecond),
	)
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
