package repository_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// grace is how long marks stay.
const grace = 24 * time.Hour

// rideDay is the day of a ride, as a text of which words are found.
var rideDay = documents.FullText[ride, string]{String: "/day"}

// newMovingRides returns rides that wait by the clock of the emulator. Policies see
// requests.
func newMovingRides(t *testing.T, leveled bool, policies ...policy.Policy) (rideReleases, *azcosmos.ContainerClient) {
	t.Helper()
	properties := harness.Properties("rides", "/pk")
	properties.FullTextPolicy = &azcosmos.FullTextPolicy{DefaultLanguage: "en-US", FullTextPaths: []azcosmos.FullTextPath{{Path: "/day", Language: "en-US"}}}
	properties.IndexingPolicy = &azcosmos.IndexingPolicy{
		Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
		IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}}, FullTextIndexes: []azcosmos.FullTextIndex{{Path: "/day"}},
	}
	if leveled {
		properties.PartitionKeyDefinition.Kind, properties.PartitionKeyDefinition.Paths = azcosmos.PartitionKeyKindMultiHash, []string{"/day", "/pk"}
	}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{PerCallPolicies: policies}}))
	sleep := withSleep(func(ctx context.Context, d time.Duration) error {
		server.Advance(d)
		return ctx.Err()
	})
	of := func(r release) rides {
		r.leveled = leveled
		return rides{r, repository.New(container, r.model(), sleep)}
	}
	return rideReleases{
		server, container, of(release{now: 4}), of(release{now: 4, next: 12}), of(release{now: 12, was: []int{4}}), of(release{now: 12}), of,
	}, container
}

// TestRekey moves documents, and looks at them by everything that reads: while marks
// stay, and when they are gone.
func TestRekey(t *testing.T) {
	for _, leveled := range []bool{false, true} {
		t.Run(fmt.Sprintf("leveled=%v", leveled), func(t *testing.T) {
			ctx := context.Background()
			r, container := newMovingRides(t, leveled)
			var keys []rideKey
			sum := 0
			for i := range 40 {
				doc := &ride{ID: fmt.Sprintf("e%d", i), Day: kit.Day, VIN: fmt.Sprintf("V%d", i), Speed: i}
				if err := []rides{r.before, r.first, r.second}[i%3].Create(ctx, doc); err != nil {
					t.Fatal(err)
				}
				keys = append(keys, rideKey{doc.ID, doc.Day, doc.VIN})
				sum += i
			}
			seesAll := func(of ...rides) {
				t.Helper()
				for _, at := range of {
					seesRides(t, at, keys, sum)
				}
			}
			page, err := r.second.byDay(kit.Day).Page(ctx, "", 7)
			if err != nil || page.Cursor == "" {
				t.Fatal(err)
			}
			var told []admin.Summary
			first, err := admin.Rekey(ctx, r.second.Documents, admin.Run{Progress: func(s admin.Summary) { told = append(told, s) }, Budget: 1e6})
			if err != nil || first.Changed == 0 || first.Left != 0 || first.Failed != 0 || first.Marks != first.Changed || first.Done() || !first.NextAt.After(time.Now()) || first.RequestUnits < float64(15*first.Changed) {
				t.Fatalf("%+v, %v", first, err)
			}
			if len(told) == 0 || told[len(told)-1] != first {
				t.Errorf("told %+v", told)
			}
			seesAll(r.first, r.second) // by the old places
			for cursor := page.Cursor; cursor != ""; {
				next, err := r.second.byDay(kit.Day).Page(ctx, cursor, 7)
				if err != nil {
					t.Fatal(err)
				}
				page.Items = append(page.Items, next.Items...)
				cursor = next.Cursor
			}
			if len(page.Items) != len(keys) {
				t.Errorf("pages: got %d documents of %d", len(page.Items), len(keys))
			}
			r.server.Advance(10 * time.Second)
			seesAll(r.first, r.second) // by the new places
			begun, err := r.second.byDay(kit.Day).Page(ctx, "", 7)
			if err != nil {
				t.Fatal(err)
			}
			r.server.Advance(grace)
			last, err := admin.Rekey(ctx, r.second.Documents, admin.Run{})
			if err != nil || !last.Done() || last.Changed != 0 || last.Removed != first.Marks {
				t.Fatalf("%+v, %v", last, err)
			}
			seesAll(r.first, r.second, r.after)
			if n := countStored(t, container, `IS_DEFINED(c._move.state) AND c._move.state != "final"`); n != 0 {
				t.Errorf("%d marks remain", n)
			}
			if _, err := r.second.byDay(kit.Day).Page(ctx, begun.Cursor, 7); !errors.Is(err, repository.ErrCursor) {
				t.Errorf("a cursor from before the grace time: %v", err)
			}
			changed := 0
			for _, err := range feed.Changes(ctx, r.second.Documents, feed.FromBeginning(), feed.UntilCaughtUp()) {
				if err != nil {
					t.Fatal(err)
				}
				changed++
			}
			if changed != len(keys) {
				t.Errorf("%d changes of %d documents", changed, len(keys))
			}
		})
	}
}

// TestRekeyOfThreeNumbers has the number of buckets grow again before all documents have
// moved, so that documents move twice within a day. Everything is done by two releases at a
// time, against a model, between the moves of both.
func TestRekeyOfThreeNumbers(t *testing.T) {
	for _, i := range []int{3, 0, 1, 2}[:seeds.Rows(t, 4, 1)] {
		leveled, formed := i%2 > 0, i/2 > 0
		t.Run(fmt.Sprintf("leveled=%v, formed=%v", leveled, formed), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			r, container := newMovingRides(t, leveled)
			of := func(as release) rides {
				as.formed = formed
				return r.of(as)
			}
			before, first, second := of(r.before.release), of(r.first.release), of(r.second.release)
			third, fourth := of(release{now: 12, was: []int{4}, next: 36}), of(release{now: 36, was: []int{4, 12}})
			stored, step, older := map[rideKey]int{}, uint64(0), 0
			runs := func(out ...rides) {
				t.Helper()
				step++
				runRides(t, rand.New(rand.NewPCG(36, step)), out, stored, func(what int, key rideKey) {
					if _, there := stored[key]; formed && there && what == 7 {
						r.makeOlder(t, out[len(out)-1], key)
						older++
					}
				})
			}
			rekeys := func(at rides) (done admin.Summary) {
				t.Helper()
				done, err := admin.Rekey(ctx, at.Documents, admin.Run{})
				if err != nil || done.Failed != 0 || done.Left != 0 {
					t.Fatalf("%+v: %+v, %v", at.release, done, err)
				}
				return done
			}
			runs(before)
			runs(first, second)
			once := rekeys(second)
			runs(first, second)
			runs(second, third)
			runs(third, fourth)
			twice := rekeys(fourth)
			if once.Changed == 0 || twice.Changed == 0 {
				t.Fatalf("%d documents have moved, and then %d", once.Changed, twice.Changed)
			}
			runs(third, fourth)
			r.server.Advance(10 * time.Second)
			runs(third, fourth)
			rekeys(fourth)
			runs(fourth)
			r.server.Advance(grace)
			if last := rekeys(fourth); !last.Done() {
				t.Fatalf("%+v", last)
			}
			runs(fourth, of(release{now: 36}))
			if formed == (older == 0) {
				t.Errorf("%d documents were of the earlier form", older)
			}
			if n := countStored(t, container, "true"); n != len(stored) {
				t.Errorf("%d are stored in the end, not %d", n, len(stored))
			}
		})
	}
}

// TestUpgradeOfGrowing renames a property of documents that are under two numbers of buckets,
// or brings them to another form, while others move them, and while marks of moves have the
// old name, or form, too. Of documents with forms, each is patched meanwhile.
func TestUpgradeOfGrowing(t *testing.T) {
	for _, formed := range []bool{false, true} {
		old, speed := "IS_DEFINED(c.velocity)", "velocity"
		if formed {
			old, speed = `(NOT IS_DEFINED(c.form) OR NOT IS_DEFINED(c.note) OR c.note != "upgraded")`, "speed"
		}
		old += ` AND (NOT IS_DEFINED(c._move) OR c._move.state = "final")`
		for i := range 4 {
			leveled, meanwhile := i%2 > 0, i/2 > 0
			t.Run(fmt.Sprintf("leveled=%v, meanwhile=%v, formed=%v", leveled, meanwhile, formed), func(t *testing.T) {
				ctx := context.Background()
				r, container := newMovingRides(t, leveled)
				aliased := r.of(release{now: 12, was: []int{4}, aliased: !formed, formed: formed})
				var keys []rideKey
				sum := 0
				for i := range 30 {
					key := rideKey{fmt.Sprintf("e%d", i), kit.Day, fmt.Sprintf("V%d", i)}
					buckets := 4
					if i%3 == 0 {
						buckets = 12
					}
					values := azcosmos.NewPartitionKeyString(key.at(buckets))
					if leveled {
						values = azcosmos.NewPartitionKeyString(key.Day).AppendString(key.at(buckets))
					}
					body := fmt.Sprintf(`{"id":%q,"day":%q,"vin":%q,%q:%d,"pk":%q}`, key.ID, key.Day, key.VIN, speed, i, key.at(buckets))
					if _, err := container.CreateItem(ctx, values, []byte(body), nil); err != nil {
						t.Fatal(err)
					}
					keys, sum = append(keys, key), sum+i
				}
				var moving sync.WaitGroup
				moving.Go(func() {
					if done, err := admin.Rekey(ctx, aliased.Documents, admin.Run{}); err != nil || done.Failed != 0 || done.Changed == 0 {
						t.Errorf("%+v, %v", done, err)
					}
				})
				if !meanwhile {
					moving.Wait()
				}
				if formed {
					sum += len(keys)
					moving.Go(func() {
						for _, key := range keys {
							if err := aliased.Patch(ctx, key, repository.PatchNumber[ride, int]("/speed").Increment(1)); err != nil {
								t.Errorf("%v: %v", key, err)
							}
						}
					})
				}
				done, err := admin.Upgrade(ctx, aliased.Documents, admin.Run{})
				moving.Wait()
				if err != nil || done.Failed != 0 || done.Changed == 0 && !formed || !meanwhile && !formed && (done.Found != len(keys) || done.Changed != len(keys) || done.Left != 0) {
					t.Fatalf("%+v, %v", done, err)
				}
				if done, err = admin.Upgrade(ctx, aliased.Documents, admin.Run{}); err != nil || !done.Done() { // copies have become documents since
					t.Fatalf("%+v, %v", done, err)
				}
				if n := countStored(t, container, old); n != 0 {
					t.Errorf("%d documents have the old name or form", n)
				}
				r.server.Advance(10 * time.Second)
				seesRides(t, r.second, keys, sum)
				r.server.Advance(grace)
				if last, err := admin.Rekey(ctx, aliased.Documents, admin.Run{}); err != nil || !last.Done() {
					t.Fatalf("%+v, %v", last, err)
				}
				seesRides(t, r.after, keys, sum)
				if n := countStored(t, container, "true"); n != len(keys) {
					t.Errorf("%d are stored in the end, not %d", n, len(keys))
				}
			})
		}
	}
}

// countStored counts what is stored for which a condition holds.
func countStored(t *testing.T, c *azcosmos.ContainerClient, condition string) int {
	t.Helper()
	n := 0
	pager := c.NewQueryItemsPager("SELECT c.id FROM c WHERE "+condition, azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
	}
	return n
}

// seesRides has everything that reads read the documents of keys, whose speeds have a
// sum.
func seesRides(t *testing.T, at rides, keys []rideKey, sum int) {
	t.Helper()
	ctx := context.Background()
	all, err := at.GetMany(ctx, keys)
	for i, key := range keys {
		doc, getErr := at.Get(ctx, key)
		if err != nil || getErr != nil || all[i] == nil || doc.ID != key.ID || all[i].ID != key.ID || doc.Stored != all[i].Stored {
			t.Fatalf("%+v: %v: %+v, %+v, %v, %v", at.release, key, doc, all[i], err, getErr)
		}
	}
	for name, q := range map[string]repository.Query[ride]{"ByDay": at.byDay(kit.Day), "Scan": at.Scan()} {
		docs, err := q.Collect(ctx)
		n, countErr := q.Count(ctx)
		total, sumErr := repository.Sum(ctx, q, documents.Number[ride, int]("/speed"))
		ids, valuesErr := repository.Values(q, documents.String[ride, string]("/id")).Collect(ctx)
		ranked, rankErr := repository.OrderByRank(q, rideDay.Score("2018")).Limit(len(keys) + 1).Collect(ctx)
		if err := errors.Join(err, countErr, sumErr, valuesErr, rankErr); err != nil || len(ranked) != len(keys) || len(docs) != len(keys) || n != len(keys) || int(total) != sum || len(ids) != len(keys) {
			t.Errorf("%+v: %s: %d documents of %d, count %d, sum %v of %d, %d ids, %d ranked: %v", at.release, name, len(docs), len(keys), n, total, sum, len(ids), len(ranked), err)
		}
		byRank := map[string]bool{}
		for _, row := range ranked {
			byRank[row.Document.ID] = true
		}
		if len(byRank) != len(keys) {
			t.Errorf("%+v: %s ranks a document twice", at.release, name)
		}
		if slices.Sort(ids); len(slices.Compact(ids)) != len(keys) {
			t.Errorf("%+v: %s gives a document twice", at.release, name)
		}
	}
	for _, key := range keys[:5] {
		docs, err := at.byVIN(key.Day, key.VIN).Collect(ctx)
		if err != nil || len(docs) != 1 {
			t.Errorf("%+v: ByVIN: %d documents, %v", at.release, len(docs), err)
		}
	}
}

// TestRekeyCosts counts the requests of moves.
func TestRekeyCosts(t *testing.T) {
	ctx := context.Background()
	r, _ := newMovingRides(t, false)
	vin := vinWith(t, moves)
	const n = 10
	for i := range n {
		if err := r.before.Create(ctx, &ride{ID: fmt.Sprintf("e%d", i), Day: kit.Day, VIN: vin}); err != nil {
			t.Fatal(err)
		}
	}
	before := r.server.Documents()
	if s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil || s.Changed != n {
		t.Fatalf("%+v, %v", s, err)
	}
	got := r.server.Documents()
	if creates, replaces := got[emulator.OpCreateItem]-before[emulator.OpCreateItem], got[emulator.OpReplaceItem]-before[emulator.OpReplaceItem]; creates != n || replaces != 2*n {
		t.Errorf("%d documents: %d creations and %d replacements", n, creates, replaces)
	}
}

// TestRekeyRefused names what Rekey refuses before it sends anything.
func TestRekeyRefused(t *testing.T) {
	ctx := context.Background()
	r, _ := newMovingRides(t, false)
	for want, err := range map[string]error{
		"has no was":        second(admin.Rekey(ctx, r.before.Documents, admin.Run{})),
		"tag has no was":    second(admin.Rekey(ctx, r.first.Documents, admin.Run{})),
		"give at least 100": second(admin.Rekey(ctx, r.second.Documents, admin.Run{Budget: 99})),
		"is too small":      second(admin.Rekey(ctx, r.second.Documents, admin.Run{Budget: -1})),
		"has no dry run":    second(admin.Rekey(ctx, r.second.Documents, admin.Run{DryRun: true})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if n := len(r.server.Documents()); n != 0 {
		t.Errorf("%d kinds of requests were sent", n)
	}
}

// rideCrash is a document that is about to be moved, and what a program does after the
// mover has crashed.
type rideCrash struct {
	name string
	do   func(ctx context.Context, at rides, key rideKey) error
	want int // the speed of the document afterwards; 0 for none
}

// TestRekeyCrashes has Rekey crash at each of its requests, before it is sent and after
// it took effect. Programs of both releases find the document, write it or remove it,
// and another Rekey leaves it once or not at all. With -seeds 12 it crashes at every request with
// every operation after it.
func TestRekeyCrashes(t *testing.T) {
	stride := max(12/int(seeds.More()), 1)
	if seeds.Part(t, "most of the requests") {
		stride = 24
	}
	for n, tt := range []rideCrash{
		{"read", func(context.Context, rides, rideKey) error { return nil }, 7},
		{"replace", func(ctx context.Context, at rides, key rideKey) error {
			return at.Replace(ctx, &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 8})
		}, 8},
		{"upsert", func(ctx context.Context, at rides, key rideKey) error {
			return at.Upsert(ctx, &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 8})
		}, 8},
		{"patch", func(ctx context.Context, at rides, key rideKey) error {
			return at.Patch(ctx, key, repository.PatchNumber[ride, int]("/speed").Set(8))
		}, 8},
		{"update", func(ctx context.Context, at rides, key rideKey) error {
			return at.Update(ctx, key, func(doc *ride) error { doc.Speed++; return nil })
		}, 8},
		{"delete", func(ctx context.Context, at rides, key rideKey) error { return at.Delete(ctx, key) }, 0},
		{"delete and create", func(ctx context.Context, at rides, key rideKey) error {
			return errors.Join(at.Delete(ctx, key), at.Create(ctx, &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 9}))
		}, 9},
		{"create", func(ctx context.Context, at rides, key rideKey) error {
			if err := at.Create(ctx, &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 9}); !errors.Is(err, repository.ErrAlreadyExists) {
				return fmt.Errorf("created, with %v", err)
			}
			return nil
		}, 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, container := newMovingRides(t, false, harness.Intercepted)
			key := rideKey{"e", kit.Day, vinWith(t, moves)}
			for at := 0; ; at++ {
				for _, after := range []bool{false, true} {
					for i, by := range []rides{r.first, r.second} {
						turn := 4*at + 2*i
						if after {
							turn++
						}
						if at > 0 && turn%stride != n%stride {
							continue
						}
						if !crashesOnce(t, tt, r, by, key, at, after) {
							if n := countStored(t, container, "true"); n != 0 {
								t.Errorf("%d are stored in the end", n)
							}
							return
						}
					}
				}
			}
		})
	}
}

// crashesOnce has one Rekey crash. It returns false if it has ended before.
func crashesOnce(t *testing.T, tt rideCrash, r rideReleases, by rides, key rideKey, at int, after bool) bool {
	t.Helper()
	ctx := context.Background()
	if err := r.before.Create(ctx, &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 7}); err != nil {
		t.Fatal(err)
	}
	c := &harness.Crash{At: at, After: after, Counts: harness.IsOfDocuments}
	crashing, crashed := c.Context(ctx)
	_, _ = admin.Rekey(crashing, r.second.Documents, admin.Run{})
	more := crashed()
	where := fmt.Sprintf("crash at request %d, after %v, then release %+v", at, after, by.release)
	for _, reader := range []rides{r.first, r.second} {
		findsRide(t, where+", before", reader, key, 7)
	}
	if err := tt.do(ctx, by, key); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	for _, reader := range []rides{r.first, r.second} {
		findsRide(t, where, reader, key, tt.want)
	}
	if _, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	findsRide(t, where+" and Rekey", r.second, key, tt.want)
	r.server.Advance(grace)
	for range 2 { // what is finished now is removed next
		if _, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		r.server.Advance(grace)
	}
	findsRide(t, where+" and a day", r.after, key, tt.want)
	if err := r.after.Delete(ctx, key); err != nil && !errors.Is(err, repository.ErrNotFound) {
		t.Fatal(err)
	}
	return more
}

// findsRide reads a document by its key and by a fan-out.
func findsRide(t *testing.T, where string, at rides, key rideKey, want int) {
	t.Helper()
	ctx := context.Background()
	doc, err := at.Get(ctx, key)
	if want == 0 && !errors.Is(err, repository.ErrNotFound) || want != 0 && (err != nil || doc.Speed != want) {
		t.Fatalf("%s: %+v gets %+v, %v, not %d", where, at.release, doc, err, want)
	}
	docs, err := at.byDay(key.Day).Collect(ctx)
	n, countErr := at.byDay(key.Day).Count(ctx)
	if err := errors.Join(err, countErr); err != nil || len(docs) != min(want, 1) || n != len(docs) || want != 0 && docs[0].Speed != want {
		t.Fatalf("%s: %+v finds %d documents, counts %d, %v, not %d", where, at.release, len(docs), n, err, want)
	}
}

// TestRekeyUnderLoad has programs of both releases write, remove, create and read while
// several processes run Rekey. Each document has one writer, which knows what is stored.
func TestRekeyUnderLoad(t *testing.T) {
	const writers = 8
	more := int(seeds.More())
	rounds := seeds.Few(20, 10) + more - 1
	for seed := range seeds.Few(2, 1) * more {
		r, container := newMovingRides(t, seed%2 == 1)
		ctx, stop := context.WithCancel(context.Background())
		var movers, all sync.WaitGroup
		for range 2 {
			movers.Go(func() {
				for ctx.Err() == nil {
					if _, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil && ctx.Err() == nil {
						t.Error(err)
						return
					}
				}
			})
		}
		last := make([]int, writers)
		keys := make([]rideKey, writers)
		for w := range writers {
			random := rand.New(rand.NewPCG(uint64(seed), uint64(w)))
			keys[w] = rideKey{fmt.Sprintf("e%d", w), kit.Day, fmt.Sprintf("V%d", w)}
			all.Go(func() {
				last[w] = writesRides(t, random, r, keys[w], rounds)
			})
		}
		all.Wait()
		stop()
		movers.Wait()
		for range 3 {
			if _, err := admin.Rekey(context.Background(), r.second.Documents, admin.Run{}); err != nil {
				t.Fatal(err)
			}
			r.server.Advance(grace)
		}
		stored := 0
		for w, key := range keys {
			doc, err := r.after.Get(context.Background(), key)
			if last[w] == 0 != errors.Is(err, repository.ErrNotFound) || last[w] != 0 && (err != nil || doc.Speed != last[w]) {
				t.Errorf("seed %d: %v: %+v, %v, not %d", seed, key, doc, err, last[w])
			}
			stored += min(last[w], 1)
		}
		if n := countStored(t, container, "true"); n != stored {
			t.Errorf("seed %d: %d are stored in the end, not %d", seed, n, stored)
		}
	}
}

// writesRides writes one document at random by both releases, reads it after each write,
// and returns its last speed, 0 if it is gone.
func writesRides(t *testing.T, random *rand.Rand, r rideReleases, key rideKey, rounds int) int {
	ctx := context.Background()
	speed := 0
	for i := range rounds {
		by := []rides{r.first, r.second}[random.IntN(2)]
		doc := &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: 100 + i}
		var err error
		op := random.IntN(6)
		switch {
		case speed == 0 && op < 3:
			err = by.Create(ctx, doc)
		case speed == 0:
			err = by.Upsert(ctx, doc)
		case op == 0:
			err = by.Replace(ctx, doc)
		case op == 1:
			err = by.Upsert(ctx, doc)
		case op == 2:
			err = by.Patch(ctx, key, repository.PatchNumber[ride, int]("/speed").Set(doc.Speed))
		case op == 3:
			err = by.Update(ctx, key, func(stored *ride) error {
				if stored.Speed != speed {
					t.Errorf("%v: Update reads %d, not %d", key, stored.Speed, speed)
				}
				stored.Speed = doc.Speed
				return nil
			})
		case op == 4:
			err = by.Create(ctx, doc)
			if !errors.Is(err, repository.ErrAlreadyExists) {
				t.Errorf("%v: created a second time: %v", key, err)
			}
			err, doc.Speed = nil, speed
		default:
			err, doc.Speed = by.Delete(ctx, key), 0
		}
		if err != nil {
			t.Errorf("%v, round %d, operation %d from %d by %+v: %v", key, i, op, speed, by.release, err)
			return speed
		}
		speed = doc.Speed
		reader := []rides{r.first, r.second}[random.IntN(2)]
		got, err := reader.Get(ctx, key)
		if speed == 0 != errors.Is(err, repository.ErrNotFound) || speed != 0 && (err != nil || got.Speed != speed) {
			t.Errorf("%v, round %d, operation %d: %+v gets %+v, %v, not %d", key, i, op, reader.release, got, err, speed)
		}
		docs, err := reader.byDay(key.Day).Where(documents.String[ride, string]("/vin").Eq(key.VIN)).Collect(ctx)
		if err != nil || len(docs) != min(speed, 1) || speed != 0 && docs[0].Speed != speed {
			t.Errorf("%v, round %d, operation %d: %+v finds %d documents, %v, not %d", key, i, op, reader.release, len(docs), err, speed)
		}
	}
	return speed
}

// TestRekeyShared has several processes move documents by the leases of one container.
func TestRekeyShared(t *testing.T) {
	ctx := context.Background()
	r, container := newMovingRides(t, false)
	leases := kit.NewLeases(t, r.server)
	const n = 60
	for i := range n {
		if err := r.before.Create(ctx, &ride{ID: fmt.Sprintf("e%d", i), Day: kit.Day, VIN: fmt.Sprintf("V%d", i), Speed: 1}); err != nil {
			t.Fatal(err)
		}
	}
	summaries := make([]admin.Summary, 2)
	errs := make([]error, 2)
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			summaries[i], errs[i] = admin.Rekey(ctx, r.second.Documents, admin.Run{LeaseOptions: []feed.Option{feed.PageSize(5), feed.PollEvery(10 * time.Millisecond)}, Leases: leases})
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	moved := summaries[0].Changed + summaries[1].Changed
	for _, s := range summaries {
		if s.Left != 0 || s.Failed != 0 {
			t.Errorf("%+v", s)
		}
	}
	if marks := countStored(t, container, `c._move.state = "moved"`); marks != moved || moved == 0 {
		t.Errorf("moved %d documents, and left %d marks", moved, marks)
	}
	if got, err := r.second.byDay(kit.Day).Count(ctx); err != nil || got != n {
		t.Errorf("%d documents of %d, %v", got, n, err)
	}
}
