package bulk

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// noteIn is note n of a topic.
func noteIn(topic string, n int) *fixtures.Note {
	return &fixtures.Note{ID: fmt.Sprintf("%s%04d", topic, n), Topic: topic, Title: "t", Text: fmt.Sprint("text ", n)}
}

// notesIn is n notes of each topic, one topic after the other.
func notesIn(n int, topics ...string) []*fixtures.Note {
	var all []*fixtures.Note
	for _, topic := range topics {
		for i := range n {
			all = append(all, noteIn(topic, i))
		}
	}
	return all
}

// inTransactions runs CreateAll in transactions, and returns the outcomes in their order.
func inTransactions(t *testing.T, r kit.Notes, all ...*fixtures.Note) []documents.Outcome[*fixtures.Note] {
	t.Helper()
	outcomes := kit.AllItems(t, r.CreateAll(documents.Items(all...), documents.InTransactions()).All(t.Context()))
	if len(outcomes) != len(all) {
		t.Fatalf("%d outcomes of %d items", len(outcomes), len(all))
	}
	return outcomes
}

// TestTransactionsAreOneRequestEach counts the requests of three logical partitions of 50 items.
func TestTransactionsAreOneRequestEach(t *testing.T) {
	t.Parallel()
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	all, ctx := notesIn(50, "a", "b", "c"), t.Context()
	for _, way := range []struct {
		name string
		run  func(context.Context) (documents.Summary, error)
		left int
	}{
		{"create", r.CreateAll(documents.Items(all...), documents.InTransactions(), documents.InBatches()).Collect, 150},
		{"upsert", r.UpsertAll(documents.Items(all...), documents.InTransactions()).Collect, 150},
		{"delete", r.DeleteAll(documents.Sequence(kit.KeysOf(slices.Values(all))), documents.InTransactions()).Collect, 0},
	} {
		server.ResetRequests()
		summary, err := way.run(ctx)
		if err != nil || summary.Items != 150 || summary.RequestUnits < 150 {
			t.Errorf("%s: %+v, %v", way.name, summary, err)
		}
		if n := len(server.Requests()); n != 3 || batchRequests(server) != 3 {
			t.Errorf("%s: %d requests, want 3", way.name, n)
		}
		stored := r.Stored(t)
		if len(stored) != way.left {
			t.Errorf("%s: %d are stored", way.name, len(stored))
		}
		for _, n := range all {
			if now := stored[n.ID]; now != nil && *now != *n {
				t.Errorf("%s: stored is %+v, and the caller has %+v", way.name, now, n)
			}
		}
	}
}

// TestRefusedItem has an item in the way at every place of a transaction.
func TestRefusedItem(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 4, 9} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			there := noteIn("b", at)
			there.Text = "older"
			if err := r.Create(t.Context(), there); err != nil {
				t.Fatal(err)
			}
			all := notesIn(10, "a", "b", "c")
			outcomes := inTransactions(t, r, all...)
			for i, o := range outcomes {
				var culprit *documents.TransactionError
				var own *documents.Error
				switch {
				case o.Item.Topic != "b":
					if o.Err != nil {
						t.Errorf("%d: %v", i, o.Err)
					}
					continue
				case !errors.As(o.Err, &culprit) || culprit.ID != there.ID || culprit.Op != "create" || culprit.Type != "Note" || culprit.Operation != at+1 || culprit.Of != 10 || !errors.Is(culprit, repository.ErrAlreadyExists):
					t.Errorf("%d: %v", i, o.Err)
				}
				if !errors.As(o.Err, &own) || own.ID != o.Item.ID || own.PartitionKey == "" {
					t.Errorf("%d: the error is of another item: %v", i, o.Err)
				}
				if isCulprit := i == 10+at; errors.Is(o.Err, repository.ErrAlreadyExists) != isCulprit || errors.Is(o.Err, documents.ErrRolledBack) == isCulprit {
					t.Errorf("%d: %v", i, o.Err)
				}
				if o.Item.ETag != "" {
					t.Errorf("%d has the ETag %s", i, o.Item.ETag)
				}
			}
			const innocent = `create Note "b0001" in partition "b-t": not stored, since another item of its transaction was refused: create of Note "`
			if text := outcomes[11].Err.Error(); !strings.HasPrefix(text, innocent+there.ID+`" (operation `+fmt.Sprint(at+1)+` of 10): document already exists (status 409)`) {
				t.Error(text)
			}
			if stored := r.Stored(t); len(stored) != 21 || stored[there.ID].Text != "older" {
				t.Errorf("%d are stored, and %+v", len(stored), stored[there.ID])
			}
			summary, err := r.CreateAll(documents.Items(notesIn(10, "b")...), documents.InTransactions()).Collect(t.Context())
			if summary.Failed != 10 || summary.AlreadyExists != 1 || summary.RolledBack != 9 || !errors.Is(err, documents.ErrRolledBack) {
				t.Errorf("%+v, %v", summary, err)
			}
		})
	}
}

// trialRun is a transaction of a trial.
type trialRun struct {
	topic string
	notes []*fixtures.Note
}

// TestTransactionsAgainstAModel creates notes in random transactions under random faults. Some
// notes are there already. A transaction is stored as a whole or not at all, and an item has no
// error exactly if it is stored.
func TestTransactionsAgainstAModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 77))
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Once()))
			var runs []trialRun
			var all []*fixtures.Note
			there := map[string]bool{}
			for len(runs) < 12 {
				run := trialRun{topic: string(rune('a' + random.IntN(4)))}
				if n := len(runs); n > 0 && runs[n-1].topic == run.topic {
					continue
				}
				for range 1 + random.IntN(6) {
					n := noteIn(run.topic, len(all))
					run.notes, all = append(run.notes, n), append(all, n)
				}
				if random.IntN(4) == 0 {
					there[run.notes[random.IntN(len(run.notes))].ID] = true
				}
				runs = append(runs, run)
			}
			for id := range there {
				if err := r.Create(t.Context(), &fixtures.Note{ID: id, Topic: id[:1], Title: "t", Text: "older"}); err != nil {
					t.Fatal(err)
				}
			}
			for range random.IntN(4) {
				f := emulator.Fault{
					Operation: emulator.OpExecuteBatch, Skip: random.IntN(8), Count: 1 + random.IntN(3), After: random.IntN(2) == 0,
					Status: []int{0, http.StatusRequestTimeout, http.StatusServiceUnavailable, http.StatusTooManyRequests}[random.IntN(4)],
				}
				f.Drop = f.Status == 0
				f.After = f.After && f.Status != http.StatusTooManyRequests
				server.Inject(f)
			}
			outcomes := inTransactions(t, r, all...)
			server.ClearFaults()
			stored, i := r.Stored(t), 0
			for _, run := range runs {
				refused := slices.ContainsFunc(run.notes, func(n *fixtures.Note) bool { return there[n.ID] })
				first := isStored(stored, run.notes[0])
				for _, n := range run.notes {
					o, is := outcomes[i], isStored(stored, n)
					i++
					if is != first || is && refused {
						t.Errorf("%s: of its transaction, only a part is stored", n.ID)
					}
					switch unclear := errors.Is(o.Err, documents.ErrUnclear); {
					case unclear && errors.Is(o.Err, documents.ErrRolledBack):
						t.Errorf("%s: %v", n.ID, o.Err)
					case !unclear && (o.Err == nil) != is:
						t.Errorf("%s: stored %v, %v", n.ID, is, o.Err)
					case is && o.Err == nil && stored[n.ID].ETag != n.ETag:
						t.Errorf("%s: another ETag", n.ID)
					case !is && refused && !unclear && there[n.ID] == errors.Is(o.Err, documents.ErrRolledBack):
						t.Errorf("%s: %v", n.ID, o.Err)
					}
				}
			}
		})
	}
}

// isStored reports whether a note is stored, and not an older one of its id.
func isStored(stored map[string]*fixtures.Note, n *fixtures.Note) bool {
	now := stored[n.ID]
	return now != nil && now.Text == n.Text
}

// TestUnclearTransactions loses the answer to a transaction, before and after its effect.
func TestUnclearTransactions(t *testing.T) {
	t.Parallel()
	for name, fault := range kit.UnclearFaults(emulator.OpExecuteBatch) {
		harness.Bubble(t, name, func(t *testing.T) {
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			check := func(op string, want int, summary documents.Summary, err error) {
				t.Helper()
				if err != nil || summary.Items != 30 || len(r.Stored(t)) != want {
					t.Fatalf("%s: %+v, %v, and %d are stored", op, summary, err, len(r.Stored(t)))
				}
			}
			all, ctx := notesIn(15, "a", "b"), t.Context()
			server.Inject(fault)
			summary, err := r.CreateAll(documents.Items(all...), documents.InTransactions()).Collect(ctx)
			check("create", 30, summary, err)
			server.Inject(fault)
			summary, err = r.UpsertAll(documents.Items(all...), documents.InTransactions()).Collect(ctx)
			check("upsert", 30, summary, err)
			server.Inject(fault)
			summary, err = r.DeleteAll(documents.Sequence(kit.KeysOf(slices.Values(all))), documents.InTransactions()).Collect(ctx)
			check("delete", 0, summary, err)
		})
	}
	t.Run("to the end", func(t *testing.T) {
		t.Parallel()
		server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
		server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true, Count: -1})
		summary, err := r.UpsertAll(documents.Items(notesIn(20, "a")...), documents.InTransactions()).Collect(t.Context())
		if summary.Unclear != 20 || summary.RolledBack != 0 || !errors.Is(err, repository.ErrUnclear) || batchRequests(server) != 4 {
			t.Errorf("%+v after %d batches, %v", summary, batchRequests(server), err)
		}
	})
	t.Run("and throttled after it", func(t *testing.T) {
		t.Parallel()
		server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Once()))
		server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
		server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: http.StatusTooManyRequests, Substatus: 3200, Count: 3})
		for i, o := range inTransactions(t, r, notesIn(20, "a")...) {
			if o.Err != nil || o.Item.ETag == "" {
				t.Errorf("%d: %v", i, o.Err)
			}
		}
	})
}

// TestThrottledTransactions has a client that does not retry by itself.
func TestThrottledTransactions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Once()))
		throttle := emulator.Fault{Operation: emulator.OpExecuteBatch, Status: http.StatusTooManyRequests, Substatus: 3200, Count: 3}
		server.Inject(throttle)
		all := notesIn(5, "a", "b")
		if summary, err := r.UpsertAll(documents.Items(all...), documents.InTransactions()).Collect(t.Context()); err != nil || len(r.Stored(t)) != 10 {
			t.Errorf("%+v, %v", summary, err)
		}
		throttle.Count = -1
		server.Inject(throttle)
		server.ResetRequests()
		summary, err := r.UpsertAll(documents.Items(all[:5]...), documents.InTransactions()).Collect(t.Context())
		if summary.Throttled != 5 || summary.Unclear != 0 || summary.RolledBack != 0 || !errors.Is(err, repository.ErrThrottled) {
			t.Errorf("%+v, %v", summary, err)
		}
		if n := throttledRequests(server); n != 11 {
			t.Errorf("%d requests, want 11", n)
		}
	})
}

// TestTransactionsUnderAContextThatEnds compares outcomes with stored notes.
func TestTransactionsUnderAContextThatEnds(t *testing.T) {
	for seed := range seeds.Of(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 6))
			_, r := kit.NewPlainNotes(t, emulator.Options{Latency: 2 * time.Millisecond}, repository.Configure(nil))
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			last, read := random.IntN(200), 0
			source := func(yield func(*fixtures.Note) bool) {
				for i := range 600 {
					read++
					if !yield(noteIn(string(rune('a'+i/7%5)), i)) {
						return
					}
				}
			}
			var outcomes []documents.Outcome[*fixtures.Note]
			for o := range r.CreateAll(documents.Sequence(source), documents.InTransactions()).All(ctx) {
				if outcomes = append(outcomes, o); len(outcomes) == last+1 {
					cancel()
				}
			}
			harness.Settled(t)
			if outcomes = kit.AllItems(t, slices.Values(outcomes)); len(outcomes) != read {
				t.Errorf("%d outcomes of %d that were read", len(outcomes), read)
			}
			stored := r.Stored(t)
			for i, o := range outcomes {
				_, is := stored[o.Item.ID]
				if _, first := stored[outcomes[i/7*7].Item.ID]; first != is {
					t.Errorf("%d: of its transaction, only a part is stored", i)
				}
				switch {
				case errors.Is(o.Err, repository.ErrUnclear):
				case (o.Err == nil) != is, o.Err != nil && !errors.Is(o.Err, context.Canceled):
					t.Errorf("%d: stored %v, %v", i, is, o.Err)
				}
			}
		})
	}
}

// TestTransactionsThatAreTooLarge sends none of their items, and all others.
func TestTransactionsThatAreTooLarge(t *testing.T) {
	t.Parallel()
	heavy := notesIn(5, "b")
	for _, n := range heavy {
		n.Text = strings.Repeat("x", 500_000)
	}
	for name, middle := range map[string][]*fixtures.Note{"101 items": notesIn(101, "b"), "350 items": notesIn(350, "b"), "2.5 MB": heavy} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			server.ResetRequests()
			all := slices.Concat(notesIn(100, "a"), middle, notesIn(100, "c"))
			tooLarge := 0
			for i, o := range inTransactions(t, r, all...) {
				switch isMiddle := o.Item.Topic == "b"; {
				case (o.Err != nil) != isMiddle:
					t.Errorf("%d: %v", i, o.Err)
				case isMiddle && !strings.Contains(o.Err.Error(), "InBatches"):
					t.Errorf("%d does not say what to do: %v", i, o.Err)
				case errors.Is(o.Err, documents.ErrTooLarge):
					tooLarge++
				}
			}
			if want := map[string]int{"2.5 MB": 5}[name]; tooLarge != want {
				t.Errorf("%d match ErrTooLarge, want %d", tooLarge, want)
			}
			if n := batchRequests(server); n != 2 {
				t.Errorf("%d batches, want 2", n)
			}
		})
	}
}

// TestTransactionsThatAlternate writes the same notes of two logical partitions again and again.
// The transactions of one partition are sent in their order, one after the other.
func TestTransactionsThatAlternate(t *testing.T) {
	t.Parallel()
	server, r := kit.NewPlainNotes(t, emulator.Options{Latency: 2 * time.Millisecond}, repository.Configure(nil))
	server.ResetRequests()
	var all []*fixtures.Note
	for i := range 40 {
		for _, n := range notesIn(3, "a", "b") {
			n.Text = fmt.Sprint(i)
			all = append(all, n)
		}
	}
	if summary, err := r.UpsertAll(documents.Items(all...), documents.InTransactions()).Collect(t.Context()); err != nil {
		t.Fatal(summary, err)
	}
	ends := map[string]time.Time{}
	requests := server.Requests()
	slices.SortFunc(requests, func(a, b emulator.Request) int { return a.Start.Compare(b.Start) })
	for _, q := range requests {
		if q.Start.Before(ends[q.PartitionKey]) {
			t.Error("two transactions of one logical partition were under way at once")
		}
		ends[q.PartitionKey] = q.Start.Add(q.Duration)
	}
	if n := batchRequests(server); n != 80 || len(ends) != 2 {
		t.Errorf("%d batches of %d logical partitions", n, len(ends))
	}
	for id, n := range r.Stored(t) {
		if n.Text != "39" {
			t.Errorf("%s has the text %s", id, n.Text)
		}
	}
}

// TestItemsThatCannotBeSent has items that are refused before anything is sent.
func TestItemsThatCannotBeSent(t *testing.T) {
	t.Parallel()
	a, b, c := notesIn(3, "a"), notesIn(3, "b"), notesIn(3, "c")
	bad := &fixtures.Note{ID: "bad", Title: "t"} // of no logical partition
	stays := noteIn("b", 7)
	huge := noteIn("b", 8)
	huge.Text = strings.Repeat("x", 3<<20)
	for _, test := range []struct {
		name   string
		items  []*fixtures.Note
		stored []*fixtures.Note
		keys   int // items with an error of the key
	}{
		{"at first", slices.Concat([]*fixtures.Note{bad}, a, b), b, 1},
		{"within", slices.Concat(a, b[:1], []*fixtures.Note{bad}, b[1:], c), slices.Concat(a, c), 1},
		{"between two", slices.Concat(a, b, []*fixtures.Note{bad}, c), a, 1},
		{"several between two", slices.Concat(a, b, []*fixtures.Note{bad, bad}, c), a, 2},
		{"at last", slices.Concat(a, b, []*fixtures.Note{bad, bad}), a, 2},
		{"two at first", slices.Concat([]*fixtures.Note{bad, bad}, a, b), b, 2},
		{"nothing else", []*fixtures.Note{bad, bad}, nil, 2},
		{"after too many", slices.Concat(notesIn(101, "d"), []*fixtures.Note{bad}, b, c), c, 1},
		{"a document of a known place", slices.Concat(a, b, []*fixtures.Note{huge}, c), slices.Concat(a, c), 0},
		{"none", slices.Concat(a, b, []*fixtures.Note{stays}, c), slices.Concat(a, b, []*fixtures.Note{stays}, c), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			stored, keys := map[string]bool{}, 0
			for _, n := range test.stored {
				stored[n.ID] = true
			}
			for i, o := range inTransactions(t, r, test.items...) {
				var key *partition.KeyError
				var named *documents.TransactionError
				switch {
				case stored[o.Item.ID]:
					if o.Err != nil {
						t.Errorf("%d: %v", i, o.Err)
					}
				case o.Item == bad:
					if errors.As(o.Err, &key) {
						keys++
					}
				case o.Item == huge:
					if !errors.Is(o.Err, documents.ErrTooLarge) {
						t.Errorf("%d: %v", i, o.Err)
					}
				case o.Item.Topic != "d" && (!errors.Is(o.Err, documents.ErrRolledBack) || !errors.As(o.Err, &named) || named.Err == nil || errors.As(o.Err, &key)):
					t.Errorf("%d: %v", i, o.Err)
				}
			}
			if n := len(r.Stored(t)); n != len(stored) || keys != test.keys {
				t.Errorf("%d are stored, want %d; %d of no key", n, len(stored), keys)
			}
		})
	}
	t.Run("an id twice, where writes look first", func(t *testing.T) {
		_, notes := kit.NewNotes(t)
		summary, err := notes.UpsertAll(documents.Items(a[0], a[1], a[0], b[0]), documents.InTransactions()).Collect(t.Context())
		var named *documents.TransactionError
		if summary.Failed != 3 || summary.RolledBack != 2 || !errors.As(err, &named) || named.Operation != 3 || len(notes.Stored(t)) != 1 {
			t.Errorf("%+v, %v", summary, err)
		}
	})
}

// TestSourceOfTransactionsThatFails leaves out the transaction that may be incomplete.
func TestSourceOfTransactionsThatFails(t *testing.T) {
	t.Parallel()
	_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	broken := errors.New("broken")
	var source iter.Seq2[*fixtures.Note, error] = func(yield func(*fixtures.Note, error) bool) {
		for _, n := range notesIn(3, "a", "b") {
			if !yield(n, nil) {
				return
			}
		}
		yield(nil, broken)
	}
	summary, err := r.CreateAll(source, documents.InTransactions()).Collect(t.Context())
	if summary.Items != 6 || summary.Failed != 3 || !errors.Is(err, broken) || !strings.Contains(err.Error(), "perhaps in the middle of its transaction") {
		t.Errorf("%+v, %v", summary, err)
	}
	if stored := r.Stored(t); len(stored) != 3 || stored["a0000"] == nil {
		t.Errorf("%v are stored", stored)
	}
}
