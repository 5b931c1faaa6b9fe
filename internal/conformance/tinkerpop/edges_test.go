package tinkerpop_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin"
)

func edges(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	devices := gremlin.New(client, "Device", &deviceModel)
	sites := gremlin.New(client, "Site", &siteModel)
	installed := gremlin.NewEdges(client, "Installed", &installedModel, &deviceModel, &siteModel, documents.WithPageSize(3))
	for i := range 3 {
		is(t, "create", devices.Create(ctx, device("a", i, "d")), nil)
	}
	for i := range 10 {
		is(t, "create", sites.Create(ctx, &Site{"s", fmt.Sprint("site", i)}), nil)
	}
	from, to := DeviceKey{"a", 0, "d"}, SiteKey{"site0", "s"}
	e := &Installed{ID: "e'1", Since: time.Date(2024, 1, 2, 3, 4, 5, 600, time.UTC), Note: ptr("');drop()"), Order: 4}
	is(t, "create an edge", installed.Create(ctx, from, to, e), nil)
	is(t, "create it again", installed.Create(ctx, from, to, e), documents.ErrAlreadyExists)
	is(t, "an edge from nowhere", installed.Create(ctx, DeviceKey{"a", 9, "d"}, to, &Installed{ID: "x"}), documents.ErrNotFound)
	is(t, "an edge to nowhere", installed.Create(ctx, from, SiteKey{"site0", "x"}, &Installed{ID: "x"}), documents.ErrNotFound)
	is(t, "the same id at another source", installed.Create(ctx, DeviceKey{"a", 1, "d"}, to, e), nil)

	got, err := installed.Get(ctx, from, "e'1")
	if err != nil || !reflect.DeepEqual(got.Edge, e) || got.ToPartitionKey != "site0" || got.ToID != "s" {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = installed.Get(ctx, from, "x")
	is(t, "get nothing", err, documents.ErrNotFound)

	for i := range 10 {
		is(t, "create", installed.Create(ctx, from, SiteKey{fmt.Sprint("site", i), "s"}, &Installed{ID: fmt.Sprint("f", i), Order: i}), nil)
	}
	order := documents.Number[Installed, int]("order")
	list, err := installed.From(from).Where(order.Ge(4)).Collect(ctx)
	var ids []string
	for _, e := range list {
		ids = append(ids, e.Edge.ID)
	}
	if want := []string{"e'1", "f4", "f5", "f6", "f7", "f8", "f9"}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("edges %q, %v, want %q", ids, err, want)
	}
	if n, err := installed.From(from).Count(ctx); n != 11 || err != nil {
		t.Errorf("%d edges, %v", n, err)
	}
	if list, err := installed.From(from).Limit(5).Collect(ctx); len(list) != 5 || err != nil {
		t.Errorf("a limit of 5 gives %d, %v", len(list), err)
	}
	// Two edges lead to site0, which comes once.
	out, err := gremlin.Out(installed, from, &siteModel).Collect(ctx)
	if err != nil || len(out) != 10 {
		t.Errorf("%d targets, %v", len(out), err)
	}
	found, err := gremlin.Out(installed, from, &siteModel).Page(ctx, "", 4)
	page, next := found.Items, found.Cursor
	if err != nil || len(page) != 4 || next == "" {
		t.Errorf("%d targets, %q, %v", len(page), next, err)
	}
	if _, err := gremlin.Out(installed, DeviceKey{"a", 1, "d"}, &siteModel).Page(ctx, next, 4); !errors.Is(err, documents.ErrCursor) {
		t.Errorf("the cursor of another source: %v", err)
	}
	in := gremlin.In(installed, to, &deviceModel)
	sources, err := in.Where(fields.On.Eq(true)).Collect(ctx)
	if err != nil || !slices.Equal(names(sources), []string{"a.0/d", "a.1/d"}) {
		t.Errorf("sources %q, %v", names(sources), err)
	}
	if n, err := in.Count(ctx); n != 2 || err != nil {
		t.Errorf("%d sources, %v", n, err)
	}
	is(t, "delete", installed.Delete(ctx, from, "e'1"), nil)
	is(t, "delete again", installed.Delete(ctx, from, "e'1"), documents.ErrNotFound)
	is(t, "delete a vertex with edges", devices.Delete(ctx, from), nil)
	if n, err := installed.From(from).Count(ctx); n != 0 || err != nil {
		t.Errorf("%d edges of nothing, %v", n, err)
	}
	if sources, err := in.Collect(ctx); err != nil || !slices.Equal(names(sources), []string{"a.1/d"}) {
		t.Errorf("sources %q, %v", names(sources), err)
	}
}
