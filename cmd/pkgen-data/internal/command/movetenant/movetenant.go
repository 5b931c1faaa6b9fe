package movetenant

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// Command is pkgen-data move-tenant.
func Command() cli.Command {
	return cli.Command{
		Name: "move-tenant", Arguments: "[packages]",
		Help: "move a tenant to another container",
		About: "Moves a tenant's documents to its own container, or back to the shared container, while programs read and write them. " +
			"Name packages with own= in their tags; all types of a container move together. The destination must exist. " +
			"After a crash, run the command again to resume. COSMOS_CONNECTION_STRING names the account.",
		Examples: [][2]string{
			{"pkgen-data move-tenant -tenant contoso -dry-run ./shop", ""},
			{"pkgen-data move-tenant -tenant contoso -budget 2000 ./shop", ""},
			{"pkgen-data move-tenant -tenant contoso -to orders ./shop", "back"},
		},
		Bind: bindMoveTenant,
	}
}

// movingTenant holds the flags of pkgen-data move-tenant.
type movingTenant struct {
	tenant, to, shared, typ *string
	directory, database     *string
	budget                  *float64
	queries                 *time.Duration
	dryRun                  *bool
	format                  *cli.Choice
}

// moveTenantReport is what pkgen-data move-tenant has done. It is what -format json prints.
type moveTenantReport struct {
	Tenant       string  `json:"tenant"`
	From         string  `json:"from"`
	To           string  `json:"to"`
	Step         string  `json:"step"`
	Total        int64   `json:"total"` // documents at the beginning
	Documents    int64   `json:"documents"`
	Bytes        int64   `json:"bytes"`
	Deleted      int64   `json:"deleted"`
	Removed      int64   `json:"removed"`
	Mended       int64   `json:"mended"`
	Fenced       int64   `json:"fenced"`
	Resumed      bool    `json:"resumed"`
	RequestUnits float64 `json:"requestUnits"`
	Seconds      float64 `json:"seconds"`
	PauseMillis  float64 `json:"pauseMilliseconds"`
	DryRun       bool    `json:"dryRun"`
}

// bindMoveTenant declares the flags of pkgen-data move-tenant.
func bindMoveTenant(flags *flag.FlagSet) cli.Action {
	m := &movingTenant{
		tenant:    flags.String("tenant", "", "the `tenant`, as in its documents"),
		to:        flags.String("to", "", "the destination `container`, unless the tenant's own"),
		shared:    flags.String("shared", "", "the shared `container`, instead of packages"),
		typ:       flags.String("type", "", "a `type`; other types in its container move too"),
		directory: flags.String("directory", "tenants", "the `container` of the tenant directory"),
		database:  target.NewDatabase(flags),
		budget:    target.NewBudget(flags),
		queries:   flags.Duration("queries", time.Minute, "how long queries may run before documents are removed"),
		dryRun:    flags.Bool("dry-run", false, "write nothing; check whether the tenant can move"),
		format:    cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON),
	}
	return m.run
}

// run moves a tenant.
func (m *movingTenant) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	report, err := m.move(ctx, args, stderr)
	if report != nil && err == nil {
		if m.format.Value == cli.FormatJSON {
			err = cli.WriteJSON(stdout, report)
		} else {
			_, err = io.WriteString(stdout, moveTenantText(report))
		}
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted: run the command again to resume; until then, writes for this tenant are slow or blocked")
	}
	if err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}

// move runs the move in the flags.
func (m *movingTenant) move(ctx context.Context, patterns []string, stderr io.Writer) (*moveTenantReport, error) {
	if *m.tenant == "" {
		return nil, errors.New("name the tenant, by -tenant")
	}
	shared, to, err := m.containers(ctx, patterns)
	if err != nil {
		return nil, err
	}
	a, err := target.OpenAccount()
	if err != nil {
		return nil, err
	}
	found, err := a.Find(ctx, *m.database, shared)
	if err != nil {
		return nil, err
	}
	if _, err := a.Container(ctx, found.Database, *m.directory); account.NotFound(err) {
		return nil, fmt.Errorf("database %q has no container %q for the tenant directory: create it by tenancy.EnsureTenantDirectory, or name another one by -directory", found.Database, *m.directory)
	} else if err != nil {
		return nil, err
	}
	client, err := OpenClient(a)
	if err != nil {
		return nil, err
	}
	db, err := client.NewDatabase(found.Database)
	if err != nil {
		return nil, err
	}
	directory, err := db.NewContainer(*m.directory)
	if err != nil {
		return nil, err
	}
	var told atomic.Pointer[tenancy.MoveSummary]
	told.Store(&tenancy.MoveSummary{})
	quiet := cli.ProgressOf(stderr, func() string { return moveTenantBar(*told.Load()) })
	done, err := tenancy.Move(ctx, db, tenancy.NewTenantDirectory(directory), tenancy.TenantMove{
		Shared: shared, Tenant: *m.tenant, To: to, Budget: *m.budget, Queries: m.queriesTake(), DryRun: *m.dryRun,
		Progress: func(s tenancy.MoveSummary) { told.Store(&s) },
	})
	quiet()
	if err != nil {
		return nil, err
	}
	return &moveTenantReport{
		Tenant: *m.tenant, From: done.From, To: done.To, Step: done.Step, Total: done.Total, Documents: done.Documents, Bytes: done.Bytes,
		Deleted: done.Deleted, Removed: done.Removed, Mended: done.Mended, Fenced: done.Fenced, Resumed: done.Resumed, RequestUnits: done.RequestUnits,
		Seconds: done.Duration.Seconds(), PauseMillis: float64(done.Pause) / float64(time.Millisecond), DryRun: *m.dryRun,
	}, nil
}

// containers returns the ids of the shared container and of the destination.
func (m *movingTenant) containers(ctx context.Context, patterns []string) (shared, to string, err error) {
	if *m.shared != "" {
		switch {
		case *m.to == "":
			err = errors.New("-shared needs -to, because the packages that name the tenant's own container are not given")
		case *m.typ != "" || len(patterns) > 0:
			err = errors.New("-shared excludes -type and packages: give one of them")
		}
		return *m.shared, *m.to, err
	}
	all, err := target.ReadLocks(ctx, patterns)
	if err != nil {
		return "", "", err
	}
	if all, err = target.MovingSpeaks.Ours(all, cli.SplitList(*m.typ), ""); err != nil {
		return "", "", err
	}
	names, err := target.NamesIn(all, *m.typ)
	if err != nil {
		return "", "", err
	}
	var entry *lock.Entry
	for i, e := range all {
		switch {
		case e.Own == "" || e.Gone || len(names) > 0 && !slices.Contains(names, e.Type):
		case entry == nil:
			entry = &all[i]
		case entry.Container != e.Container || entry.Own != e.Own:
			return "", "", fmt.Errorf("types %s and %s have different containers: name one of them by -type", entry.Type, e.Type)
		}
	}
	if entry == nil {
		return "", "", errors.New("no type of the packages has own= in its tag: name the packages of tenants that move, or the containers by -shared and -to")
	}
	if *m.to != "" {
		return entry.Container, *m.to, nil
	}
	to, err = ownContainer(entry.Own, *m.tenant)
	return entry.Container, to, err
}

// ownContainer returns the id of a tenant's own container from its template, such as
// orders-{tenantId}.
func ownContainer(template, tenant string) (string, error) {
	before, rest, ok := strings.Cut(template, "{")
	_, after, closed := strings.Cut(rest, "}")
	if !ok || !closed {
		return "", fmt.Errorf("this version of pkgen cannot read the template %q of own containers in the lock: update pkgen", template)
	}
	id := string(partition.AppendContainerText([]byte(before), tenant, "")) + after
	if len(id) > partition.MaxContainerID {
		return "", fmt.Errorf("the id of the tenant's own container would have %d characters, and %d are allowed: name another container by -to", len(id), partition.MaxContainerID)
	}
	return id, nil
}

// queriesTake returns the maximum duration of a query for a move, for which 0 means the default; in
// the flag, 0 means no wait.
func (m *movingTenant) queriesTake() time.Duration {
	if *m.queries == 0 {
		return time.Nanosecond
	}
	return *m.queries
}

// OpenClient returns a client of the SDK for the account in the environment.
func OpenClient(a *account.Account) (*azcosmos.Client, error) {
	options := repository.Configure(nil)
	if connection := os.Getenv("COSMOS_CONNECTION_STRING"); connection != "" {
		return azcosmos.NewClientFromConnectionString(connection, options)
	}
	return azcosmos.NewClient(os.Getenv("COSMOS_ENDPOINT"), a, options)
}

// moveTenantBar shows the progress of a move.
func moveTenantBar(s tenancy.MoveSummary) string {
	switch s.Step {
	case "":
		return "checking the containers"
	case "claimed", "marked":
		return "waiting until all programs have read that the tenant moves"
	case "decided":
		return "copied; waiting until all regions of the account have the move"
	case "switched":
		if s.Removed == 0 {
			return "moved; waiting until no program reads the old documents"
		}
		return fmt.Sprintf("moved; removing the old documents, %d so far", s.Removed)
	}
	share := 1.0
	if s.Total > 0 {
		share = min(float64(s.Documents)/float64(s.Total), 1)
	}
	full := int(share * cli.BarWidth)
	return fmt.Sprintf("[%s%s] %.0f%%, %d documents, %.0f RU", strings.Repeat("#", full), strings.Repeat("-", cli.BarWidth-full), 100*share, s.Documents, s.RequestUnits)
}

// moveTenantText formats a report for people.
func moveTenantText(r *moveTenantReport) string {
	var b strings.Builder
	tenant, from, to := plain.Word(r.Tenant), plain.Word(r.From), plain.Word(r.To)
	switch {
	case r.From == r.To:
		fmt.Fprintf(&b, "tenant %s lives in container %s already\n", tenant, to)
	case r.DryRun:
		fmt.Fprintf(&b, "tenant %s: %s would move from container %s to container %s\n", tenant, cli.HowMany(int(r.Total), "document"), from, to)
	default:
		fmt.Fprintf(&b, "tenant %s: %s, %s, moved from container %s to container %s\n", tenant, cli.HowMany(int(r.Documents), "document"), analyze.Size(r.Bytes), from, to)
		fmt.Fprintf(&b, "\t%.0f RU in %.0f s; writes were blocked for %.0f ms\n", r.RequestUnits, r.Seconds, r.PauseMillis)
		if r.Mended > 0 {
			fmt.Fprintf(&b, "\t%s differed between the containers: a program writes without the directory\n", cli.HowMany(int(r.Mended), "document"))
		}
	}
	return b.String()
}
