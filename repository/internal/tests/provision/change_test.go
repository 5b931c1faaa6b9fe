package provision

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// storedProperties reads the properties of a container.
func storedProperties(t testing.TB, db *azcosmos.DatabaseClient, id string) azcosmos.ContainerProperties {
	t.Helper()
	container, err := db.NewContainer(id)
	if err != nil {
		t.Fatal(err)
	}
	response, err := container.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return *response.ContainerProperties
}

func TestFixDifferencesKeepsTheRest(t *testing.T) {
	have := allOf(
		indexing([]string{"/*", "/address/*"}, []string{"/secret/*", "/partitionKey/?", "/address/zip/?", `/"_etag"/?`}, composite("/x", "-/y")),
		unique([]string{"/vin"}), expiring(60),
		func(p *azcosmos.ContainerProperties) {
			p.IndexingPolicy.SpatialIndexes = []azcosmos.SpatialIndex{{Path: "/place/*", SpatialTypes: []azcosmos.SpatialType{azcosmos.SpatialTypePoint}}}
			p.ConflictResolutionPolicy = &azcosmos.ConflictResolutionPolicy{Mode: azcosmos.ConflictResolutionModeLastWriteWins, ResolutionPath: "/at"}
		})
	_, db := made(t, emulator.Options{}, have, nil)
	want := wanted(indexing([]string{"/*"}, nil, composite("/a", "/b"), composite("-/a", "-/b"), composite("/x", "-/y")))
	expected := storedProperties(t, db, want.ID)
	ensure(t, db, want, admin.AnyThroughput(), admin.FixDifferences())

	expected.DefaultTimeToLive = nil
	expected.IndexingPolicy.ExcludedPaths = []azcosmos.ExcludedPath{{Path: "/secret/*"}, {Path: "/address/zip/?"}, {Path: `/"_etag"/?`}}
	expected.IndexingPolicy.IncludedPaths = append(expected.IndexingPolicy.IncludedPaths, azcosmos.IncludedPath{Path: "/partitionKey/?"})
	expected.IndexingPolicy.CompositeIndexes = append(expected.IndexingPolicy.CompositeIndexes, composite("/a", "/b"))
	got := storedProperties(t, db, want.ID)
	got.ETag, got.LastModified = expected.ETag, expected.LastModified
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("got  %+v\n%+v\nwant %+v\n%+v", got, got.IndexingPolicy, expected, expected.IndexingPolicy)
	}
}

// TestFixDifferencesFromManyAtOnce has each program want another index. None of
// them may be lost.
func TestFixDifferencesFromManyAtOnce(t *testing.T) {
	t.Parallel()
	_, db := made(t, emulator.Options{}, nil, nil)
	const programs = 8
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range programs {
		wg.Go(func() {
			<-start
			want := wanted(indexing([]string{"/*"}, nil, composite("/at", fmt.Sprintf("/p%d", i))))
			if _, err := admin.Ensure(t.Context(), db, want, admin.AnyThroughput(), admin.FixDifferences()); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	if got := storedProperties(t, db, "vehicle-event").IndexingPolicy.CompositeIndexes; len(got) != programs {
		t.Errorf("%d composite indexes are left: %v", len(got), got)
	}
}

// amend replaces texts in the bodies of the requests that create containers, to
// give these properties that azcosmos does not know.
type amend []string // a text, what replaces it, and so on

func (a amend) Do(r *policy.Request) (*http.Response, error) {
	if r.Raw().Method == http.MethodPost && strings.HasSuffix(r.Raw().URL.Path, "/colls") {
		body, err := io.ReadAll(r.Body())
		if err != nil {
			return nil, err
		}
		for pair := range slices.Chunk(a, 2) {
			body = bytes.Replace(body, []byte(pair[0]), []byte(pair[1]), 1)
		}
		if err := r.SetBody(streaming.NopCloser(bytes.NewReader(body)), "application/json"); err != nil {
			return nil, err
		}
	}
	return r.Next()
}

func TestFixDifferencesDropsNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		amend
		lost string
	}{
		{
			amend{`{"id"`, `{"geospatialConfig":{"type":"Geometry"},"id"`, `{"path":"/place/*"`, `{"boundingBox":{"xmin":0,"ymin":0,"xmax":10,"ymax":10},"path":"/place/*"`},
			"geospatialConfig, indexingPolicy.spatialIndexes[0].boundingBox",
		},
		{amend{`"/*"}`, `"/*","indexes":[{"kind":"Range"}]}`}, "indexingPolicy.includedPaths[0].indexes"},
		{amend{`{"id"`, `{"geospatialConfig":{"type":"Geography"},"analyticalStorageTtl":null,"id"`}, ""},
		{amend{`"automatic"`, `"vectorIndexes":[],"note":"","automatic"`}, ""},
	}
	for _, test := range tests {
		server, db := kit.NewDatabase(t, emulator.Options{}, nil)
		var options azcosmos.ClientOptions
		options.PerCallPolicies = []policy.Policy{test.amend}
		have := wanted(allOf(expiring(60), indexing([]string{"/*"}, nil)))
		have.IndexingPolicy.SpatialIndexes = []azcosmos.SpatialIndex{{Path: "/place/*", SpatialTypes: []azcosmos.SpatialType{azcosmos.SpatialTypePolygon}}}
		ensure(t, server.Database(&options), have, admin.Manual(400))

		_, err := admin.Ensure(t.Context(), db, wanted(nil), admin.Manual(500), admin.FixDifferences())
		if test.lost == "" {
			if err != nil {
				t.Errorf("%s: %v", test.amend, err)
			}
			continue
		}
		want := `container "vehicle-event" of database "db" differs from the code:
	defaultTtl: have 60 seconds, want off; azcosmos does not support ` + test.lost + ` and would drop that with the change: make it by az, Bicep or in the portal
	throughput: have manual 400 RU/s, want manual 500 RU/s; FixDifferences changes it, the bill changes with it`
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", test.amend, err, want)
		}
		// What does not touch the properties is changed.
		ensure(t, db, have, admin.Manual(500), admin.FixDifferences())
	}
}

// TestFixDifferencesLetsNothingExpire compares, for all times to live, the
// documents that remain in a container with those of an unchanged container.
func TestFixDifferencesLetsNothingExpire(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	times := []*int32{nil, ttl(-1), ttl(60), ttl(90)}[:seeds.Few(4, 3)]
	documents := []string{`{"id":"none"`, `{"id":"never","ttl":-1`, `{"id":"soon","ttl":30`, `{"id":"late","ttl":75`, `{"id":"later","ttl":600`}
	key := azcosmos.NewPartitionKeyString("k")
	left := func(id string) map[string]bool {
		container, err := db.NewContainer(id)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, document := range []string{"none", "never", "soon", "late", "later"} {
			_, err := container.ReadItem(t.Context(), key, document, nil)
			found[document] = err == nil
		}
		return found
	}
	type pair struct{ control, changed string }
	var pairs []pair
	for i, have := range times {
		for j, want := range times {
			p := pair{fmt.Sprintf("control-%d-%d", i, j), fmt.Sprintf("changed-%d-%d", i, j)}
			for _, id := range []string{p.control, p.changed} {
				container := ensure(t, db, wanted(func(c *azcosmos.ContainerProperties) { c.ID, c.DefaultTimeToLive = id, have }), admin.AnyThroughput())
				for _, document := range documents {
					if _, err := container.CreateItem(t.Context(), key, []byte(document+`,"partitionKey":"k"}`), nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			_, err := admin.Ensure(t.Context(), db, wanted(func(c *azcosmos.ContainerProperties) { c.ID, c.DefaultTimeToLive = p.changed, want }), admin.AnyThroughput(), admin.FixDifferences())
			var differs *admin.ContainerError
			if err != nil && !errors.As(err, &differs) {
				t.Fatal(err)
			}
			pairs = append(pairs, p)
		}
	}
	for range 3 {
		server.Advance(40 * time.Second)
		for _, p := range pairs {
			changed := left(p.changed)
			for id, there := range left(p.control) {
				if there && !changed[id] {
					t.Errorf("%s: the document %s is gone", p.changed, id)
				}
			}
		}
	}
}
