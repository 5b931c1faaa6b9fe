package querytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// oldLetter returns the nth document, in its first, second or third form, of several logical
// partitions, and what is stored when it has the third form.
func oldLetter(n int) (raw, renewed string) {
	key := fmt.Sprint("k", n%5)
	renewed = fmt.Sprintf(`{"cents":%d,"first":"Ann","id":"%d","key":"%s","last":"Lee","note":"n%d","schema":3}`, 100*n, n, key, n)
	switch n % 3 {
	case 0:
		raw = fmt.Sprintf(`{"id":"%d","key":"%s","name":"Ann Lee","euros":%d,"note":"n%d"}`, n, key, n, n)
	case 1:
		raw = fmt.Sprintf(`{"id":"%d","key":"%s","name":"Ann Lee","cents":%d,"note":"n%d","schema":2}`, n, key, 100*n, n)
	default:
		raw = renewed
	}
	return raw, renewed
}

// newOldLetters makes a container with n documents of all forms.
func newOldLetters(t testing.TB, n int) (*harness.Account, *azcosmos.ContainerClient, *repository.Documents[forms.Letter, forms.LetterKey]) {
	t.Helper()
	server, container, letters := newLetters(t, emulator.Options{Partitions: 3})
	for i := range n {
		raw, _ := oldLetter(i)
		put(t, container, raw)
	}
	return server, container, letters
}

// allRenewed reports whether n documents are in their third form.
func allRenewed(t testing.TB, container *azcosmos.ContainerClient, n int) {
	t.Helper()
	for i := range n {
		_, want := oldLetter(i)
		if got := rawAt(t, container, fmt.Sprint(i), fmt.Sprint("k", i%5)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestUpgrade brings documents of all forms to the third one, after a dry run.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const n = 90
	server, container, letters := newOldLetters(t, n)
	server.ResetRequests()
	dry, err := admin.Upgrade(ctx, letters, admin.Run{DryRun: true})
	if err != nil || dry.Found != 60 || dry.Left != 60 || dry.Changed != 0 || dry.Failed != 0 || dry.Done() {
		t.Errorf("got %+v, %v", dry, err)
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpReplaceItem {
			t.Fatal("a dry run has written")
		}
	}
	var told []admin.Summary
	done, err := admin.Upgrade(ctx, letters, admin.Run{Progress: func(s admin.Summary) { told = append(told, s) }})
	if err != nil || done.Found != 60 || done.Changed != 60 || done.Failed != 0 || done.Left != 0 || !done.Done() || done.RequestUnits == 0 {
		t.Errorf("got %+v, %v", done, err)
	}
	if len(told) < 2 || told[0].Found != 60 || told[0].Changed != 0 || told[len(told)-1] != done {
		t.Errorf("told %+v", told)
	}
	allRenewed(t, container, n)
	server.ResetRequests()
	if done, err = admin.Upgrade(ctx, letters, admin.Run{}); err != nil || done.Found != 0 || done.Changed != 0 || !done.Done() {
		t.Errorf("got %+v, %v", done, err)
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpReplaceItem {
			t.Fatal("a second run has written")
		}
	}
}

// TestUpgradeOfAliases rewrites documents that have properties under aliases.
func TestUpgradeOfAliases(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	container, people := newPeople(t)
	somePeople(t, container)
	before, err := people.Scan().Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	done, err := admin.Upgrade(ctx, people, admin.Run{})
	if err != nil || !done.Done() || done.Found < 100 || done.Changed != done.Found {
		t.Errorf("got %+v, %v", done, err)
	}
	for _, p := range before {
		now, err := people.Get(ctx, forms.PersonKey{ID: p.ID, Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		p.ETag, now.ETag = "", ""
		was, _ := json.Marshal(p)
		if is, _ := json.Marshal(now); string(was) != string(is) {
			t.Errorf("got %s, want %s", is, was)
		}
		all := storedPerson(t, container, p.ID)
		for _, name := range []string{"fullName", "display", "years", "address", "numbers", "labels"} {
			if _, there := all[name]; there {
				t.Errorf("%s: %v", name, all)
			}
		}
	}
}

// TestUpgradeThatFails leaves documents as they are whose method fails, and goes on.
func TestUpgradeThatFails(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, container, letters := newOldLetters(t, 30)
	bad := []string{
		`{"id":"b1","key":"k1","name":"broken"}`, `{"id":"b2","key":"k2","name":"rekeyed","schema":2}`,
		`{"cents":"1","id":"b3","key":"k3","schema":2}`,
	}
	var before []string
	for i, raw := range bad {
		put(t, container, raw)
		before = append(before, rawAt(t, container, fmt.Sprint("b", i+1), fmt.Sprint("k", i+1)))
	}
	put(t, container, `{"id":"newer","key":"k1","schema":4}`)
	for _, run := range []admin.Run{{DryRun: true}, {}} {
		done, err := admin.Upgrade(ctx, letters, run)
		if err != nil || done.Failed != 3 || done.Done() || done.Err == nil || !strings.Contains(done.Err.Error(), "upgrade Letter \"b") {
			t.Errorf("got %+v, %v", done, err)
		}
		for i, want := range before {
			if got := rawAt(t, container, fmt.Sprint("b", i+1), fmt.Sprint("k", i+1)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
	allRenewed(t, container, 30)
}

// TestUpgradeRefusals are runs that send nothing.
func TestUpgradeRefusals(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, _, letters := newOldLetters(t, 3)
	server.ResetRequests()
	for want, run := range map[string]admin.Run{
		"give at least 100":          {Budget: 99},
		"of -1 request units a seco": {Budget: -1, Concurrency: 3},
		"has no leases":              {Leases: new(azcosmos.ContainerClient)},
	} {
		if _, err := admin.Upgrade(ctx, letters, run); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestUpgradeStopped stops a run at each of its requests, before or after that takes effect,
// and begins again. Each document is stored once.
func TestUpgradeStopped(t *testing.T) {
	t.Parallel()
	const n = 8
	for _, after := range []bool{false, true} {
		for at, whole := 0, false; !whole; at++ {
			srv, container, letters := newOldLetters(t, n)
			c := &harness.Crash{At: at, After: after}
			ctx, crashed := c.Context(context.Background())
			stopped := srv.Container("letters", repository.Configure(harness.PerRetry(harness.Intercepted)))
			srv.ResetRequests()
			_, err := admin.Upgrade(ctx, repository.New(stopped, forms.LetterModel), admin.Run{Concurrency: 2})
			whole = !crashed() && err == nil
			done, err := admin.Upgrade(context.Background(), letters, admin.Run{})
			if err != nil || !done.Done() {
				t.Fatalf("request %d, %v: %+v, %v", at, after, done, err)
			}
			allRenewed(t, container, n)
			writes := 0
			for _, r := range srv.Requests() {
				if r.Operation == emulator.OpReplaceItem && r.Status == http.StatusOK {
					writes++
				}
			}
			if writes != 6 {
				t.Fatalf("request %d, %v: %d writes", at, after, writes)
			}
			if at > 100 {
				t.Fatal("the run has no end")
			}
		}
	}
}

// TestUpgradeUnderFaults runs while answers are lost, requests are throttled and two programs
// write. No write is lost, and all documents are in their third form in the end.
func TestUpgradeUnderFaults(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			const n = 40
			srv, container, letters := newOldLetters(t, n)
			before := repository.New(container, forms.LetterBeforeModel)
			for _, f := range []emulator.Fault{
				{Operation: emulator.OpReplaceItem, Drop: true, After: true, Probability: .2},
				{Operation: emulator.OpReplaceItem, Drop: true, Probability: .1},
				{Operation: emulator.OpReplaceItem, Status: http.StatusTooManyRequests, Probability: .2},
				{Operation: emulator.OpQueryItems, Status: http.StatusServiceUnavailable, Probability: .1},
			} {
				f.Count, f.Seed = -1, seed
				srv.Inject(f)
			}
			notes := make([]string, n)
			var writers sync.WaitGroup
			for w := range 2 {
				writers.Go(func() {
					random := rand.New(rand.NewPCG(seed, uint64(w)))
					for range 40 {
						i := random.IntN(n/2)*2 + w // each has documents of its own
						key, note := forms.LetterKey{ID: fmt.Sprint(i), Key: fmt.Sprint("k", i%5)}, fmt.Sprint("w", random.IntN(1000))
						var err error
						if random.IntN(2) == 0 {
							err = letters.Patch(ctx, key, forms.LetterPatch.Note.Set(note))
						} else {
							err = before.Patch(ctx, forms.LetterBeforeKey(key), forms.LetterBeforePatch.Note.Set(note))
						}
						switch {
						case err == nil:
							notes[i] = note
						case errors.Is(err, repository.ErrUnclear):
							notes[i] = "?"
						case !errors.Is(err, repository.ErrNewerDocument):
							t.Errorf("%v", err)
						}
					}
				})
			}
			var done admin.Summary
			var err error
			for range 20 {
				if done, err = admin.Upgrade(ctx, letters, admin.Run{Concurrency: 8}); err == nil && done.Done() {
					break
				}
			}
			writers.Wait()
			srv.ClearFaults()
			if done, err = admin.Upgrade(ctx, letters, admin.Run{}); err != nil || !done.Done() {
				t.Fatalf("%+v, %v", done, err)
			}
			for i, note := range notes {
				_, want := oldLetter(i)
				got := rawAt(t, container, fmt.Sprint(i), fmt.Sprint("k", i%5))
				if note != "" {
					want = strings.Replace(want, fmt.Sprintf(`"n%d"`, i), strconv.Quote(note), 1)
				}
				if got != want && note != "?" {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
}

// TestUpgradeKeeps looks at what stays of documents: stamps, unknown properties, and when
// they expire.
func TestUpgradeKeeps(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	some, thousand := int32(-1), int32(1000)
	for _, row := range []struct {
		ttl       *int32
		raw, want string
		elapsed   time.Duration
	}{
		{nil, `{"id":"1","key":"k","whole":8,"x":[1]}`, `{"half":4,"id":"1","key":"k","schema":2,"x":[1]}`, 0},
		{nil, `{"id":"1","key":"k","whole":8,"ttl":50,"made":"2018-08-09T00:00:00.0000000Z","changed":null,"n":7,"_kept":{"a":1}}`,
			`{"_kept":{"a":1},"changed":null,"half":4,"id":"1","key":"k","made":"2018-08-09T00:00:00.0000000Z","n":7,"schema":2,"ttl":50}`, time.Minute},
		{&some, `{"id":"1","key":"k","whole":8,"ttl":100}`, `{"half":4,"id":"1","key":"k","schema":2,"ttl":40}`, time.Minute},
		{&some, `{"id":"1","key":"k","whole":8}`, `{"half":4,"id":"1","key":"k","schema":2}`, time.Minute},
		{&thousand, `{"id":"1","key":"k","whole":8}`, `{"half":4,"id":"1","key":"k","schema":2,"ttl":940}`, time.Minute},
		{&thousand, `{"id":"1","key":"k","whole":8,"ttl":-1}`, `{"half":4,"id":"1","key":"k","schema":2,"ttl":-1}`, time.Minute},
	} {
		properties := harness.Properties("all", "/key")
		properties.DefaultTimeToLive = row.ttl
		srv, container := harness.NewContainer(t, emulator.Options{}, properties, repository.Configure(nil))
		put(t, container, row.raw)
		srv.Advance(row.elapsed)
		done, err := admin.Upgrade(ctx, repository.New(container, forms.StampedModel), admin.Run{})
		if err != nil || done.Err != nil || done.Changed != 1 || !done.Done() {
			t.Errorf("%s: %+v, %v", row.raw, done, err)
		}
		got := rawAt(t, container, "1", "k")
		if i := strings.Index(row.want, `"ttl":9`); i > 0 && strings.Contains(got, `"ttl":939`) {
			got = strings.Replace(got, `"ttl":939`, `"ttl":940`, 1) // a second has begun meanwhile
		}
		got = strings.Replace(got, `"ttl":39`, `"ttl":40`, 1)
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.raw, got, row.want)
		}
	}
}

// TestUpgradeBudget measures what a run spends, in virtual time.
func TestUpgradeBudget(t *testing.T) {
	for _, budget := range []float64{200, 1000} {
		synctest.Test(t, func(t *testing.T) {
			v := harness.NewVirtual(t, server.Options{Partitions: 4, Latency: 2 * time.Millisecond})
			var stored []string
			for i := range 1200 {
				raw, _ := oldLetter(i)
				stored = append(stored, raw)
			}
			v.Load(`{"id":"letters","partitionKey":{"paths":["/key"],"kind":"Hash","version":2}}`, stored...)
			container := v.Container("letters", repository.Configure(nil))
			began := time.Now()
			done, err := admin.Upgrade(t.Context(), repository.New(container, forms.LetterModel), admin.Run{Budget: budget})
			if err != nil || done.Changed != 800 || !done.Done() {
				t.Fatalf("%+v, %v", done, err)
			}
			took, units := time.Since(began).Seconds(), v.Units()
			if rate := units / took / budget; rate > 1.05 || rate < .9 {
				t.Errorf("%.0f RU in %.1f s are %.3f of the budget of %.0f", units, took, rate, budget)
			}
			if told := done.RequestUnits / units; told > 1.001 || told < .999 {
				t.Errorf("it tells %.0f RU of %.0f", done.RequestUnits, units)
			}
		})
	}
}

// TestUpgradeByTwo runs two at once: documents are stored once.
func TestUpgradeByTwo(t *testing.T) {
	t.Parallel()
	const n = 60
	srv, container, letters := newOldLetters(t, n)
	srv.ResetRequests()
	errs := make([]error, 2)
	var runs sync.WaitGroup
	for i := range errs {
		runs.Go(func() { _, errs[i] = admin.Upgrade(context.Background(), letters, admin.Run{}) })
	}
	runs.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	allRenewed(t, container, n)
	writes := slices.DeleteFunc(srv.Requests(), func(r emulator.Request) bool {
		return r.Operation != emulator.OpReplaceItem || r.Status != http.StatusOK
	})
	if len(writes) != 40 {
		t.Errorf("%d writes", len(writes))
	}
}

// TestUpgradeOfSeveralContainers brings the documents of all containers of a type to its third
// form.
func TestUpgradeOfSeveralContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	properties := func(name string) azcosmos.ContainerProperties { return harness.Properties(name, "/key") }
	model := *forms.LetterModel
	model.Containers = &generated.Containers[forms.LetterKey]{
		Parts: []generated.ContainerPart{{Text: "letters-"}, {Field: "Key"}}, Ensure: "EnsureLetterContainer",
		Name: func(k forms.LetterKey) string { return "letters-" + k.Key }, Properties: properties,
	}
	account := harness.New(t, emulator.Options{}, repository.Configure(nil))
	for _, key := range []string{"a", "b", "c"} {
		container := account.Create(properties("letters-" + key))
		put(t, container, fmt.Sprintf(`{"id":"1","key":%q,"name":"Ann Lee","euros":3}`, key))
		put(t, container, fmt.Sprintf(`{"id":"2","key":%q,"name":"rekeyed","schema":2}`, key))
	}
	letters := repository.NewIn(account.DB, &model)
	done, err := admin.Upgrade(ctx, letters, admin.Run{})
	if err != nil || done.Found != 6 || done.Changed != 3 || done.Failed != 3 || done.Left != 3 {
		t.Errorf("got %+v, %v", done, err)
	}
	if n, err := letters.Scan().Where(forms.LetterFields.Schema.Eq(3)).Count(ctx); err != nil || n != 3 {
		t.Errorf("got %d, %v", n, err)
	}
}
