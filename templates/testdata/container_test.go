package behaviour

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"
	"golden.test/fields"
	"golden.test/shared"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestContainer has the container of a type made, reads what the server keeps of
// its description, and asks for an order that needs one of its composite
// indexes.
func TestContainer(t *testing.T) {
	client := emulator.New(t, emulator.Options{Partitions: 5}).Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	c, err := shared.EnsureProbeContainer(t.Context(), db, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := response.ContainerProperties, shared.ProbeContainer()
	if c.ID() != want.ID || got.DefaultTimeToLive == nil || *got.DefaultTimeToLive != 86400 {
		t.Errorf("container %s has the default time to live %v", c.ID(), got.DefaultTimeToLive)
	}
	if diff := cmp.Diff(want.IndexingPolicy.CompositeIndexes, got.IndexingPolicy.CompositeIndexes); diff != "" {
		t.Errorf("composite indexes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(shared.AlertContainer(), want); diff != "" {
		t.Errorf("two types describe one container (-Alert +Probe):\n%s", diff)
	}
	if ttl := shared.LeaseContainer().DefaultTimeToLive; ttl == nil || *ttl != -1 {
		t.Errorf("leases have the default time to live %v, want -1", ttl)
	}

	probes := shared.NewProbeRepository(c)
	at := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	create(t, probes.Create,
		&shared.Probe{ID: "1", Site: "zrh", At: at, Depth: 1},
		&shared.Probe{ID: "2", Site: "gva", At: at.Add(time.Hour), Depth: 2},
		&shared.Probe{ID: "3", Site: "zrh", At: at, Depth: 2},
	)
	docs, err := probes.Scan().OrderBy(shared.ProbeFields.Depth.Asc(), documents.Number[shared.Probe, int]("/at").Desc()).Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, doc := range docs {
		ids = append(ids, doc.ID)
	}
	if diff := cmp.Diff([]string{"1", "2", "3"}, ids); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// TestPatchPaths looks at the paths that changes of a patch go to.
func TestPatchPaths(t *testing.T) {
	patch := fields.TripwirePatch
	for got, want := range map[string]string{
		string(patch.Armed):                                "/armed",
		string(patch.Sums.Key("a").Key("b")):               "/sums/a/b",
		string(patch.Meta.PatchValue):                      "/meta",
		string(patch.Meta.PatchValueValue):                 "/meta/patchValue",
		string(patch.Meta.Inner.Count):                     "/meta/inner/count",
		string(patch.MetaInner.Odd):                        "/metaInner/a.b~1c",
		string(shared.ProbePatch.Odd):                      "/a~1b~01",
		string(fields.TripwireFields.Armed):                "?/armed",
		string(fields.TripwirePatch.Meta.Inner.PatchValue): "/meta/inner",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
