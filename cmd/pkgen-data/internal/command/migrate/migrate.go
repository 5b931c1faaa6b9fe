package migrate

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/migrate"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Command is pkgen-data migrate.
func Command() cli.Command {
	return cli.Command{
		Name: "migrate", Arguments: "[packages]",
		Help: "copy a container into one with another layout",
		About: "Copies a container into an empty one, under the layout in pkgen.lock, while programs keep writing. " +
			"Run it again to bring the copy up to date, or to resume after a crash. COSMOS_CONNECTION_STRING names the account. " +
			"The exit code is 1 if documents cannot be copied, or if the containers differ.",
		Examples: [][2]string{
			{"pkgen-data migrate -from events -to daily -dry-run ./fleet", ""},
			{"pkgen-data migrate -from events -to daily -budget 2000 ./fleet", ""},
			{"pkgen-data migrate -from events -to daily -cutover ./fleet", ""},
		},
		Bind: bindMigrate,
	}
}

// migrating holds the flags of pkgen-data migrate.
type migrating struct {
	from, to, state, types *string
	budget                 *float64
	workers                *int
	dryRun, cutover        *bool
	stopped, notSwitched   *bool
	format                 *cli.Choice
}

// migrationReport is what pkgen-data migrate has done, or would do. It is what -format json
// prints.
type migrationReport struct {
	From      string            `json:"from"`
	To        string            `json:"to"`
	Documents int64             `json:"documents"`    // that were copied or read, some of them again
	Charge    float64           `json:"requestUnits"` // of this run
	Refused   []migrate.Refusal `json:"refused"`
	Plan      *migrate.Plan     `json:"plan"`    // of -dry-run, or null
	Verdict   *migrate.Verdict  `json:"verdict"` // of -cutover, or null
}

// bindMigrate declares the flags of pkgen-data migrate.
func bindMigrate(flags *flag.FlagSet) cli.Action {
	m := &migrating{
		from:        flags.String("from", "", "the source: a `container`, or DATABASE/CONTAINER"),
		to:          flags.String("to", "", "the destination: an empty `container`"),
		state:       flags.String("state", "pkgen-migrations", "the `container` for the state, with key /id"),
		types:       flags.String("type", "", "only these types, a comma-separated `list`"),
		budget:      target.NewBudget(flags),
		workers:     flags.Int("workers", 32, "the number of concurrent `writes`"),
		dryRun:      flags.Bool("dry-run", false, "write nothing; show what a run would do and cost"),
		cutover:     flags.Bool("cutover", false, "compare the containers, and show what to switch"),
		stopped:     flags.Bool("writers-stopped", false, "skip the question; no program writes to the source"),
		notSwitched: flags.Bool("not-switched", false, "continue after an equal cutover; no program has switched"),
		format:      cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON),
	}
	return m.run
}

// run migrates.
func (m *migrating) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := m.migrate(ctx, args, stderr)
	if report != nil {
		var printed error
		if m.format.Value == cli.FormatJSON {
			printed = cli.WriteJSON(stdout, report)
		} else {
			_, printed = io.WriteString(stdout, migrationText(report))
		}
		err = errors.Join(err, printed)
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted: run the command again to resume")
	}
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if len(report.Refused) > 0 || report.Verdict != nil && !report.Verdict.Equal {
		return cli.Found
	}
	return cli.Done
}

// check refuses contradictory flags.
func (m *migrating) check() error {
	switch {
	case *m.from == "" || *m.to == "":
		return errors.New("name two containers, by -from and -to")
	case *m.dryRun && *m.cutover:
		return errors.New("-dry-run and -cutover exclude each other: give one of them")
	case *m.stopped && !*m.cutover:
		return errors.New("-writers-stopped belongs to -cutover: give both")
	case *m.cutover && !*m.stopped && !answers(os.Stdin):
		return errors.New("-cutover needs a terminal, to ask whether all writers are stopped: stop them, and add -writers-stopped")
	}
	return nil
}

// answers reports whether a person may type an answer: f is a terminal, and not /dev/null, which is
// a device too.
func answers(f *os.File) bool {
	info, err := f.Stat()
	null, none := os.Stat(os.DevNull)
	return cli.IsTerminal(f) && err == nil && (none != nil || !os.SameFile(info, null))
}

// migrate runs the migration in the flags.
func (m *migrating) migrate(ctx context.Context, patterns []string, stderr io.Writer) (*migrationReport, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	all, err := target.ReadLocks(ctx, patterns)
	if err != nil {
		return nil, err
	}
	if all, err = target.MigrateSpeaks.Ours(all, cli.SplitList(*m.types), path.Base(*m.to)); err != nil {
		return nil, err
	}
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	o, err := m.options(ctx, a, all)
	if err != nil {
		return nil, err
	}
	report := &migrationReport{From: o.From.ID, To: o.To.ID, Refused: []migrate.Refusal{}}
	total := int64(-1)
	if s, err := a.Statistics(ctx, o.From); err == nil {
		total = s.Documents
	}
	if *m.dryRun {
		defer cli.ProgressOf(stderr, func() string { return "reading container " + plain.Word(o.From.ID) })()
		if report.Plan, err = migrate.DryRun(ctx, o); err != nil {
			return nil, err
		}
		report.Documents, report.Refused = report.Plan.Documents, report.Plan.Refused
	} else if err := m.copy(ctx, o, report, total, stderr); err != nil {
		return nil, err
	}
	report.Charge = a.Spent()
	return report, nil
}

// copy copies and, with -cutover, compares.
func (m *migrating) copy(ctx context.Context, o migrate.Options, report *migrationReport, total int64, stderr io.Writer) error {
	migration, err := migrate.New(ctx, o)
	if err != nil {
		return err
	}
	quiet := cli.ProgressOf(stderr, func() string { return progressBar(migration.Done(), total) })
	err = migration.Run(ctx)
	quiet()
	report.Refused, report.Documents = migration.Refused(), migration.Done().Documents
	if err != nil || !*m.cutover || len(report.Refused) > 0 {
		return err
	}
	if !*m.stopped {
		if ready, err := prepare(ctx, migration, report, stderr); err != nil || !ready {
			return err
		}
		if err := confirm(ctx, o.From.ID, stderr); err != nil {
			return err
		}
	}
	defer cli.ProgressOf(stderr, func() string { return "comparing both sides" })()
	report.Verdict, err = migration.Cutover(ctx)
	if err == nil {
		report.Refused = report.Verdict.Refused
	}
	return err
}

// prepare compares once while programs still write, which leaves less work for the time when they
// are stopped. It reports whether both sides can become equal, so that stopping programs is
// worthwhile.
func prepare(ctx context.Context, migration *migrate.Migration, report *migrationReport, stderr io.Writer) (bool, error) {
	defer cli.ProgressOf(stderr, func() string { return "comparing the containers, while programs write" })()
	v, err := migration.Compare(ctx)
	if err != nil {
		return false, err
	}
	if len(v.Refused) > 0 { // unless a program has just written a compared document
		if err := migration.Run(ctx); err != nil {
			return false, err
		}
		report.Refused = migration.Refused()
	}
	if v.Others > 0 {
		report.Verdict = v
	}
	return len(report.Refused) == 0 && v.Others == 0, nil
}

// confirm asks whether all programs that write to a container have been stopped.
func confirm(ctx context.Context, container string, stderr io.Writer) error {
	fmt.Fprintf(stderr, "stop all programs that write to container %s, and then type yes: ", plain.Word(container))
	answer, keyboard := make(chan string, 1), os.Stdin
	go func() {
		line, _ := bufio.NewReader(keyboard).ReadString('\n')
		answer <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case text := <-answer:
		if text != "yes" {
			return errors.New("the answer is not yes, so nothing was compared: run the command again when all writers are stopped")
		}
	}
	return nil
}

// options returns the options of the migration.
func (m *migrating) options(ctx context.Context, a *account.Account, all lock.Lock) (migrate.Options, error) {
	o := migrate.Options{Account: a, Workers: *m.workers, Budget: *m.budget, NotSwitched: *m.notSwitched, StateID: *m.state}
	var err error
	if o.From, err = target.FindContainer(ctx, a, *m.from); err != nil {
		return o, err
	}
	if o.To, err = target.FindContainer(ctx, a, *m.to); err != nil {
		return o, err
	}
	if o.State, err = a.Container(ctx, o.To.Database, *m.state); account.NotFound(err) {
		o.State, err = nil, nil
	}
	if err != nil {
		return o, err
	}
	names, err := target.NamesIn(all, *m.types)
	if err != nil {
		return o, err
	}
	o.Chosen = len(names) > 0
	if !o.Chosen {
		o.Types, err = layout.InContainer(all, o.To.ID)
		return o, err
	}
	for _, e := range all {
		if slices.Contains(names, e.Type) {
			o.Types = append(o.Types, e)
		}
	}
	return o, nil
}
