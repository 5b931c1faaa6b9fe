package tinkerpop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestGraph tests writes, reads and queries of documents, and edges. With -short it leaves
// out the rows that take longest.
func TestGraph(t *testing.T) {
	s := server(t)
	client := s.Client(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *gremlin.Client)
		long bool
	}{
		{"answers are untyped", untyped, false},
		{"the server refuses what the service refuses", refused, false},
		{"write and read back", writeAndReadBack, false},
		{"hostile texts", hostileTexts, false},
		{"one id under several keys", sameID, false},
		{"other types", otherTypes, false},
		{"writers that cross", crossing, false},
		{"queries", queries, true},
		{"pages", pages, false},
		{"large partitions", large, true},
		{"edges", edges, false},
	} {
		if test.long && testing.Short() {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			if _, err := client.Submit(soon(t), "g.V().drop()", nil); err != nil {
				t.Fatal(err)
			}
			test.run(t, client)
		})
	}
	t.Run("a wrong key", func(t *testing.T) {
		wrong, err := gremlin.NewClient(s.Endpoint(), tinkerpop.Database, tinkerpop.Graph, "other")
		if err != nil {
			t.Fatal(err)
		}
		defer wrong.Close()
		_, err = wrong.Submit(soon(t), "g.V()", nil)
		var e *documents.Error
		if !errors.As(err, &e) || e.Code != "401" || strings.Contains(err.Error(), "other") {
			t.Errorf("%v", err)
		}
	})
}

// untyped asserts the form of answers that Azure Cosmos DB has: that of GraphSON 1,
// without types.
func untyped(t *testing.T, client *gremlin.Client) {
	results, err := client.Submit(soon(t), "g.addV('Device').property('id', i).property('partitionKey', k).property('n', n).property('f', f).property('b', b)",
		map[string]any{"i": "1", "k": "x", "n": 7, "f": 1.5, "b": true})
	if err != nil || len(results) != 1 {
		t.Fatal(results, err)
	}
	var v struct {
		ID, Label, Type string
		Properties      map[string][]struct {
			ID    any
			Value any
		}
	}
	if err := json.Unmarshal(results[0], &v); err != nil {
		t.Fatal(err)
	}
	if v.ID != "1" || v.Label != "Device" || v.Type != "vertex" || strings.Contains(string(results[0]), "@type") {
		t.Errorf("%s", results[0])
	}
	for name, want := range map[string]any{"partitionKey": "x", "n": 7.0, "f": 1.5, "b": true} {
		if p := v.Properties[name]; len(p) != 1 || p[0].Value != want {
			t.Errorf("property %s is %v", name, p)
		}
	}
	if results, err = client.Submit(soon(t), "g.V().count()", nil); err != nil || string(results[0]) != "1" {
		t.Errorf("%s, %v", results, err)
	}
}

func refused(t *testing.T, client *gremlin.Client) {
	for _, traversal := range []string{
		"g.addV('Device').property('id', 'a')", "g.addV('Device').property('partitionKey', 'a')", "g.V('a')",
		"g.V().property('partitionKey', 'b')", "g.V(", "g.V().order().by('id', desc", "g.addV('Device').property('id', 7).property('partitionKey', 'a')",
	} {
		if results, err := client.Submit(soon(t), traversal, nil); err == nil {
			t.Errorf("%s has the results %s", traversal, results)
		}
	}
}

func device(tenant string, bucket int, id string) *Device {
	return &Device{ID: id, Tenant: tenant, Bucket: bucket, Name: "n" + id, Speed: 12.5, Count: 1 << 60, On: true,
		At: time.Date(2024, 2, 29, 1, 2, 3, 456789100, time.UTC), Level: Level{7, 1}, Comment: ptr("c"), Seen: ptr(3)}
}

func is(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) || want == nil && err != nil {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func writeAndReadBack(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel)
	d := device("a", 1, "1")
	is(t, "create", docs.Create(ctx, d), nil)
	if d.Key != "a.1" {
		t.Errorf("Create writes the key %q", d.Key)
	}
	same := func() {
		t.Helper()
		got, err := docs.Get(ctx, key(d))
		if err != nil || !reflect.DeepEqual(got, d) {
			t.Errorf("read back %+v, %v, want %+v", got, err, d)
		}
	}
	same()
	is(t, "create again", docs.Create(ctx, device("a", 1, "1")), documents.ErrAlreadyExists)
	d.Name, d.Comment, d.Seen, d.Count, d.On = "", nil, nil, -5, false
	is(t, "replace", docs.Replace(ctx, d), nil)
	same()
	d.Comment, d.Name = ptr(""), "again"
	is(t, "upsert over", docs.Upsert(ctx, d), nil)
	same()
	d.Comment = nil
	is(t, "upsert over", docs.Upsert(ctx, d), nil)
	same()
	other := device("a", 1, "2")
	is(t, "replace nothing", docs.Replace(ctx, other), documents.ErrNotFound)
	is(t, "upsert new", docs.Upsert(ctx, other), nil)
	got, err := docs.Get(ctx, key(other))
	if err != nil || !reflect.DeepEqual(got, other) {
		t.Errorf("%+v, %v", got, err)
	}
	moved := *other
	moved.Tenant = "b"
	is(t, "replace under another key", docs.Replace(ctx, &moved), documents.ErrKeyChanged)
	is(t, "delete", docs.Delete(ctx, key(d)), nil)
	is(t, "delete again", docs.Delete(ctx, key(d)), documents.ErrNotFound)
	_, err = docs.Get(ctx, key(d))
	is(t, "get nothing", err, documents.ErrNotFound)

	wrong := device("a", 1, "3")
	wrong.At = wrong.At.Add(time.Nanosecond)
	var value *documents.FieldError
	if err := docs.Create(ctx, wrong); !errors.As(err, &value) || value.Property != "at" {
		t.Errorf("a time with nanoseconds: %v", err)
	}
	wrong = device("a", 1, "3")
	wrong.Name = "\xff"
	if err := docs.Create(ctx, wrong); !errors.As(err, &value) || value.Property != "name" {
		t.Errorf("a text that is not UTF-8: %v", err)
	}
}

func hostileTexts(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel)
	n := 0
	for i, text := range hostile {
		d := device("a", 1, fmt.Sprint(i))
		d.Name, d.Comment = text, &text
		if text != "" && !strings.ContainsAny(text, "/\\?#\x00\n") {
			d.ID, d.Tenant = text, text
		}
		if err := docs.Create(ctx, d); err != nil {
			if errors.As(err, new(interface{ Unwrap() []error })) || d.ID == fmt.Sprint(i) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		n++
		d.Speed++
		if err := docs.Upsert(ctx, d); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		got, err := docs.Get(ctx, key(d))
		if err != nil || !reflect.DeepEqual(got, d) {
			t.Errorf("%q: read back %+v, %v", text, got, err)
		}
		for name, p := range map[string]documents.Predicate[Device]{
			"Eq": fields.Name.Eq(text), "In": fields.Name.In(text, "no such"), "Contains": documents.And(fields.Name.Contains(text), fields.Name.Eq(text)),
			"StartsWith": documents.And(fields.Comment.StartsWith(text), fields.Comment.Le(text)), "EndsWith": documents.And(fields.Name.EndsWith(text), fields.Name.Ge(text), fields.Name.Le(text)),
			"id": documents.And(fields.ID.Eq(d.ID), fields.Name.Eq(text)),
		} {
			found, err := gremlin.NewQuery(docs, generated.Partition(d.Key)).Where(p).Collect(ctx)
			if err != nil || len(found) != 1 || found[0].Name != text {
				t.Errorf("%q: %s finds %d, %v", text, name, len(found), err)
			}
		}
	}
	all, err := gremlin.NewQuery(docs, generated.Keys{}).Collect(ctx)
	if err != nil || len(all) != n {
		t.Errorf("%d documents of %d, %v", len(all), n, err)
	}
	if n < len(hostile)-6 {
		t.Errorf("only %d of %d texts were stored", n, len(hostile))
	}
}

// sameID checks that ids are unique within a partition key alone.
func sameID(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel)
	for b := range 5 {
		d := device("a", b, "x")
		d.Count = int64(b)
		is(t, "create", docs.Create(ctx, d), nil)
	}
	is(t, "delete", docs.Delete(ctx, DeviceKey{"a", 3, "x"}), nil)
	for b := range 5 {
		d, err := docs.Get(ctx, DeviceKey{"a", b, "x"})
		if b == 3 {
			is(t, "get", err, documents.ErrNotFound)
		} else if err != nil || d.Count != int64(b) {
			t.Errorf("bucket %d: %+v, %v", b, d, err)
		}
	}
}

// otherTypes checks that labels tell types of one graph apart.
func otherTypes(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	devices := gremlin.New(client, "Device", &deviceModel)
	sites := gremlin.New(client, "Site", &siteModel)
	is(t, "create", sites.Create(ctx, &Site{"1", "a.1"}), nil)
	_, err := devices.Get(ctx, DeviceKey{"a", 1, "1"})
	is(t, "get", err, documents.ErrNotFound)
	is(t, "delete", devices.Delete(ctx, DeviceKey{"a", 1, "1"}), documents.ErrNotFound)
	is(t, "replace", devices.Replace(ctx, device("a", 1, "1")), documents.ErrNotFound)
	is(t, "upsert", devices.Upsert(ctx, device("a", 1, "1")), documents.ErrAlreadyExists)
	if n, err := gremlin.NewQuery(devices, generated.Keys{}).Count(ctx); n != 0 || err != nil {
		t.Errorf("%d devices, %v", n, err)
	}
}

// crossing has many writers of few documents.
func crossing(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel)
	var wg sync.WaitGroup
	var mu sync.Mutex
	created := 0
	for i := range 60 {
		wg.Go(func() {
			d := device("a", 1, fmt.Sprint(i%3))
			if i%2 == 0 {
				if err := docs.Upsert(ctx, d); err != nil {
					t.Errorf("upsert: %v", err)
				}
				return
			}
			err := docs.Create(ctx, d)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				created++
			} else if !errors.Is(err, documents.ErrAlreadyExists) {
				t.Errorf("create: %v", err)
			}
		})
	}
	wg.Wait()
	if n, err := gremlin.NewQuery(docs, generated.Partition("a.1")).Count(ctx); n != 3 || err != nil || created > 3 {
		t.Errorf("%d documents, of which %d were created, %v", n, created, err)
	}
}

func fill(t *testing.T, docs *gremlin.Documents[Device, DeviceKey], buckets, each int) []*Device {
	t.Helper()
	ctx := soon(t)
	var all []*Device
	for b := range buckets {
		for i := range each {
			d := device("a", b, fmt.Sprintf("id%02d", i))
			d.Speed, d.Count, d.On = float64(i%4)-1.5, int64(b*i), i%3 == 0
			d.At = d.At.Add(time.Duration(i) * time.Hour)
			d.Level = Level{byte(i % 2), 0}
			if i%5 == 0 {
				d.Comment = nil
			}
			all = append(all, d)
		}
	}
	var wg sync.WaitGroup
	next := make(chan *Device)
	for range 8 {
		wg.Go(func() {
			for d := range next {
				if err := docs.Create(ctx, d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, d := range all {
		next <- d
	}
	close(next)
	wg.Wait()
	return all
}

func names(docs []*Device) []string {
	var list []string
	for _, d := range docs {
		list = append(list, d.Key+"/"+d.ID)
	}
	slices.Sort(list)
	return list
}

// queries compares conditions with the same ones in Go.
func queries(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel, documents.WithConcurrency(4))
	all := fill(t, docs, 8, 12)
	buckets := generated.Buckets(400, func(b int) string { return DeviceKey{Tenant: "a", Bucket: b - 1}.text() })
	at := all[4].At
	for name, test := range map[string]struct {
		p    documents.Predicate[Device]
		want func(*Device) bool
	}{
		"all":        {documents.And[Device](), func(*Device) bool { return true }},
		"none":       {documents.Or[Device](), func(*Device) bool { return false }},
		"not none":   {documents.Not(documents.Or[Device]()), func(*Device) bool { return true }},
		"Eq":         {fields.Speed.Eq(0.5), func(d *Device) bool { return d.Speed == 0.5 }},
		"Ne":         {fields.Speed.Ne(0.5), func(d *Device) bool { return d.Speed != 0.5 }},
		"Lt":         {fields.Speed.Lt(0.5), func(d *Device) bool { return d.Speed < 0.5 }},
		"Ge":         {fields.Count.Ge(10), func(d *Device) bool { return d.Count >= 10 }},
		"Between":    {fields.Count.Between(5, 20), func(d *Device) bool { return d.Count >= 5 && d.Count <= 20 }},
		"In":         {fields.Count.In(0, 7, 14), func(d *Device) bool { return d.Count == 0 || d.Count == 7 || d.Count == 14 }},
		"In nothing": {fields.Count.In(), func(*Device) bool { return false }},
		"bool":       {fields.On.Eq(true), func(d *Device) bool { return d.On }},
		"bool Ne":    {fields.On.Ne(true), func(d *Device) bool { return !d.On }},
		"time":       {fields.At.Gt(at), func(d *Device) bool { return d.At.After(at) }},
		"time Eq":    {fields.At.Eq(at.In(time.FixedZone("x", 3600))), func(d *Device) bool { return d.At.Equal(at) }},
		"text":       {fields.Level.Eq(Level{1, 0}), func(d *Device) bool { return d.Level == Level{1, 0} }},
		"exists":     {fields.Comment.HasValue(), func(d *Device) bool { return d.Comment != nil }},
		"not exists": {documents.Not(fields.Comment.Eq("c")), func(d *Device) bool { return d.Comment == nil }},
		"absent Ne":  {fields.Comment.Ne("x"), func(d *Device) bool { return d.Comment != nil }},
		"id":         {fields.ID.In("id03", "id04"), func(d *Device) bool { return d.ID == "id03" || d.ID == "id04" }},
		"nested": {documents.Or(documents.And(fields.Speed.Gt(0), documents.Not(fields.On.Eq(true))), fields.ID.Eq("id00")),
			func(d *Device) bool { return d.Speed > 0 && !d.On || d.ID == "id00" }},
	} {
		var want []*Device
		for _, d := range all {
			if test.want(d) {
				want = append(want, d)
			}
		}
		for what, keys := range map[string]generated.Keys{"fan-out": buckets, "all": {}} {
			q := gremlin.NewQuery(docs, keys).Where(test.p)
			got, err := q.Collect(ctx)
			if err != nil || !slices.Equal(names(got), names(want)) {
				t.Errorf("%s, %s: %d documents, want %d, %v", name, what, len(got), len(want), err)
			}
			if n, err := q.Count(ctx); n != len(want) || err != nil {
				t.Errorf("%s, %s: a count of %d, want %d, %v", name, what, n, len(want), err)
			}
		}
	}
	finds(t, docs, all, buckets)
}

// finds counts, finds by id, and sorts what is in all, and asks what is refused.
func finds(t *testing.T, docs *gremlin.Documents[Device, DeviceKey], all []*Device, buckets generated.Keys) {
	ctx := soon(t)
	var m documents.Meter
	if n, err := gremlin.NewQuery(docs, buckets).Count(documents.WithMeter(ctx, &m)); n != len(all) || err != nil || m.Requests() != 1 || m.RequestUnits() != 0 {
		t.Errorf("%d documents by %d requests for %v, %v", n, m.Requests(), m.RequestUnits(), err)
	}
	one := DeviceKey{Tenant: "a", Bucket: 2}
	if d, err := gremlin.FindInBuckets(ctx, docs, "id03", generated.Partition(one.text())); err != nil || d.ID != "id03" || d.Bucket != 2 {
		t.Errorf("found %+v, %v", d, err)
	}
	_, err := gremlin.FindInBuckets(ctx, docs, "id03", buckets)
	is(t, "find among several", err, documents.ErrAmbiguous)
	_, err = gremlin.FindInBuckets(ctx, docs, "no", buckets)
	is(t, "find nothing", err, documents.ErrNotFound)
	first, err := gremlin.NewQuery(docs, buckets).OrderBy(fields.At.Desc()).First(ctx)
	if err != nil || first.ID != "id11" {
		t.Errorf("the last is %+v, %v", first, err)
	}
	if _, err := gremlin.NewQuery(docs, buckets).Where(fields.ID.Eq("no")).First(ctx); !errors.Is(err, documents.ErrNotFound) {
		t.Errorf("First of nothing: %v", err)
	}
	if got, err := gremlin.NewQuery(docs, buckets).Limit(5).Collect(ctx); len(got) != 5 || err != nil {
		t.Errorf("a limit of 5 gives %d, %v", len(got), err)
	}
	if _, err := gremlin.NewQuery(docs, buckets).OrderBy(fields.Comment.Asc()).Collect(ctx); err == nil {
		t.Error("an order by an optional property is accepted")
	}
	if _, err := gremlin.NewQuery(docs, buckets).Where(fields.Count.Eq(1 << 60)).Collect(ctx); err == nil {
		t.Error("a comparison with a number beyond 2^53 is accepted")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := gremlin.NewQuery(docs, buckets).Collect(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("a query after the end of its context: %v", err)
	}
	for range gremlin.NewQuery(docs, buckets).All(ctx) { // a loop within the loop uses the same connections
		if n, err := gremlin.NewQuery(docs, buckets).Count(ctx); n != len(all) || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
		break
	}
}

// pages walks through pages of several sizes and orders: each document comes once, in
// order.
func pages(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel)
	all := fill(t, docs, 6, 10)
	buckets := generated.Buckets(6, func(b int) string { return DeviceKey{Tenant: "a", Bucket: b - 1}.text() })
	base := gremlin.NewQuery(docs, buckets)
	for name, test := range map[string]struct {
		q    gremlin.Query[Device]
		less func(a, b *Device) int
	}{
		"by id":         {base, func(a, b *Device) int { return strings.Compare(a.ID, b.ID) }},
		"by id desc":    {base.OrderBy(fields.ID.Desc()), func(a, b *Device) int { return -strings.Compare(a.ID, b.ID) }},
		"by speed":      {base.OrderBy(fields.Speed.Asc()), func(a, b *Device) int { return int(2 * (a.Speed - b.Speed)) }},
		"by speed desc": {base.OrderBy(fields.Speed.Desc()), func(a, b *Device) int { return int(2 * (b.Speed - a.Speed)) }},
		"by two": {base.OrderBy(fields.On.Asc(), fields.At.Desc()), func(a, b *Device) int {
			switch {
			case a.On != b.On && b.On:
				return -1
			case a.On != b.On:
				return 1
			}
			return b.At.Compare(a.At)
		}},
	} {
		for _, size := range []int{1, 7, 20, 60, 61} {
			var got []*Device
			for cursor, n := "", 0; ; n++ {
				found, err := test.q.Page(ctx, cursor, size)
				page, next := found.Items, found.Cursor
				if err != nil {
					t.Fatalf("%s, pages of %d: %v", name, size, err)
				}
				got = append(got, page...)
				if next == "" {
					break
				}
				if len(page) != size || n > len(all) {
					t.Fatalf("%s: page %d of %d has %d", name, n, size, len(page))
				}
				cursor = next
			}
			if !slices.Equal(names(got), names(all)) {
				t.Errorf("%s, pages of %d: %d documents, want each of %d once", name, size, len(got), len(all))
			}
			if !slices.IsSortedFunc(got, test.less) {
				t.Errorf("%s, pages of %d are not in order", name, size)
			}
		}
		got, err := test.q.Collect(ctx)
		if err != nil || !slices.Equal(names(got), names(all)) || name != "by id" && !slices.IsSortedFunc(got, test.less) {
			t.Errorf("%s: %d documents in order, %v", name, len(got), err)
		}
	}
	found, err := base.Page(ctx, "", 5)
	next := found.Cursor
	if err != nil {
		t.Fatal(err)
	}
	if _, err := base.OrderBy(fields.Speed.Asc()).Page(ctx, next, 5); !errors.Is(err, documents.ErrCursor) {
		t.Errorf("the cursor of another query: %v", err)
	}
	if _, err := base.Page(ctx, "x"+next, 5); !errors.Is(err, documents.ErrCursor) {
		t.Errorf("a damaged cursor: %v", err)
	}
}

// large has a partition with more documents than one request returns, and answers of
// several parts.
func large(t *testing.T, client *gremlin.Client) {
	ctx := soon(t)
	docs := gremlin.New(client, "Device", &deviceModel, documents.WithPageSize(70))
	all := fill(t, docs, 3, 100)
	for what, keys := range map[string]generated.Keys{"one": generated.Partition("a.1"), "some": generated.Buckets(3, func(b int) string { return DeviceKey{Tenant: "a", Bucket: b - 1}.text() }), "all": {}} {
		want := all
		if what == "one" {
			want = all[100:200]
		}
		got, err := gremlin.NewQuery(docs, keys).Collect(ctx)
		if err != nil || !slices.Equal(names(got), names(want)) {
			t.Errorf("%s: %d documents, want %d, %v", what, len(got), len(want), err)
		}
	}
	whole := gremlin.New(client, "Device", &deviceModel)
	if got, err := gremlin.NewQuery(whole, generated.Keys{}).Collect(ctx); err != nil || !slices.Equal(names(got), names(all)) {
		t.Errorf("an answer of several parts: %d documents, %v", len(got), err)
	}
}
