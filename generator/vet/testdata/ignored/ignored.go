// Package ignored does not look at what it gets.
package ignored

import (
	"context"

	"example.com/m/fleet"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

func condition(ctx context.Context, events *fleet.EventRepository) error {
	q := events.Scan()
	q.Where(fleet.EventFields.Speed.Lt(10)) // want `Where returns a changed copy of the query, and the copy is not used: write q = q.Where\(…\)`
	_ = q.Limit(3)                          // want `write q = q.Limit\(…\)`
	_, err := events.DeleteFound(q).Collect(ctx)
	return err
}

func chained(events *fleet.EventRepository) {
	events.Scan().OrderBy(fleet.EventFields.Speed.Desc()).Limit(3) // want `Limit returns a changed copy of the query, and the copy is not used: use the result`
}

func groups(ctx context.Context, events *fleet.EventRepository) ([]struct{ N int }, error) {
	byVIN := repository.GroupBy[struct{ N int }](events.Scan(), fleet.EventFields.VIN)
	byVIN.Count("N") // want `write byVIN = byVIN.Count\(…\)`
	return byVIN.Collect(ctx)
}

func errorOfLoop(ctx context.Context, events *fleet.EventRepository) (n int) {
	for e := range events.Scan().All(ctx) { // want `this loop drops the error of All: if a request fails, it ends as if there were no more documents: take the error as the second variable, and return it`
		n += e.Speed
	}
	for e, _ := range events.Scan().All(ctx) { // want `drops the error of All`
		n += e.Speed
	}
	var change feed.Change[fleet.Event]
	for change = range feed.Changes(ctx, events.Documents, feed.FromBeginning()) { // want `drops the error of Changes`
		n += change.Doc.Speed
	}
	for range events.Scan().All(ctx) { // want `drops the error of All`
		n++
	}
	for _, _ = range events.Scan().All(ctx) { // want `drops the error of All`
		n++
	}
	for _ = range events.Scan().All(ctx) { // want `drops the error of All`
		n++
	}
	return n
}

// The rest is as it should be, or not certain.

func used(ctx context.Context, events *fleet.EventRepository) (n int, err error) {
	q := events.Scan()
	q = q.Where(fleet.EventFields.Speed.Lt(10))
	fast := q.Limit(3)
	for e, err := range fast.All(ctx) {
		if err != nil {
			return n, err
		}
		n += e.Speed
	}
	for _, err := range q.All(ctx) {
		if err != nil {
			return n, err
		}
	}
	for range n {
		n++
	}
	for outcome := range events.DeleteFound(q).All(ctx) {
		err = outcome.Err
	}
	q.Count(ctx) // for errcheck
	return n, err
}
