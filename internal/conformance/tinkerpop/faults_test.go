package tinkerpop_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestFaults breaks connections before the server has a request, and after, with the
// promises of docs/errors.md. With -short, connections break once.
func TestFaults(t *testing.T) {
	s := server(t)
	direct := gremlin.New(s.Client(t), "Device", &deviceModel)
	p, err := faults.New(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.Spare(2) // what opens the websocket, and the first traversal, which the server answers by asking for the key
	through := *s
	through.Address = p.Addr()
	docs := gremlin.New(through.Client(t), "Device", &deviceModel)
	n := 0
	for _, fault := range []struct {
		name   string
		moment faults.Moment
		times  int
		fatal  bool
		long   bool // left out with -short
	}{
		{"none", 0, 0, false, false}, {"before", faults.Before, 1, false, false}, {"after", faults.After, 1, false, false},
		{"twice before", faults.Before, 2, false, true}, {"twice after", faults.After, 2, false, true},
		{"three times before", faults.Before, 3, false, true}, {"three times after", faults.After, 3, false, true},
		{"always before", faults.Before, 99, true, true}, {"always after", faults.After, 99, true, true},
	} {
		if fault.long && testing.Short() {
			continue
		}
		for name, do := range map[string]func(ctx context.Context, d *Device) error{
			"create":  docs.Create,
			"upsert":  docs.Upsert,
			"replace": docs.Replace,
			"delete":  func(ctx context.Context, d *Device) error { return docs.Delete(ctx, key(d)) },
			"get":     func(ctx context.Context, d *Device) error { _, err := docs.Get(ctx, key(d)); return err },
			"query": func(ctx context.Context, d *Device) error {
				list, err := gremlin.NewQuery(docs, generated.Partition(d.Tenant+".1")).Collect(ctx)
				if err == nil && len(list) != 1 {
					err = errors.New("not one document")
				}
				return err
			},
		} {
			t.Run(fault.name+" "+name, func(t *testing.T) {
				ctx := soon(t)
				n++
				d := device("faults"+string(rune('a'+n/26))+string(rune('a'+n%26)), 1, "1")
				if name != "create" && name != "upsert" {
					is(t, "prepare", direct.Create(ctx, d), nil)
				}
				d.Count = int64(n)
				if _, err := docs.Get(ctx, DeviceKey{"warm", 1, "x"}); !errors.Is(err, documents.ErrNotFound) { // a connection that has logged in
					t.Fatal(err)
				}
				dropped := p.Dropped()
				p.Drop(fault.moment, fault.times, nil)
				began := time.Now()
				err := do(ctx, d)
				p.Drop(0, 0, nil)
				if n := p.Dropped() - dropped; n < min(fault.times, 1) {
					t.Error("no connection broke")
				}
				writes := name != "get" && name != "query"
				switch {
				case !fault.fatal && err != nil:
					t.Errorf("after %v: %v", time.Since(began), err)
				case fault.fatal && err == nil:
					t.Error("no error")
				case fault.fatal && writes && !errors.Is(err, documents.ErrUnclear):
					t.Errorf("not unclear: %v", err)
				}
				got, readErr := direct.Get(ctx, key(d))
				switch {
				case err == nil && name == "delete":
					is(t, "read a deleted one", readErr, documents.ErrNotFound)
				case err == nil && writes && (readErr != nil || !reflect.DeepEqual(got, d)):
					t.Errorf("stored %+v, %v, want %+v", got, readErr, d)
				}
			})
		}
	}
}
