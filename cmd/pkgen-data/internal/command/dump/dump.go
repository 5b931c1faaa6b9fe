package dump

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Command is pkgen-data dump.
func Command() cli.Command {
	return cli.Command{
		Name: "dump",
		Help: "write the documents of a container to a file",
		About: "Writes a container as NDJSON: one line with its settings, and one line for each document. pkgen-data load and pkgen-emulator -load read the file. " +
			"After a crash, run it again to resume. COSMOS_CONNECTION_STRING names the account. Reading costs request units.",
		Examples: [][2]string{
			{"pkgen-data dump -container orders -o orders.ndjson.gz", ""},
			{"pkgen-data dump -container orders -budget 400 -o orders.ndjson.zst", "at most 400 RU/s"},
		},
		Bind: bindDumpContainer,
	}
}

// dumping holds the flags of pkgen-data dump.
type dumping struct {
	target.Place

	out    *string
	budget *float64
	system *bool
	format *cli.Choice
}

// bindDumpContainer declares the flags of pkgen-data dump.
func bindDumpContainer(flags *flag.FlagSet) cli.Action {
	d := &dumping{
		Place:  target.NewPlace(flags, "the container with this `id`"),
		out:    flags.String("o", "-", "the `file`; compressed if it ends in .gz or .zst"),
		budget: target.NewBudget(flags),
		system: flags.Bool("system", false, "keep _ts, _etag and other system properties"),
		format: cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON),
	}
	return d.run
}

// dumpReport is what -format json prints.
type dumpReport struct {
	Database  string  `json:"database"`
	Container string  `json:"container"`
	Documents int64   `json:"documents"`
	Charge    float64 `json:"requestUnits"` // of this run
	File      string  `json:"file"`
}

// run dumps a container.
func (d *dumping) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := d.dump(ctx, args, stdout, stderr)
	switch {
	case errors.Is(err, context.Canceled):
		return cli.Fail(stderr, target.Again(*d.out != "-"))
	case err == nil && *d.out == "-": // the documents are on standard output
	case err == nil && d.format.Value == cli.FormatJSON:
		err = cli.WriteJSON(stdout, report)
	case err == nil:
		_, err = fmt.Fprintf(stdout, "container %s of database %s: %s to %s, %.0f RU\n", plain.Word(report.Container), plain.Word(report.Database), cli.HowMany(int(report.Documents), "document"), plain.Word(report.File), report.Charge)
	}
	if err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}

func (d *dumping) dump(ctx context.Context, args []string, stdout, stderr io.Writer) (*dumpReport, error) {
	if err := errors.Join(cli.TakesNone("dump", args), d.Needed("dump"), target.CheckBudget(*d.budget)); err != nil {
		return nil, err
	}
	if *d.out == "-" && d.format.Value == cli.FormatJSON {
		return nil, errors.New("standard output has the documents, so a JSON report cannot be printed there: name a file by -o")
	}
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	a.Budget(*d.budget)
	var documents atomic.Int64
	defer cli.ProgressOf(stderr, func() string {
		return fmt.Sprintf("dumping container %s: %d documents", plain.Word(*d.Container), documents.Load())
	})()
	c, err := d.Find(ctx, a)
	if err != nil {
		return nil, err
	}
	o := fixtures.DumpOptions{Account: a, Container: c, To: stdout, System: *d.system, Told: documents.Store}
	if *d.out != "-" {
		o.Out = *d.out
	}
	done, err := fixtures.Dump(ctx, o)
	return &dumpReport{c.Database, c.ID, done.Documents, a.Spent(), *d.out}, err
}
