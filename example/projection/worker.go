package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// A worker includes journeys in sums, as one of several processes.
type worker struct {
	sums *DailySumRepository
	out  io.Writer // gets a line for each call of the handler: how many journeys it had
}

// openDatabase returns the database of an account. The client tells the SDK about
// physical partitions.
func openDatabase(connectionString string) (*azcosmos.DatabaseClient, error) {
	client, err := azcosmos.NewClientFromConnectionString(connectionString, repository.Configure(nil))
	if err != nil {
		return nil, err
	}
	return client.NewDatabase("projection")
}

// newProcessor returns the processor of the sums. All workers make the same.
func newProcessor(db *azcosmos.DatabaseClient, out io.Writer) (*feed.Processor, error) {
	journeys, err := db.NewContainer(JourneyContainer().ID)
	if err != nil {
		return nil, err
	}
	sums, err := db.NewContainer(DailySumContainer().ID)
	if err != nil {
		return nil, err
	}
	leases, err := db.NewContainer("leases")
	if err != nil {
		return nil, err
	}
	w := &worker{NewDailySumRepository(sums), out}
	// A service leaves the times as they are: these are for a program that is to end
	// within seconds, though its workers are killed.
	return feed.NewProcessor(NewJourneyRepository(journeys).Documents, "daily-sums", leases, w.handle,
		feed.WithLeaseTimes(feed.LeaseTimes{
			Acquire: 100 * time.Millisecond, Renew: 150 * time.Millisecond, Expire: 600 * time.Millisecond,
		}),
		feed.PageSize(20),
		feed.PollEvery(100*time.Millisecond),
	), nil
}

// handle includes the journeys of a page in their sums, with one write for each sum. If
// it fails half-way, or the process is killed, the page comes again.
func (w *worker) handle(ctx context.Context, changes []feed.Delivery[Journey]) error {
	if _, err := fmt.Fprintln(w.out, len(changes)); err != nil {
		return err
	}
	journeys := map[DailySumKey][]*Journey{}
	for _, c := range changes {
		key := DailySumKey{ID: c.Doc.Date, VIN: c.Doc.VIN}
		journeys[key] = append(journeys[key], c.Doc)
	}
	for key, some := range journeys {
		if err := w.include(ctx, key, some); err != nil {
			return err
		}
	}
	return nil
}

// include includes journeys in a sum, which costs a read and a write.
func (w *worker) include(ctx context.Context, key DailySumKey, journeys []*Journey) error {
	all := func(sum *DailySum) error {
		for _, t := range journeys {
			sum.include(t)
		}
		return nil
	}
	err := w.sums.Update(ctx, key, all) // on the ETag that it read
	if !errors.Is(err, repository.ErrNotFound) {
		return err
	}
	sum := DailySum{ID: key.ID, VIN: key.VIN}
	if err := all(&sum); err != nil {
		return err
	}
	err = w.sums.Create(ctx, &sum)
	if errors.Is(err, repository.ErrAlreadyExists) { // another worker was first
		return w.sums.Update(ctx, key, all)
	}
	return err
}
