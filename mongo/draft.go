package mongo

import (
	"context"
	"fmt"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// stays returns a function that returns an error unless the server of a database is this
// machine. Until that is confirmed, each call costs a ping.
func stays(db *Database, typ string) func(context.Context) error {
	var local atomic.Bool
	return func(ctx context.Context) error {
		if local.Load() {
			return nil
		}
		asking, p := probed(ctx)
		err := db.RunCommand(asking, bson.D{{Key: "ping", Value: 1}}).Err()
		switch {
		case isThisMachine(p.address):
			local.Store(true)
			return nil
		case p.address == "" && err != nil:
			return fmt.Errorf("%s: find out whether the server is this machine: %w", typ, err)
		case p.address == "":
			return draftError(typ, "the client does not say where its server is: make it with mongo.Configure")
		}
		return draftError(typ, p.address+" is not this machine, where documents can be thrown away: if the layout is what you want, for ever, run pkgen seal "+typ)
	}
}

func draftError(typ, why string) error {
	return &documents.Error{Op: "use", Type: typ, Kind: failure.ErrDraft, Err: failure.Says("it may still change, and " + why)}
}
