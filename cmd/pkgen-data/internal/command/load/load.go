package load

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Command is pkgen-data load.
func Command() cli.Command {
	return cli.Command{
		Name: "load",
		Help: "store the documents of a file in a container",
		About: "Stores each document of a file, and replaces a stored document that has the same key and id. After a crash, run it again to resume. " +
			"COSMOS_CONNECTION_STRING names the account. Refused lines are listed, and make the exit code 1.",
		Examples: [][2]string{
			{"pkgen-data load -container orders -in orders.ndjson.gz", ""},
			{"pkgen-data load -container orders -keep -budget 400 -in orders.ndjson", "missing ones only"},
		},
		Bind: bindLoadContainer,
	}
}

// loadingFile holds the flags of pkgen-data load.
type loadingFile struct {
	target.Place

	in, position         *string
	budget               *float64
	workers              *int
	keep, create, dryRun *bool
	format               *cli.Choice
}

// bindLoadContainer declares the flags of pkgen-data load.
func bindLoadContainer(flags *flag.FlagSet) cli.Action {
	l := &loadingFile{
		Place:    target.NewPlace(flags, "the container with this `id`"),
		in:       flags.String("in", "", "the `file`, or - for standard input; gzip, zstd or plain"),
		position: flags.String("position", "", "the `file` that records progress; - for none"),
		budget:   target.NewBudget(flags),
		workers:  flags.Int("workers", 32, "the number of concurrent `writes`"),
		keep:     flags.Bool("keep", false, "keep documents that the container already has"),
		create:   flags.Bool("create", false, "create a missing container from the file's first line"),
		dryRun:   flags.Bool("dry-run", false, "write nothing; show what a run would do"),
		format:   cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON),
	}
	return l.run
}

// loadReport is what -format json prints.
type loadReport struct {
	Database  string `json:"database"`
	Container string `json:"container"`
	fixtures.Loaded
	Charge float64 `json:"requestUnits"` // of this run
	DryRun bool    `json:"dryRun"`       // nothing was written
	Made   bool    `json:"made"`         // the container was made, or would be
}

// run loads a file.
func (l *loadingFile) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := l.load(ctx, args, stderr)
	interrupted := errors.Is(err, context.Canceled)
	if report != nil && !interrupted {
		var printed error
		if l.format.Value == cli.FormatJSON {
			printed = cli.WriteJSON(stdout, report)
		} else {
			_, printed = io.WriteString(stdout, loadText(report))
		}
		err = errors.Join(err, printed)
	}
	switch {
	case interrupted:
		return cli.Fail(stderr, target.Again(l.positionName() != ""))
	case err != nil:
		return cli.Fail(stderr, err)
	case report.Refused > 0:
		return cli.Found
	}
	return cli.Done
}

// loadText formats a report for people.
func loadText(r *loadReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "container %s of database %s", plain.Word(r.Container), plain.Word(r.Database))
	if r.DryRun && r.Made {
		b.WriteString(" would be made")
	}
	stored, there := "stored", "were"
	if r.DryRun {
		stored, there = "would be stored", "are"
	}
	fmt.Fprintf(&b, ": %s %s", cli.HowMany(int(r.Documents), "document"), stored)
	if r.Kept > 0 {
		fmt.Fprintf(&b, ", %d that %s there kept", r.Kept, there)
	}
	fmt.Fprintf(&b, ", %s refused, %.0f RU\n", cli.HowMany(int(r.Refused), "line"), r.Charge)
	for _, f := range r.Refusals {
		id := ""
		if f.ID != "" {
			id = fmt.Sprintf("id %q ", f.ID)
		}
		fmt.Fprintf(&b, "\tline %d: %s%s\n", f.Line, id, plain.Text(f.Reason))
	}
	if more := r.Refused - int64(len(r.Refusals)); more > 0 {
		fmt.Fprintf(&b, "\tand %d more: correct these first\n", more)
	}
	return b.String()
}

// positionName returns the file with the position of a run, or "".
func (l *loadingFile) positionName() string {
	switch {
	case *l.position == "-" || *l.position == "" && *l.in == "-":
		return ""
	case *l.position == "":
		return *l.in + "." + filepath.Base(*l.Container) + ".position"
	}
	return *l.position
}

func (l *loadingFile) load(ctx context.Context, args []string, stderr io.Writer) (*loadReport, error) {
	if err := errors.Join(cli.TakesNone("load", args), l.Needed("load"), target.CheckBudget(*l.budget)); err != nil {
		return nil, err
	}
	if *l.in == "" || *l.workers < 1 {
		return nil, errors.New("load needs a file, by -in FILE or -in - for standard input, and -workers of 1 or more")
	}
	if *l.in == "-" && l.positionName() != "" {
		return nil, errors.New("standard input has no position, because its text may change: load a file by -in FILE, or leave -position out")
	}
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	a.Budget(*l.budget)
	in, input := os.Stdin, ""
	if *l.in != "-" {
		if in, err = os.Open(*l.in); err != nil {
			return nil, err
		}
		defer func() { _ = in.Close() }() // read only
		info, err := in.Stat()
		if err != nil {
			return nil, err
		}
		input = fmt.Sprintf("%d bytes of %s", info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05.999999999Z"))
	}
	var documents atomic.Int64
	defer cli.ProgressOf(stderr, func() string {
		return fmt.Sprintf("loading container %s: %d documents, %.0f RU", plain.Word(*l.Container), documents.Load(), a.Spent())
	})()
	c, err := l.Find(ctx, a)
	missing := account.NotFound(err)
	if missing && *l.create {
		c, err = l.make(ctx, a)
	} else if missing {
		err = fmt.Errorf("%w, or add -create, which creates the container from the first line of the file", err)
	}
	if err != nil {
		return nil, err
	}
	o := fixtures.LoadOptions{Account: a, Container: c, In: in, Input: input, Position: l.positionName(), Keep: *l.keep && (!missing || !*l.dryRun), Workers: *l.workers, DryRun: *l.dryRun, Told: documents.Store}
	done, err := fixtures.Load(ctx, o)
	return &loadReport{c.Database, c.ID, done, a.Spent(), *l.dryRun, missing}, err
}

// make creates the container of -container from the first line of the file, except in a dry run.
func (l *loadingFile) make(ctx context.Context, a *account.Account) (*account.Container, error) {
	if *l.in == "-" {
		return nil, errors.New("-create reads the first line before the container exists, so -in must be a file: name one")
	}
	file, err := os.Open(*l.in)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only
	database, id, both := strings.Cut(*l.Container, "/")
	if !both {
		database, id = *l.Database, *l.Container
	}
	database, settings, err := fixtures.Settings(file, database, id)
	if err != nil {
		return nil, err
	}
	if *l.dryRun {
		c := &account.Container{Database: database, ID: id}
		return c, json.Unmarshal(settings, c)
	}
	if _, err := a.CreateContainer(ctx, database, settings); err != nil {
		return nil, err
	}
	return a.Container(ctx, database, id)
}
