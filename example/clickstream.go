package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// runClickstream stores the clicks of a day and reads them back. One click is
// read twice: by its key, and by what is known without the suffix.
func runClickstream(ctx context.Context, db *azcosmos.DatabaseClient, out io.Writer) error {
	container, err := clickstream.EnsureClickContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		return err
	}
	repo := clickstream.NewClickRepository(container)
	r := newReport(out, "Clickstream", clickstream.ClickKeyLayout)

	const day = "2018-08-09"
	var last clickstream.Click
	err = r.do(ctx, "clicks stored, each under a suffix of its own", func(ctx context.Context) (int, error) {
		const n = 500
		for i := range n {
			last = clickstream.Click{ID: rand.Text()[:12], Date: day, Page: fmt.Sprintf("/page/%d", i%10)}
			if err := repo.Create(ctx, &last); err != nil {
				return 0, err
			}
		}
		return n, nil
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "point read of click "+last.ID+" in "+last.PartitionKey(), func(ctx context.Context) (int, error) {
		_, err := repo.Get(ctx, last.Key())
		return 1, err
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "the same click, found without its suffix", func(ctx context.Context) (int, error) {
		_, err := repo.FindInBuckets(ctx, last.ID, day)
		return 1, err
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "the whole day, a fan-out over 400 buckets", func(ctx context.Context) (int, error) {
		return count(repo.ByDate(day).All(ctx))
	})
	if err != nil {
		return err
	}
	return r.print()
}
