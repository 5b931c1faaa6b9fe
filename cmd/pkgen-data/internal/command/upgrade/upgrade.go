package upgrade

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/upgrade"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Command is pkgen-data upgrade.
func Command() cli.Command {
	return cli.Command{
		Name: "upgrade", Arguments: "[packages]",
		Help: "rewrite documents of earlier releases",
		About: "Rewrites documents that have properties under other names (was=, next=), while programs read and write. It also counts documents with an earlier schema number (schema=), " +
			"which need your code: Upgrade of the repository rewrites both. After a crash, run the command again to resume. " +
			"COSMOS_CONNECTION_STRING names the account. The exit code is 1 if documents of earlier releases are left.",
		Examples: [][2]string{
			{"pkgen-data upgrade -dry-run ./...", "counts"},
			{"pkgen-data upgrade -type Person -budget 400 ./people", "at most 400 RU/s"},
		},
		Bind: bindUpgrade,
	}
}

// upgrading holds the flags of pkgen-data upgrade.
type upgrading struct {
	target.Place

	types   *string
	budget  *float64
	workers *int
	dryRun  *bool
	format  *cli.Choice
}

// bindUpgrade declares the flags of pkgen-data upgrade.
func bindUpgrade(flags *flag.FlagSet) cli.Action {
	u := &upgrading{
		Place:   target.NewPlace(flags, "only the container with this `id`"),
		types:   flags.String("type", "", "only these types, a comma-separated `list`"),
		budget:  target.NewBudget(flags),
		workers: flags.Int("workers", 32, "the number of concurrent `writes`"),
		dryRun:  flags.Bool("dry-run", false, "write nothing; only count"),
		format:  cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON),
	}
	return u.run
}

// upgradeReport is what -format json prints.
type upgradeReport struct {
	Types  []*upgrade.Report `json:"types"`
	Charge float64           `json:"requestUnits"` // of this run
}

// run upgrades.
func (u *upgrading) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := u.upgrade(ctx, args, stderr)
	if report != nil {
		var printed error
		if u.format.Value == cli.FormatJSON {
			printed = cli.WriteJSON(stdout, report)
		} else {
			_, printed = io.WriteString(stdout, upgradeText(report, *u.dryRun))
		}
		err = errors.Join(err, printed)
	}
	if errors.Is(err, context.Canceled) {
		err = target.Again(true)
	}
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if slices.ContainsFunc(report.Types, func(r *upgrade.Report) bool { return r.Left() > 0 || r.Odd > 0 }) {
		return cli.Found
	}
	return cli.Done
}

// upgrade runs the upgrade in the flags. With an error, it returns what was done before.
func (u *upgrading) upgrade(ctx context.Context, patterns []string, stderr io.Writer) (*upgradeReport, error) {
	if err := target.CheckBudget(*u.budget); err != nil {
		return nil, err
	}
	all, err := target.ReadLocks(ctx, patterns)
	if err != nil {
		return nil, err
	}
	if all, err = target.UpgradeSpeaks.Ours(all, cli.SplitList(*u.types), *u.Container); err != nil {
		return nil, err
	}
	chosen, err := u.chosen(all)
	if err != nil {
		return nil, err
	}
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	a.Budget(*u.budget)
	var found atomic.Int64
	what := "looking for documents of earlier releases"
	defer cli.ProgressOf(stderr, func() string { return fmt.Sprintf("%s: %d", what, found.Load()) })()
	report := &upgradeReport{Types: []*upgrade.Report{}}
	for _, e := range chosen {
		containers, err := target.Existing(ctx, a, *u.Database, *u.Container, []target.Container{{ID: e.Container, Entries: []lock.Entry{e}}})
		if err != nil {
			return report, err
		}
		for _, c := range containers {
			if *u.Container != "" && c.ID != *u.Container {
				continue
			}
			o := upgrade.Options{Account: a, Entry: e, Others: othersOf(all, e), Workers: *u.workers, DryRun: *u.dryRun, Told: found.Store}
			if o.Container, err = a.Find(ctx, *u.Database, c.ID); err != nil {
				return report, err
			}
			done, err := upgrade.Run(ctx, o)
			report.Types, report.Charge = append(report.Types, done), a.Spent()
			if err != nil {
				return report, err
			}
		}
	}
	return report, nil
}

// chosen returns the types that may have documents of earlier releases.
func (u *upgrading) chosen(all lock.Lock) (lock.Lock, error) {
	names, err := target.NamesIn(all, *u.types)
	if err != nil {
		return nil, err
	}
	var chosen lock.Lock
	for _, e := range all {
		named := slices.Contains(names, e.Type)
		switch {
		case e.Gone, len(names) > 0 && !named, *u.Container != "" && e.Container != *u.Container && !e.Placed():
			continue
		case !upgrade.Concerns(e):
			if named {
				return nil, fmt.Errorf("type %s has neither schema= with a number above 1 nor was= or next= on a renamed property, so none of its documents is from an earlier release", e.Type)
			}
			continue
		case e.Own != "":
			return nil, fmt.Errorf("the tenants of type %s move between containers, so each document must be rewritten in its container: call Update on the documents that the repository of each tenant finds, as docs/evolution.md shows, or choose other types by -type", e.Type)
		}
		chosen = append(chosen, e)
	}
	if len(chosen) == 0 {
		return nil, errors.New("nothing to upgrade: no type in these containers has schema= with a number above 1, or was= or next= on a property")
	}
	return chosen, nil
}

// othersOf returns the discriminators of the other types in the container of e.
func othersOf(all lock.Lock, e lock.Entry) []string {
	var others []string
	for _, other := range all {
		if other.Container == e.Container && other.Type != e.Type && other.Discriminator != "" {
			others = append(others, other.Discriminator)
		}
	}
	return others
}

// upgradeText describes the results of a run, and the next step.
func upgradeText(report *upgradeReport, dry bool) string {
	var b strings.Builder
	for _, r := range report.Types {
		fmt.Fprintf(&b, "container %s, type %s:\n", plain.Word(r.Container), r.Type)
		for _, f := range r.Older {
			fmt.Fprintf(&b, "  %s of form %d: call Upgrade of the repository, which converts them to form %d\n", cli.HowMany(int(f.Documents), "document"), f.Form, r.Form)
		}
		if r.Upcoming > 0 {
			fmt.Fprintf(&b, "  %s of form %d, stored by the next release: nothing to do\n", cli.HowMany(int(r.Upcoming), "document"), r.Next)
		}
		if r.Newer > 0 {
			fmt.Fprintf(&b, "  %s of a form later than %d, unknown to these packages: deploy the newer release\n", cli.HowMany(int(r.Newer), "document"), max(r.Form, r.Next))
		}
		if r.Odd > 0 {
			fmt.Fprintf(&b, "  %s with a schema number that is no whole number: correct them\n", cli.HowMany(int(r.Odd), "document"))
		}
		switch {
		case r.Aliases > 0 && dry:
			fmt.Fprintf(&b, "  %s with properties under aliases: run without -dry-run to rewrite them\n", cli.HowMany(int(r.Aliases), "document"))
		case r.Aliases > 0:
			fmt.Fprintf(&b, "  %s with properties under aliases, %d rewritten\n", cli.HowMany(int(r.Aliases), "document"), r.Rewritten)
		}
		for _, f := range r.Refusals {
			fmt.Fprintf(&b, "    %s: %s\n", plain.Word(f.ID), plain.Text(f.Reason))
		}
		if more := r.Refused - int64(len(r.Refusals)); more > 0 {
			fmt.Fprintf(&b, "    and %d more\n", more)
		}
		if r.Left() == 0 && r.Odd == 0 {
			b.WriteString("  no document of an earlier release is left\n")
		}
	}
	fmt.Fprintf(&b, "%.0f RU\n", report.Charge)
	return b.String()
}
