package provision

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

type edit = func(*azcosmos.ContainerProperties)

// composite is a composite index of paths, those with a minus descending.
func composite(paths ...string) []azcosmos.CompositeIndex {
	index := make([]azcosmos.CompositeIndex, len(paths))
	for i, path := range paths {
		index[i] = azcosmos.CompositeIndex{Path: strings.TrimPrefix(path, "-"), Order: azcosmos.CompositeIndexAscending}
		if strings.HasPrefix(path, "-") {
			index[i].Order = azcosmos.CompositeIndexDescending
		}
	}
	return index
}

// indexing sets an indexing policy of included and excluded paths.
func indexing(included, excluded []string, composites ...[]azcosmos.CompositeIndex) edit {
	policy := &azcosmos.IndexingPolicy{Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent, CompositeIndexes: composites}
	for _, path := range included {
		policy.IncludedPaths = append(policy.IncludedPaths, azcosmos.IncludedPath{Path: path})
	}
	for _, path := range excluded {
		policy.ExcludedPaths = append(policy.ExcludedPaths, azcosmos.ExcludedPath{Path: path})
	}
	return func(p *azcosmos.ContainerProperties) { p.IndexingPolicy = policy }
}

func unindexed(p *azcosmos.ContainerProperties) {
	p.IndexingPolicy = &azcosmos.IndexingPolicy{IndexingMode: azcosmos.IndexingModeNone}
}

func expiring(seconds int32) edit {
	return func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = ttl(seconds) }
}

func keyed(definition azcosmos.PartitionKeyDefinition) edit {
	return func(p *azcosmos.ContainerProperties) { p.PartitionKeyDefinition = definition }
}

func unique(keys ...[]string) edit {
	return func(p *azcosmos.ContainerProperties) {
		p.UniqueKeyPolicy = &azcosmos.UniqueKeyPolicy{}
		for _, paths := range keys {
			p.UniqueKeyPolicy.UniqueKeys = append(p.UniqueKeyPolicy.UniqueKeys, azcosmos.UniqueKey{Paths: paths})
		}
	}
}

// conflicts sets the policy by which conflicts are resolved.
func conflicts(mode azcosmos.ConflictResolutionMode, path, procedure string) edit {
	return func(p *azcosmos.ContainerProperties) {
		p.ConflictResolutionPolicy = &azcosmos.ConflictResolutionPolicy{Mode: mode, ResolutionPath: path, ResolutionProcedure: procedure}
	}
}

func allOf(edits ...edit) edit {
	return func(p *azcosmos.ContainerProperties) {
		for _, e := range edits {
			e(p)
		}
	}
}

// made is a database with the edited container of vehicle events, which azcosmos
// alone has made.
func made(t testing.TB, o emulator.Options, e edit, throughput *azcosmos.ThroughputProperties) (*harness.Account, *azcosmos.DatabaseClient) {
	t.Helper()
	server, db := kit.NewDatabase(t, o, nil)
	if _, err := db.CreateContainer(t.Context(), wanted(e), &azcosmos.CreateContainerOptions{ThroughputProperties: throughput}); err != nil {
		t.Fatal(err)
	}
	return server, db
}

const (
	immutable = "it cannot be changed: create a new container and copy the documents, see docs/keys.md"
	byHand    = "this would index every document again and make every write more expensive: change it by az cosmosdb sql container update --idx, or in the portal"
	built     = "the service builds it in the background, from the container's request units"
)

var differences = []struct {
	name       string
	have, want edit
	lines      []string // of the error; none if both agree
}{
	{"path", keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/vin"}, Version: 2}), nil,
		[]string{"partitionKey.paths: have /vin, want /partitionKey; " + immutable}},
	{"path in quotes", keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{`/"partitionKey"`}, Version: 2}), nil, nil},
	{"kind", keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindMultiHash, Paths: []string{"/partitionKey"}, Version: 2}), nil,
		[]string{"partitionKey.kind: have MultiHash, want Hash; " + immutable}},
	{"kind by the number of paths", nil, keyed(azcosmos.PartitionKeyDefinition{Paths: []string{"/partitionKey"}, Version: 2}), nil},
	{"version", keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/partitionKey"}}), nil,
		[]string{"partitionKey.version: have 1, want 2; " + immutable}},
	{"levels", keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindMultiHash, Paths: []string{"/a", "/b"}, Version: 2}),
		keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindMultiHash, Paths: []string{"/b", "/a"}, Version: 2}),
		[]string{"partitionKey.paths: have /a,/b, want /b,/a; " + immutable}},

	{"documents that expire unasked", expiring(60), nil,
		[]string{"defaultTtl: have 60 seconds, want off; FixDifferences changes it, no document expires any more"}},
	{"documents that may say when they expire", expiring(-1), nil, nil},
	{"each as it says", expiring(60), expiring(-1),
		[]string{"defaultTtl: have 60 seconds, want -1, by document; FixDifferences changes it, documents without a ttl of their own do not expire any more"}},
	{"later", expiring(60), expiring(90),
		[]string{"defaultTtl: have 60 seconds, want 90 seconds; FixDifferences changes it, documents without a ttl of their own expire later"}},
	{"earlier", expiring(90), expiring(60),
		[]string{"defaultTtl: have 90 seconds, want 60 seconds; stored documents would expire by it, old ones at once: if this is intended, az cosmosdb sql container update --ttl 60"}},
	{"never until now", nil, expiring(60),
		[]string{"defaultTtl: have off, want 60 seconds; stored documents would expire by it, old ones at once: if this is intended, az cosmosdb sql container update --ttl 60"}},
	{"none by default", expiring(-1), expiring(60),
		[]string{"defaultTtl: have -1, by document, want 60 seconds; stored documents would expire by it, old ones at once: if this is intended, az cosmosdb sql container update --ttl 60"}},
	{"a ttl without effect", nil, expiring(-1),
		[]string{"defaultTtl: have off, want -1, by document; stored documents that carry a ttl would expire by it, old ones at once: if this is intended, az cosmosdb sql container update --ttl -1"}},

	{"unique key", nil, unique([]string{"/vin"}),
		[]string{"uniqueKeyPolicy.uniqueKeys: have none, want (/vin); " + immutable}},
	{"unique key of several", unique([]string{"/vin"}, []string{"/a"}), unique([]string{"/vin", "/at"}),
		[]string{"uniqueKeyPolicy.uniqueKeys: have (/vin), (/a), want (/vin, /at); " + immutable}},
	{"unique keys and more", unique([]string{"/x"}, []string{"/at", "/vin"}), unique([]string{"/vin", "/at"}), nil},

	{"another path of conflicts", conflicts("LastWriterWins", "/at", ""), conflicts("LastWriterWins", "/revision", ""),
		[]string{"conflictResolutionPolicy: have LastWriterWins by /at, want LastWriterWins by /revision; " + immutable}},
	{"conflicts by time", nil, conflicts("LastWriterWins", "/revision", ""),
		[]string{"conflictResolutionPolicy: have LastWriterWins by /_ts, want LastWriterWins by /revision; " + immutable}},
	{"conflicts by a procedure", conflicts("Custom", "", "dbs/d/colls/c/sprocs/merge"), conflicts("LastWriterWins", "/_ts", ""),
		[]string{"conflictResolutionPolicy: have Custom by dbs/d/colls/c/sprocs/merge, want LastWriterWins by /_ts; " + immutable}},
	{"conflicts by the feed", conflicts("Custom", "", ""), conflicts("LastWriterWins", "", ""),
		[]string{"conflictResolutionPolicy: have Custom by the conflicts feed, want LastWriterWins by /_ts; " + immutable}},
	{"conflicts as by default", nil, conflicts("LastWriterWins", "/_ts", ""), nil},
	{"conflicts by a path in quotes", conflicts("lastWriterWins", `/"meta"/revision`, ""), conflicts("LastWriterWins", "/meta/revision", ""), nil},
	{"conflicts that nothing is asked of", conflicts("Custom", "", ""), nil, nil},

	{"no index", unindexed, nil, []string{"indexingPolicy.indexingMode: have none, want consistent; " + byHand}},
	{"no index as wanted", unindexed, unindexed, nil},
	{"an index that is not wanted", nil, unindexed, nil},
	{"no index of the key", indexing([]string{"/vin/?"}, []string{"/*"}), nil,
		[]string{"indexingPolicy.includedPaths: have no index of /partitionKey, want /partitionKey/?; FixDifferences changes it, queries by key read every document without it; " + built}},
	{"no index of the key as wanted", indexing([]string{"/vin/?"}, []string{"/*"}), indexing([]string{"/at/?"}, []string{"/*"}), nil},
	{"the id needs none", allOf(keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/id"}, Version: 2}), indexing(nil, []string{"/*"})),
		keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/id"}, Version: 2}), nil},
	{"composite index", nil, indexing([]string{"/*"}, nil, composite("/vin", "-/at")),
		[]string{"indexingPolicy.compositeIndexes: have no such index, want (/vin ascending, /at descending); FixDifferences changes it, an order by these properties fails without it; " + built}},
	{"composite indexes that serve", indexing([]string{"/*"}, nil, composite("/x", "/y"), composite("-/at", "-/vin"), composite("/vin", "-/at")),
		indexing([]string{"/*"}, nil, composite("-/vin", "/at"), composite("/at", "/vin")), nil},

	{"everything",
		allOf(keyed(azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindMultiHash, Paths: []string{"/tenant", "/user"}, Version: 2}), expiring(60), indexing(nil, []string{"/*"})),
		allOf(unique([]string{"/vin"}), indexing([]string{"/*"}, nil, composite("/a", "/b"), composite("/a", "-/b"))),
		[]string{
			"partitionKey.paths: have /tenant,/user, want /partitionKey; " + immutable,
			"partitionKey.kind: have MultiHash, want Hash; " + immutable,
			"defaultTtl: have 60 seconds, want off; FixDifferences changes it, no document expires any more",
			"uniqueKeyPolicy.uniqueKeys: have none, want (/vin); " + immutable,
			"indexingPolicy.includedPaths: have no index of /partitionKey, want /partitionKey/?; FixDifferences changes it, queries by key read every document without it; " + built,
			"indexingPolicy.compositeIndexes: have no such index, want (/a ascending, /b ascending); FixDifferences changes it, an order by these properties fails without it; " + built,
			"indexingPolicy.compositeIndexes: have no such index, want (/a ascending, /b descending); FixDifferences changes it, an order by these properties fails without it; " + built,
		}},
}

func TestEnsureTellsEveryDifference(t *testing.T) {
	t.Parallel()
	for _, test := range differences {
		t.Run(test.name, func(t *testing.T) {
			_, db := made(t, emulator.Options{Lenient: true}, test.have, nil)
			want := wanted(test.want)
			container, err := admin.Ensure(t.Context(), db, want, admin.AnyThroughput())
			if test.lines == nil {
				if err != nil {
					t.Fatalf("got %v", err)
				}
				return
			}
			golden := "container \"vehicle-event\" of database \"db\" differs from the code:\n\t" + strings.Join(test.lines, "\n\t")
			if container != nil || err == nil || err.Error() != golden {
				t.Fatalf("got  %v\nwant %s", err, golden)
			}
			var differs *admin.ContainerError
			if !errors.As(err, &differs) || differs.Database != "db" || differs.Container != want.ID || len(differs.Differences) != len(test.lines) {
				t.Fatalf("got %+v", differs)
			}
		})
	}
}

// TestFixDifferencesFixesWhatItSays changes each container and checks it again.
// Where one difference cannot be removed, nothing is changed.
func TestFixDifferencesFixesWhatItSays(t *testing.T) {
	t.Parallel()
	for _, test := range differences {
		t.Run(test.name, func(t *testing.T) {
			server, db := made(t, emulator.Options{Lenient: true}, test.have, nil)
			want := wanted(test.want)
			fixable := !slices.ContainsFunc(test.lines, func(line string) bool { return !strings.Contains(line, "FixDifferences") })
			server.ResetRequests()
			_, err := admin.Ensure(t.Context(), db, want, admin.AnyThroughput(), admin.FixDifferences())
			if fixable != (err == nil) {
				t.Fatalf("got %v", err)
			}
			if changed := slices.Contains(ensureOperations(server), emulator.OpReplaceContainer); changed != (fixable && test.lines != nil) {
				t.Errorf("changed: %t", changed)
			}
			if fixable {
				ensure(t, db, want, admin.AnyThroughput())
			}
		})
	}
}
