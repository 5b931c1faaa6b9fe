package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"text/tabwriter"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// A report is a table of what was done and what that cost.
type report struct {
	out  io.Writer
	rows *tabwriter.Writer
}

// newReport begins the table of one kind of document.
func newReport(out io.Writer, title, layout string) *report {
	fmt.Fprintf(out, "\n%s: %s\n", title, layout)
	r := &report{out: out, rows: tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)}
	fmt.Fprintln(r.rows, "documents\trequests\trequest units\ttime\t")
	return r
}

// do runs an operation, which returns how many documents it touched, and adds
// it to the table.
func (r *report) do(ctx context.Context, what string, operation func(context.Context) (int, error)) error {
	var meter repository.Meter
	start := time.Now()
	documents, err := operation(repository.WithMeter(ctx, &meter))
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Fprintf(r.rows, "%d\t%d\t%.1f\t%s\t  %s\n",
		documents, meter.Requests(), meter.RequestUnits(), time.Since(start).Round(100*time.Microsecond), what)
	return nil
}

// notef adds a line below the table.
func (r *report) notef(format string, values ...any) {
	fmt.Fprintf(r.rows, format+"\n", values...)
}

// print ends the table.
func (r *report) print() error { return r.rows.Flush() }

// count runs a query, or a change feed, to its end and returns the number of
// documents.
func count[T any](all iter.Seq2[T, error]) (int, error) {
	n := 0
	for _, err := range all {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
