package tenancy

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ledger is a directory in memory, which answers as its memory says until that ends.
type ledger struct {
	now, held Residence
	times     Times
	lookUps   int
}

func (l *ledger) Residence(ctx context.Context, shared, tenant string) (Residence, error) {
	if l.held.HasExpired() || !l.held.Expires() {
		return l.Refresh(ctx, shared, tenant)
	}
	return l.held, nil
}

func (l *ledger) Refresh(context.Context, string, string) (Residence, error) {
	l.lookUps++
	l.held = l.now
	l.held.Until, l.held.Grace = time.Now().Add(l.times.TTL), l.times.Grace
	return l.held, nil
}

// says changes the directory, and tells nobody.
func (l *ledger) says(container string, state State) {
	if container != l.now.Container {
		l.now.Switches++
	}
	l.now.Version++
	l.now.Container, l.now.State = container, state
}

// newTenant is a tenant of a directory, in whose memory it is settled.
func newTenant(path string) (*Tenant, *ledger) {
	l := &ledger{times: DefaultTimes(), now: Residence{State: Settled}}
	_, _ = l.Refresh(context.Background(), "", "")
	l.lookUps = 0
	return &Tenant{&Tenants{
		Directory: l, Type: "bid", Shared: "bids", Path: path, Ensure: "EnsureBidContainer",
		Client: func(string) (*azcosmos.ContainerClient, error) { return new(azcosmos.ContainerClient), nil },
	}, "t"}, l
}

var errStored = errors.New("what is stored forbids it")

// unclear is the failure of a write whose outcome is not known.
func unclear(err error) error { return &documents.Error{Op: "test", Err: err, Unclear: true} }

// TestWrite has writes whose answers take a time, while the directory changes.
func TestWrite(t *testing.T) {
	const (
		soon = DefaultTTL + DefaultGrace - time.Second
		late = DefaultTTL + DefaultGrace + time.Second
	)
	for _, test := range []struct {
		name    string
		path    string
		held    State // in the memory of the process
		takes   time.Duration
		says    []State // of the directory after the first answer, in the own container if it is settled
		fails   []error // of the attempts
		tries   int
		lookUps int
		want    error
	}{
		{name: "at once", held: Settled, tries: 1},
		{name: "in time", held: Settled, takes: soon, says: []State{Moving}, tries: 1},
		{name: "late, and nothing has changed", held: Settled, takes: late, tries: 1, lookUps: 1},
		{name: "late, and it moves", held: Settled, takes: late, says: []State{Moving}, tries: 1, lookUps: 1, want: wire.ErrUnclear},
		{name: "late, and it has moved", held: Settled, takes: late, says: []State{Settled}, tries: 1, lookUps: 1, want: wire.ErrUnclear},
		{name: "refused in time", held: Settled, takes: soon, says: []State{Settled}, fails: []error{errStored}, tries: 1, want: errStored},
		{name: "refused late", held: Settled, takes: late, says: []State{Settled}, fails: []error{errStored}, tries: 2, lookUps: 1},
		{name: "ended late", held: Settled, takes: late, fails: []error{context.DeadlineExceeded}, tries: 2, lookUps: 1},
		{name: "unclear late", held: Settled, takes: late, says: []State{Settled}, fails: []error{unclear(errStored)}, tries: 1, want: wire.ErrUnclear},
		{name: "levels, in time", held: Moving, takes: soon, says: []State{Settled}, tries: 1},
		{name: "levels, late", held: Moving, takes: late, says: []State{Closed}, tries: 1, lookUps: 1, want: wire.ErrUnclear},
		{name: "fenced, late", path: "/t", held: Moving, takes: late, says: []State{Settled}, tries: 1},
		{name: "fenced, kept out", path: "/t", held: Moving, says: []State{Settled}, fails: []error{wire.ErrFenced}, tries: 2, lookUps: 1},
		{name: "fenced, kept out until it is known", path: "/t", held: Moving, fails: []error{wire.ErrFenced, wire.ErrFenced}, tries: 3, lookUps: 2},
		{name: "fenced, refused", path: "/t", held: Moving, fails: []error{errStored}, tries: 1, lookUps: 1, want: errStored},
		{name: "fenced, refused at the old place", path: "/t", held: Moving, says: []State{Settled}, fails: []error{errStored}, tries: 2, lookUps: 1},
		{name: "closed", path: "/t", held: Closed, says: []State{Settled}, tries: 1, lookUps: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tenant, l := newTenant(test.path)
				l.now.State, l.held.State = test.held, test.held
				change := func() {
					for _, state := range test.says {
						container := ""
						if state == Settled {
							container = "own"
						}
						l.says(container, state)
					}
				}
				if test.held == Closed {
					change()
				}
				tries := 0
				err := tenant.Write(t.Context(), "test", func(context.Context) error {
					if tries++; tries == 1 {
						time.Sleep(test.takes)
						change()
					}
					if tries <= len(test.fails) {
						return test.fails[tries-1]
					}
					return nil
				})
				if !errors.Is(err, test.want) || tries != test.tries || l.lookUps != test.lookUps {
					t.Errorf("%v after %d tries and %d lookups, want %v after %d and %d", err, tries, l.lookUps, test.want, test.tries, test.lookUps)
				}
			})
		})
	}
}

// TestWriteEnds has a context that ends while writes wait.
func TestWriteEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tenant, l := newTenant("/t")
		l.held.State, l.now.State = Closed, Closed
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := tenant.Write(ctx, "test", func(context.Context) error { return errors.New("sent") })
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, wire.ErrUnclear) || l.lookUps < 10 || l.lookUps > 60 {
			t.Errorf("%v after %d lookups", err, l.lookUps)
		}
	})
}

// TestRead has reads whose answers take a time, while the directory changes.
func TestRead(t *testing.T) {
	const late = DefaultTTL + DefaultGrace + time.Second
	for _, test := range []struct {
		held  State
		takes time.Duration
		moves bool
		in    []string // the containers that are read
	}{
		{Settled, 0, true, []string{"bids"}},
		{Settled, late, false, []string{"bids"}},
		{Settled, late, true, []string{"bids", "own"}},
		{Moving, 0, false, []string{"bids"}},
		{Closed, 0, true, []string{"bids"}},
		{Closed, late, true, []string{"bids", "own"}},
	} {
		t.Run(fmt.Sprint(test.held, test.takes, test.moves), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tenant, l := newTenant("/t")
				l.now.State, l.held.State = test.held, test.held
				var in []string
				err := tenant.Read(t.Context(), "test", func(_ context.Context, container string) error {
					if in = append(in, container); len(in) == 1 {
						time.Sleep(test.takes)
						if test.moves {
							l.says("own", Settled)
						}
					}
					return nil
				})
				if err != nil || fmt.Sprint(in) != fmt.Sprint(test.in) {
					t.Errorf("read %v, want %v: %v", in, test.in, err)
				}
			})
		})
	}
}

// TestReadAfterSwitch begins a read after the switch, while the memory of the process has
// the tenant at its old place.
func TestReadAfterSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, state := range []State{Moving, Closed} {
			tenant, l := newTenant("/t")
			l.held.State = state
			l.says("own", Settled)
			read := func(_ context.Context, container string) error {
				if container != "own" {
					t.Errorf("%s: read in %s", state, container)
				}
				return nil
			}
			if err := tenant.Read(t.Context(), "test", read); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestVisit has a query of several pages, while its tenant moves.
func TestVisit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tenant, l := newTenant("/t")
		v, err := tenant.Begin(t.Context(), "query")
		if err != nil || v.Container() != "bids" {
			t.Fatal(v, err)
		}
		page := func(takes time.Duration) error {
			if err := v.BeforePage(t.Context()); err != nil {
				return err
			}
			time.Sleep(takes)
			return v.AfterPage(t.Context())
		}
		for _, takes := range []time.Duration{0, time.Second, DefaultTTL, time.Hour, DefaultTTL + time.Second} {
			if err := page(takes); err != nil {
				t.Errorf("a page that takes %v: %v", takes, err)
			}
		}
		if err := page(0); err != nil { // looked up here last
			t.Error(err)
		}
		known := time.Now()
		time.Sleep(DefaultTTL + time.Second)
		l.says("own", Settled)
		if err := errors.Join(page(0), page(time.Second), page(time.Second)); err != nil {
			t.Errorf("a page before anything is removed: %v", err)
		}
		time.Sleep(time.Until(known.Add(DefaultTTL + DefaultGrace)))
		if err := page(0); !errors.Is(err, wire.ErrMoved) {
			t.Errorf("a page after documents may have been removed: %v", err)
		}
	})
}
