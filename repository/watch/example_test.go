package watch_test

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/watch"
)

func ExampleLogger() {
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	observe := watch.Logger(logger, watch.Dear(100))
	// NewOrderRepository(container, repository.WithObserver(observe)) calls it with each request.
	observe(context.Background(), repository.Event{Op: "get", Type: "Order", Container: "orders", RequestUnits: 1, Duration: 5 * time.Millisecond})
	observe(context.Background(), repository.Event{Op: "query", Type: "Order", Container: "orders", RequestUnits: 250, Duration: 40 * time.Millisecond})
	// Output:
	// level=WARN msg="cosmos request was dear" reason=dear op=query type=Order container=orders requestUnits=250 duration=40ms
}
