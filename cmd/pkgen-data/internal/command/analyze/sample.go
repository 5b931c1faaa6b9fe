package analyze

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/reads"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/sample"
)

// analyzeGCPercent is GOGC of pkgen-data analyze. Tables of keys live until the end and contain no
// pointers, so collections are cheap.
const analyzeGCPercent = 50

// analyze reads the sample, and returns its report.
func (a *analyzing) analyze(ctx context.Context, patterns []string, stderr io.Writer) (*analyze.Report, error) {
	cli.SetGCPercent(analyzeGCPercent)
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.usage != "" {
		used, err := a.used()
		return &analyze.Report{Sample: analyze.Sample{Share: 1}, Layouts: []*analyze.Layout{}, Usage: used}, err
	}
	entry, err := a.entry(ctx, patterns)
	if err != nil {
		return nil, err
	}
	options := analyze.Options{Type: entry.Type, Discriminator: entry.Discriminator, Partitions: a.partitions}
	if options.Layouts, err = a.options(entry); err != nil {
		return nil, err
	}
	if options.Indexes, err = a.keysOfIndexes(entry, options.Layouts); err != nil {
		return nil, err
	}
	if err := a.checkSeries(options); err != nil {
		return nil, err
	}
	if options.Times, err = a.times(entry); err != nil {
		return nil, err
	}
	program, err := a.program(entry)
	if err != nil {
		return nil, err
	}
	log, err := a.openLog(entry, options)
	if err != nil {
		return nil, err
	}
	report, err := a.read(ctx, options, log, stderr)
	if err != nil {
		return nil, err
	}
	if err := a.misnamed(report); err != nil {
		return nil, err
	}
	log.write(report)
	countReads(report, program, options)
	report.Judge(a.limits)
	return report, nil
}

// read reads the sample in the flags.
func (a *analyzing) read(ctx context.Context, options analyze.Options, log *logged, stderr io.Writer) (*analyze.Report, error) {
	if *a.in == "" && *a.Container == "" { // only the log
		return &analyze.Report{Sample: analyze.Sample{Share: 1}, Layouts: []*analyze.Layout{}}, nil
	}
	var documents atomic.Int64
	source := *a.in
	if *a.Container != "" {
		source = *a.Container
	}
	defer cli.ProgressOf(stderr, func() string { return fmt.Sprintf("reading %s: %d documents", plain.Word(source), documents.Load()) })()
	if *a.Container != "" {
		return a.readContainer(ctx, options, log, &documents)
	}
	in := io.Reader(os.Stdin)
	if source != "-" {
		file, err := os.Open(source) //nolint:gosec // who runs the program names the file
		if err != nil {
			return nil, err
		}
		defer file.Close() //nolint:errcheck // it was read
		in = file
	}
	c := analyze.New(options)
	if err := collectUntil(ctx, c, log, in, &documents); err != nil {
		return nil, fmt.Errorf("%s: %w", shownSource(source), err)
	}
	report := c.Report()
	report.Sample = analyze.Sample{Source: source, Share: 1}
	if report.Documents == 0 {
		return nil, fmt.Errorf("%s: %w", shownSource(source), noDocuments(report))
	}
	return report, nil
}

// shownSource returns the name of a file for messages.
func shownSource(source string) string {
	if source == "-" {
		return "standard input"
	}
	return cli.Shown(source)
}

// noDocuments returns why a sample has no documents.
func noDocuments(r *analyze.Report) error {
	switch {
	case r.Others > 0:
		return errors.New("no document is of the type: check -type")
	case r.Invalid > 0:
		return fmt.Errorf("no line is a document: line %d: %s; a sample has an object in each line, or is an array of objects", r.InvalidLines[0].Line, r.InvalidLines[0].Reason)
	}
	return errors.New("there are no documents")
}

// collectUntil is collect, but returns when ctx ends even if a pipe blocks. Its goroutine then
// keeps waiting: the process is about to end.
func collectUntil(ctx context.Context, c *analyze.Collector, log *logged, in io.Reader, documents *atomic.Int64) error {
	done := make(chan error, 1)
	go func() { done <- collect(ctx, c, log, in, documents) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// collect passes the documents of a text to a collector.
func collect(ctx context.Context, c *analyze.Collector, log *logged, in io.Reader, documents *atomic.Int64) error {
	reader, err := sample.NewReader(in)
	if err != nil {
		return err
	}
	for n := int64(1); ; n++ {
		d, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case d.Problem != "":
			c.Invalid(d.Line, "the document "+d.Problem)
		default:
			c.Add(d.Line, d.Text)
			log.add(d.Text)
		}
		if n%1024 == 0 {
			documents.Store(n)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
}

// program returns the calls in -calls; nil if there are none.
func (a *analyzing) program(entry lock.Entry) (*reads.Program, error) {
	if a.calls == "" {
		return nil, nil
	}
	file, err := os.Open(a.calls)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was read
	calls, err := reads.Parse(file)
	if err == nil {
		var p *reads.Program
		if p, err = reads.New(entry, calls, a.layouts, a.indexes...); err == nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", cli.Shown(a.calls), err)
}

// countReads adds the cost of calls to a report: for the container's own number of physical
// partitions, or the lowest one in the flags, and for the other numbers.
func countReads(r *analyze.Report, program *reads.Program, o analyze.Options) {
	if program == nil {
		return
	}
	for i, l := range r.Layouts {
		in := reads.Container{Layout: o.Layouts[i].Layout, Own: o.Layouts[i].Current, Bytes: int(r.Average)}
		numbers := decisiveFirst(l)
		for _, in.Physical = range numbers {
			if under := program.Under(in); l.Reads == nil {
				l.Reads = under
			} else {
				l.Reads.Others = append(l.Reads.Others, under)
			}
		}
		for j, x := range r.Indexes {
			var use *analyze.IndexUse
			for _, in.Physical = range numbers {
				if with := program.WithIndex(in, o.Indexes[j]); use == nil {
					use = with
				} else {
					use.Others = append(use.Others, with)
				}
			}
			x.Uses = append(x.Uses, use)
		}
	}
}

// decisiveFirst returns the numbers of physical partitions of a layout, the container's own first.
func decisiveFirst(l *analyze.Layout) (numbers []int) {
	for _, s := range l.Partitions {
		if s.Own {
			numbers = append([]int{s.Physical}, numbers...)
		} else {
			numbers = append(numbers, s.Physical)
		}
	}
	return numbers
}
