package windows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Windows are the windows of a type in a database.
type Windows struct {
	DB         *wire.Database
	Type       string // for errors
	Template   Template
	Properties func(name string) wire.ContainerProperties
	Computed   []containers.ComputedProperty
	SameQuery  func(a, b string) bool // reports whether two queries compute the same value
	Draft      string                 // the command that seals a draft layout; "" if sealed
}

// Policy says which throughput windows get.
type Policy struct {
	Now           time.Time
	Ahead, Late   time.Duration
	Present, Past provision.Throughput
	Wait          time.Duration // time to wait for the account's limits
	Apply         bool          // change other properties too
}

// Action is the outcome for a window.
type Action int

// Actions.
const (
	Found   Action = iota // it is as wanted
	Created               // it was missing
	Changed               // its throughput, or another property, was changed
	Left                  // it is not as wanted, or was not examined
	Dropped
	Missing   // it should be dropped and did not exist
	WouldDrop // it would be dropped without the dry run
)

// Result is a window and its outcome.
type Result struct {
	Window
	Action   Action
	Had, Has provision.Throughput
	Err      error // the reason why a window is left
	Size     Size

	created, changed bool
}

// Ensure creates the windows with times from one time to before another, and the ones
// ahead, and gives each the throughput of its age. The results are ordered by time. The
// error joins those of all windows that are left, or is about the range.
//
// It handles windows of the present first, then future ones, then past ones, the newest
// first: if the account's changes of throughput run out, old windows go without.
func (w *Windows) Ensure(ctx context.Context, from, to time.Time, p Policy) ([]Result, error) {
	list, err := w.wanted(from, to, p)
	if err != nil {
		return nil, w.failure("ensure", "", err)
	}
	results := make([]Result, len(list))
	order := make([]*Result, len(list))
	for i, window := range list {
		results[i] = Result{Window: window, Action: Left}
		order[i] = &results[i]
	}
	slices.SortStableFunc(order, func(a, b *Result) int { return cmp.Compare(p.rank(a.Window), p.rank(b.Window)) })
	run := ensuring{Windows: w, policy: p}
	var failures []error
	for _, r := range order {
		goesOn := run.ensure(ctx, r)
		failures = append(failures, r.Err)
		if !goesOn {
			break
		}
	}
	return results, errors.Join(failures...)
}

// wanted returns the windows of Ensure, ordered by time.
func (w *Windows) wanted(from, to time.Time, p Policy) ([]Window, error) {
	list, err := w.Template.between(from, to)
	if err != nil || p.Ahead <= 0 {
		return list, err
	}
	ahead, err := w.Template.between(p.Now, p.Now.Add(p.Ahead))
	if err != nil {
		return nil, err
	}
	list = append(list, ahead...)
	slices.SortFunc(list, func(a, b Window) int { return a.Start.Compare(b.Start) })
	return slices.Compact(list), nil
}

// past reports whether a window gets the throughput of the past.
func (p Policy) past(w Window) bool { return !w.End.Add(p.Late).After(p.Now) }

// rank orders windows by importance.
func (p Policy) rank(w Window) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	switch {
	case p.past(w):
		return 2*century + p.Now.Sub(w.End)
	case w.Start.After(p.Now):
		return century + w.Start.Sub(p.Now)
	default:
		return p.Now.Sub(w.Start)
	}
}

// ensuring is one call of Ensure.
type ensuring struct {
	*Windows
	policy Policy
	waited time.Duration
	spent  bool // the account allows no more changes of throughput for now
}

// ensure creates a window or changes its throughput. It returns false if a failure would
// also affect other windows. Once the account refuses changes and the waiting time is used
// up, it only creates and compares windows.
func (r *ensuring) ensure(ctx context.Context, result *Result) (goesOn bool) {
	for {
		var did provision.Did
		err := patiently(ctx, func() (err error) {
			did, err = r.try(ctx, result.Window)
			result.note(did, err)
			return err
		})
		if errors.Is(err, wire.ErrThrottled) && r.wait(ctx, err) {
			continue
		}
		var unlike *provision.DifferencesError
		switch isUnlike := errors.As(err, &unlike); {
		case errors.Is(err, wire.ErrThrottled) && did.Has != (provision.Throughput{}): // it was read
			r.spent = true
			return true
		case r.spent && isUnlike && unlike.IsThroughput():
			result.Err = r.failure("ensure", result.Name, errSpent)
			return true
		default:
			return err == nil || isUnlike
		}
	}
}

// patiently retries temporary failures other than throttling. azcosmos does not repeat a
// request after a 503 in an account with one region.
func patiently(ctx context.Context, do func() error) error {
	return backoff.Policy{Most: wire.MaxReads, Slow: wire.UnclearPause, Again: passes}.Do(ctx, do)
}

// passes reports whether a failure is temporary, and not throttling.
func passes(err error) bool {
	var refused *azcore.ResponseError
	return !throttled(err) && (wire.MayPass(err) || wire.IsBroken(err) || errors.As(err, &refused) && wire.Retried(refused.StatusCode))
}

func throttled(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.StatusCode == http.StatusTooManyRequests
}

// errSpent is the error of a window whose throughput was not changed because other changes
// used up the limit.
var errSpent = fmt.Errorf("%w: the service refuses to change the throughput of the account more often for now: ensure the windows again later", wire.ErrThrottled)

// try ensures a window once.
func (r *ensuring) try(ctx context.Context, w Window) (provision.Did, error) {
	want := r.Properties(w.Name)
	e := provision.Container{
		DB: r.DB, Want: &want, Throughput: r.policy.Present, Draft: r.Draft,
		Apply: r.policy.Apply && !r.spent, ApplyThroughput: !r.spent,
		Computed: r.Computed, SameQuery: r.SameQuery,
	}
	if r.policy.past(w) {
		e.Throughput = r.policy.Past
	}
	if r.Draft != "" {
		ctx = wire.WithDraft(ctx, r.Draft)
	}
	_, err := e.Ensure(ctx)
	return e.Did, err
}

// note records an outcome.
func (r *Result) note(did provision.Did, err error) {
	if r.Had == (provision.Throughput{}) {
		r.Had = did.Had
	}
	r.Has, r.Err = did.Has, err
	r.created, r.changed = r.created || did.Created, r.changed || did.Changed
	switch {
	case err != nil:
		r.Action = Left
	case r.created:
		r.Action = Created
	case r.changed:
		r.Action = Changed
	default:
		r.Action = Found
	}
}

// wait waits as long as an answer of status 429 asks for. It returns false if the policy
// does not allow that.
func (r *ensuring) wait(ctx context.Context, err error) bool {
	pause := retryAfter(err)
	if pause > r.policy.Wait-r.waited {
		return false
	}
	r.waited += pause
	return backoff.Sleep(ctx, pause) == nil
}

// defaultPause is the pause after a 429 that does not ask for one.
const defaultPause = 10 * time.Second

func retryAfter(err error) time.Duration {
	var refused *azcore.ResponseError
	if throttled(err) && errors.As(err, &refused) && refused.RawResponse != nil {
		if ms, err := strconv.Atoi(refused.RawResponse.Header.Get("x-ms-retry-after-ms")); err == nil && ms > 0 {
			return time.Duration(ms) * time.Millisecond
		}
	}
	return defaultPause
}

// failure returns the error of an operation on windows, or on one of them.
func (w *Windows) failure(op, name string, err error) *documents.Error {
	failure := wire.NewError(op, "windows of "+w.Type, name, "", err)
	if !errors.Is(failure.Kind, wire.ErrThrottled) { // other kinds are about documents
		failure.Kind = nil
	}
	return failure
}
