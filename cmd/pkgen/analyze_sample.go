package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/reads"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/sample"
)

// analyze reads the sample, and returns its report.
func (a *analyzing) analyze(ctx context.Context, patterns []string, stderr io.Writer) (*analyze.Report, error) {
	setGCPercent(100) // the tables of keys live until the end
	if err := a.check(); err != nil {
		return nil, err
	}
	entry, err := a.entry(ctx, patterns)
	if err != nil {
		return nil, err
	}
	options := analyze.Options{Type: entry.Type, Discriminator: entry.Discriminator, Partitions: a.partitions}
	if options.Layouts, err = a.options(entry); err != nil {
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
	log.write(report)
	if program != nil {
		for i, l := range report.Layouts {
			o := options.Layouts[i]
			l.Reads = program.Under(reads.Container{Layout: o.Layout, Own: o.Current, Bytes: int(report.Average), Physical: physical(l)})
		}
	}
	report.Judge(a.limits)
	return report, nil
}

// physical returns the number of physical partitions that reads are counted for: the
// container's own, or the first one of the flags.
func physical(l *analyze.Layout) int {
	for _, s := range l.Partitions {
		if s.Own {
			return s.Physical
		}
	}
	return l.Partitions[0].Physical
}

// program returns the calls of -calls; nil if there are none.
func (a *analyzing) program(entry lock.Entry) (*reads.Program, error) {
	if *a.calls == "" {
		return nil, nil
	}
	file, err := os.Open(*a.calls)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	calls, err := reads.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(*a.calls), err)
	}
	return reads.New(entry, calls, a.layouts...)
}

// read reads the sample that the flags name.
func (a *analyzing) read(ctx context.Context, options analyze.Options, log *logged, stderr io.Writer) (*analyze.Report, error) {
	if *a.in == "" && *a.container == "" { // the log alone
		return &analyze.Report{Sample: analyze.Sample{Share: 1}, Layouts: []*analyze.Layout{}}, nil
	}
	var documents atomic.Int64
	source := *a.in
	if *a.container != "" {
		source = *a.container
	}
	defer progressOf(stderr, func() string { return fmt.Sprintf("reading %s: %d documents", plain.Word(source), documents.Load()) })()
	if *a.container != "" {
		return a.readContainer(ctx, options, log, &documents)
	}
	in := io.Reader(os.Stdin)
	if source != "-" {
		file, err := os.Open(source) //nolint:gosec // who runs the program names the file
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	c := analyze.New(options)
	if err := collect(ctx, c, log, in, &documents); err != nil {
		return nil, fmt.Errorf("%s: %w", shownSource(source), err)
	}
	report := c.Report()
	report.Sample = analyze.Sample{Source: source, Share: 1}
	if report.Documents == 0 {
		return nil, fmt.Errorf("%s: %w", shownSource(source), noDocuments(report))
	}
	return report, nil
}

// shownSource names a file for people.
func shownSource(source string) string {
	if source == "-" {
		return "standard input"
	}
	return shown(source)
}

// noDocuments says why a sample has no documents.
func noDocuments(r *analyze.Report) error {
	switch {
	case r.Invalid > 0:
		return fmt.Errorf("no line is a document: line %d: %s", r.InvalidLines[0].Line, r.InvalidLines[0].Reason)
	case r.Others > 0:
		return errors.New("no document is of the type: check -type")
	}
	return errors.New("there are no documents")
}

// collect gives the documents of a text to a collector.
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

// readContainer reads a container.
func (a *analyzing) readContainer(ctx context.Context, options analyze.Options, log *logged, documents *atomic.Int64) (*analyze.Report, error) {
	from, err := openAccount()
	if err != nil {
		return nil, err
	}
	from.Pace(*a.rate)
	container, err := from.Find(ctx, *a.database, *a.container)
	if err != nil {
		return nil, err
	}
	ranges, err := from.Ranges(ctx, container)
	if err != nil {
		return nil, err
	}
	for _, r := range ranges {
		options.Bounds = append(options.Bounds, r.Min)
	}
	seed := *a.seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	c := analyze.New(options)
	share := *a.sample / 100
	if share == 0 {
		share = 1
	}
	plan := account.Sampling{Share: share, Budget: *a.budget, Rand: rand.New(rand.NewPCG(seed, 0)), Told: documents.Store}
	read := int64(0)
	s, err := from.Sample(ctx, container, plan, func(page []json.RawMessage) {
		for _, d := range page {
			read++
			c.Add(read, d)
			log.add(d)
		}
	})
	if err != nil {
		return nil, err
	}
	report := c.Report()
	report.Sample = sampleOf(s, *a.container)
	return report, nil
}

// sampleOf describes what was read of a container.
func sampleOf(s *account.Sample, container string) analyze.Sample {
	to := analyze.Sample{Source: container, Container: true, Share: s.Share, RequestUnits: s.Charge, Stopped: s.Stopped}
	if s.Of > 1 {
		to.Windows = s.Windows
		to.Error = fmt.Sprintf("a window has all documents of a key or none, so that each key is missed with a probability of %.0f%%, a hot one too", 100*(1-s.Share))
	}
	if e := s.Estimate; e != nil && s.Of > 1 {
		to.Error += fmt.Sprintf("; the container has %.0f ± %.0f documents, with a confidence of 95%%", e.Documents, e.Error)
	}
	for _, p := range s.Statistics.Partitions {
		stored := analyze.StoredPartition{ID: p.ID, Documents: p.Documents, Bytes: p.Bytes}
		for _, k := range p.Keys {
			stored.Keys = append(stored.Keys, analyze.StoredKey{Key: k.Key, Bytes: k.Bytes})
		}
		to.Partitions = append(to.Partitions, stored)
	}
	return to
}
