package migration

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestMigrationsTwice has a proxy that repeats each write while documents move to another
// container: the first request takes effect, and the second answer comes back. A write is
// acknowledged, or its error matches ErrUnclear, and it leaves one document.
func TestMigrationsTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	logOf, setLog := documents.String[fixtures.Haul, string]("/log"), repository.PatchValue[fixtures.Haul, string]("/log")
	doc := func(log string) *fixtures.Haul { return &fixtures.Haul{ID: "1", Truck: "t", Route: "r", Log: log} }
	for _, test := range []struct {
		name    string
		creates bool
		run     func(m *haulMigration, h *fixtures.Haul) error
		unclear error // besides nil, what the error may match, together with ErrUnclear
	}{
		{"Create", true, func(m *haulMigration, h *fixtures.Haul) error { return m.Create(ctx, h) }, repository.ErrAlreadyExists},
		{"Upsert of a new one", true, func(m *haulMigration, h *fixtures.Haul) error { return m.Upsert(ctx, h) }, repository.ErrAlreadyExists},
		{"Upsert", false, func(m *haulMigration, h *fixtures.Haul) error { return m.Upsert(ctx, h) }, nil},
		{"Replace", false, func(m *haulMigration, h *fixtures.Haul) error { h.ETag = ""; return m.Replace(ctx, h) }, nil},
		{"Replace on ETag", false, func(m *haulMigration, h *fixtures.Haul) error { return m.Replace(ctx, h) }, repository.ErrPreconditionFailed},
		{"Patch", false, func(m *haulMigration, h *fixtures.Haul) error { return m.Patch(ctx, movedKey(h), setLog.Set(h.Log)) }, nil},
		{"PatchIf", false, func(m *haulMigration, h *fixtures.Haul) error {
			return m.PatchIf(ctx, movedKey(h), logOf.Eq("first"), setLog.Set(h.Log))
		}, repository.ErrPreconditionFailed},
		{"Update", false, func(m *haulMigration, h *fixtures.Haul) error {
			return m.Update(ctx, movedKey(h), func(stored *fixtures.Haul) error { stored.Log = h.Log; return nil })
		}, repository.ErrPreconditionFailed},
	} {
		for phase := repository.PhaseOld; phase <= repository.PhaseDone; phase++ {
			for _, there := range []string{"old", "new"} {
				if test.creates && there == "new" || phase == repository.PhaseOld && there == "new" || phase == repository.PhaseDone && there == "old" && !test.creates {
					continue
				}
				harness.Bubble(t, fmt.Sprint(test.name, " phase ", phase, " ", there), func(t *testing.T) {
					h := newHauls(t, 0)
					direct := h.in(phase)
					own := doc("first")
					if !test.creates {
						in := repository.PhaseOld
						if there == "new" {
							in = repository.PhaseDone
						}
						if err := h.in(in).Create(ctx, own); err != nil {
							t.Fatal(err)
						}
					}
					own.Log = "second"
					proxy := &proxytest.Proxy{Fate: proxytest.Writes(proxytest.Twice, http.MethodPost, http.MethodPut, http.MethodPatch)}
					options := repository.Configure(nil)
					options.Transport = proxy
					err := test.run(h.by(t, options).in(phase), own)
					if err != nil && (test.unclear == nil || !errors.Is(err, test.unclear) || !errors.Is(err, repository.ErrUnclear)) {
						t.Errorf("got %v", err)
					}
					if proxy.Repeated() == 0 {
						t.Error("nothing was repeated")
					}
					now, err := direct.Get(ctx, movedKey(own))
					if err != nil || now.Log != "second" {
						t.Errorf("got %+v, %v", now, err)
					}
					if old, fresh := h.stored(t); len(old)+len(fresh) != 1 {
						t.Errorf("stored: %q, %q", old, fresh)
					}
				})
			}
		}
	}
}

// TestMovesTwice has a proxy that repeats each write of a move, also those that remove.
func TestMovesTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 0)
	const n = 20
	for i := range n {
		if err := h.in(repository.PhaseOld).Create(ctx, &fixtures.Haul{ID: fmt.Sprint(i), Truck: "t", Route: "r", Log: "log"}); err != nil {
			t.Fatal(err)
		}
	}
	options := repository.Configure(nil)
	options.Transport = &proxytest.Proxy{Fate: proxytest.Writes(proxytest.Twice, kit.AllWrites...)}
	m := h.by(t, options).in(repository.PhaseNew)
	moved, err := admin.MoveAll(ctx, m, admin.Run{})
	if err != nil || moved.Moved != n {
		t.Errorf("%+v, %v", moved, err)
	}
	old, fresh := h.stored(t)
	if slices.Sort(fresh); len(old) != 0 || len(fresh) != n || fresh[0] != "0 log" {
		t.Errorf("stored: %q, %q", old, fresh)
	}
}

// TestMigrationUpdatesAtOnce has programs that count in one document while it moves to
// another container. Two of them that have read one version make equal documents of it,
// which is no sign that a request has arrived twice.
func TestMigrationUpdatesAtOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 0)
	own := &fixtures.Haul{ID: "1", Truck: "t", Route: "r"}
	if err := h.in(repository.PhaseOld).Create(ctx, own); err != nil {
		t.Fatal(err)
	}
	const programs, each = 4, 10
	var all sync.WaitGroup
	for range programs {
		all.Go(func() {
			for range each {
				err := h.in(repository.PhaseBoth).Update(ctx, movedKey(own), func(stored *fixtures.Haul) error { stored.TTL++; return nil })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if now, err := h.in(repository.PhaseBoth).Get(ctx, movedKey(own)); err != nil || now.TTL != programs*each {
		t.Errorf("%+v, %v", now, err)
	}
}
