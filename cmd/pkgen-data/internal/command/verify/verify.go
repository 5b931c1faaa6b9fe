package verify

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
)

// Command is pkgen-data verify.
func Command() cli.Command {
	return cli.Command{
		Name: "verify", Arguments: "[packages]",
		Help: "compare stored documents with pkgen.lock",
		About: "Reads containers, and reports documents whose stored key differs from the key that their properties make, and other differences from the lock. " +
			"Without -mend it changes nothing. COSMOS_CONNECTION_STRING names the account. Reading costs request units. The exit code is 1 if there are findings.",
		Examples: [][2]string{
			{"pkgen-data verify ./...", "all containers of the module"},
			{"pkgen-data verify -sample 5 -limit 2000 ./shop", "a sample"},
		},
		Bind: bindVerify,
	}
}

// verifying holds the flags of pkgen-data verify.
type verifying struct {
	target.Place

	types                 *string
	sample, limit, budget *float64
	seed                  *uint64
	format                *cli.Choice
	mend                  *bool
}

// bindVerify declares the flags of pkgen-data verify.
func bindVerify(flags *flag.FlagSet) cli.Action {
	v := &verifying{
		Place:  target.NewPlace(flags, "only the container with this `id`"),
		types:  flags.String("type", "", "only the containers of these types, a comma-separated `list`"),
		sample: flags.Float64("sample", 100, "read this `percentage` of each container's keys"),
		limit:  target.NewLimit(flags),
		budget: target.NewBudget(flags),
		seed:   flags.Uint64("seed", 0, "the `number` that seeds the sample; 0 for a new one"),
		mend:   flags.Bool("mend", false, "repair reservations and index properties"),
		format: cli.NewChoice(flags, "format", cli.FormatText, "how findings are printed", cli.FormatText, cli.FormatJSON, cli.FormatGitHub),
	}
	return v.run
}

// run verifies the containers of packages.
func (v *verifying) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	reports, err := v.verify(ctx, args, stderr)
	if len(reports) > 0 || err == nil {
		err = errors.Join(printReports(stdout, v.format.Value, reports), err)
	}
	if err != nil {
		return cli.Fail(stderr, err)
	}
	for _, r := range reports {
		if r.Findings() > 0 {
			return cli.Found
		}
	}
	return cli.Done
}

// verify reads the containers. With an error, it returns the reports of the containers that were
// read: a missing container does not hide another one.
func (v *verifying) verify(ctx context.Context, patterns []string, stderr io.Writer) ([]*verify.Report, error) {
	sampling, err := target.SamplingOf(*v.sample, *v.limit, *v.budget, *v.seed)
	if err != nil {
		return nil, err
	}
	containers, err := v.containers(ctx, patterns)
	if err != nil {
		return nil, err
	}
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	a.Pace(*v.budget)
	if containers, err = target.Existing(ctx, a, *v.Database, *v.Container, containers); err != nil {
		return nil, err
	}
	reports := []*verify.Report{}
	var missing, skipped error
	for _, c := range containers {
		judge, err := verify.New(c.Entries)
		if err != nil {
			return reports, errors.Join(missing, err)
		}
		judge.Mend = *v.mend
		report, err := v.read(ctx, a, judge, c.ID, sampling, stderr)
		switch {
		case err == nil:
			reports = append(reports, report)
		case !account.NotFound(err):
			return reports, errors.Join(missing, err)
		case v.expects(c.Entries):
			missing = errors.Join(missing, err)
		default:
			skipped = errors.Join(skipped, err)
			fmt.Fprintf(stderr, "container %s does not exist; its types are drafts or removed\n", plain.Word(c.ID))
		}
	}
	if len(reports) == 0 {
		return nil, errors.Join(missing, skipped)
	}
	return reports, missing
}

// expects reports whether the container of some types must exist: a flag names it, or its documents
// may be stored.
func (v *verifying) expects(entries []lock.Entry) bool {
	return *v.Container != "" || *v.types != "" ||
		slices.ContainsFunc(entries, func(e lock.Entry) bool { return !e.Draft && !e.Gone })
}

// read reads one container.
func (v *verifying) read(ctx context.Context, a *account.Account, judge *verify.Judge, id string, sampling account.Sampling, stderr io.Writer) (*verify.Report, error) {
	var documents atomic.Int64
	sampling.Told = documents.Store
	defer cli.ProgressOf(stderr, func() string {
		return fmt.Sprintf("reading container %s: %d documents", plain.Word(id), documents.Load())
	})()
	c, err := a.Find(ctx, *v.Database, id)
	if err != nil {
		return nil, err
	}
	return judge.Container(ctx, a, c, sampling)
}

// containers returns the containers in the locks of packages that the flags select, by id.
func (v *verifying) containers(ctx context.Context, patterns []string) ([]target.Container, error) {
	all, err := target.ReadLocks(ctx, patterns)
	if err != nil {
		return nil, err
	}
	if all, err = target.VerifySpeaks.Ours(all, cli.SplitList(*v.types), *v.Container); err != nil {
		return nil, err
	}
	if a, b, conflict := all.Conflict(); conflict {
		return nil, fmt.Errorf("types %s and %s are in container %q, but their locks differ in its partition key: name the packages of one database", a.Type, b.Type, a.Container)
	}
	names, err := target.NamesIn(all, *v.types)
	if err != nil {
		return nil, err
	}
	var ids []string
	if *v.Container != "" && !slices.ContainsFunc(all, func(e lock.Entry) bool { return e.Container == *v.Container }) {
		return v.window(all, names)
	}
	for _, e := range all {
		chosen := (*v.Container == "" || e.Container == *v.Container) && (len(names) == 0 || slices.Contains(names, e.Type))
		if chosen && !slices.Contains(ids, e.Container) {
			ids = append(ids, e.Container)
		}
	}
	if len(ids) == 0 {
		return nil, errNoSuchContainer
	}
	slices.Sort(ids)
	containers := make([]target.Container, len(ids))
	for i, id := range ids {
		containers[i].ID = id
		for _, e := range all {
			if e.Container == id {
				containers[i].Entries = append(containers[i].Entries, e)
			}
		}
	}
	return containers, nil
}

var errNoSuchContainer = fmt.Errorf("no %s of the packages has this container with these types: name the packages whose types are stored there, and check -container and -type", lock.FileName)

// window returns the container of -container, if a template makes its id.
func (v *verifying) window(all lock.Lock, names []string) ([]target.Container, error) {
	entries, err := layout.InContainer(all, *v.Container)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 || len(names) > 0 && !slices.ContainsFunc(entries, func(e lock.Entry) bool { return slices.Contains(names, e.Type) }) {
		return nil, errNoSuchContainer
	}
	return []target.Container{{ID: *v.Container, Entries: entries}}, nil
}

// printReports prints reports in a format.
func printReports(w io.Writer, format string, reports []*verify.Report) error {
	if format == cli.FormatJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "\t")
		return encoder.Encode(reports)
	}
	for _, r := range reports {
		text := reportText(r)
		if format == cli.FormatGitHub {
			text = reportCommands(r)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}
