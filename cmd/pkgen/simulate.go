package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/simulate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/simulate/charts"
)

// simulating holds the flags of pkgen simulate.
type simulating struct {
	seed   *uint64
	output *string
	format *choice
}

// bindSimulate is pkgen simulate.
func bindSimulate(flags *flag.FlagSet) action {
	s := &simulating{
		seed:   flags.Uint64("seed", 1, "draw arrivals and documents by this `number`"),
		output: flags.String("o", "", "draw the throughput into this `file`: .svg, .png or a page, .html"),
		format: newChoice(flags, "format", formatText, "how figures are printed", formatText, formatJSON),
	}
	return s.run
}

// run runs a scenario.
func (s *simulating) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	r, err := s.simulate(ctx, args, stderr)
	if err != nil {
		return fail(stderr, err)
	}
	if err := s.print(stdout, r); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

// simulate runs the scenario of a file, and draws what comes of it.
func (s *simulating) simulate(ctx context.Context, args []string, stderr io.Writer) (*simulate.Report, error) {
	if len(args) != 1 {
		return nil, errors.New("name one scenario file: pkgen simulate SCENARIO")
	}
	if *s.output != "" {
		if err := charts.CheckPath(*s.output); err != nil {
			return nil, err
		}
	}
	scenario, err := simulate.Read(args[0])
	if err != nil {
		return nil, err
	}
	defer progress(stderr, "simulating")()
	r, err := scenario.Run(ctx, *s.seed)
	if err != nil {
		return nil, err
	}
	if *s.output != "" {
		err = charts.Write(*s.output, r)
	}
	return r, err
}

// print prints a report.
func (s *simulating) print(w io.Writer, r *simulate.Report) error {
	if s.format.value == formatJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "\t")
		return encoder.Encode(r)
	}
	_, err := io.WriteString(w, simulationText(r))
	return err
}
