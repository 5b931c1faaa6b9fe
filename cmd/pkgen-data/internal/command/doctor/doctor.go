package doctor

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/doctor"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/probe"
)

// Command is pkgen-data doctor.
func Command() cli.Command {
	return cli.Command{
		Name: "doctor", Arguments: "[packages]",
		Help: "check an account and its containers",
		About: "Checks an account, the containers of packages, and versions, and prints the results and remedies as a Markdown table. Doctor writes nothing without -probe. " +
			"COSMOS_CONNECTION_STRING names the account. The exit code is 1 if something is wrong, and 2 if no container was examined.",
		Examples: [][2]string{
			{"pkgen-data doctor ./...", ""},
			{"pkgen-data doctor -probe", "check what pkgen assumes about the service"},
		},
		Bind: bindDoctor,
	}
}

// examining holds the flags of pkgen-data doctor.
type examining struct {
	load     load.Flags
	database *string
	probe    *bool
	format   *cli.Choice
}

// bindDoctor declares the flags of pkgen-data doctor.
func bindDoctor(flags *flag.FlagSet) cli.Action {
	d := &examining{
		load:     load.NewFlags(flags),
		database: target.NewDatabase(flags),
		probe:    flags.Bool("probe", false, "create and drop containers, to check pkgen's assumptions"),
		format:   cli.NewChoice(flags, "format", cli.FormatText, "how the report is printed", cli.FormatText, cli.FormatJSON),
	}
	return d.run
}

// run examines an account.
func (d *examining) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := d.examine(ctx, args, stderr)
	switch {
	case err != nil:
		return cli.Fail(stderr, err)
	case d.format.Value == cli.FormatJSON:
		err = cli.WriteJSON(stdout, report)
	default:
		_, err = io.WriteString(stdout, report.Text())
	}
	switch {
	case err != nil:
		return cli.Fail(stderr, err)
	case ctx.Err() != nil:
		return cli.Fail(stderr, errors.New("interrupted: the report has the checks that were done"))
	case report.Wrong() > 0:
		return cli.Found
	case report.Examined == 0:
		return cli.Fail(stderr, errors.New("no container was examined: the report says why"))
	}
	return cli.Done
}

func (d *examining) examine(ctx context.Context, patterns []string, stderr io.Writer) (*doctor.Report, error) {
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	report := &doctor.Report{}
	doctor.Versions(ctx, programs(), report)
	wanted, err := d.wanted(ctx, patterns, stderr, report)
	if err != nil {
		return nil, err
	}
	done := cli.Progress(stderr, "asking the account")
	reached := doctor.Examine(ctx, doctor.Options{Account: a, Database: *d.database, Wanted: wanted}, report)
	if reached {
		left(ctx, a, report)
	}
	done()
	if *d.probe && reached && ctx.Err() == nil {
		done := cli.Progress(stderr, "checking assumptions in a database "+probe.Prefix+"…, which is dropped at the end")
		d.assume(ctx, probe.Options{Account: a}, report)
		done()
	}
	return report, nil
}

// left adds the databases of probes that could not drop them, for example because they were killed.
// Without permission to list databases it adds none.
func left(ctx context.Context, a *account.Account, report *doctor.Report) {
	ids, err := a.Databases(ctx)
	if err != nil {
		return
	}
	for _, id := range ids {
		if strings.HasPrefix(id, probe.Prefix) {
			report.Add(doctor.Check{
				State: doctor.Note, What: "database " + plain.Word(id), Found: "a killed pkgen-data doctor -probe left it, or one is running; Azure bills its 11,400 RU/s",
				WayOut: "drop it if no probe is running",
			})
		}
	}
}

// wanted returns the containers that packages want, and adds faults of the packages to the report.
func (d *examining) wanted(ctx context.Context, patterns []string, stderr io.Writer, report *doctor.Report) ([]doctor.Container, error) {
	const what = "generated code"
	result, err := d.load.Load(ctx, patterns, generator.Options{}, stderr)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		report.Add(doctor.Check{State: doctor.Unknown, What: what, Found: cli.Message(err), WayOut: "run doctor in the module that uses pkgen, and name its packages, such as ./..."})
		return nil, nil
	}
	if err := result.Err(); err != nil {
		report.Add(doctor.Check{State: doctor.Wrong, What: what, Found: cli.Message(err), WayOut: "run pkgen, and correct what it reports"})
		return nil, nil
	}
	locks := map[string]lock.Lock{}
	for _, f := range result.Files {
		if filepath.Base(f.Path) != lock.FileName || f.New == nil {
			continue
		}
		entries, problem := lock.Parse(f.New)
		if problem != nil {
			return nil, fmt.Errorf("%s: %w", cli.Shown(f.Path), problem)
		}
		locks[filepath.Dir(f.Path)] = entries
	}
	drafts := 0
	for _, t := range result.Types {
		if t.Model.Draft {
			drafts++
		}
	}
	stale := load.StaleFiles(result)
	switch {
	case len(result.Types) == 0:
		report.Add(doctor.Check{State: doctor.Unknown, What: what, Found: "the packages have no types with cosmos tags, so no containers were examined", WayOut: "name packages that have some, such as ./..."})
	case len(stale) > 0:
		report.Add(doctor.Check{State: doctor.Wrong, What: what, Found: fmt.Sprintf("%s out of date, %s among them", cli.HowMany(len(stale), "file"), plain.Word(cli.Shown(stale[0].Path))), WayOut: "run pkgen, and commit the changed files"})
	case drafts > 0:
		report.Add(doctor.Check{State: doctor.Note, What: what, Found: cli.HowMany(drafts, "layout") + " still a draft", WayOut: "run pkgen seal before documents are stored for good: programs accept a draft only at endpoints on this machine"})
	default:
		report.Add(doctor.Check{State: doctor.OK, What: what, Found: cli.HowMany(len(result.Types), "type") + ", up to date and sealed"})
	}
	return doctor.Wanted(result.Types, locks)
}

// assume adds the results of checking pkgen's assumptions about the service.
func (d *examining) assume(ctx context.Context, o probe.Options, report *doctor.Report) {
	before := o.Account.Spent()
	results, err := probe.Run(ctx, o)
	if err == nil {
		report.Add(doctor.Check{State: doctor.OK, What: "assumptions", Found: "checked in a database " + probe.Prefix + "… that was created and dropped; Azure bills its 11,400 RU/s for an hour, about a dollar"})
	}
	for _, r := range results {
		c := doctor.Check{State: doctor.OK, What: "assumption", Found: r.Says}
		if r.Unknown != "" {
			c.State, c.Found, c.WayOut = doctor.Unknown, r.Says+": "+r.Unknown, "try again when the account has them, and before a program relies on them"
		}
		if r.Err != nil {
			c.State, c.Found = doctor.Wrong, r.Says+": NO: "+r.Err.Error()
			c.WayOut = "the service differs from what pkgen relies on: please report it with this table"
		}
		report.Add(c)
	}
	if err != nil {
		report.Add(doctor.Check{State: doctor.Wrong, What: "assumptions", Found: err.Error(), WayOut: "connect with a key of the account, which can create databases; the account needs room for 11,000 RU/s; drop databases whose names begin with " + probe.Prefix + " if one is left"})
	}
	report.RequestUnits += o.Account.Spent() - before
}

// programs returns the versions in this command.
func programs() doctor.Programs {
	p := doctor.Programs{Go: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	for _, m := range append(info.Deps, &info.Main) {
		switch {
		case m.Replace != nil:
		case m.Path == "github.com/cosmos-pkgen/pkgen" && m.Version != "(devel)":
			p.Own = m.Version
		case m.Path == "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos":
			p.SDK = m.Version
		}
	}
	return p
}
