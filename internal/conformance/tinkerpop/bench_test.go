package tinkerpop_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// plain is a Device as a program reads it by hand.
type plain struct {
	ID         string
	Properties map[string][]struct{ Value any }
}

// BenchmarkGraph compares requests by a repository with the same traversals sent by hand,
// whose answers are decoded by encoding/json.
func BenchmarkGraph(b *testing.B) {
	client := server(b).Client(b)
	docs := gremlin.New(client, "Device", &deviceModel)
	ctx := soon(b)
	for i := range 100 {
		if err := docs.Create(ctx, device("a", 1, fmt.Sprint(i))); err != nil {
			b.Fatal(err)
		}
	}
	for range 1500 { // until the server has compiled what it runs
		if _, err := docs.Get(ctx, DeviceKey{"a", 1, "7"}); err != nil {
			b.Fatal(err)
		}
		if err := docs.Upsert(ctx, device("a", 1, "7")); err != nil {
			b.Fatal(err)
		}
	}
	submit := func(b *testing.B, want int, traversal string, bindings map[string]any) {
		results, err := client.Submit(ctx, traversal, bindings)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, r := range results {
			var p plain
			if json.Unmarshal(r, &p) == nil && p.Properties["name"][0].Value != "" {
				n++
			}
		}
		if n != want {
			b.Fatalf("%d documents", n)
		}
	}
	b.Run("get/repository", func(b *testing.B) {
		for b.Loop() {
			if _, err := docs.Get(ctx, DeviceKey{"a", 1, "7"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("get/hand", func(b *testing.B) {
		for b.Loop() {
			submit(b, 1, "g.V([k, i]).hasLabel('Device')", map[string]any{"k": "a.1", "i": "7"})
		}
	})
	b.Run("query of 100/repository", func(b *testing.B) {
		for b.Loop() {
			if list, err := gremlin.NewQuery(docs, generated.Partition("a.1")).Collect(ctx); err != nil || len(list) != 100 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("query of 100/hand", func(b *testing.B) {
		for b.Loop() {
			submit(b, 100, "g.V().hasLabel('Device').has('partitionKey', k).limit(n)", map[string]any{"k": "a.1", "n": 1001})
		}
	})
	b.Run("upsert/repository", func(b *testing.B) {
		for b.Loop() {
			if err := docs.Upsert(ctx, device("a", 1, "7")); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("upsert/hand", func(b *testing.B) {
		steps := ".property(single, 'tenant', t).property(single, 'bucket', b).property(single, 'name', n).property(single, 'speed', s).property(single, 'count', c)" +
			".property(single, 'on', o).property(single, 'at', a).property(single, 'level', l).property(single, 'comment', m).property(single, 'seen', e)"
		traversal := "g.V([k, i]).hasLabel('Device').fold().coalesce(__.unfold()" + steps +
			", __.addV('Device').property('id', i).property('partitionKey', k)" + steps + ").count()"
		for b.Loop() {
			d := device("a", 1, "7")
			if _, err := client.Submit(ctx, traversal, map[string]any{
				"k": "a.1", "i": "7", "t": d.Tenant, "b": d.Bucket, "n": d.Name, "s": d.Speed, "c": d.Count, "o": d.On, "a": d.At, "l": "7-1", "m": *d.Comment, "e": *d.Seen,
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
