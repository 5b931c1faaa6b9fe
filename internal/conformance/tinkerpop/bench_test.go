package tinkerpop_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// BenchmarkGraph compares requests by a repository with the same traversals sent by hand,
// over the same websocket library, whose answers encoding/json decodes into structs: the
// goal is at most 1.1 times the time. Most of the time is the server's, so that allocations
// are the firm number; "by turns" has the medians of requests that take turns.
func BenchmarkGraph(b *testing.B) {
	s := server(b)
	client := s.Client(b)
	if _, err := client.Submit(soon(b), "g.V().drop()", nil); err != nil {
		b.Fatal(err)
	}
	docs, h := gremlin.New(client, "Device", &deviceModel), newHand(b, s)
	ctx := soon(b)
	for i := range 100 {
		if err := docs.Create(ctx, device("a", 1, fmt.Sprint(i))); err != nil {
			b.Fatal(err)
		}
	}
	created := 0
	pairs := []struct {
		name             string
		repository, hand func() error
	}{
		{"get", func() error {
			_, err := docs.Get(ctx, DeviceKey{"a", 1, "7"})
			return err
		}, func() error {
			list, err := ask[handVertex](ctx, h, "g.V([b0, b1]).hasLabel('Device')", map[string]any{"b0": "a.1", "b1": "7"})
			return documentsOf(list, 1, err)
		}},
		{"query of 100", func() error {
			list, err := gremlin.NewQuery(docs, generated.Partition("a.1")).Collect(ctx)
			if err == nil && len(list) != 100 {
				err = fmt.Errorf("%d documents", len(list))
			}
			return err
		}, func() error {
			limit := map[string]any{"@type": "g:Int64", "@value": 1001}
			list, err := ask[handVertex](ctx, h, "g.V().hasLabel('Device').has('partitionKey', b0).limit(b1)", map[string]any{"b0": "a.1", "b1": limit})
			return documentsOf(list, 100, err)
		}},
		{"create", func() error {
			created++
			return docs.Create(ctx, device("b", 1, fmt.Sprint(created)))
		}, func() error {
			created++
			d := device("b", 1, fmt.Sprint(created))
			n, err := ask[int](ctx, h, handCreate, map[string]any{
				"b0": "b.1", "b1": d.ID, "b2": d.Tenant, "b3": long(d.Bucket), "b4": d.Name, "b5": map[string]any{"@type": "g:Double", "@value": d.Speed}, "b6": long(d.Count),
				"b7": d.On, "b8": d.At.Format("2006-01-02T15:04:05.0000000Z"), "b9": d.Level, "b10": *d.Comment, "b11": long(*d.Seen),
			})
			if err == nil && (len(n) != 1 || n[0] != 1) {
				err = fmt.Errorf("%d vertices were added", n)
			}
			return err
		}},
	}
	for range 500 { // until the server has compiled what it runs
		for _, p := range pairs {
			for _, do := range []func() error{p.repository, p.hand} {
				if err := do(); err != nil {
					b.Fatal(p.name, err)
				}
			}
		}
	}
	for _, p := range pairs {
		for _, way := range []struct {
			name string
			do   func() error
		}{{"repository", p.repository}, {"hand", p.hand}} {
			b.Run(p.name+"/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := way.do(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(p.name+"/by turns", func(b *testing.B) {
			var took [2][]time.Duration
			for b.Loop() {
				for i, do := range []func() error{p.repository, p.hand} {
					began := time.Now()
					if err := do(); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(began))
				}
			}
			slices.Sort(took[0])
			slices.Sort(took[1])
			repository, hand := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(float64(repository.Microseconds()), "µs-repository")
			b.ReportMetric(float64(hand.Microseconds()), "µs-hand")
			b.ReportMetric(float64(repository)/float64(hand), "ratio")
		})
	}
}

// handCreate is the traversal of docs.Create.
const handCreate = "g.addV('Device').property('id', b1).property('partitionKey', b0).property('tenant', b2).property('bucket', b3).property('name', b4)" +
	".property('speed', b5).property('count', b6).property('on', b7).property('at', b8).property('level', b9).property('comment', b10).property('seen', b11).count()"

func long[T int | int64](n T) any { return map[string]any{"@type": "g:Int64", "@value": n} }

// documentsOf makes documents of what was read by hand, and returns an error unless they are
// n.
func documentsOf(list []handVertex, n int, err error) error {
	if err != nil {
		return err
	}
	docs := make([]*Device, len(list))
	for i := range list {
		docs[i] = list[i].device()
	}
	if len(docs) != n || docs[0].Name == "" {
		return fmt.Errorf("%d documents", len(docs))
	}
	return nil
}
