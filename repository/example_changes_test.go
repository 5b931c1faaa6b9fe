package repository_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// This file holds the examples of docs/changefeed.md, which a test compares with
// it, so that they compile. Those that need nothing but a container run below.

type progress struct{ cursor string }

func (p *progress) load(context.Context) (string, error) { return p.cursor, nil }

func (p *progress) save(_ context.Context, cursor string) error {
	p.cursor = cursor
	return nil
}

func exampleChanges(ctx context.Context, events *fleet.VehicleEventRepository, progress *progress, handle func(context.Context, *fleet.VehicleEvent) error) error {
	cursor, err := progress.load(ctx) // empty the first time: from the beginning
	if err != nil {
		return err
	}
	n := 0
	for change, err := range feed.Changes(ctx, events.Documents, feed.FromCursor(cursor)) {
		if err != nil {
			return err
		}
		if err := handle(ctx, change.Doc); err != nil {
			return err
		}
		if n++; n%100 == 0 {
			if err := progress.save(ctx, change.Cursor()); err != nil {
				return err
			}
		}
	}
	return nil
}

func exampleChangesOnce(ctx context.Context, events *fleet.VehicleEventRepository, progress *progress, handle func(context.Context, *fleet.VehicleEvent) error) error {
	cursor, err := progress.load(ctx)
	if err != nil {
		return err
	}
	end := ""
	caughtUp := feed.OnCaughtUp(func(cursor string) { end = cursor })
	for change, err := range feed.Changes(ctx, events.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp(), caughtUp) {
		if err != nil {
			return err
		}
		if err := handle(ctx, change.Doc); err != nil {
			return err
		}
	}
	return progress.save(ctx, end)
}

func exampleChangesSince(ctx context.Context, events *fleet.VehicleEventRepository) error {
	yesterday := time.Now().AddDate(0, 0, -1)
	for change, err := range feed.Changes(ctx, events.Documents, feed.FromTime(yesterday), feed.UntilCaughtUp()) {
		if err != nil {
			return err
		}
		fmt.Println(change.Time, change.Doc.VIN, change.Doc.Speed)
	}
	return nil
}

func exampleChangesInTransactions(ctx context.Context, db *sql.DB, events *fleet.VehicleEventRepository, cursor string) error {
	store := func(change feed.Change[fleet.VehicleEvent]) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		_, err = tx.ExecContext(ctx, `INSERT INTO events (id, speed) VALUES ($1, $2)
			ON CONFLICT (id) DO UPDATE SET speed = $2`, change.Doc.ID, change.Doc.Speed)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE progress SET cursor = $1`, change.Cursor())
		if err != nil {
			return err
		}
		return tx.Commit()
	}
	for change, err := range feed.Changes(ctx, events.Documents, feed.FromCursor(cursor)) {
		if err != nil {
			return err
		}
		if err := store(change); err != nil {
			return err
		}
	}
	return nil
}

func exampleChangesCost(ctx context.Context, events *fleet.VehicleEventRepository) error {
	var meter repository.Meter
	ctx = repository.WithMeter(ctx, &meter)
	for _, err := range feed.Changes(ctx, events.Documents, feed.FromBeginning(), feed.PollEvery(30*time.Second), feed.UntilCaughtUp()) {
		if err != nil {
			return err
		}
	}
	fmt.Println(meter.Requests(), meter.RequestUnits())
	return nil
}

// noDatabase is a database that cannot be reached.
type noDatabase struct{}

var errNoDatabase = errors.New("no database")

func (noDatabase) Connect(context.Context) (driver.Conn, error) { return nil, errNoDatabase }

func (noDatabase) Driver() driver.Driver { return nil }

func TestExamplesOfTheChangeFeed(t *testing.T) {
	_, events := kit.NewFleet(t)
	kit.Fill(t, events, 250)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var p progress
	n := 0
	err := exampleChanges(ctx, events, &p, func(context.Context, *fleet.VehicleEvent) error {
		if n++; n == 250 {
			cancel()
		}
		return nil
	})
	if n != 250 || err == nil || p.cursor == "" {
		t.Errorf("%d changes, %v", n, err)
	}
	ctx = context.Background()
	for _, want := range []int{50, 0} {
		n = 0
		err := exampleChangesOnce(ctx, events, &p, func(context.Context, *fleet.VehicleEvent) error { n++; return nil })
		if n != want || err != nil {
			t.Errorf("%d changes after the cursor, want %d; %v", n, want, err)
		}
	}
	db := sql.OpenDB(noDatabase{})
	defer db.Close()
	if err := exampleChangesInTransactions(ctx, db, events, ""); !errors.Is(err, errNoDatabase) {
		t.Errorf("without a database: %v", err)
	}
	for name, err := range map[string]error{
		"since": exampleChangesSince(ctx, events),
		"cost":  exampleChangesCost(ctx, events),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
