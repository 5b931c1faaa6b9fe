package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// day is that of all readings.
const day = "2018-08-09"

// count is how many readings there are, of nearly as many devices.
const count = 100

// readings are the same each time.
func readings() []Reading {
	all := make([]Reading, count)
	begin := time.Date(2018, 8, 9, 6, 0, 0, 0, time.UTC)
	for i := range all {
		all[i] = Reading{
			ID:     fmt.Sprintf("r%03d", i),
			Date:   day,
			Device: fmt.Sprintf("device-%02d", i*37%91),
			At:     begin.Add(time.Duration(i) * 731 * time.Millisecond),
			Value:  float64(i%40) / 4,
		}
	}
	return all
}

// page stores the readings by each API, reads them back, and writes what came of it:
// a column for each API.
func page(ctx context.Context, w io.Writer, stores []store) error {
	titles := []string{"", "key of r007", "100 creates", "a point read", "a day, of 20 buckets", "its values above 9", "read back unchanged", "keys as of NoSQL"}
	rows := make([][]string, len(titles))
	for i, title := range titles {
		rows[i] = []string{title}
	}
	for _, s := range stores {
		cells, err := column(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.api, err)
		}
		for i, cell := range cells {
			rows[i] = append(rows[i], cell)
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// column returns what one API did.
func column(ctx context.Context, s store) ([]string, error) {
	all := readings()
	keys := 0
	creating, requests := metered(ctx)
	for _, r := range all {
		if err := s.create(creating, r); err != nil {
			return nil, err
		}
		if s.key(r) == r.PartitionKey() {
			keys++
		}
	}
	cells := []string{s.api, s.key(all[7]), asked(requests())}

	reading, requests := metered(ctx)
	got, err := s.get(reading, all[7])
	if err != nil {
		return nil, err
	}
	unchanged := sameReading(*got, all[7])
	cells = append(cells, asked(requests()))

	reading, requests = metered(ctx)
	found, err := s.ofDate(reading, day)
	if err != nil {
		return nil, err
	}
	cells = append(cells, asked(requests()))

	reading, requests = metered(ctx)
	high, err := s.above(reading, day, 9)
	if err != nil {
		return nil, err
	}
	cells = append(cells, fmt.Sprintf("%d, by %s", len(high), asked(requests())))

	slices.SortFunc(found, func(a, b Reading) int { return strings.Compare(a.ID, b.ID) })
	back := 0
	for i := range min(len(found), len(all)) {
		if unchanged && len(found) == len(all) && sameReading(found[i], all[i]) {
			back++
		}
	}
	return append(cells, fmt.Sprintf("%d of %d", back, count), fmt.Sprintf("%d of %d", keys, count)), nil
}

// asked says a number of requests.
func asked(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

// sameReading reports whether a reading that was read is the one that was stored, in
// the partition that its fields make.
func sameReading(got, want Reading) bool {
	at := got.At.Equal(want.At) && got.Stored == want.PartitionKey()
	got.At, got.Stored = want.At, want.Stored
	return at && got == want
}
