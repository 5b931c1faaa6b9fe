package repository_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// runs returns the error with which a processor ends.
func runs(t testing.TB, p *feed.Processor) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return p.Run(ctx)
}

// TestProcessorAndDroppedWindows drops windows: after they were closed, before they were
// handled, and makes one again.
func TestProcessorAndDroppedWindows(t *testing.T) {
	t.Parallel()
	w := newWorkers(t, 1, feed.CloseWindows(time.Millisecond))
	w.Make(t, kit.Window(4), kit.Window(5), kit.Window(6))
	written := map[string]int{}
	for _, month := range []int{4, 5, 6} {
		w.write(t, written, month, 4)
	}
	var got handledReadings
	p := w.processor(t, got.note)
	end := kit.RunProcessor(t, p)
	got.await(t, written)
	w.awaitClosed(t, 4)
	w.awaitClosed(t, 5)
	w.Drop(t, kit.Window(4))
	w.Drop(t, kit.Window(5))
	w.Make(t, kit.Window(5))
	w.write(t, written, 5, 5)
	got.await(t, written)
	await(t, func() string {
		if _, document := w.leaseOf(t, kit.Window(4)); document != "" {
			return "a dropped window has a lease: " + document
		}
		return ""
	})
	end()
	w.Drop(t, kit.Window(6)) // of now
	err := runs(t, w.processor(t, got.note))
	var own *repository.Error
	if !errors.As(err, &own) || !strings.Contains(err.Error(), kit.Window(6)) || !strings.Contains(err.Error(), "feed.SkipDroppedWindows") {
		t.Fatalf("a window of now was dropped: %v", err)
	}
	kit.RunProcessor(t, w.processor(t, got.note, feed.SkipDroppedWindows()))
	w.Make(t, kit.Window(6))
	w.write(t, written, 6, 3)
	got.await(t, written)
}

// TestProcessorOfADroppedWindow drops a window while its changes are handled.
func TestProcessorOfADroppedWindow(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		w := newWorkers(t, 2)
		w.Make(t, kit.Window(6))
		written := map[string]int{}
		w.write(t, written, 6, 4)
		var got handledReadings
		ended := make(chan error, 1)
		p := w.processor(t, got.note)
		go func() { ended <- p.Run(context.Background()) }()
		got.await(t, written)
		w.Drop(t, kit.Window(6))
		if again {
			w.Make(t, kit.Window(6))
			w.write(t, written, 6, 2)
		}
		err := <-ended
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), kit.Window(6)) {
			t.Errorf("created again %v: %v", again, err)
		}
	}
}

// TestProcessorsOverWindowsThatAreRefused has mistakes told before changes are read.
func TestProcessorsOverWindowsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorkers(t, 1)
	w.Make(t, kit.Window(1))
	handle := func(context.Context, []feed.Delivery[fixtures.Reading]) error { return nil }
	versions := func(context.Context, []feed.Version[fixtures.Reading]) error { return nil }
	monitored, err := w.DB.NewContainer(kit.Window(1))
	if err != nil {
		t.Fatal(err)
	}
	plain := kit.NewReadings(t, 1)
	for want, p := range map[string]*feed.Processor{
		"of the dialect DotNet only": w.processor(t, handle, feed.WithLeaseDialect(feed.JavaEPK)),
		"begin now":                  feed.NewVersionProcessor(w.Documents, "p", w.leases, versions, kit.Quick),
		`the key /id`:                feed.NewProcessor(w.Documents, "p", monitored, handle, kit.Quick),
		"Configure":                  feed.NewProcessor(plain.Elsewhere(t, false).Documents, "p", w.leases, handle, kit.Quick),
	} {
		if want == "Configure" {
			plain.Make(t, kit.Window(1))
		}
		if err := runs(t, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestProcessorOfAWindowThatWoke drops a window that was closed, after a late change was read
// and not handled: that is not left out in silence.
func TestProcessorOfAWindowThatWoke(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		short := feed.WithLeaseTimes(feed.LeaseTimes{Acquire: 100 * time.Millisecond, Renew: time.Second, Expire: 3 * time.Second})
		w := newWorkers(t, 1, feed.CloseWindows(time.Millisecond))
		w.Make(t, kit.Window(5), kit.Window(6))
		written := map[string]int{}
		w.write(t, written, 5, 2)
		var got handledReadings
		end := kit.RunProcessor(t, w.processor(t, got.note))
		got.await(t, written)
		w.awaitClosed(t, 5)
		end()
		w.write(t, written, 5, 3)
		dies := &mortal{}
		db, leases := dies.born(t, w.Readings)
		handled := make(chan bool, 1)
		p := feed.NewProcessor(repository.NewIn(db, fixtures.ReadingModel, withNow(w.clock.now)), "projection", leases, func(context.Context, []feed.Delivery[fixtures.Reading]) error {
			dies.dead.Store(true)
			handled <- true
			return errDead
		}, append(w.opts, short, kit.OnError(func(context.Context, error) bool { return true }))...)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- p.Run(ctx) }()
		<-handled
		cancel()
		<-ended
		w.Drop(t, kit.Window(5))
		if err := runs(t, w.processor(t, got.note, short)); err == nil || !strings.Contains(err.Error(), kit.Window(5)) {
			t.Errorf("a change was lost: %v", err)
		}
	})
}
