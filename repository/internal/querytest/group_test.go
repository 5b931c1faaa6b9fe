package querytest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const (
	cellA     documents.String[values.Cell, string]  = "/a"
	cellB     documents.Number[values.Cell, int64]   = "/b"
	cellMaybe documents.Number[values.Cell, int64]   = "?/b"
	cellN     documents.Number[values.Cell, float64] = "/n"
	cellZero  documents.Number[values.Cell, float64] = "?/n"
	cellText  documents.String[values.Cell, string]  = "/n"
)

type cells struct {
	*repository.Documents[values.Cell, values.CellKey]
	server *harness.Account
}

func newCells(t testing.TB, o emulator.Options, opts ...repository.Option) cells {
	t.Helper()
	options := repository.Configure(&azcosmos.ClientOptions{})
	options.Retry = policy.RetryOptions{MaxRetries: 9, RetryDelay: time.Millisecond, MaxRetryDelay: time.Second}
	server, container := harness.NewContainer(t, o, harness.Properties("cells", "/pk"), repository.Configure(options))
	return cells{repository.New(container, values.CellModel, opts...), server}
}

// someValues are what a property may be: nothing, of each type, and numbers at which float64
// ends, some of which are equal there.
var someValues = []string{"", "null", "false", "true", "0", "-0", "1", "1.0", "-1.5", "0.1", "1e16", "9007199254740992", "9007199254740993", "9007199254740994",
	"-9007199254740993", "1e300", "5e-324", `""`, `"a"`, `"\u0061"`, `"b"`, `"é"`, `"1"`, `[]`, `[1]`, `{}`, `{"x":1,"y":2}`}

func (c cells) fill(t testing.TB, r *rand.Rand, n int) []values.Cell {
	t.Helper()
	all := make([]values.Cell, n)
	pick := func() json.RawMessage { return json.RawMessage(someValues[r.IntN(len(someValues))]) }
	for i := range all {
		all[i] = values.Cell{ID: strconv.Itoa(i), Stored: strconv.Itoa(r.IntN(60)), Properties: map[string]json.RawMessage{}}
		for _, name := range []string{"a", "b", "n"} {
			if v := pick(); len(v) > 0 {
				all[i].Properties[name] = v
			}
		}
		if err := c.Create(context.Background(), &all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// told is what is told of a group, as it is in JSON.
type told struct {
	A       json.RawMessage `json:"a"`
	B       json.RawMessage `json:"b"`
	N       int64           `json:"count"`
	Sum     float64         `json:"sum"`
	Avg     *float64        `json:"avg"`
	Least   json.RawMessage `json:"least"`
	Most    json.RawMessage `json:"most"`
	AvgZero *float64        `json:"avgZero"`
	Texts   *string         `json:"texts"`

	Size float64 `json:"-"` // the sum of all numbers without their signs
}

// canonical is a text that is equal for equal values.
func canonical(raw json.RawMessage) string {
	if raw == nil {
		return "absent"
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "not JSON: " + string(raw)
	}
	if n, ok := v.(float64); ok && n == 0 {
		v = 0.0 * 0
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// expected groups documents in memory. Sums are exact.
func expected(all []values.Cell, zero bool) map[string]told {
	type sums struct {
		told
		sum, sumZero *big.Float
		k, kZero     int64
		least, most  *float64
	}
	groups := map[string]*sums{}
	for _, c := range all {
		b := c.Properties["b"]
		if b == nil && zero {
			b = json.RawMessage("0")
		}
		key := canonical(c.Properties["a"]) + " " + canonical(b)
		g := groups[key]
		if g == nil {
			g = &sums{sum: new(big.Float).SetPrec(5000), sumZero: new(big.Float).SetPrec(5000)}
			groups[key] = g
		}
		g.N++
		raw := c.Properties["n"]
		if raw == nil {
			g.kZero++
			continue
		}
		var s string
		if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
			if g.Texts == nil || s > *g.Texts {
				g.Texts = &s
			}
		}
		n, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			continue
		}
		n += 0 // of a negative zero
		g.k++
		g.kZero++
		g.sum.Add(g.sum, big.NewFloat(n))
		g.Size += math.Abs(n)
		if g.least == nil || n < *g.least {
			g.least = &n
		}
		if g.most == nil || n > *g.most {
			g.most = &n
		}
	}
	found := map[string]told{}
	for key, g := range groups {
		g.Sum, _ = g.sum.Float64()
		if g.k > 0 {
			avg := g.Sum / float64(g.k)
			g.Avg = &avg
			g.Least, g.Most = json.RawMessage(fmt.Sprint(*g.least)), json.RawMessage(fmt.Sprint(*g.most))
		}
		if g.kZero > 0 {
			avg := g.Sum / float64(g.kZero)
			g.AvgZero = &avg
		}
		found[key] = g.told
	}
	return found
}

// same reports whether groups are the same, but for what float64 loses where a physical
// partition adds its own documents.
func (x told) same(want told) bool {
	near := func(a, b *float64) bool {
		return a == nil && b == nil || a != nil && b != nil && math.Abs(*a-*b) <= 1e-13*want.Size
	}
	return x.String() == want.String() && near(&x.Sum, &want.Sum) && near(x.Avg, want.Avg) && near(x.AvgZero, want.AvgZero)
}

func (x told) String() string {
	extreme := func(raw json.RawMessage) string {
		if raw == nil {
			return "none"
		}
		n, err := strconv.ParseFloat(string(raw), 64)
		return fmt.Sprint(n, err)
	}
	texts := "none"
	if x.Texts != nil {
		texts = strconv.Quote(*x.Texts)
	}
	return fmt.Sprintf("%d from %s to %s texts %s", x.N, extreme(x.Least), extreme(x.Most), texts)
}

// TestGroupByModel compares groups with those in memory, over 1 to 20 physical partitions
// that are split in the midst, with pages that hold parts of groups and requests that
// fail.
func TestGroupByModel(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 5, 20} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("P=%d/%d", partitions, seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { testGroupBy(t, partitions, seed) }) // azcosmos waits a second where a connection breaks
			})
		}
	}
}

func testGroupBy(t *testing.T, partitions int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, uint64(partitions)))
	c := newCells(t, emulator.Options{Partitions: partitions, ScanLimit: []int{0, 7, 20}[seed]}, repository.WithPageSize([]int32{0, 3, 10}[seed]))
	all := c.fill(t, r, 300)
	for round := range 4 {
		zero := round%2 == 1
		q := c.Scan()
		var b documents.GroupField[values.Cell] = cellB
		if zero {
			b = cellMaybe
		}
		var splits sync.WaitGroup
		if round > 0 {
			c.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 429, Skip: r.IntN(3), Count: 1 + r.IntN(2)})
			c.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Drop: true, Skip: r.IntN(9)})
			wait, id := time.Duration(r.IntN(30))*time.Millisecond, strconv.Itoa(r.IntN(partitions+2*round))
			splits.Go(func() {
				time.Sleep(wait)
				_ = c.server.Split("db", "cells", id) // unless it was split before
			})
		}
		least := int64(r.IntN(5))
		groups, err := repository.GroupBy[told](q, documents.GroupField[values.Cell](cellA), b).
			Having(func(g told) bool { return g.N >= least }).Having(func(g told) bool { return g.N < 9 }).
			Count("count").Sum("sum", cellN).Avg("avg", cellN).Min("least", cellN).Max("most", cellN).
			Avg("avgZero", cellZero).Max("texts", cellText).Collect(context.Background())
		splits.Wait()
		c.server.ClearFaults()
		if err != nil {
			t.Fatal(err)
		}
		want := expected(all, zero)
		maps.DeleteFunc(want, func(_ string, g told) bool { return g.N < least || g.N >= 9 })
		if len(groups) != len(want) {
			t.Errorf("%d groups, want %d", len(groups), len(want))
		}
		for _, g := range groups {
			key := canonical(g.A) + " " + canonical(g.B)
			if w, ok := want[key]; !ok || !g.same(w) {
				t.Errorf("group %s:\n got %v %+v\nwant %v %+v (%v)", key, g, g, w, w, ok)
			}
			delete(want, key)
		}
	}
}

// TestGroupByTyped reads groups into a struct as a program has it, in order of the keys.
func TestGroupByTyped(t *testing.T) {
	t.Parallel()
	server, events, _ := newWave(t, emulator.Options{Partitions: 5})
	fill(t, events, 300)
	type bySpeed struct {
		Speed   int       `json:"speed"`
		Events  int       `json:"events"`
		First   fleetVIN  `json:"first"`
		Total   int       `json:"total"`
		Ignored time.Time `json:"-"`
	}
	f := fleet.VehicleEventFields
	groups := repository.GroupBy[bySpeed](events.ByDate(day), f.Speed).Count("events").Min("first", f.VIN).Sum("total", f.Speed)
	if _, err := groups.Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	rows, err := groups.Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := server.Sent(emulator.OpQueryItems); n != 5 {
		t.Errorf("%d requests, want one for each physical partition", n)
	}
	if len(rows) != 140 || !slices.IsSortedFunc(rows, func(a, b bySpeed) int { return cmp.Compare(a.Speed, b.Speed) }) {
		t.Fatalf("%d rows, sorted by key: %v", len(rows), rows)
	}
	want := bySpeed{Speed: 19, Events: 3, First: fleetVIN(event(19).VIN), Total: 57}
	if rows[19] != want {
		t.Errorf("got %+v, want %+v", rows[19], want)
	}
	n := 0
	for _, err := range groups.All(context.Background()) {
		if err != nil {
			t.Error(err)
		}
		if n++; n == 3 {
			break
		}
	}
}

type fleetVIN string

// TestGroupByRefused names what is wrong before anything is sent.
func TestGroupByRefused(t *testing.T) {
	t.Parallel()
	server, events, _ := newWave(t, emulator.Options{})
	f := fleet.VehicleEventFields
	type row struct {
		VIN string `json:"vin"`
		N   int    `json:"n"`
	}
	server.ResetRequests()
	for want, run := range map[string]func() error{
		"call it without Limit": func() error {
			_, err := repository.GroupBy[row](events.Scan().Limit(3), f.VIN).Count("n").Collect(context.Background())
			return err
		},
		"call it without OrderBy": func() error {
			_, err := repository.GroupBy[row](events.Scan().OrderBy(f.VIN.Asc()), f.VIN).Count("n").Collect(context.Background())
			return err
		},
		"GroupBy has no field": func() error {
			_, err := repository.GroupBy[row, fleet.VehicleEvent](events.Scan()).Count("n").Collect(context.Background())
			return err
		},
		"has no field: add one with this json tag": func() error {
			_, err := repository.GroupBy[row](events.Scan(), f.VIN).Count("n").Count("m").Collect(context.Background())
			return err
		},
		"gives n twice": func() error {
			_, err := repository.GroupBy[row](events.Scan(), f.VIN).Count("n").Sum("n", f.Speed).Collect(context.Background())
			return err
		},
		"the test is nil": func() error {
			_, err := repository.GroupBy[row](events.Scan(), f.VIN).Count("n").Having(nil).Collect(context.Background())
			return err
		},
		"has a field n, which GroupBy does not give": func() error {
			_, err := repository.GroupBy[row](events.Scan(), f.VIN).Collect(context.Background())
			return err
		},
		"is not a struct": func() error {
			_, err := repository.GroupBy[int](events.Scan(), f.VIN).Collect(context.Background())
			return err
		},
		"a field is nil": func() error {
			_, err := repository.GroupBy[row](events.Scan(), nil).Collect(context.Background())
			return err
		},
		"its zero: group by a field outside": func() error {
			_, err := repository.GroupBy[row](events.Scan(), documents.Number[fleet.VehicleEvent, int]("?1/meta/n")).Collect(context.Background())
			return err
		},
		"not a JSON pointer": func() error {
			_, err := repository.GroupBy[row](events.Scan(), documents.Number[fleet.VehicleEvent, int]("n")).Collect(context.Background())
			return err
		},
		"zero Query": func() error {
			_, err := repository.GroupBy[row](repository.Query[fleet.VehicleEvent]{}, f.VIN).Count("n").Collect(context.Background())
			return err
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if n := server.Sent(emulator.OpQueryItems); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestGroupByMisfit says which group does not fit into the struct, without its values
// in the plain error.
func TestGroupByMisfit(t *testing.T) {
	t.Parallel()
	c := newCells(t, emulator.Options{})
	for i, v := range []string{`"x"`, `7`} {
		if err := c.Create(context.Background(), &values.Cell{ID: strconv.Itoa(i), Stored: "p", Properties: map[string]json.RawMessage{"a": json.RawMessage(v)}}); err != nil {
			t.Fatal(err)
		}
	}
	type row struct {
		A string `json:"a"`
		N int    `json:"n"`
	}
	_, err := repository.GroupBy[row](c.Scan(), cellA).Count("n").Collect(context.Background())
	var own *repository.Error
	if !errors.As(err, &own) || !strings.Contains(err.Error(), "does not fit into") {
		t.Errorf("got %v", err)
	}
}

// TestGroupByEmpty has no groups where there are no documents.
func TestGroupByEmpty(t *testing.T) {
	t.Parallel()
	c := newCells(t, emulator.Options{Partitions: 3})
	type row struct {
		A string `json:"a"`
	}
	rows, err := repository.GroupBy[row](c.Scan(), cellA).Collect(context.Background())
	if err != nil || len(rows) != 0 {
		t.Errorf("%v, %v", rows, err)
	}
}
