package writes

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestUnclearWrites loses the answer to each kind of write, before and after its
// effect. The write is sent again, and succeeds.
func TestUnclearWrites(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for operation, write := range map[string]func(*fleet.VehicleEventRepository, *fleet.VehicleEvent) error{
		emulator.OpCreateItem: func(r *fleet.VehicleEventRepository, e *fleet.VehicleEvent) error {
			if err := r.Delete(ctx, e.Key()); err != nil {
				return err
			}
			return r.Create(ctx, e)
		},
		emulator.OpUpsertItem: func(r *fleet.VehicleEventRepository, e *fleet.VehicleEvent) error {
			return r.Upsert(ctx, e)
		},
		emulator.OpReplaceItem: func(r *fleet.VehicleEventRepository, e *fleet.VehicleEvent) error {
			e.ETag = ""
			return r.Replace(ctx, e)
		},
		emulator.OpDeleteItem: func(r *fleet.VehicleEventRepository, e *fleet.VehicleEvent) error {
			return r.Delete(ctx, e.Key())
		},
	} {
		for name, fault := range kit.UnclearFaults(operation) {
			t.Run(operation+" "+name, func(t *testing.T) {
				t.Parallel()
				server, events := kit.NewFleet(t)
				e := kit.Event(1)
				if err := events.Create(ctx, e); err != nil {
					t.Fatal(err)
				}
				e.Speed = 99
				server.Inject(fault)
				if err := write(events, e); err != nil {
					t.Fatal(err)
				}
				got, err := events.Get(ctx, e.Key())
				if operation == emulator.OpDeleteItem {
					if !errors.Is(err, repository.ErrNotFound) {
						t.Errorf("the document is still there: %v, %v", got, err)
					}
					return
				}
				if err != nil || got.Speed != 99 || got.ETag != e.ETag {
					t.Errorf("stored is %+v, %v, and the caller has %+v", got, err, e)
				}
			})
		}
	}
}

// TestUnclearInThePipeline has the client itself repeat a write that took effect.
func TestUnclearInThePipeline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPost} {
			transport := &kit.LostOnce{RoundTripper: http.DefaultTransport}
			options := repository.Configure(nil)
			options.Transport = transport
			_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), options)
			events := fleet.NewVehicleEventRepository(container)
			transport.Method = method
			e := kit.Event(1)
			if err := events.Create(ctx, e); err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			e.Speed = 5
			e.ETag = ""
			if err := events.Replace(ctx, e); err != nil {
				t.Errorf("%s: %v", method, err)
			}
			if err := events.Delete(ctx, e.Key()); err != nil {
				t.Errorf("%s: %v", method, err)
			}
			if !transport.Lost {
				t.Errorf("%s: no answer was lost", method)
			}
		}
	})
}

// TestUnclearToTheEnd has writes whose answer never comes.
func TestUnclearToTheEnd(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	server.Inject(emulator.Fault{Operation: emulator.OpUpsertItem, Drop: true, After: true, Count: -1})
	err := events.Upsert(ctx, kit.Event(1))
	if !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
	if n := server.Documents()[emulator.OpUpsertItem]; n != 4 {
		t.Errorf("sent %d times, want 4", n)
	}
}

// TestUnclearAfterADeadline has a deadline that passes on the way, which leaves the
// outcome unclear, and one that has passed before, which does not. It is not
// parallel: the first request has to be sent before the deadline.
func TestUnclearAfterADeadline(t *testing.T) {
	server, events := kit.NewFleet(t)
	if err := events.Upsert(context.Background(), kit.Event(1)); err != nil {
		t.Fatal(err)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpUpsertItem, Delay: time.Minute})
	short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := events.Upsert(short, kit.Event(2)); !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := events.Upsert(short, kit.Event(3)); errors.Is(err, repository.ErrUnclear) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestUnclearAndOvertaken has somebody change the document between an attempt
// that took effect and the next one.
func TestUnclearAndOvertaken(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	other := *e
	other.Speed = 7
	server.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Drop: true})
	overtaken := make(chan error)
	go func() {
		for len(server.Requests()) == 0 || server.Documents()[emulator.OpReplaceItem] == 0 {
			time.Sleep(time.Millisecond)
		}
		overtaken <- events.Upsert(ctx, &other)
	}()
	e.Speed = 8
	err := events.Replace(ctx, e)
	if otherErr := <-overtaken; otherErr != nil {
		t.Fatal(otherErr)
	}
	got, getErr := events.Get(ctx, e.Key())
	if getErr != nil {
		t.Fatal(getErr)
	}
	// Either write may have been the first. If Replace was the second, it fails.
	switch {
	case err == nil && got.Speed == 7:
	case errors.Is(err, repository.ErrPreconditionFailed) && errors.Is(err, repository.ErrUnclear) && got.Speed == 7:
	default:
		t.Errorf("Replace: %v, and stored is the speed %d", err, got.Speed)
	}

	// With an ETag, the second attempt of a replace does not know whom it meets.
	server.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Drop: true, After: true})
	if err := events.Replace(ctx, got); !errors.Is(err, repository.ErrPreconditionFailed) || !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}

	// Create that finds another document has failed, though it is unclear since when.
	server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Drop: true})
	if err := events.Create(ctx, kit.Event(1)); !errors.Is(err, repository.ErrAlreadyExists) || !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
}
