package fields

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestPatchFractions increments by numbers that azcosmos cannot write.
func TestPatchFractions(t *testing.T) {
	f := recordPatch
	ctx := t.Context()
	r := newRecords(t, repository.Configure(harness.Impatient()), "")
	name := documents.String[values.Record, string]("/name")
	for _, test := range []struct {
		before  string
		changes []change
		after   string
	}{
		{`"ratio":1`, []change{f.Ratio.Increment(0.25)}, `"ratio":1.25`},
		{`"ratio":1`, []change{f.Ratio.Decrement(0.25)}, `"ratio":0.75`},
		{``, []change{f.Ratio.Decrement(-1e300)}, `"ratio":1e300`},
		{`"ratio":0`, []change{f.Ratio.Increment(1e20)}, `"ratio":1e20`},
		{`"ratio":1,"tags":["a"],"name":"\"é\u2028"`, []change{
			f.Ratio.Increment(0.5), f.Count.Increment(2), f.Name.Replace("<&>\"\\"), f.Tags.Insert(0, "x"), f.Tags.RemoveAt(1), f.Part.SetNull(),
		}, `"ratio":1.5,"count":2,"tags":["x"],"name":"<&>\"\\","part":null`},
	} {
		r.store(t, test.before)
		if err := r.Patch(ctx, one, test.changes...); err != nil {
			t.Errorf("%v: %v", test.changes, err)
		}
		r.holds(t, test.after)
	}

	r.store(t, `"ratio":1,"name":"\"é\u2028"`)
	err := r.PatchIf(ctx, one, name.Ne("\"é\u2028"), f.Ratio.Increment(0.5))
	if !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	r.server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond, Count: 2})
	if err := r.PatchIf(ctx, one, name.Eq("\"é\u2028"), f.Ratio.Increment(0.5)); err != nil {
		t.Error(err)
	}
	r.server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Status: http.StatusInternalServerError, After: true})
	if err := r.Patch(ctx, one, f.Ratio.Increment(0.5)); !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
	r.holds(t, `"ratio":2,"name":"\"é\u2028"`)
	if err := r.Patch(ctx, one, f.Ratio.Increment(0.5), f.Count.Remove()); err == nil || !strings.Contains(err.Error(), "ask by PatchIf whether it is there: status 400") {
		t.Errorf("a patch that the service refuses: %v", err)
	}
}

// TestPatchFractionsWithoutConfigure refuses them and changes nothing.
func TestPatchFractionsWithoutConfigure(t *testing.T) {
	f := recordPatch
	r := newRecords(t, nil, `"ratio":1`)
	err := r.Patch(t.Context(), one, f.Name.Set("x"), f.Ratio.Increment(0.5))
	const want = `patch Record "1" in partition "k": an increment is a fraction, or beyond the range of int64, ` +
		`which azcosmos does not send: the client was made without repository.Configure`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	r.holds(t, `"ratio":1`)
	if err := r.Patch(t.Context(), one, f.Ratio.Increment(2)); err != nil {
		t.Error(err)
	}
	if err := r.Patch(t.Context(), values.RecordKey{ID: "2", Key: "k"}, f.Ratio.Increment(0.5)); err == nil || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
	r.holds(t, `"ratio":3`)
}
