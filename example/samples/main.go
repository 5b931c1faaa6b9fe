// Samples writes documents as services have them, one JSON object a line: what to
// look at a key with before the first real document is stored, and what to fill an
// emulator with.
//
//	go run ./example/samples -shape vehicles -n 100000 > vehicles.ndjson
//	go run ./example/samples -shape orders -n 100000 -load > orders.ndjson
//	go run ./cmd/pkgen-emulator -load orders.ndjson
//
// The shapes are
//
//   - vehicles: signals of a fleet, with names of the Vehicle Signal Specification;
//     documents of package fleet
//   - clicks: page views and clicks of a site, with names of Snowplow's tracker;
//     documents of package clickstream
//   - orders: orders of 500 tenants; the largest tenant has 40 % of them; documents of
//     package shop
//
// The documents have more properties than the Go types. Their times begin on
// 2018-08-09 and never go back; there are more by day than at night. The same flags
// write the same bytes on every machine. No document is about a real person,
// vehicle or company.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "samples:", err)
		os.Exit(2)
	}
}

// run writes what args ask for.
func run(ctx context.Context, args []string, out, stderr io.Writer) error {
	flags := flag.NewFlagSet("samples", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("shape", "", "write documents of this `shape`: "+strings.Join(names(), ", "))
	n := flags.Int("n", 10_000, "write this `number` of documents")
	seed := flags.Uint64("seed", 1, "draw the documents by this `number`")
	load := flags.Bool("load", false, "begin with the line of a container, as pkgen-emulator -load reads it")
	span := flags.Duration("span", 72*time.Hour, "spread the documents over this `time`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unknown argument %q: -shape names what to write", flags.Arg(0))
	case *n < 0:
		return errors.New("-n is negative: write 0 documents or more")
	case *span < time.Second || *span > longest:
		return fmt.Errorf("-span is %s: spread the documents over %s to %s", *span, time.Second, longest)
	}
	chosen, container, err := newShape(*name, *seed)
	if err != nil {
		return err
	}
	if *load {
		if _, err := out.Write(container); err != nil {
			return err
		}
	}
	return write(ctx, chosen, newClock(*n, *span), out, newProgress(stderr, out))
}

// write writes a document for each moment of a clock.
func write(ctx context.Context, s shape, c *clock, out io.Writer, told *progress) error {
	w := bufio.NewWriterSize(out, 1<<16)
	defer told.clear()
	var line []byte
	for i := range c.n {
		if i%1024 == 0 {
			if ctx.Err() != nil {
				return errors.Join(w.Flush(), errors.New("interrupted"))
			}
			told.tell(i, c.n)
		}
		line = append(s.document(line[:0], c.next(i, s.draws())), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}
