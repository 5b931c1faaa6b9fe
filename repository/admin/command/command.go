// Package command is the program with which operators look after the containers and
// documents of packages. pkgen -admin writes its main:
//
//	func main() { command.Main(documents.Administration()) }
//
// It makes containers, and runs the passes of package admin over all documents: upgrade,
// rekey and purge.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// Main runs the program with the arguments of the process, and ends it.
// COSMOS_CONNECTION_STRING names the account, or COSMOS_ENDPOINT with an identity of
// Microsoft Entra ID. The exit code is 1 if documents are left to be done, and 2 for an
// error. The first signal to end lets requests finish; passes go on where they were.
func Main(packages ...admin.Package) { program(packages, open).Main() }

// Run runs a command line, without the name of the program, with a client of the caller's
// own, and returns the exit code that Main ends with.
func Run(ctx context.Context, client *azcosmos.Client, args []string, stdout, stderr io.Writer, packages ...admin.Package) int {
	return program(packages, func() (*azcosmos.Client, error) { return client, nil }).Run(ctx, args, stdout, stderr)
}

// open returns a client of the account that the environment names.
func open() (*azcosmos.Client, error) {
	options := repository.Configure(nil)
	if connection := os.Getenv("COSMOS_CONNECTION_STRING"); connection != "" {
		return azcosmos.NewClientFromConnectionString(connection, options)
	}
	endpoint := os.Getenv("COSMOS_ENDPOINT")
	if endpoint == "" {
		return nil, errors.New("no account: set COSMOS_CONNECTION_STRING, or COSMOS_ENDPOINT for Azure identity: az login, or a managed identity")
	}
	credential, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return azcosmos.NewClient(endpoint, credential, options)
}

// program has a command for each thing that operators do.
func program(packages []admin.Package, client func() (*azcosmos.Client, error)) *cli.Program {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	w := &work{name: name, packages: packages, client: client}
	about := "Manages the containers and documents of this program. COSMOS_CONNECTION_STRING names the account, or COSMOS_ENDPOINT for Azure identity. The exit code is 1 if documents remain to be processed."
	return &cli.Program{Name: name, Commands: []cli.Command{
		cli.Group("manage containers and documents", about, [2]string{name + " ensure -database shop", "create or compare containers"}),
		{
			Name: "ensure", Help: "create the containers, or compare them with the code",
			About:    "Creates the database and missing containers, and compares existing containers with the code. With -fix, it makes safe changes. With -wait, it waits until the service has built new indexes; until then, reads would miss documents.",
			Examples: [][2]string{{name + " ensure -database shop -autoscale 1000", ""}},
			Bind:     w.bindEnsure,
		},
		w.pass(admin.Upgrading, "store documents of earlier releases in the current form", "Stores documents of earlier forms and names as reads return them now. Run it when every program has this release."),
		w.pass(admin.Rekeying, "move documents to their new buckets", "Moves documents of earlier bucket counts to their current keys. Run it when every program has the new bucket count, and again a day later, until no document and no mark remains."),
		w.pass(admin.Purging, "remove documents that were marked as deleted", "Permanently removes documents that were marked as deleted before -older."),
	}}
}

// work is what all commands share.
type work struct {
	name     string
	packages []admin.Package
	client   func() (*azcosmos.Client, error)
}

// database returns the database that the flag names.
func (w *work) database(id string) (*azcosmos.Client, *azcosmos.DatabaseClient, error) {
	if id == "" {
		return nil, nil, errors.New("no database: name it by -database")
	}
	client, err := w.client()
	if err != nil {
		return nil, nil, err
	}
	db, err := client.NewDatabase(id)
	return client, db, err
}

func databaseFlag(flags *flag.FlagSet) *string {
	return flags.String("database", os.Getenv("COSMOS_DATABASE"), "the `database`; default: COSMOS_DATABASE")
}

// bindEnsure is the command ensure.
func (w *work) bindEnsure(flags *flag.FlagSet) cli.Action {
	database := databaseFlag(flags)
	autoscale := flags.Int("autoscale", 0, "create containers with autoscale up to this many `RU/s`")
	manual := flags.Int("manual", 0, "create containers with this many `RU/s`")
	fix := flags.Bool("fix", false, "make safe changes")
	wait := flags.Bool("wait", false, "wait until the service has built new indexes")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if err := cli.TakesNone("ensure", args); err != nil {
			return cli.Fail(stderr, err)
		}
		throughput, err := throughputOf(*autoscale, *manual)
		if err != nil {
			return cli.Fail(stderr, err)
		}
		client, db, err := w.database(*database)
		if err == nil {
			_, err = repository.EnsureDatabase(ctx, client, *database)
		}
		if err != nil {
			return cli.Fail(stderr, err)
		}
		var opts []admin.EnsureOption
		if *fix {
			opts = append(opts, admin.FixDifferences())
		}
		if *wait {
			opts = append(opts, admin.WaitForIndex())
		}
		var failures []error
		for _, p := range w.packages {
			if p.Ensure != nil {
				failures = append(failures, p.Ensure(ctx, db, throughput, opts...))
			}
		}
		if err := errors.Join(failures...); err != nil {
			return cli.Fail(stderr, err)
		}
		fmt.Fprintf(stdout, "the containers in database %s are as the code wants them\n", *database)
		return cli.Done
	}
}

// throughputOf returns the throughput that flags name.
func throughputOf(autoscale, manual int) (admin.Throughput, error) {
	switch {
	case autoscale != 0 && manual != 0:
		return admin.Throughput{}, errors.New("-autoscale and -manual exclude each other: give one of them")
	case autoscale != 0:
		return admin.Autoscale(int32(autoscale)), nil
	case manual != 0:
		return admin.Manual(int32(manual)), nil
	}
	return admin.AnyThroughput(), nil
}

// passing are the flags of a pass over all documents.
type passing struct {
	*work
	pass string

	database, types *string
	budget          *float64
	concurrency     *int
	dryRun          *bool
	leases          *string
	older           *time.Duration
}

// pass returns the command of a pass over all documents of types.
func (w *work) pass(name, help, about string) cli.Command {
	example := w.name + " " + name + " -database shop -budget 500"
	if name == admin.Purging {
		example += " -older 720h"
	}
	return cli.Command{
		Name: name, Help: help, About: about + " It can be interrupted and run again at any point.",
		Examples: [][2]string{{example, ""}},
		Bind: func(flags *flag.FlagSet) cli.Action {
			p := &passing{
				work: w, pass: name, database: databaseFlag(flags),
				types:       flags.String("type", "", "only these types, a comma-separated `list`"),
				budget:      flags.Float64("budget", 0, "spend at most this many `RU/s`; 0 for no limit"),
				concurrency: flags.Int("concurrency", 0, "the number of concurrent `documents`; 0 for the default"),
			}
			if name == admin.Rekeying {
				p.leases = flags.String("leases", "", "share the work by leases in this `container`")
			} else {
				p.dryRun = flags.Bool("dry-run", false, "change nothing; count")
			}
			if name == admin.Purging {
				p.older = flags.Duration("older", -1, "only documents deleted at least this long ago, such as 720h")
			}
			return p.run
		},
	}
}

func (p *passing) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if err := cli.TakesNone(p.pass, args); err != nil {
		return cli.Fail(stderr, err)
	}
	var before time.Time
	if p.older != nil {
		if *p.older < 0 {
			return cli.Fail(stderr, errors.New("no age: give -older, the shortest time since the deletion, such as -older 720h, or -older 0s for all"))
		}
		before = time.Now().Add(-*p.older)
	}
	_, db, err := p.work.database(*p.database)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	run := admin.Run{Budget: *p.budget, Concurrency: *p.concurrency, DryRun: p.dryRun != nil && *p.dryRun}
	if p.leases != nil && *p.leases != "" {
		if run.Leases, err = db.NewContainer(*p.leases); err != nil {
			return cli.Fail(stderr, err)
		}
	}
	types, err := p.chosen(db)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if len(types) == 0 {
		fmt.Fprintf(stdout, "no type has documents to %s\n", p.pass)
	}
	code := cli.Done
	for _, t := range types {
		code = max(code, p.one(ctx, db, t, before, run, stdout, stderr))
	}
	return code
}

// one runs the pass over the documents of a type.
func (p *passing) one(ctx context.Context, db *azcosmos.DatabaseClient, t admin.Type, before time.Time, run admin.Run, stdout, stderr io.Writer) int {
	var now atomic.Pointer[admin.Summary]
	now.Store(&admin.Summary{})
	run.Progress = func(s admin.Summary) { now.Store(&s) }
	done := cli.ProgressOf(stderr, func() string { return t.Name() + ": " + p.said(*now.Load()) })
	s, err := t.Pass(ctx, db, p.pass, before, run)
	done()
	if err != nil {
		return cli.Fail(stderr, err)
	}
	fmt.Fprintf(stdout, "%s: %s; %s RU\n", t.Name(), p.said(s), strconv.FormatFloat(s.RequestUnits, 'f', 0, 64))
	if s.Err != nil {
		fmt.Fprintf(stderr, "%s: the first that failed: %s\n", t.Name(), cli.Message(s.Err))
	}
	if !s.NextAt.IsZero() {
		fmt.Fprintf(stdout, "%s: run %s %s again after %s\n", t.Name(), p.name, p.pass, s.NextAt.UTC().Format(time.RFC3339))
	}
	if !s.Done() {
		return cli.Found
	}
	return cli.Done
}

// said is a summary in words.
func (p *passing) said(s admin.Summary) string {
	failed := ""
	if s.Failed > 0 {
		failed = fmt.Sprintf(", %d failed", s.Failed)
	}
	switch {
	case p.dryRun != nil && *p.dryRun:
		return cli.HowMany(s.Left, "document") + " to " + p.pass + failed
	case p.pass == admin.Rekeying:
		return cli.HowMany(s.Changed, "document") + fmt.Sprintf(" moved, %d left; %d marks removed, %d left", s.Left, s.Removed, s.Marks) + failed
	case p.pass == admin.Purging:
		return cli.HowMany(s.Removed, "document") + " removed" + failed
	}
	return cli.HowMany(s.Changed, "document") + fmt.Sprintf(" stored, %d left", s.Left) + failed
}

// chosen returns the types of -type, or else all that have the pass.
func (p *passing) chosen(db *azcosmos.DatabaseClient) ([]admin.Type, error) {
	names := cli.SplitList(*p.types)
	var all []admin.Type
	var known []string
	for _, pkg := range p.packages {
		for _, t := range pkg.Types {
			known = append(known, t.Name())
			has, err := t.Has(db, p.pass)
			if err != nil {
				return nil, err
			}
			if slices.Contains(names, t.Name()) || len(names) == 0 && has {
				all = append(all, t)
			}
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("no type is called %q: the types are %s", n, strings.Join(known, ", "))
		}
	}
	return all, nil
}
