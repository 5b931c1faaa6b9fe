package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// storeRide stores a ride under the earlier number of buckets, with another property.
func storeRide(t *testing.T, c *azcosmos.ContainerClient, key rideKey, property string, value any) {
	t.Helper()
	doc := map[string]any{"id": key.ID, "day": key.Day, "vin": key.VIN, "pk": key.at(4), property: value}
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateItem(context.Background(), azcosmos.NewPartitionKeyString(key.at(4)), body, nil); err != nil {
		t.Fatal(err)
	}
}

// TestRekeyWithoutExpiry moves a document with a property ttl that means nothing, since
// its container has no time to live: it stays as it is.
func TestRekeyWithoutExpiry(t *testing.T) {
	ctx := context.Background()
	r, container := newMovingRides(t, false)
	key := rideKey{"1", kit.Day, vinWith(t, moves)}
	storeRide(t, container, key, "ttl", 60)
	r.server.Advance(50 * time.Second)
	if s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil || s.Changed != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	moved, err := container.ReadItem(ctx, azcosmos.NewPartitionKeyString(key.at(12)), key.ID, nil)
	if err != nil || !strings.Contains(string(moved.Value), `"ttl":60`) {
		t.Errorf("moved is %s, %v", moved.Value, err)
	}
}

// TestRekeyUndecodable has Rekey go on after a document that cannot be decoded.
func TestRekeyUndecodable(t *testing.T) {
	ctx := context.Background()
	r, container := newMovingRides(t, false)
	vin := vinWith(t, moves)
	storeRide(t, container, rideKey{"bad", kit.Day, vin}, "speed", "fast")
	const n = 5
	for i := range n {
		storeRide(t, container, rideKey{fmt.Sprintf("e%d", i), kit.Day, vin}, "speed", i)
	}
	s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{})
	if err != nil || s.Changed != n || s.Failed != 1 || s.Left != 1 || s.Err == nil || s.Done() {
		t.Fatalf("%+v, %v", s, err)
	}
	if text := s.Err.Error(); !strings.Contains(text, `"bad"`) || strings.Contains(text, "fast") {
		t.Errorf("the error is %q", text)
	}
}

// TestRekeySharedUndecodable has processes that share the work go on after a document
// that cannot be decoded.
func TestRekeySharedUndecodable(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	r, container := newMovingRides(t, false)
	vin := vinWith(t, moves)
	storeRide(t, container, rideKey{"bad", kit.Day, vin}, "speed", "fast")
	storeRide(t, container, rideKey{"good", kit.Day, vin}, "speed", 1)
	s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{LeaseOptions: []feed.Option{feed.PollEvery(10 * time.Millisecond)}, Leases: kit.NewLeases(t, r.server)})
	if err != nil || s.Changed != 1 || s.Failed != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
}

// TestCreateBeforeACopyIsSeen creates a document that has just moved, in a program whose
// reads do not see the copy yet, which is not final. The document stays.
func TestCreateBeforeACopyIsSeen(t *testing.T) {
	ctx := context.Background()
	r, container := newMovingRides(t, false)
	key := rideKey{"1", kit.Day, vinWith(t, moves)}
	home := azcosmos.NewPartitionKeyString(key.at(12))
	storeRide(t, container, key, "_move", map[string]any{"state": "moved", "token": "t"})
	body := fmt.Sprintf(`{"id":"1","day":%q,"vin":%q,"pk":%q,"speed":7,"_move":{"state":"copy","token":"t"}}`, key.Day, key.VIN, key.at(12))
	if _, err := container.CreateItem(ctx, home, []byte(body), nil); err != nil {
		t.Fatal(err)
	}
	for _, upsert := range []bool{false, true} {
		r.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, PartitionKey: fmt.Sprintf("[%q]", key.at(12)), Status: http.StatusNotFound, Count: -1})
		late := rides{r.second.release, repository.New(container, r.second.model(), withSleep(func(context.Context, time.Duration) error {
			r.server.ClearFaults()
			return nil
		}))}
		doc := &ride{ID: "1", Day: key.Day, VIN: key.VIN, Speed: 9}
		want := 7
		if upsert {
			want = doc.Speed
			if err := late.Upsert(ctx, doc); err != nil {
				t.Error(err)
			}
		} else if err := late.Create(ctx, doc); !errors.Is(err, repository.ErrAlreadyExists) {
			t.Errorf("Create: %v", err)
		}
		r.server.ClearFaults()
		if got, err := r.second.Get(ctx, key); err != nil || got.Speed != want {
			t.Errorf("upsert %v: there is %+v, %v", upsert, got, err)
		}
	}
}

// TestRekeyExpiry moves documents of a container with a time to live, half of which has
// passed: each expires when it would have expired without the move, and does not come
// back. Its mark stays for the grace time, longer than the document, and the next Rekey
// removes it.
func TestRekeyExpiry(t *testing.T) {
	const whole = 100 // seconds
	for _, tt := range []struct {
		name      string
		container int32
		own       any // the ttl of the document; nil for none
		expires   bool
	}{
		{"of the container", whole, nil, true},
		{"its own", 10 * whole, whole, true},
		{"its own alone", -1, whole, true},
		{"never", whole, -1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := context.Background()
			r, container := newMovingRides(t, false)
			expireAfter(t, container, tt.container)
			key := rideKey{"1", kit.Day, vinWith(t, moves)}
			if tt.own == nil {
				storeRide(t, container, key, "speed", 0)
			} else {
				storeRide(t, container, key, "ttl", tt.own)
			}
			r.server.Advance(whole / 2 * time.Second)
			if s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil || s.Changed != 1 || s.Marks != 1 {
				t.Fatalf("%+v, %v", s, err)
			}
			exists := func(when string, want bool) {
				t.Helper()
				for _, at := range []rides{r.first, r.second} {
					_, err := at.Get(ctx, key)
					n, countErr := at.byDay(kit.Day).Count(ctx)
					if !want && !errors.Is(err, repository.ErrNotFound) || want && (err != nil || n != 1) || !want && n != 0 || countErr != nil {
						t.Errorf("%s, release %+v: %v, and a query counts %d, %v", when, at.release, err, n, countErr)
					}
				}
			}
			exists("when it has moved", true)
			r.server.Advance((whole/2 - 20) * time.Second)
			exists("before it expires", true)
			r.server.Advance(25 * time.Second)
			exists("when its time is over", !tt.expires)
			r.server.Advance(grace)
			if s, err := admin.Rekey(ctx, r.second.Documents, admin.Run{}); err != nil || !s.Done() || s.Changed != 0 || s.Removed != 1 {
				t.Errorf("the next day: %+v, %v", s, err)
			}
			exists("the next day", !tt.expires)
			want := 1
			if tt.expires {
				want = 0
			}
			if n := countStored(t, container, "true"); n != want {
				t.Errorf("%d are stored in the end", n)
			}
		})
	}
}

// expireAfter sets the time to live of a container in seconds.
func expireAfter(t *testing.T, c *azcosmos.ContainerClient, seconds int32) {
	t.Helper()
	now, err := c.Read(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	now.ContainerProperties.DefaultTimeToLive = &seconds
	if _, err := c.Replace(context.Background(), *now.ContainerProperties, nil); err != nil {
		t.Fatal(err)
	}
}
