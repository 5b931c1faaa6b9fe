package layout

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/interop/keys/document"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/sales"
	"github.com/cosmos-pkgen/pkgen/example/telemetry"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/layout/layouttest"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// generatedTypes are documents of all sorts of layouts, by the folder of their lock.
var generatedTypes = map[string][]any{
	"layouttest": {
		&layouttest.Sample{}, &layouttest.Trip{}, &layouttest.Car{}, &layouttest.Letter{}, &layouttest.Stamp{}, &layouttest.Order{},
		&layouttest.Invoice{}, &layouttest.Gauge{}, &layouttest.Flag{}, &layouttest.Serial{}, &layouttest.Session{}, &layouttest.Lease{},
		&layouttest.Task{}, &layouttest.Metric{}, &layouttest.Hit{},
	},
	"../../example/fleet":                  {&fleet.VehicleEvent{}},
	"../../example/clickstream":            {&clickstream.Click{}},
	"../../example/telemetry":              {&telemetry.Reading{}},
	"../../example/sales":                  {&sales.Order{}},
	"../../emulator/interop/keys/document": {&document.Measurement{}, &document.Visit{}},
	"../fixtures":                          {&fixtures.Step{}},
}

// layoutOf returns the layout of a type, and its entry.
func layoutOf(t testing.TB, folder, typ string) (*Layout, lock.Entry) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, lock.FileName))
	if err != nil {
		t.Fatal(err)
	}
	locked, problem := lock.Parse(data)
	if problem != nil {
		t.Fatal(problem)
	}
	entry, ok := locked.Find(typ)
	if !ok {
		t.Fatalf("%s has no type %s", folder, typ)
	}
	l, err := New(entry)
	if err != nil {
		t.Fatal(err)
	}
	return l, entry
}

// TestGenerated makes documents at random, and expects the keys that generated code
// makes, of documents that it accepts, and errors for the others.
func TestGenerated(t *testing.T) {
	for folder, documents := range generatedTypes {
		for _, doc := range documents {
			typ := reflect.TypeOf(doc).Elem()
			t.Run(typ.Name(), func(t *testing.T) {
				l, entry := layoutOf(t, folder, typ.Name())
				rng := rand.New(rand.NewPCG(1, 2))
				rounds, legal, refused := 5000, 0, 0
				if testing.Short() {
					rounds = 1000
				}
				for range rounds {
					v := reflect.New(typ)
					fill(rng, v.Elem())
					if entry.Prefix != "" && rng.IntN(8) > 0 {
						v.Elem().FieldByName("ID").SetString(entry.Prefix + v.Elem().FieldByName("ID").String())
					}
					text, err := json.Marshal(v.Interface())
					if err != nil {
						continue // not stored, such as a time that JSON cannot hold
					}
					got, err := l.Key(text)
					if invalid := validate(v); invalid != nil {
						refused++
						if err == nil {
							t.Fatalf("%s has the key %s, and generated code refuses it: %v", text, got, invalid)
						}
						continue
					}
					legal++
					if want := partitionKey(v); err != nil || !reflect.DeepEqual(azure(got), want) {
						t.Fatalf("%s: %s, %v, and the generated code makes %v", text, got, err, want)
					}
				}
				if legal < 100 || refused < 20 && typ.Name() != "Flag" {
					t.Errorf("%d documents were legal, and %d refused: these are too few", legal, refused)
				}
			})
		}
	}
}

// validate calls the methods Key and Validate of a document.
func validate(doc reflect.Value) error {
	key := doc.MethodByName("Key").Call(nil)[0]
	err, _ := key.MethodByName("Validate").Call(nil)[0].Interface().(error)
	return err
}

// partitionKey calls the method PartitionKey of a document.
func partitionKey(doc reflect.Value) azcosmos.PartitionKey {
	switch key := doc.MethodByName("PartitionKey").Call(nil)[0].Interface().(type) {
	case string:
		return azcosmos.NewPartitionKeyString(key)
	default:
		return key.(azcosmos.PartitionKey)
	}
}

// azure returns a key as azcosmos has it.
func azure(k Key) azcosmos.PartitionKey {
	out := azcosmos.NewPartitionKey()
	for i := range k.Len() {
		switch v := k.Value(i).(type) {
		case string:
			out = out.AppendString(v)
		case float64:
			out = out.AppendNumber(v)
		case bool:
			out = out.AppendBool(v)
		}
	}
	return out
}

// texts are what documents at random have: separators, what JSON escapes, and what
// keys cannot hold.
var texts = []string{
	"a", "Z", "1HGCM82633A004352", "2018-08-09", "abc-123", "-", ":", "::", "|", ".", "/", "%", "%2D", "é", "日本", "\u2028", "<&>", `"`, `\`, " ", "7",
	"a", "b", "c", "x-1", "order-", "\ufffd", "\uffff",
}

// oddTexts are refused by most layouts.
var oddTexts = []string{"", ".", "..", "\x00", "\t", "\x7f", "\u0085", "\U0001f600", "a/b", "x ", string(make([]byte, 2049))}

var zones = []*time.Location{time.UTC, time.FixedZone("", 14*3600), time.FixedZone("", -5*3600-1800)}

// fill sets a value at random.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(randomTime(rng)))
		return
	case repository.Time:
		v.Set(reflect.ValueOf(repository.NewTime(randomTime(rng))))
		return
	case netip.Addr:
		addr := netip.AddrFrom4([4]byte{byte(rng.Uint32()), 1, 2, byte(rng.Uint32())})
		switch rng.IntN(20) {
		case 0:
			addr = netip.Addr{}
		case 1, 2, 3:
			addr = netip.MustParseAddr("fe80::1%ETH0")
		}
		v.Set(reflect.ValueOf(addr))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.Name != "_" {
				fill(rng, v.Field(i))
			}
		}
		if stored := v.FieldByName("Stored"); stored.IsValid() && rng.IntN(8) > 0 {
			stored.SetString("base." + strconv.Itoa(1+rng.IntN(9)))
		}
	case reflect.Pointer:
		if rng.IntN(10) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem())
		}
	case reflect.String:
		v.SetString(randomText(rng))
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat([]float64{0, math.Copysign(0, -1), 0.5, -1e21, 1e-7, math.MaxFloat64, rng.NormFloat64()}[rng.IntN(7)])
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt([]int64{0, -1, 7, 1 << 53, 1<<53 + 1, -1 << 63, int64(rng.IntN(1000))}[rng.IntN(7)])
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 7, 1 << 53, math.MaxUint64, uint64(rng.IntN(1000))}[rng.IntN(5)])
	}
}

func randomText(rng *rand.Rand) string {
	if rng.IntN(25) == 0 {
		return oddTexts[rng.IntN(len(oddTexts))]
	}
	var text strings.Builder
	for range 1 + rng.IntN(3) {
		text.WriteString(texts[rng.IntN(len(texts))])
	}
	return text.String()
}

func randomTime(rng *rand.Rand) time.Time {
	switch rng.IntN(20) {
	case 0:
		return time.Time{}
	case 1:
		return time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)
	}
	at := time.Unix(rng.Int64N(200_000_000_000)-62_000_000_000, rng.Int64N(1e9))
	return at.In(zones[rng.IntN(len(zones))])
}
