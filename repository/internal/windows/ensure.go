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
	Type       string // of the documents, for errors
	Template   Template
	Properties func(name string) wire.ContainerProperties
	Computed   []containers.ComputedProperty
	SameQuery  func(a, b string) bool // reports whether two queries compute the same
	Draft      string                 // the command that seals the layout of a draft; "" for others
}

// Policy says which throughput windows have.
type Policy struct {
	Now           time.Time
	Ahead, Late   time.Duration
	Present, Past provision.Throughput
	Wait          time.Duration // for the limits of the account
	Apply         bool          // changes properties, too
}

// Action is what was done to a window.
type Action int

// Actions.
const (
	Found   Action = iota // it is as wanted
	Created               // it was missing
	Changed               // its throughput, or another property, was changed
	Left                  // it is not as wanted, or was not looked at
	Dropped
	Missing   // it was to be dropped and did not exist
	WouldDrop // by a call that is not a dry run
)

// Result is a window, and what was found and done.
type Result struct {
	Window
	Action   Action
	Had, Has provision.Throughput
	Err      error // why a window is left
	Size     Size

	created, changed bool
}

// Ensure makes the windows from one time on and before another, and those ahead, and gives
// each the throughput of its age. The windows come in order of time. The error is of all
// windows that are left, or of the range.
//
// Windows of the present come first, then those of the future, then those of the past, the
// newest first: an account whose throughput was changed too often is short of changes for
// old windows.
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

// wanted returns the windows that Ensure makes, in order of time.
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

// rank orders windows by what matters most.
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
	spent  bool // the account allows no further change of throughput for now
}

// ensure makes a window, or changes its throughput, and reports whether other windows may do
// better than one that failed. Once the account refuses changes, and there is no time left
// to wait, windows are only created and compared.
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

// patiently makes a few attempts at what may succeed later, other than what is throttled:
// azcosmos does not repeat a request after a 503 of an account with one region.
func patiently(ctx context.Context, do func() error) error {
	return backoff.Policy{Most: wire.MaxReads, Slow: wire.UnclearPause, Again: passes}.Do(ctx, do)
}

// passes reports whether what failed may succeed soon.
func passes(err error) bool {
	var refused *azcore.ResponseError
	return !throttled(err) && (wire.MayPass(err) || wire.IsBroken(err) || errors.As(err, &refused) && wire.Retried(refused.StatusCode))
}

func throttled(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.StatusCode == http.StatusTooManyRequests
}

// errSpent is about a window whose throughput was not changed, because that of others was.
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

// note adds what was done.
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

// wait waits as long as an answer of status 429 asks for, and reports whether it did: the
// policy allows so much waiting.
func (r *ensuring) wait(ctx context.Context, err error) bool {
	pause := retryAfter(err)
	if pause > r.policy.Wait-r.waited {
		return false
	}
	r.waited += pause
	return backoff.Sleep(ctx, pause) == nil
}

// defaultPause is the pause after an answer that does not say how long.
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

// failure is the error of an operation on windows, or on one of them.
func (w *Windows) failure(op, name string, err error) *documents.Error {
	failure := wire.NewError(op, "windows of "+w.Type, name, "", err)
	if !errors.Is(failure.Kind, wire.ErrThrottled) { // the others are about documents
		failure.Kind = nil
	}
	return failure
}
