package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// A ride's partition key is {day}.{vin%n}, where n grows from release to release.
type ride struct {
	ID     string `json:"id"`
	Day    string `json:"day"`
	VIN    string `json:"vin"`
	Speed  int    `json:"speed"`
	Note   string `json:"note,omitempty"` // of one that Upgrade has made
	Stored string `json:"pk"`
	ETag   string `json:"_etag,omitempty"`
}

type rideKey struct{ ID, Day, VIN string }

func (rideKey) Validate() error { return nil }

func (k rideKey) at(buckets int) string {
	return k.bucket(partition.Hash{}.Text(k.VIN).Bucket(buckets))
}

func (k rideKey) bucket(n int) string { return k.Day + "." + strconv.Itoa(n) }

// release has the numbers of buckets of a release.
type release struct {
	now, next int
	was       []int // ascending
	leveled   bool
	aliased   bool // a ride may have its speed as velocity
	formed    bool // a ride is of form 2, and those without a number are of form 1
}

func (r release) reach() int { return max(r.now, r.next) }

// model is what the generator writes for a release.
func (r release) model() *generated.Model[ride, rideKey] {
	// By hand: the same type has several releases, whose numbers of buckets are chosen at random.
	m := &generated.Model[ride, rideKey]{
		Type:   "ride",
		Key:    func(t *ride) rideKey { return rideKey{t.ID, t.Day, t.VIN} },
		ID:     func(k rideKey) string { return k.ID },
		Same:   func(a, b rideKey) bool { return a.Day == b.Day && a.VIN == b.VIN },
		Stored: func(t *ride) *string { return &t.Stored },
		ETag:   func(t *ride) *string { return &t.ETag },
	}
	if r.aliased {
		m.Aliases = []generated.Aliased{{Property: "speed", Names: []string{"velocity"}}}
	}
	if r.formed {
		m.Schema = &generated.Schema[ride]{
			Property: "form", Number: 2, Set: func(*ride) {},
			Upgrade: func(t *ride, _ int, _ json.RawMessage) error { t.Note = "upgraded"; return nil },
		}
	}
	value := func(k rideKey, n int) any { return k.at(n) }
	if r.leveled {
		m.Paths, m.Made = []string{"/day", "/pk"}, []int{1}
		value = func(k rideKey, n int) any { return []any{k.Day, k.at(n)} }
		m.Values = func(k rideKey) []any { return []any{k.Day, k.at(r.now)} }
	} else {
		m.Path, m.Synthetic = "/pk", true
		m.Text = func(k rideKey) string { return k.at(r.now) }
	}
	others := slices.Clone(r.was)
	if r.next > 0 {
		others = append(others, r.next)
		m.Later = 1
	}
	if others != nil {
		m.Others = func(k rideKey) []any {
			var keys []any
			for _, n := range others {
				keys = append(keys, value(k, n))
			}
			return keys
		}
	}
	return m
}

// rides are the rides of a release.
type rides struct {
	release
	*repository.Documents[ride, rideKey]
}

func (r rides) byDay(day string) repository.Query[ride] {
	key := rideKey{Day: day}
	if r.leveled {
		return repository.NewQuery(r.Documents, generated.Buckets(r.reach(), func(n int) []any { return []any{day, key.bucket(n)} }))
	}
	return repository.NewQuery(r.Documents, generated.Buckets(r.reach(), key.bucket))
}

func (r rides) byVIN(day, vin string) repository.Query[ride] {
	key := rideKey{Day: day, VIN: vin}
	counts := append([]int{r.now}, r.was...)
	if r.next > 0 {
		counts = append(counts, r.next)
	}
	var texts []string
	var levels [][]any
	for _, n := range counts {
		texts, levels = append(texts, key.at(n)), append(levels, []any{day, key.at(n)})
	}
	keys := generated.AnyOf(texts)
	if r.leveled {
		keys = generated.AnyOf(levels)
	}
	return repository.NewQuery(r.Documents, keys.Where("/vin", vin))
}

// rideReleases are the releases by which 4 buckets become 12.
type rideReleases struct {
	server                       *harness.Account
	container                    *azcosmos.ContainerClient
	before, first, second, after rides

	of func(release) rides // of another release
}

func newRides(t *testing.T, leveled, formed bool) rideReleases {
	t.Helper()
	properties := harness.Properties("rides", "/pk")
	if leveled {
		properties.PartitionKeyDefinition.Kind, properties.PartitionKeyDefinition.Paths = azcosmos.PartitionKeyKindMultiHash, []string{"/day", "/pk"}
	}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(nil))
	of := func(r release) rides {
		r.leveled, r.formed = leveled, formed
		return rides{r, repository.New(container, r.model())}
	}
	return rideReleases{
		server, container, of(release{now: 4}), of(release{now: 4, next: 12}), of(release{now: 12, was: []int{4}}), of(release{now: 12}), of,
	}
}

// vinWith returns a VIN whose buckets among 4 and among 12 are as asked.
func vinWith(t *testing.T, matches func(of4, of12 int) bool) string {
	t.Helper()
	for i := range 10_000 {
		vin := fmt.Sprintf("V%d", i)
		if matches(partition.Hash{}.Text(vin).Bucket(4), partition.Hash{}.Text(vin).Bucket(12)) {
			return vin
		}
	}
	t.Fatal("no such VIN")
	return ""
}

func moves(of4, of12 int) bool { return of4 != of12 }

// TestGrowingBuckets does everything with two releases at a time, against a model. Where rides
// have forms, some are stored in the form of a release before all of these.
func TestGrowingBuckets(t *testing.T) {
	for _, i := range []int{3, 0, 1, 2}[:seeds.Rows(t, 4, 2)] {
		leveled, formed := i%2 > 0, i/2 > 0
		t.Run(fmt.Sprintf("leveled=%v, formed=%v", leveled, formed), func(t *testing.T) {
			t.Parallel()
			r := newRides(t, leveled, formed)
			stored := map[rideKey]int{}
			forms := map[rideKey]form{}
			var seen [formUpgraded + 1]int // documents that became of a form
			for i, at := range [][]rides{{r.before}, {r.before, r.first}, {r.first}, {r.first, r.second}, {r.second}} {
				runRides(t, rand.New(rand.NewPCG(1, uint64(i))), at, stored, func(what int, key rideKey) {
					if !formed {
						return
					}
					if _, there := stored[key]; !there {
						delete(forms, key)
						return
					}
					if what == 7 {
						r.makeOlder(t, at[0], key)
					}
					now := forms[key].after(what)
					if now != forms[key] {
						seen[now]++
					}
					forms[key] = now
				})
				var are [formUpgraded + 1]int
				for _, f := range forms {
					are[f]++
				}
				if n := countStored(t, r.container, "NOT IS_DEFINED(c.form)"); formed && n != are[formOlder] {
					t.Errorf("%d documents are of the earlier form, not %d", n, are[formOlder])
				}
				if n := countStored(t, r.container, `c.note = "upgraded"`); n != are[formUpgraded] {
					t.Errorf("%d documents were upgraded, not %d", n, are[formUpgraded])
				}
			}
			if formed && (seen[formOlder] < 20 || seen[formUpgraded] < 10) {
				t.Errorf("%d documents were stored in the earlier form, and %d upgraded", seen[formOlder], seen[formUpgraded])
			}
		})
	}
}

// form is what a ride is stored as.
type form int

const (
	formPresent form = iota // as a program has made it
	formOlder
	formUpgraded // from the older form
)

// after returns the form after an operation of runRides.
func (f form) after(what int) form {
	switch what {
	case 0: // the document was there, or is new
		return f
	case 3, 4, 6: // it was changed
		if f == formOlder {
			return formUpgraded
		}
		return f
	case 7: // it was read, and a program of the earlier form has stored it then
		return formOlder
	}
	return formPresent
}

// TestGrowingNewerForms meets documents of a later form, under either number of buckets:
// nothing is written over them.
func TestGrowingNewerForms(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, true)
	for i, buckets := range []int{4, 12} {
		key := rideKey{fmt.Sprintf("e%d", i), kit.Day, vinWith(t, moves)}
		doc := &ride{ID: key.ID, Day: key.Day, VIN: key.VIN}
		at := azcosmos.NewPartitionKeyString(key.at(buckets))
		body := fmt.Sprintf(`{"id":%q,"day":%q,"vin":%q,"speed":1,"pk":%q,"form":3}`, key.ID, key.Day, key.VIN, key.at(buckets))
		if _, err := r.container.CreateItem(ctx, at, []byte(body), nil); err != nil {
			t.Fatal(err)
		}
		for name, err := range map[string]error{
			"Get":       second(r.second.Get(ctx, key)),
			"Replace":   r.second.Replace(ctx, doc),
			"Upsert":    r.second.Upsert(ctx, doc),
			"UpsertAll": second(r.second.UpsertAll(documents.Items(doc)).Collect(ctx)),
			"Patch":     r.second.Patch(ctx, key, repository.PatchNumber[ride, int]("/speed").Increment(7)),
			"Update":    r.second.Update(ctx, key, func(*ride) error { return nil }),
			"Delete":    r.second.Delete(ctx, key),
			"Collect":   second(r.second.byDay(kit.Day).Collect(ctx)),
		} {
			if !errors.Is(err, repository.ErrNewerDocument) || errors.Is(err, repository.ErrUnclear) {
				t.Errorf("%d buckets: %s: %v", buckets, name, err)
			}
		}
		if err := r.second.Create(ctx, doc); err == nil {
			t.Errorf("%d buckets: Create made a second document", buckets)
		}
		if n := countStored(t, r.container, fmt.Sprintf("c.form = 3 AND c.speed = 1 AND c.id = %q", key.ID)); n != 1 {
			t.Errorf("%d buckets: %d documents are as they were", buckets, n)
		}
	}
	if done, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); !errors.Is(errors.Join(err, done.Err), repository.ErrNewerDocument) {
		t.Errorf("Rekey: %+v, %v", done, err)
	}
	if n := countStored(t, r.container, "c.form = 3"); n != 2 {
		t.Errorf("%d documents are of the later form", n)
	}
}

// makeOlder stores the ride of a key as the release before has it.
func (r rideReleases) makeOlder(t *testing.T, at rides, key rideKey) {
	t.Helper()
	ctx := context.Background()
	doc, err := at.Get(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	values := azcosmos.NewPartitionKeyString(doc.Stored)
	if at.leveled {
		values = azcosmos.NewPartitionKeyString(key.Day).AppendString(doc.Stored)
	}
	answer, err := r.container.ReadItem(ctx, values, key.ID, nil)
	var raw map[string]any
	if err == nil {
		err = json.Unmarshal(answer.Value, &raw)
	}
	delete(raw, "form")
	delete(raw, "note")
	body, encodeErr := json.Marshal(raw)
	if err == nil {
		_, err = r.container.ReplaceItem(ctx, values, key.ID, body, nil)
	}
	if err := errors.Join(err, encodeErr); err != nil {
		t.Fatal(err)
	}
}

// runRides runs random operations of releases that are out together. Done is called after each.
func runRides(t *testing.T, random *rand.Rand, out []rides, stored map[rideKey]int, done func(what int, key rideKey)) {
	t.Helper()
	ctx := context.Background()
	for range 250 {
		r := out[random.IntN(len(out))]
		vin := fmt.Sprintf("V%d", random.IntN(12))
		key := rideKey{"e-" + vin + strconv.Itoa(random.IntN(2)), kit.Day, vin}
		doc := &ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Speed: random.IntN(1000)}
		speed, there := stored[key]
		want := error(nil)
		if !there {
			want = repository.ErrNotFound
		}
		var err error
		what := random.IntN(10)
		switch what {
		case 0:
			err, want = r.Create(ctx, doc), nil
			if there {
				want = repository.ErrAlreadyExists
			} else {
				stored[key] = doc.Speed
			}
		case 1:
			err, want = r.Upsert(ctx, doc), nil
			stored[key] = doc.Speed
		case 2:
			err = r.Replace(ctx, doc)
			if there {
				stored[key] = doc.Speed
			}
		case 3:
			err = r.Patch(ctx, key, repository.PatchNumber[ride, int]("/speed").Increment(7))
			if there {
				stored[key] += 7
			}
		case 4:
			err = r.Update(ctx, key, func(own *ride) error { own.Speed++; return nil })
			if there {
				stored[key]++
			}
		case 5:
			err = r.Delete(ctx, key)
			delete(stored, key)
		case 6: // what was read remembers where it is
			var own *ride
			if own, err = r.Get(ctx, key); err == nil {
				own.Speed = doc.Speed
				err = r.Replace(ctx, own)
				stored[key] = doc.Speed
				if err == nil && random.IntN(2) == 0 {
					err = r.DeleteIfMatch(ctx, own)
					delete(stored, key)
				}
			}
		case 7:
			var own *ride
			if own, err = r.Get(ctx, key); err == nil && own.Speed != speed {
				t.Fatalf("%v of %+v has speed %d, not %d", key, r.release, own.Speed, speed)
			}
		case 8:
			summary, bulkErr := r.UpsertAll(documents.Items(doc)).Collect(ctx)
			if err, want = bulkErr, nil; summary.Items != 1 {
				t.Fatalf("%+v", summary)
			}
			stored[key] = doc.Speed
		case 9:
			_, err = r.DeleteAll(documents.Items(key)).Collect(ctx)
			delete(stored, key)
		}
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Fatalf("operation %d on %v of %+v: got %v, want %v", what, key, r.release, err, want)
		}
		done(what, key)
	}
	for _, r := range out {
		checkRides(t, r, stored)
	}
}

// checkRides compares what a release reads with the model.
func checkRides(t *testing.T, r rides, stored map[rideKey]int) {
	t.Helper()
	ctx := context.Background()
	keys := slices.Collect(maps.Keys(stored))
	keys = append(keys, rideKey{"missing", kit.Day, "V1"})
	many, err := r.GetMany(ctx, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, doc := range many {
		speed, there := stored[keys[i]]
		if (doc != nil) != there || doc != nil && doc.Speed != speed {
			t.Errorf("GetMany of %v by %+v: got %+v, want %d", keys[i], r.release, doc, speed)
		}
	}
	sum := 0
	for _, speed := range stored {
		sum += speed
	}
	for name, docs := range map[string]repository.Query[ride]{"ByDay": r.byDay(kit.Day), "Scan": r.Scan()} {
		if total, err := repository.Sum(ctx, docs, documents.Number[ride, int]("/speed")); err != nil || int(total) != sum {
			t.Errorf("%s of %+v: got the sum %v, not %d, %v", name, r.release, total, sum, err)
		}
		got, err := docs.Collect(ctx)
		if err != nil || len(got) != len(stored) {
			t.Errorf("%s of %+v: got %d documents of %d, %v", name, r.release, len(got), len(stored), err)
		}
		for _, doc := range got {
			if speed, there := stored[rideKey{doc.ID, doc.Day, doc.VIN}]; !there || speed != doc.Speed {
				t.Errorf("%s of %+v: got %+v", name, r.release, doc)
			}
		}
	}
	for i := range 12 {
		vin := fmt.Sprintf("V%d", i)
		want := 0
		for key := range stored {
			if key.VIN == vin {
				want++
			}
		}
		if got, err := r.byVIN(kit.Day, vin).Collect(ctx); err != nil || len(got) != want {
			t.Errorf("ByVIN of %+v: got %d documents of %d, %v", r.release, len(got), want, err)
		}
	}
}

// TestGrowingDoubles stores a document under two numbers of buckets, as programs do
// that crash in the middle of a creation. Reads give it once, and Delete removes both.
func TestGrowingDoubles(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	vin := vinWith(t, moves)
	for _, at := range []rides{r.before, r.after} {
		for i := range 3 {
			if err := at.Create(ctx, &ride{ID: fmt.Sprintf("e%d", i), Day: kit.Day, VIN: vin, Speed: at.now}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, at := range []rides{r.first, r.second} {
		for limit, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3} {
			for _, q := range []repository.Query[ride]{at.byDay(kit.Day), at.byVIN(kit.Day, vin), at.Scan()} {
				got, err := q.Limit(limit).Collect(ctx)
				ids := map[string]bool{}
				for _, doc := range got {
					ids[doc.ID] = true
				}
				if err != nil || len(got) != want || len(ids) != want {
					t.Errorf("%+v, limit %d: got %d documents, %v", at.release, limit, len(got), err)
				}
			}
		}
		ordered, err := at.byDay(kit.Day).OrderBy(documents.String[ride, string]("/id").Desc()).Collect(ctx)
		if err != nil || len(ordered) != 3 || ordered[0].ID != "e2" || ordered[2].ID != "e0" {
			t.Errorf("%+v: got %d documents in order, %v", at.release, len(ordered), err)
		}
		if n, err := at.byDay(kit.Day).Count(ctx); err != nil || n != 6 { // which no SQL can tell from six documents
			t.Errorf("%+v: Count: %d, %v", at.release, n, err)
		}
	}
	if err := r.second.Delete(ctx, rideKey{"e0", kit.Day, vin}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []rides{r.before, r.after} {
		if _, err := at.Get(ctx, rideKey{"e0", kit.Day, vin}); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%+v: after Delete: %v", at.release, err)
		}
	}
}

// TestGrowingStrangers gives one id to documents of two vehicles. The bucket of one
// among 4 is that of the other among 12.
func TestGrowingStrangers(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	mine := vinWith(t, moves)
	other := vinWith(t, func(_, of12 int) bool {
		return of12 == partition.Hash{}.Text(mine).Bucket(4)
	})
	theirs := &ride{ID: "e", Day: kit.Day, VIN: other, Speed: 1}
	if err := r.after.Create(ctx, theirs); err != nil {
		t.Fatal(err)
	}
	key := rideKey{"e", kit.Day, mine}
	for name, err := range map[string]error{
		"Get":     second(r.second.Get(ctx, key)),
		"Replace": r.second.Replace(ctx, &ride{ID: "e", Day: kit.Day, VIN: mine}),
		"Patch":   r.second.Patch(ctx, key, repository.PatchNumber[ride, int]("/speed").Increment(7)),
		"Update":  r.second.Update(ctx, key, func(*ride) error { return nil }),
		"Delete":  r.second.Delete(ctx, key),
	} {
		if !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s met a document of another vehicle: %v", name, err)
		}
	}
	if err := r.first.Create(ctx, &ride{ID: "e", Day: kit.Day, VIN: mine}); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("Create took the place of another vehicle: %v", err)
	}
	if err := r.first.Upsert(ctx, &ride{ID: "e", Day: kit.Day, VIN: mine}); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("Upsert took the place of another vehicle: %v", err)
	}
	if err := r.second.Upsert(ctx, &ride{ID: "e", Day: kit.Day, VIN: mine, Speed: 2}); err != nil {
		t.Fatal(err)
	}
	for vin, want := range map[string]int{other: 1, mine: 2} {
		if doc, err := r.second.Get(ctx, rideKey{"e", kit.Day, vin}); err != nil || doc.Speed != want {
			t.Errorf("got %+v, %v", doc, err)
		}
	}
	if docs, err := r.second.byDay(kit.Day).Collect(ctx); err != nil || len(docs) != 2 {
		t.Errorf("got %d documents of two vehicles, %v", len(docs), err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestGrowingCosts counts requests.
func TestGrowingCosts(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	vin := vinWith(t, moves)
	key := func(id string) rideKey { return rideKey{id, kit.Day, vin} }
	doc := func(id string) *ride { return &ride{ID: id, Day: kit.Day, VIN: vin} }
	if err := errors.Join(r.before.Create(ctx, doc("old")), r.after.Create(ctx, doc("new"))); err != nil {
		t.Fatal(err)
	}
	read, err := r.second.Get(ctx, key("old"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		do   func() error
		want map[string]int
	}{
		{"Get new", func() error { return second(r.second.Get(ctx, key("new"))) }, map[string]int{emulator.OpReadItem: 1}},
		{"Get old", func() error { return second(r.second.Get(ctx, key("old"))) }, map[string]int{emulator.OpReadItem: 2}},
		{"Get missing", func() error { return second(r.second.Get(ctx, key("none"))) }, map[string]int{emulator.OpReadItem: 2}},
		{"Get missing, first release", func() error { return second(r.first.Get(ctx, key("none"))) }, map[string]int{emulator.OpReadItem: 2}},
		{"Replace what was read", func() error { return r.second.Replace(ctx, read) }, map[string]int{emulator.OpReadItem: 1, emulator.OpReplaceItem: 1}},
		{"Replace old", func() error { return r.second.Replace(ctx, doc("old")) }, map[string]int{emulator.OpReadItem: 2, emulator.OpReplaceItem: 1}},
		{"Create", func() error { return r.second.Create(ctx, doc("fresh")) }, map[string]int{emulator.OpReadItem: 2, emulator.OpCreateItem: 1}},
		{"Create old", func() error { return r.second.Create(ctx, doc("old")) }, map[string]int{emulator.OpReadItem: 1}},
		{"Upsert new", func() error { return r.second.Upsert(ctx, doc("new")) }, map[string]int{emulator.OpReadItem: 1, emulator.OpReplaceItem: 1}},
		{"Delete old", func() error { return r.second.Delete(ctx, key("old")) }, map[string]int{emulator.OpReadItem: 2, emulator.OpDeleteItem: 1}},
	} {
		before := r.server.Documents()
		if err := tt.do(); err != nil && !errors.Is(err, repository.ErrNotFound) && !errors.Is(err, repository.ErrAlreadyExists) {
			t.Errorf("%s: %v", tt.name, err)
		}
		got := r.server.Documents()
		for op, n := range before {
			if got[op] -= n; got[op] == 0 {
				delete(got, op)
			}
		}
		if !maps.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestGrowingCreatesAtOnce has programs of both releases create, or upsert, the same
// documents at the same time. One creation of each succeeds, and one document remains.
func TestGrowingCreatesAtOnce(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	vin := vinWith(t, moves)
	for i := range 60 {
		key := rideKey{fmt.Sprintf("e%d", i), kit.Day, vin}
		var all sync.WaitGroup
		errs := make([]error, 4)
		for j := range errs {
			at := []rides{r.first, r.second}[j%2]
			all.Go(func() {
				doc := &ride{ID: key.ID, Day: kit.Day, VIN: vin, Speed: j}
				if i%2 == 0 {
					errs[j] = at.Create(ctx, doc)
				} else {
					errs[j] = at.Upsert(ctx, doc)
				}
			})
		}
		all.Wait()
		succeeded := 0
		for _, err := range errs {
			switch {
			case err == nil:
				succeeded++
			case i%2 != 0 || !errors.Is(err, repository.ErrAlreadyExists):
				t.Errorf("%v: %v", key, err)
			}
		}
		if want := []int{1, 4}[i%2]; succeeded != want {
			t.Errorf("%v: %d of 4 succeeded, not %d: %v", key, succeeded, want, errs)
		}
		stored := 0
		for _, at := range []rides{r.before, r.after} {
			if _, err := at.Get(ctx, key); err == nil {
				stored++
			}
		}
		if stored != 1 {
			t.Errorf("%v is stored %d times", key, stored)
		}
	}
}

// intruder does what other programs do between two requests of one.
type intruder struct {
	before func(method string)
	after  func(method string)
}

func (i intruder) Do(r *policy.Request) (*http.Response, error) {
	method := r.Raw().Method
	if strings.Contains(r.Raw().URL.Path, "/docs") {
		i.before(method)
		defer i.after(method)
	}
	return r.Next()
}

// TestGrowingSettles has two releases create a document at the same time, and others replace
// both while the first one removes the superfluous document: one document stays.
func TestGrowingSettles(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	key := rideKey{"e", kit.Day, vinWith(t, moves)}
	doc := func(speed int) *ride { return &ride{ID: key.ID, Day: kit.Day, VIN: key.VIN, Speed: speed} }
	sent := map[string]int{}
	store := func(at rides, speed int) {
		if err := at.Upsert(ctx, doc(speed)); err != nil {
			t.Error(err)
		}
	}
	o := repository.Configure(nil)
	o.PerRetryPolicies = append(o.PerRetryPolicies, intruder{
		before: func(method string) {
			if sent[method]++; method == http.MethodDelete && 1 < sent[method] && sent[method] < 5 {
				store(r.before, 10+sent[method]) // which is about to be removed
			}
		},
		after: func(method string) {
			if method == http.MethodPost && sent[method] == 1 { // the document has been created
				store(r.before, 1)
				store(r.after, 2)
			}
		},
	})
	db := r.server.Database(o)
	container, err := db.NewContainer("rides")
	if err != nil {
		t.Fatal(err)
	}
	if err := (rides{r.second.release, repository.New(container, r.second.model())}).Upsert(ctx, doc(3)); err != nil {
		t.Error(err)
	}
	if sent[http.MethodDelete] != 5 {
		t.Errorf("%d deletions, want that of its own document and four of the other: %v", sent[http.MethodDelete], sent)
	}
	if _, err := r.before.Get(ctx, key); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("under the former number of buckets: %v", err)
	}
	if got, err := r.after.Get(ctx, key); err != nil || got.Speed != 3 {
		t.Errorf("under the next number of buckets: %+v, %v", got, err)
	}
}

// TestGrowingWithdrawn has an update, and a replacement on an ETag, read the one of two
// documents of a key that is withdrawn before they write: the other one is there.
func TestGrowingWithdrawn(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	vin := vinWith(t, moves)
	withdraw := func() {}
	o := repository.Configure(nil)
	o.PerRetryPolicies = append(o.PerRetryPolicies, intruder{
		before: func(method string) {
			if method == http.MethodPut {
				withdraw()
			}
		},
		after: func(string) {},
	})
	container, err := r.server.Database(o).NewContainer("rides")
	if err != nil {
		t.Fatal(err)
	}
	first := rides{r.first.release, repository.New(container, r.first.model())}
	twice := func(id string) rideKey {
		key := rideKey{id, kit.Day, vin}
		for speed, at := range []rides{r.before, r.after} {
			if err := at.Create(ctx, &ride{ID: id, Day: kit.Day, VIN: vin, Speed: 1 + speed}); err != nil {
				t.Fatal(err)
			}
		}
		withdraw = sync.OnceFunc(func() {
			if err := r.before.Delete(ctx, key); err != nil {
				t.Error(err)
			}
		})
		return key
	}

	key := twice("updated")
	if err := first.Update(ctx, key, func(d *ride) error { d.Speed += 10; return nil }); err != nil {
		t.Errorf("an update of the document that remains: %v", err)
	}
	if got, err := r.first.Get(ctx, key); err != nil || got.Speed != 12 {
		t.Errorf("the document that remains is %+v, %v", got, err)
	}

	key = twice("replaced")
	read, err := first.Get(ctx, key)
	if err != nil || read.Speed != 1 {
		t.Fatalf("the document that is to be withdrawn is %+v, %v", read, err)
	}
	if err := first.Replace(ctx, read); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("a replacement on the ETag of a document that was withdrawn, while another one is there: %v", err)
	}
}

// TestGrowingRefusals names what cannot be done while a number of buckets grows.
func TestGrowingRefusals(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	doc := &ride{ID: "e", Day: kit.Day, VIN: "V1"}
	tx := repository.NewTransaction()
	for name, err := range map[string]error{
		"Move":        r.second.Move(ctx, rideKey{"e", kit.Day, "V2"}, doc),
		"transaction": r.second.In(tx).Create(doc),
		"commit":      tx.Commit(ctx),
	} {
		if err == nil || !strings.Contains(err.Error(), "the bucket count of the type is growing") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(r.server.Documents()); n != 0 {
		t.Errorf("%d kinds of requests were sent", n)
	}
}

// TestGrowingUnclear has the look after a creation fail. The document is stored, and
// the error says that this may be.
func TestGrowingUnclear(t *testing.T) {
	ctx := context.Background()
	r := newRides(t, false, false)
	vin := vinWith(t, moves)
	for id, store := range map[string]func(context.Context, *ride) error{"created": r.second.Create, "upserted": r.second.Upsert} {
		reads := 1 // before Create writes
		if id == "upserted" {
			reads = 3 // two to replace, and one to create
		}
		r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Skip: reads, Status: http.StatusForbidden})
		if err := store(ctx, &ride{ID: id, Day: kit.Day, VIN: vin}); !errors.Is(err, repository.ErrUnclear) || !strings.Contains(err.Error(), "was stored") {
			t.Errorf("%s: got %v", id, err)
		}
		if _, err := r.after.Get(ctx, rideKey{id, kit.Day, vin}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}
