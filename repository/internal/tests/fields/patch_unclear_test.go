package fields

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestUnclearPatches loses the answer to patches. Patches that may run twice are
// sent again, and the others are not.
func TestUnclearPatches(t *testing.T) {
	t.Parallel()
	f := recordPatch
	ctx := context.Background()
	const before = `"count":1,"tags":["a"],"part":{"n":1},"counts":{"7":1}`
	r := newRecords(t, repository.Configure(harness.Impatient()), before)
	for _, test := range []struct {
		name    string
		changes []change
		after   string
		again   bool
	}{
		{"increment", []change{f.Count.Increment(1)}, `"count":2,"tags":["a"],"part":{"n":1},"counts":{"7":1}`, false},
		{"decrement, set", []change{f.Count.Decrement(1), f.Inner.Set(2)}, `"count":0,"tags":["a"],"part":{"n":2},"counts":{"7":1}`, false},
		{"append", []change{f.Tags.Append("b")}, `"count":1,"tags":["a","b"],"part":{"n":1},"counts":{"7":1}`, false},
		{"insert", []change{f.Tags.Insert(0, "b")}, `"count":1,"tags":["b","a"],"part":{"n":1},"counts":{"7":1}`, false},
		{"remove", []change{f.Part.Remove()}, `"count":1,"tags":["a"],"counts":{"7":1}`, false},
		{"remove an element", []change{f.Tags.RemoveAt(0)}, `"count":1,"tags":[],"part":{"n":1},"counts":{"7":1}`, false},
		{"set a values.Part, then all", []change{f.Inner.Set(2), f.Part.SetNull()}, `"count":1,"tags":["a"],"part":null,"counts":{"7":1}`, false},
		{"set what may be an index", []change{f.Counts.Key("7").Set(2)}, `"count":1,"tags":["a"],"part":{"n":1},"counts":{"7":2}`, false},
		{"set", []change{f.Count.Set(2)}, `"count":2,"tags":["a"],"part":{"n":1},"counts":{"7":1}`, true},
		{"set twice", []change{f.Count.Set(2), f.Count.Replace(3)}, `"count":3,"tags":["a"],"part":{"n":1},"counts":{"7":1}`, true},
		{"set all, then a part", []change{f.Part.Set(values.Part{N: 5}), f.Inner.Set(2), f.Counts.SetNull()}, `"count":1,"tags":["a"],"part":{"n":2},"counts":null`, true},
		{"set, replace", []change{f.Name.Set("x"), f.Tags.Replace(nil), f.Count.Replace(4)}, `"count":4,"tags":null,"part":{"n":1},"counts":{"7":1},"name":"x"`, true},
		{"replace an element", []change{f.Tags.ReplaceAt(0, "b")}, `"count":1,"tags":["b"],"part":{"n":1},"counts":{"7":1}`, true},
	} {
		for name, fault := range map[string]emulator.Fault{
			"dropped": {Operation: emulator.OpPatchItem, Drop: true, After: true},
			"500":     {Operation: emulator.OpPatchItem, Status: http.StatusInternalServerError, After: true},
			"503":     {Operation: emulator.OpPatchItem, Status: http.StatusServiceUnavailable, After: true},
		} {
			t.Run(test.name+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r.store(t, before)
					r.server.ResetRequests()
					r.server.Inject(fault)
					err := r.Patch(ctx, one, test.changes...)
					if test.again && err != nil || !test.again && !errors.Is(err, repository.ErrUnclear) {
						t.Errorf("got %v", err)
					}
					want := 1
					if test.again {
						want = 2
					}
					if n := r.patches(); n != want {
						t.Errorf("sent %d times, want %d", n, want)
					}
					r.holds(t, test.after)
				})
			})
		}
	}
}

// TestPatchesThatWereRefused sends patches of every kind again, since the service
// says that they had no effect.
func TestPatchesThatWereRefused(t *testing.T) {
	r := newRecords(t, repository.Configure(nil), `"count":1`)
	for _, status := range []int{http.StatusTooManyRequests, 449} {
		r.server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Status: status, RetryAfter: time.Millisecond, Count: 5})
	}
	if err := r.Patch(t.Context(), one, recordPatch.Count.Increment(1)); err == nil {
		t.Error("ten refusals are more than nine retries")
	}
	r.server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Status: 449, RetryAfter: time.Millisecond, Count: 9})
	if err := r.Patch(t.Context(), one, recordPatch.Count.Increment(1)); err != nil {
		t.Error(err)
	}
	r.holds(t, `"count":2`)
}

// lost is a policy that loses the first answer to a patch with an error that
// neither azcosmos nor azcore knows, as HTTP/2 has when the server closes.
type lost struct{ done bool }

func (l *lost) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if r.Raw().Method != http.MethodPatch || l.done {
		return response, err
	}
	l.done = true
	return nil, &url.Error{Op: "Patch", URL: "/", Err: errors.New("http2: server sent GOAWAY and closed the connection")}
}

// TestPatchLostByTheTransport has a failure after which pipelines repeat a
// request.
func TestPatchLostByTheTransport(t *testing.T) {
	t.Parallel()
	f := recordPatch
	for name, test := range map[string]struct {
		patch func(context.Context, records) error
		want  error
		sent  int
		after string
	}{
		"increment": {func(ctx context.Context, r records) error { return r.Patch(ctx, one, f.Count.Increment(1)) }, repository.ErrUnclear, 1, `"count":2`},
		"set":       {func(ctx context.Context, r records) error { return r.Patch(ctx, one, f.Count.Set(5)) }, nil, 2, `"count":5`},
		"set, if": {func(ctx context.Context, r records) error {
			return r.PatchIf(ctx, one, documents.Number[values.Record, int]("/count").Ne(7), f.Count.Set(5))
		}, nil, 2, `"count":5`},
		// The first attempt has made the condition false.
		"compare and swap": {func(ctx context.Context, r records) error {
			err := r.PatchIf(ctx, one, documents.Number[values.Record, int]("/count").Eq(1), f.Count.Set(5))
			if !errors.Is(err, repository.ErrPreconditionFailed) {
				t.Errorf("got %v", err)
			}
			return err
		}, repository.ErrUnclear, 2, `"count":5`},
	} {
		t.Run(name, func(t *testing.T) {
			options := repository.Configure(harness.Impatient())
			options.PerRetryPolicies = append(options.PerRetryPolicies, &lost{})
			r := newRecords(t, options, `"count":1`)
			if err := test.patch(t.Context(), r); !errors.Is(err, test.want) {
				t.Errorf("got %v", err)
			}
			if n := r.patches(); n != test.sent {
				t.Errorf("sent %d times, want %d", n, test.sent)
			}
			r.holds(t, test.after)
		})
	}
}

// TestUnclearPatchWhereKeysCollide increments once.
func TestUnclearPatchWhereKeysCollide(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	visits := repository.PatchNumber[fixtures.Note, int]("/visits")
	server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Status: http.StatusInternalServerError, After: true})
	if err := r.Patch(ctx, kit.LeftNote.Key(), visits.Increment(1)); !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
	twice := documents.Number[fixtures.Note, int]("/visits").Eq(1)
	if err := r.PatchIf(ctx, kit.LeftNote.Key(), twice, visits.Increment(1)); err != nil {
		t.Errorf("there was not one visit: %v", err)
	}
	// A text that is set is set again, on condition of the ETag that it has then.
	server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: true})
	if err := r.Patch(ctx, kit.LeftNote.Key(), notePatch.Set("new")); err != nil {
		t.Error(err)
	}
	n := kit.LeftNote
	n.Text = "new"
	kit.HoldsNote(t, r, n)
}

// elsewhere is a policy that sends a patch again after a 503, as azcosmos does in
// another region.
type elsewhere struct{}

func (elsewhere) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || r.Raw().Method != http.MethodPatch || response.StatusCode != http.StatusServiceUnavailable {
		return response, err
	}
	response.Body.Close()
	if err := r.RewindBody(); err != nil {
		return nil, err
	}
	return r.Next()
}

// TestPatchRepeatedElsewhereWhereKeysCollide finds its own first attempt, and
// does not begin anew.
func TestPatchRepeatedElsewhereWhereKeysCollide(t *testing.T) {
	options := repository.Configure(harness.Impatient())
	options.PerRetryPolicies = append([]policy.Policy{elsewhere{}}, options.PerRetryPolicies...)
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), options)
	r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, fixtures.NoteModel)}}
	ctx := context.Background()
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Status: http.StatusServiceUnavailable, After: true})
	err := r.Patch(ctx, kit.LeftNote.Key(), repository.PatchNumber[fixtures.Note, int]("/visits").Increment(1))
	if !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	if n, err := repository.Sum(ctx, r.Scan(), documents.Number[fixtures.Note, int]("/visits")); err != nil || n != 1 {
		t.Errorf("there are %v visits, %v", n, err)
	}
}
