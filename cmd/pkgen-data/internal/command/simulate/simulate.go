package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate/charts"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Command is pkgen-data simulate.
func Command() cli.Command {
	return cli.Command{
		Name: "simulate", Arguments: "SCENARIO",
		Help: "run a load against several layouts, in virtual time",
		About: "Runs the operations of a scenario file under each of its layouts, against physical partitions with budgets of request units, " +
			"and compares throughput, 429s and latencies. It sends no requests and reads no clock: a scenario and a seed give the same figures on every machine.",
		Examples: [][2]string{
			{"pkgen-data simulate fleet/rush-hour.json", ""},
			{"pkgen-data simulate -seed 2 -o rush-hour.html fleet/rush-hour.json", "a page with charts"},
		},
		Bind: bindSimulate,
	}
}

// simulating holds the flags of pkgen-data simulate.
type simulating struct {
	seed   *uint64
	output *string
	format *cli.Choice
}

// bindSimulate declares the flags of pkgen-data simulate.
func bindSimulate(flags *flag.FlagSet) cli.Action {
	s := &simulating{
		seed:   flags.Uint64("seed", 1, "the `number` that seeds arrivals and documents"),
		output: flags.String("o", "", "write a chart to this `file`: .svg, or .html for a page"),
		format: cli.NewChoice(flags, "format", cli.FormatText, "how figures are printed", cli.FormatText, cli.FormatJSON),
	}
	return s.run
}

// run runs a scenario.
func (s *simulating) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	r, err := s.simulate(ctx, args, stderr)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if err := s.print(stdout, r); err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}

// simulate runs the scenario of a file, and draws the result.
func (s *simulating) simulate(ctx context.Context, args []string, stderr io.Writer) (*simulate.Report, error) {
	if len(args) != 1 {
		return nil, errors.New("name one scenario file: pkgen-data simulate SCENARIO")
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
	defer cli.Progress(stderr, "simulating")()
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
	if s.format.Value == cli.FormatJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "\t")
		return encoder.Encode(r)
	}
	_, err := io.WriteString(w, simulationText(r))
	return err
}

// simulationText formats a report for people.
func simulationText(r *simulate.Report) string {
	var b strings.Builder
	if r.Title != "" {
		fmt.Fprintf(&b, "%s\n", plain.Word(r.Title))
	}
	clients := "operations arrive by their rates"
	if r.Clients > 0 {
		clients = cli.HowMany(r.Clients, "client")
	}
	fmt.Fprintf(&b, "%s of %.5g RU/s each, %s, %s, seed %d\n\n", cli.HowMany(r.Partitions, "physical partition"),
		r.Throughput/float64(r.Partitions), cli.HowMany(r.Seconds, "second"), clients, r.Seed)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "completed/s\tsustained/s\tof %d\t429s\tfailed\tunfinished\tRU/s\tp50 ms\tp90\tp99\tmax\t  layout\n", r.Partitions)
	for _, l := range r.Layouts {
		fmt.Fprintf(table, "%.1f\t%.1f\t%.2f\t%d\t%d\t%d\t%.0f\t%s\t  %s\n", l.PerSecond, l.Sustainable, l.Effective, l.Throttled, l.Failed, l.Unfinished,
			l.RequestUnits/float64(r.Seconds), latencyCells(l.Latency), plain.Word(l.Layout))
	}
	_ = table.Flush() // a Builder returns no error
	b.WriteString("\nRU/s of each physical partition\n")
	for _, l := range r.Layouts {
		fmt.Fprintf(&b, "\t%s:", plain.Word(l.Layout))
		for _, p := range l.Physical {
			fmt.Fprintf(&b, " %.0f", p.RequestUnits/float64(r.Seconds))
		}
		b.WriteString("\n")
	}
	if len(r.Layouts[0].Methods) > 1 {
		b.WriteString("\n" + methodsText(r))
	}
	if len(r.Layouts[0].Indexes) > 0 {
		b.WriteString("\n" + indexesText(r))
	}
	return b.String()
}

// indexesText writes the figures of each index under each layout.
func indexesText(r *simulate.Report) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "queries/s\t429s\tfailed\tRU/s for queries\tfor changes\tprovided\tlag p50 ms\tp99\tmax\twaiting\toldest ms\t  index under layout\n")
	for i := range r.Layouts[0].Indexes {
		for _, l := range r.Layouts {
			x := l.Indexes[i]
			fmt.Fprintf(table, "%.1f\t%d\t%d\t%.0f\t%.0f\t%.5g\t%.0f\t%.0f\t%.0f\t%d\t%.0f\t  %s under %s\n", float64(x.Completed)/float64(r.Seconds), x.Throttled, x.Failed,
				x.QueryUnits/float64(r.Seconds), x.ApplyingUnits/float64(r.Seconds), x.Throughput, x.Lag.P50, x.Lag.P99, x.Lag.Max, x.Waiting, x.Oldest,
				plain.Word(x.Layout), plain.Word(l.Layout))
		}
	}
	_ = table.Flush() // a Builder returns no error
	return b.String()
}

// methodsText writes the figures of each operation under each layout.
func methodsText(r *simulate.Report) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "completed/s\t429s\tfailed\tRU/s\tp50 ms\tp90\tp99\tmax\t  operation under layout\n")
	for i, m := range r.Layouts[0].Methods {
		for _, l := range r.Layouts {
			of := l.Methods[i]
			fmt.Fprintf(table, "%.1f\t%d\t%d\t%.0f\t%s\t  %s %s\n", float64(of.Completed)/float64(r.Seconds), of.Throttled, of.Failed,
				of.RequestUnits/float64(r.Seconds), latencyCells(of.Latency), plain.Word(m.Name), plain.Word(l.Layout))
		}
	}
	_ = table.Flush() // a Builder returns no error
	return b.String()
}

// latencyCells are the percentiles of a latency.
func latencyCells(l simulate.Latency) string {
	return fmt.Sprintf("%.4g\t%.4g\t%.4g\t%.4g", l.P50, l.P90, l.P99, l.Max)
}
