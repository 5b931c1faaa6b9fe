package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// container examines a container, or the containers of a template.
func (e *examination) container(ctx context.Context, c Container) {
	if c.Template == nil {
		e.one(ctx, c, c.ID)
		return
	}
	ids, err := e.Account.Containers(ctx, e.Database)
	if err != nil {
		e.failed(ctx, c.name(), err)
		return
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return !c.Template.Hold(id) })
	slices.Sort(ids)
	if len(ids) == 0 {
		e.report.Examined++
		e.report.add(OK, c.name(), "", "there is none yet")
	}
	for _, id := range ids {
		e.one(ctx, c, id)
	}
}

// one examines one container.
func (e *examination) one(ctx context.Context, want Container, id string) {
	r, name := e.report, fmt.Sprintf("container %q", id)
	c, err := e.Account.Find(ctx, e.Database, id)
	switch {
	case account.NotFound(err):
		r.add(Wrong, name, "let the program create it by EnsureContainers, or deploy what pkgen explain -container bicep prints; or name its database by -database", "does not exist; it holds %s", strings.Join(want.Types, ", "))
		return
	case err != nil:
		e.failed(ctx, name, err)
		return
	}
	r.Examined++
	name = fmt.Sprintf("container %q of %q", id, c.Database)
	e.settings(ctx, c, want, name)
	e.throughput(ctx, c, name)
	e.orders(ctx, c, want, name)
}

// settings compares the settings of a container with the wanted ones, like Ensure.
func (e *examination) settings(ctx context.Context, c *account.Container, want Container, name string) {
	text, err := e.Account.Settings(ctx, c)
	var have containers.Properties
	if err == nil {
		err = json.Unmarshal(text, &have)
	}
	if err != nil {
		e.failed(ctx, name, err)
		return
	}
	wanted := want.Want
	wanted.SameQuery = cosmossql.SameComputed
	found := slices.DeleteFunc(containers.Compare(&have, &wanted), func(f containers.Finding) bool {
		return want.accepts != nil && want.accepts(f.Property, f.Have)
	})
	for _, f := range found {
		wayOut := f.Why
		if f.Fix != nil {
			wayOut = "Ensure with admin.FixDifferences changes it, " + f.Why
		}
		e.report.add(Wrong, name+", "+f.Property, wayOut, "have %s, want %s", f.Have, f.Want)
	}
	if len(found) == 0 {
		e.report.add(OK, name, "", "key %s, time to live and indexes match the code; it holds %s", strings.Join(have.PartitionKeyDefinition.Paths, ","), strings.Join(want.Types, ", "))
	}
	if index := have.IndexedBy(); index != nil {
		e.index(index, name)
	}
	var unindexed []string
	for _, path := range want.queried {
		shown := strings.ReplaceAll(path, `"`, "")
		if !containers.Indexes(have.IndexingPolicy, path) && !slices.Contains(unindexed, shown) {
			unindexed = append(unindexed, shown)
		}
	}
	if n := len(unindexed); n > 0 {
		more := ""
		if n > 5 {
			unindexed, more = unindexed[:5], fmt.Sprintf(" and %d more", n-5)
		}
		e.report.add(Note, name+", excluded paths", "include them in the indexing policy if queries compare them or sort by them: without an index a query reads every document, and ORDER BY fails", "no index of %s%s", strings.Join(unindexed, ", "), more)
	}
}

// index reports whether the service has built a global secondary index.
func (e *examination) index(index *containers.Index, name string) {
	state, wayOut := OK, ""
	if index.Status != containers.Active {
		state, wayOut = Wrong, "reads miss documents until the service has built it: wait, and have admin.Ensure wait by admin.WaitForIndex"
	}
	e.report.add(state, name+", global secondary index", wayOut, "%v; its status is %s", index, index.Status)
}

// Limits of physical and logical partitions ("Partitioning and horizontal scaling", "Azure Cosmos
// DB service quotas").
const (
	mostUnits    = 10_000   // RU/s of a physical partition
	mostBytes    = 50 << 30 // of a physical partition
	mostKeyBytes = 20 << 30 // of a logical partition
	fewUnits     = 400      // the minimum of a container
)

// throughput examines the throughput of a container, and its physical partitions.
func (e *examination) throughput(ctx context.Context, c *account.Container, name string) {
	r := e.report
	ranges, err := e.Account.Ranges(ctx, c)
	if err != nil {
		e.failed(ctx, name+", physical partitions", err)
		return
	}
	n := len(ranges)
	physical := fmt.Sprintf("%d physical partitions", n)
	if n == 1 {
		physical = "1 physical partition"
	}
	what := name + ", throughput"
	offer, shared, err := e.offer(ctx, c)
	switch {
	case account.Is(err, http.StatusForbidden), account.Is(err, http.StatusUnauthorized):
		r.add(Unknown, what, "an identity of Microsoft Entra ID cannot read it here: az cosmosdb sql container throughput show", "%s", physical)
	case account.Is(err, http.StatusBadRequest):
		r.add(OK, what, "", "none, the account is serverless; %s", physical)
	case err != nil:
		e.failed(ctx, what, err)
	case offer == nil:
		r.add(Unknown, what, "", "neither the container nor its database has throughput; %s", physical)
	default:
		e.units(what, offer, shared, n, physical)
	}
	e.sizes(ctx, c, name)
}

// offer returns the throughput of a container or, if it has none, of its database.
func (e *examination) offer(ctx context.Context, c *account.Container) (offer *account.Offer, shared bool, err error) {
	if offer, err = e.Account.Offer(ctx, c.RID); offer != nil || err != nil {
		return offer, false, err
	}
	rid, err := e.Account.DatabaseRID(ctx, c.Database)
	if err != nil {
		return nil, false, err
	}
	offer, err = e.Account.Offer(ctx, rid)
	return offer, true, err
}

// units reports the throughput of each physical partition.
func (e *examination) units(what string, offer *account.Offer, shared bool, n int, physical string) {
	r := e.report
	units, kind := offer.Manual, "manual %d RU/s"
	if offer.Autoscale > 0 {
		units, kind = offer.Autoscale, "autoscale up to %d RU/s"
	}
	found := fmt.Sprintf(kind, units)
	if offer.Least > 0 && offer.Least < units {
		found += fmt.Sprintf(" (at least %d)", offer.Least)
	}
	if shared {
		r.add(OK, what, "", "%s, shared with the other containers of the database; %s", found, physical)
		return
	}
	least, most := units/max(n, 1), units/max(n, 1)
	switch told := len(offer.Partitions) == n; {
	case n == 1:
		found += fmt.Sprintf(", %s of %d RU/s", physical, most)
	case !told:
		found += fmt.Sprintf(", %s, of %d RU/s each unless it was redistributed, which the service does not report", physical, most)
	default:
		least, most = int(slices.Min(offer.Partitions)), int(slices.Max(offer.Partitions))
		if least < most {
			r.add(Note, what, redistributed, "%s, %s of %d to %d RU/s", found, physical, least, most)
			return
		}
		found += fmt.Sprintf(", %s of %d RU/s each", physical, most)
	}
	switch {
	case most > mostUnits:
		r.add(Note, what, "wait until the service has split the physical partitions: each serves at most 10,000 RU/s", "%s", found)
	case n > 1 && least < fewUnits:
		r.add(Note, what, fragmented, "%s", found)
	default:
		r.add(OK, what, "", "%s", found)
	}
}

const (
	// redistributed is the message for throughput whose policy is Custom ("Redistribute throughput
	// across partitions").
	redistributed = "a busy logical partition of the poorest physical partition is throttled (429) first; and while physical partitions have their own throughput (policy Custom), " +
		"the service refuses to change the throughput of the container, as Ensure, Windows and the portal do: make it equal again by az cosmosdb sql container redistribute-partition-throughput"
	// fragmented is the message for throughput divided among many physical partitions.
	fragmented = "a busy logical partition is throttled (429) beyond that: raise the throughput. Do not merge physical partitions before you have tried your programs on another account: " +
		"by Microsoft's page on merging physical partitions, a preview, the account then refuses requests of any Go SDK, although azcosmos declares in each request that it can handle merges; " +
		"which is right is unknown"
)

// sizes examines how full physical and logical partitions are, if the service reports it.
func (e *examination) sizes(ctx context.Context, c *account.Container, name string) {
	statistics, err := e.Account.Statistics(ctx, c)
	if err != nil {
		return // the container was read, so the service does not report it
	}
	for _, p := range statistics.Partitions {
		if p.Bytes > mostBytes*4/5 {
			e.report.add(Note, name+", size", "the service splits it at 50 GB; the split takes throughput, and afterwards each physical partition has less", "physical partition %s has %d GB", p.ID, p.Bytes>>30)
		}
		for _, k := range p.Keys {
			if k.Bytes > mostKeyBytes*4/5 {
				// The key contains data of documents, so it is not shown.
				e.report.add(Wrong, name+", size", "a logical partition has at most 20 GB, and then refuses writes: pkgen-data analyze -container shows its key; delete documents, or choose a key with more values, such as one that ends in the id, docs/keys.md", "a logical partition has %d GB", k.Bytes>>30)
			}
		}
	}
}

// orders sends a query for each declared order, and one by the partition key, and reports missing
// indexes.
func (e *examination) orders(ctx context.Context, c *account.Container, want Container, name string) {
	queries := []string{fmt.Sprintf("SELECT TOP 1 VALUE c.id FROM c WHERE %s = ''", column(want.Want.PartitionKeyDefinition.Paths[0]))}
	labels := []string{"queries by key"}
	if want.Want.IndexingPolicy != nil {
		for _, index := range want.Want.IndexingPolicy.CompositeIndexes {
			var by, label []string
			for _, x := range index {
				direction := "ASC"
				if x.Order == containers.Descending {
					direction = "DESC"
				}
				by = append(by, column(x.Path)+" "+direction)
				label = append(label, strings.ReplaceAll(x.Path, `"`, "")+" "+direction)
			}
			queries = append(queries, "SELECT TOP 1 VALUE c.id FROM c ORDER BY "+strings.Join(by, ", "))
			labels = append(labels, "order by "+strings.Join(label, ", "))
		}
	}
	served := 0
	for i, query := range queries {
		m, err := e.Account.IndexMetrics(ctx, c, query)
		var answer *account.StatusError
		switch {
		case errors.As(err, &answer) && answer.Status == http.StatusBadRequest:
			e.report.add(Wrong, name+", "+labels[i], "add the index by Ensure with admin.FixDifferences, or wait until the service has built it", "the service refuses it: %s", answer.Message)
			continue
		case err != nil:
			e.failed(ctx, name+", "+labels[i], err)
			return
		}
		var missed []string
		for _, x := range m.PotentialSingleIndexes {
			missed = append(missed, x.IndexSpec)
		}
		for _, x := range m.PotentialCompositeIndexes {
			missed = append(missed, "("+strings.Join(x.IndexSpecs, ", ")+")")
		}
		if len(missed) > 0 {
			e.report.add(Note, name+", "+labels[i], "add it to the indexing policy, if the queries of your program are like this one", "the service recommends an index of %s", strings.Join(missed, ", "))
			continue
		}
		served++
	}
	if served == len(queries) {
		asked := slices.Concat([]string{"the service recommends no index for a query by key"}, labels[1:])
		e.report.add(OK, name+", queries", "", "%s", strings.Join(asked, ", "))
	}
}

// column returns the property at a path, in SQL.
func column(path string) string { return cosmossql.Property(containers.Names(path)...) }
