package provision

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestEnsureSurvives lets each of its requests fail, on the way there and on the
// way back.
func TestEnsureSurvives(t *testing.T) {
	t.Parallel()
	faults := map[string]emulator.Fault{
		"429":     {Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Millisecond, Count: 2},
		"449":     {Status: 449, RetryAfter: time.Millisecond},
		"503":     {Status: http.StatusServiceUnavailable, RetryAfter: time.Millisecond},
		"dropped": {Drop: true},
	}
	for name, fault := range faults {
		for _, after := range []bool{false, true} {
			for _, operation := range []string{emulator.OpCreateContainer, emulator.OpReplaceContainer, emulator.OpReplaceOffer} {
				if name == "449" && after { // nothing was done
					continue
				}
				fault := fault // for a parallel subtest
				title := name + " before " + operation
				if after {
					title = name + " after " + operation
				}
				t.Run(title, func(t *testing.T) {
					t.Parallel()
					server, db := kit.NewDatabase(t, emulator.Options{}, nil)
					want := wanted(func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = ttl(60) })
					if operation != emulator.OpCreateContainer {
						ensure(t, db, want, admin.Manual(400))
						want.DefaultTimeToLive = ttl(90)
					}
					fault.Operation, fault.After = operation, after
					server.Inject(fault)
					ensure(t, db, want, admin.Manual(700), admin.FixDifferences())
					ensure(t, db, want, admin.Manual(700))
				})
			}
		}
	}
}

// TestEnsureGivesUp is about failures that last.
func TestEnsureGivesUp(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	quick := azcosmos.ClientOptions{}
	quick.Retry.MaxRetries = -1
	impatient := server.Database(&quick)

	server.Inject(emulator.Fault{Operation: emulator.OpCreateContainer, Drop: true, Count: -1})
	_, err := admin.Ensure(t.Context(), impatient, wanted(nil), admin.Manual(400))
	if !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v, want ErrUnclear", err)
	}
	server.ClearFaults()

	server.Inject(emulator.Fault{Operation: emulator.OpCreateContainer, Status: http.StatusConflict, Count: -1})
	_, err = admin.Ensure(t.Context(), db, wanted(nil), admin.Manual(400))
	if want := `ensure container "vehicle-event": other programs keep changing the container: try again later (status 409)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	server.ClearFaults()

	server.Inject(emulator.Fault{Operation: emulator.OpReadContainer, Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Hour, Count: -1})
	if _, err = admin.Ensure(t.Context(), db, wanted(nil), admin.Manual(400)); !errors.Is(err, repository.ErrThrottled) {
		t.Errorf("got %v, want ErrThrottled", err)
	}
}

// TestEnsureForbidden answers as the service does to principals of Microsoft Entra
// ID, which may read a container and no more.
func TestEnsureForbidden(t *testing.T) {
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	forbid := func(operations ...string) {
		server.ClearFaults()
		for _, operation := range operations {
			server.Inject(emulator.Fault{Operation: operation, Status: http.StatusForbidden, Substatus: 5300, Count: -1})
		}
	}
	refused := func(throughput admin.Throughput, want string, opts ...admin.EnsureOption) {
		t.Helper()
		_, err := admin.Ensure(t.Context(), db, wanted(nil), throughput, opts...)
		var response *azcore.ResponseError
		var own *repository.Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &response) || !errors.As(err, &own) || own.Substatus != 5300 {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	forbid(emulator.OpCreateContainer, emulator.OpQueryOffers)
	const create = `ensure container "vehicle-event": this identity may not create it: create it by Bicep, az cosmosdb sql container create or the portal`
	refused(admin.Manual(400), create)
	refused(admin.AnyThroughput(), create)
	const read = "this identity may not read throughput: want AnyThroughput()"
	refused(admin.SharedThroughput(), read)

	forbid()
	ensure(t, db, wanted(func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = ttl(60) }), admin.Manual(400))
	forbid(emulator.OpQueryOffers, emulator.OpReplaceContainer)
	refused(admin.Manual(400), read)
	refused(admin.AnyThroughput(), "this identity may not change it: change it by Bicep", admin.FixDifferences())
	ensure(t, db, wanted(func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = ttl(60) }), admin.AnyThroughput())
}
