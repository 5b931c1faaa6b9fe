package behaviour

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"

	"golden.test/ambiguous"
	"golden.test/escape"
	"golden.test/hierarchy"
	"golden.test/lower"
)

func TestHierarchicalKeys(t *testing.T) {
	bucket := partition.Hash{}.Text("1HGCM82633A004352").Bucket(16)
	tests := []struct {
		name      string
		got, want azcosmos.PartitionKey
	}{
		{"a level that is made", event.PartitionKey(),
			azcosmos.NewPartitionKey().AppendString("contoso").AppendString("ada").AppendString("2018-08")},
		{"number, bool and text form", hierarchy.TaskKey{Number: -3, Open: true, Owner: netip.MustParseAddr("10.0.0.1")}.PartitionKey(),
			azcosmos.NewPartitionKey().AppendNumber(-3).AppendBool(true).AppendString("10.0.0.1")},
		{"no text form", hierarchy.TaskKey{}.PartitionKey(),
			azcosmos.NewPartitionKey().AppendNumber(0).AppendBool(false).AppendString("")},
		{"hash suffix, lower case and id", metric.PartitionKey(),
			azcosmos.NewPartitionKey().AppendString("2018-08-09." + strconv.Itoa(bucket)).AppendString("web-1").AppendString("1")},
		{"random suffix", (&hierarchy.Hit{Date: "d", UserID: "u", Stored: "d.9"}).PartitionKey(),
			azcosmos.NewPartitionKey().AppendString("d.9").AppendString("u")},
		{"no random suffix yet", (&hierarchy.Hit{Date: "d", UserID: "u"}).PartitionKey(),
			azcosmos.NewPartitionKey().AppendString("").AppendString("u")},
		{"one level", (&hierarchy.Solo{TenantID: "t"}).PartitionKey(), azcosmos.NewPartitionKeyString("t")},
	}
	for _, test := range tests {
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
	container := hierarchy.EventContainer().PartitionKeyDefinition
	if container.Kind != azcosmos.PartitionKeyKindMultiHash || container.Version != 2 || len(container.Paths) != 3 {
		t.Errorf("the container has the key %+v", container)
	}
}

func TestLowerCase(t *testing.T) {
	if got, want := car.PartitionKey(), "1hgcm82633a004352/honda"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := ride.PartitionKey(), "2018-08-09."+strconv.Itoa(partition.Hash{}.Text("1hgcm82633a004352").Bucket(16)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestValidateLayouts(t *testing.T) {
	long := strings.Repeat("x", 1025)
	tests := []struct {
		name  string
		err   error
		field string // "" where the key as a whole is wrong, "-" where nothing is
	}{
		{"no ASCII", lower.CarKey{ID: "1", VIN: "é", Maker: "m"}.Validate(), "VIN"},
		{"no ASCII in a hash", lower.RideKey{ID: "1", Date: "d", VIN: "é"}.Validate(), "VIN"},
		{"a level that is empty", hierarchy.EventKey{ID: "1", TenantID: "t", At: noon}.Validate(), "UserID"},
		{"levels that are too long together", hierarchy.EventKey{ID: "1", TenantID: hierarchy.TenantID(long), UserID: long, At: noon}.Validate(), ""},
		{"an integer that is no double", hierarchy.TaskKey{ID: "1", Number: 1<<53 + 1, Owner: sample.Owner}.Validate(), "Number"},
		{"a level without suffix", hierarchy.HitKey{ID: "1", Date: "d", UserID: "u"}.Validate(), "Suffix"},
		{"an id that can be no key", hierarchy.MetricKey{ID: "\U0001f600", Day: noon, VIN: "v", Host: "h"}.Validate(), "ID"},
		{"escaped control characters", escape.ParcelKey{ID: "1", Sender: "\x00\xff\U0001f600|%", VIN: "v"}.Validate(), "-"},
		{"an escaped text that is empty", escape.ParcelKey{ID: "1", VIN: "v"}.Validate(), "Sender"},
		{"a hashed text is not escaped", escape.ParcelKey{ID: "1", Sender: "s", VIN: "\x00"}.Validate(), "VIN"},
		{"too long when it is escaped", escape.ParcelKey{ID: "1", Sender: strings.Repeat("|", 700), VIN: "v"}.Validate(), ""},
	}
	for _, test := range tests {
		var keyError *partition.KeyError
		switch {
		case test.field == "-":
			if test.err != nil {
				t.Errorf("%s: %v", test.name, test.err)
			}
		case !errors.As(test.err, &keyError) || keyError.Field != test.field:
			t.Errorf("%s: %v, want an error about %q", test.name, test.err, test.field)
		}
	}
}

// texts are what components are put together from: separators, what encoding
// them needs, and what no header can hold unescaped.
var texts = []string{"a", "Z", "-", ":", "::", "|", ".", "%", "%2D", "\x00", "\x7f", "\u0085", "é", "\U0001f600", "\xff", "7", " ", `"`, "\\"}

func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(5) {
		b.WriteString(texts[rng.IntN(len(texts))])
	}
	return b.String()
}

// TestParse expects the components of an escaped key back, whatever they hold,
// and a key that a header can hold.
func TestParse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		letter := escape.LetterKey{
			Region: escape.Region(randomText(rng)), Line: int8(rng.Uint32()), Slot: rng.Uint64(), Live: rng.IntN(2) == 0,
			At:    partition.Day(time.Unix(rng.Int64N(200_000_000_000)-62_000_000_000, 0)),
			Owner: netip.AddrFrom4([4]byte{byte(rng.Uint32()), 1, 2, 3}), Batch: escape.Batch{N: int(rng.Int64())},
			Host: []string{"a", "b-c", "d:e", "100%", "\x00"}[rng.IntN(5)],
		}
		checkParse(t, letter, escape.ParseLetterPartitionKey)
		parcel := escape.ParcelKey{Sender: randomText(rng), N: int(rng.Int64()), VIN: "v"}
		text := parcel.PartitionKey()
		parcel.VIN = "" // which is hashed
		got, err := escape.ParseParcelPartitionKey(text)
		if err != nil || got != parcel {
			t.Fatalf("%q: %+v, %v, want %+v", text, got, err, parcel)
		}
		checkParse(t, escape.StampKey{Country: randomText(rng), Suffix: 1 + rng.IntN(9)}, escape.ParseStamp)
	}
}

func checkParse[K interface {
	comparable
	PartitionKey() string
}](t *testing.T, key K, parse func(string) (K, error)) {
	t.Helper()
	text := key.PartitionKey()
	got, err := parse(text)
	if err != nil || got != key {
		t.Fatalf("%q: %+v, %v, want %+v", text, got, err, key)
	}
	var decoded string
	if err := json.Unmarshal([]byte(strconv.QuoteToASCII(text)), &decoded); err != nil || decoded != text {
		t.Fatalf("a header with %q holds %q, %v", text, decoded, err)
	}
}

func TestParseErrors(t *testing.T) {
	for _, key := range []string{
		"", "a", "a|1", "a|1.", "a|1.0", "a|1.17", "a|1.01", "a|1.1x", "a|x.1", "a|01.1", "|1.1", "a%2|1.1", "a%7c|1.1", "a%41|1.1", "a|1|1.1",
	} {
		_, err := escape.ParseParcelPartitionKey(key)
		var keyError *partition.KeyError
		if !errors.As(err, &keyError) || keyError.Type != "Parcel" {
			t.Errorf("%q: %v, want a *partition.KeyError of type Parcel", key, err)
		}
	}
}

// TestSame expects keys to be the same by the texts of their components.
func TestSame(t *testing.T) {
	key := ambiguous.MessageKey{ID: "1", From: "a-b", To: "c", At: noon, Line: 1, Owner: sample.Owner, Batch: ambiguous.Batch{N: 7}}
	change := func(change func(*ambiguous.MessageKey)) ambiguous.MessageKey {
		other := key
		change(&other)
		return other
	}
	tests := []struct {
		name  string
		other ambiguous.MessageKey
		want  bool
	}{
		{"itself", key, true},
		{"the start of the day", change(func(k *ambiguous.MessageKey) { k.At = partition.Day(k.At) }), true},
		{"another case", change(func(k *ambiguous.MessageKey) { k.To = "C" }), true},
		{"another text that makes the same key", change(func(k *ambiguous.MessageKey) { k.From, k.To = "a", "b-c" }), false},
		{"another day", change(func(k *ambiguous.MessageKey) { k.At = k.At.AddDate(0, 0, 1) }), false},
		{"another number", change(func(k *ambiguous.MessageKey) { k.Line = -1 }), false},
		{"another text form", change(func(k *ambiguous.MessageKey) { k.Batch.N = 8 }), false},
	}
	for _, test := range tests {
		if got := ambiguous.Same(key, test.other); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if one, other := key, change(func(k *ambiguous.MessageKey) { k.From, k.To = "a", "b-c" }); one.PartitionKey() != other.PartitionKey() {
		t.Errorf("%q and %q: the example is none", one.PartitionKey(), other.PartitionKey())
	}
}

// TestLayoutsByHand expects generated code and that of the benchmark to make
// the same keys, with no more allocations.
func TestLayoutsByHand(t *testing.T) {
	for _, l := range layouts {
		value := func(f func() any) any { return reflect.ValueOf(f()).Elem().Interface() }
		if got, want := value(l.generated), value(l.hand); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", l.name, got, want)
		}
		got := testing.AllocsPerRun(100, func() { l.generated() })
		if want := testing.AllocsPerRun(100, func() { l.hand() }); got > want {
			t.Errorf("%s: %v allocations, and %v by hand", l.name, got, want)
		}
		if got > 1 && !strings.HasPrefix(l.name, "hierarchical") {
			t.Errorf("%s: %v allocations for a key of up to 64 bytes", l.name, got)
		}
	}
}
