package migration

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// movingFirst moves all documents when the first deletion comes, and then breaks its connection.
type movingFirst struct {
	*http.Client
	move func()
	sent int
}

func (m *movingFirst) Do(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodDelete {
		if m.sent++; m.sent == 1 {
			m.move()
			return nil, io.ErrUnexpectedEOF
		}
	}
	return m.Client.Do(r)
}

// TestMigrationDeleteMoved has a document move between two attempts of its deletion. That the
// second attempt finds nothing in the old container does not say that it is deleted: Delete
// removes it from the new one, and DeleteIfMatch says that its outcome is unclear.
func TestMigrationDeleteMoved(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, test := range []struct {
		name  string
		phase repository.Phase
		tag   bool
	}{
		{"Delete in PhaseBoth", repository.PhaseBoth, false},
		{"Delete in PhaseNew", repository.PhaseNew, false},
		{"DeleteIfMatch in PhaseBoth", repository.PhaseBoth, true},
		{"DeleteIfMatch in PhaseNew", repository.PhaseNew, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHauls(t, 0)
			doc := &fixtures.Haul{ID: "1", Truck: "t", Route: "r", Log: "log"}
			if err := h.in(repository.PhaseOld).Create(ctx, doc); err != nil {
				t.Fatal(err)
			}
			options := repository.Configure(nil)
			options.Transport = &movingFirst{Client: http.DefaultClient, move: func() {
				if s, err := admin.MoveAll(ctx, h.in(repository.PhaseNew), admin.Run{}); err != nil || s.Moved != 1 {
					t.Errorf("MoveAll: %+v, %v", s, err)
				}
			}}
			m := h.by(t, options).in(test.phase)
			want := 0
			if test.tag {
				if err := m.DeleteIfMatch(ctx, doc); !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, repository.ErrPreconditionFailed) {
					t.Errorf("got %v", err)
				}
				want = 1
			} else if err := m.Delete(ctx, movedKey(doc)); err != nil {
				t.Errorf("got %v", err)
			}
			if old, fresh := h.stored(t); len(old) != 0 || len(fresh) != want {
				t.Errorf("stored: %q, %q", old, fresh)
			}
		})
	}
}
