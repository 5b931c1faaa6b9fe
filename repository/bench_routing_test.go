package repository_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// BenchmarkRouting compares a point read in a type with several containers with one in a
// type with one container, without a network. Both are measured in turns of 50 reads; the
// ratio of their times is the median of all pairs of turns.
func BenchmarkRouting(b *testing.B) {
	_, client := kit.NewWireClient(b, `{"id":"a1","device":"d1","at":"2024-01-05T12:00:00.0000000Z","pk":"d1-2024-01-05"}`)
	db, err := client.NewDatabase("db")
	if err != nil {
		b.Fatal(err)
	}
	container, err := db.NewContainer(kit.Window(1))
	if err != nil {
		b.Fatal(err)
	}
	one := *fixtures.ReadingModel
	one.Containers = nil
	plain, routed := repository.New(container, &one), repository.NewIn(db, fixtures.ReadingModel)
	ctx, key := context.Background(), kit.ReadingAt("a1", 1, 5).Key()
	turn := func(d *repository.Documents[fixtures.Reading, fixtures.ReadingKey]) float64 {
		start := time.Now()
		for range 50 {
			if _, err := d.Get(ctx, key); err != nil {
				b.Fatal(err)
			}
		}
		return float64(time.Since(start)) / 50
	}
	var ratios, times []float64
	for i := 0; b.Loop(); i++ {
		var a, r float64
		if i%2 == 0 {
			a, r = turn(plain), turn(routed)
		} else {
			r, a = turn(routed), turn(plain)
		}
		ratios, times = append(ratios, r/a), append(times, a)
	}
	slices.Sort(ratios)
	slices.Sort(times)
	b.ReportMetric(ratios[len(ratios)/2], "routed/plain")
	b.ReportMetric(times[len(times)/2], "plain-ns")
}
