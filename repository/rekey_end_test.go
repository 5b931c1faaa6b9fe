package repository_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestRekeyWithoutTime does not remove marks if nobody knows how old they are, and says
// which remain.
func TestRekeyWithoutTime(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var undated atomic.Bool
	r, container := newMovingRides(t, false, harness.Policy(func(q *policy.Request) (*http.Response, error) {
		answer, err := q.Next()
		if err == nil && undated.Load() {
			answer.Header.Del("Date")
		}
		return answer, err
	}))
	if err := r.before.Create(ctx, &ride{ID: "e1", Day: kit.Day, VIN: "V1", Speed: 1}); err != nil {
		t.Fatal(err)
	}
	if s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil || s.Marks != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	r.server.Advance(grace)
	undated.Store(true)
	s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{})
	var own *repository.Error
	if err != nil || s.Done() || s.Marks != 1 || s.Failed != 1 || !errors.As(s.Err, &own) || own.ID != "e1" || own.PartitionKey == "" || !strings.Contains(own.Error(), "header Date") {
		t.Errorf("%+v, %v", s, err)
	}
	if n := countStored(t, container, `c._move.state = "moved"`); n != 1 {
		t.Errorf("%d marks remain, want 1", n)
	}
}

// TestRekeyEndsWhole has a Rekey that is cancelled wait for what it has begun.
func TestRekeyEndsWhole(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var begun, ended atomic.Int64
	r, _ := newMovingRides(t, false, harness.Policy(func(q *policy.Request) (*http.Response, error) {
		if q.Raw().Header.Get("A-IM") == "" || q.Raw().Header.Get("x-ms-max-item-count") != "1" {
			return q.Next()
		}
		begun.Add(1)
		defer ended.Add(1)
		cancel()
		<-q.Raw().Context().Done()
		time.Sleep(300 * time.Millisecond)
		return nil, q.Raw().Context().Err()
	}))
	leases := kit.NewLeases(t, r.server)
	if err := r.before.Create(ctx, &ride{ID: "e1", Day: kit.Day, VIN: "V1", Speed: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Rekey(ctx, r.second.Documents, admin.Run{LeaseOptions: []feed.Option{kit.Quick}, Leases: leases}); !errors.Is(err, context.Canceled) {
		t.Errorf("Rekey ended with %v", err)
	}
	if b, e := begun.Load(), ended.Load(); b == 0 || b != e {
		t.Errorf("%d looks had begun, and %d had ended", b, e)
	}
}
