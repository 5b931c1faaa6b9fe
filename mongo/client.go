package mongo

import (
	"context"
	"net"
	"strings"

	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

type (
	// Client is the driver's client, so that callers need only one package named mongo.
	Client = driver.Client

	// Database is the driver's database.
	Database = driver.Database
)

// Configure changes the options of a client for Cosmos DB, and returns them. A client without
// it works, but then meters count nothing, drafts are refused at every address, and after a
// broken connection more writes have an unclear outcome.
//
// It turns off the driver's own retries, retryWrites and retryReads. Cosmos DB refuses the
// former, and repositories repeat requests if that is safe, also when the service is busy,
// which the driver does not detect. Other code with this client has no retries.
//
// It names properties by json tags if there are no bson tags, also for other code with this
// client, and sets a command monitor, which calls the existing one. Call Configure last, and
// once per client.
func Configure(o *options.ClientOptions) *options.ClientOptions {
	if o == nil {
		o = options.Client()
	}
	o.SetRetryWrites(false).SetRetryReads(false)
	bsonOptions := options.BSONOptions{}
	if o.BSONOptions != nil {
		bsonOptions = *o.BSONOptions
	}
	bsonOptions.UseJSONStructTags = true
	o.SetBSONOptions(&bsonOptions)

	monitor := event.CommandMonitor{}
	if o.Monitor != nil {
		monitor = *o.Monitor
	}
	theirs := monitor.Started
	monitor.Started = func(ctx context.Context, e *event.CommandStartedEvent) {
		started(ctx, e)
		if theirs != nil {
			theirs(ctx, e)
		}
	}
	return o.SetMonitor(&monitor)
}

// probe is what the monitor of Configure reports about an operation's command. The driver calls
// the monitor in the goroutine of the operation, just before it sends the command.
type probe struct {
	sent    bool
	address string
}

type probeKey struct{}

// probed returns a context for an operation, with the probe of its command.
func probed(ctx context.Context) (context.Context, *probe) {
	p := new(probe)
	return context.WithValue(ctx, probeKey{}, p), p
}

func started(ctx context.Context, e *event.CommandStartedEvent) {
	p, ours := ctx.Value(probeKey{}).(*probe)
	if !ours {
		return
	}
	p.sent = true
	p.address, _, _ = strings.Cut(e.ConnectionID, "[")
	if e.CommandName != "ping" && e.CommandName != "killCursors" {
		meter.Count(ctx, 0)
	}
}

// isThisMachine reports whether an address, possibly without a port, is a socket of the file
// system, a loopback address or a name that can only be one (RFC 6761, section 6.3).
func isThisMachine(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	return strings.HasSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), ".sock") || failure.IsThisMachine(host)
}
