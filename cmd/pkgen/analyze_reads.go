package main

import (
	"fmt"
	"os"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/reads"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

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
	if err == nil {
		var p *reads.Program
		if p, err = reads.New(entry, calls, a.layouts...); err == nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", shown(*a.calls), err)
}

// countReads writes what calls cost into a report: on the container's own number of
// physical partitions, or the first one of the flags, and on the other numbers.
func countReads(r *analyze.Report, program *reads.Program, o analyze.Options) {
	if program == nil {
		return
	}
	for i, l := range r.Layouts {
		in := reads.Container{Layout: o.Layouts[i].Layout, Own: o.Layouts[i].Current, Bytes: int(r.Average)}
		for _, s := range l.Partitions {
			in.Physical = s.Physical
			under := program.Under(in)
			switch {
			case l.Reads == nil:
				l.Reads = under
			case s.Own:
				under.Others = append([]*analyze.Reads{l.Reads}, l.Reads.Others...)
				l.Reads.Others = nil
				l.Reads = under
			default:
				l.Reads.Others = append(l.Reads.Others, under)
			}
		}
	}
}
