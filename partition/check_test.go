package partition

import (
	"errors"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestCheckAccepts(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Component
	}{
		{"zero component", Component{}},
		{"id", ID("evt-0001")},
		{"longest id", ID(strings.Repeat("x", MaxIDBytes))},
		{"id with emoji, percent, quote and leading space", ID(` 😀 50% "x"`)},
		{"id of three dots", ID("...")},
		{"id with percent signs", ID("100%, %2, %g0, %")},
		{"id with its prefix", PrefixedID("order-17", "order-")},
		{"id of a table with its prefix", IDPrefix("order-17", "order-")},
		{"text", Text("VIN", "1HGCM82633A004352")},
		{"text of a space", Text("VIN", " ")},
		{"text in Japanese", Text("City", "日本")},
		{"text with quote, backslash and slash", Text("Path", `"C:\a/b"`)},
		{"replacement character that is really there", Text("Name", "\uFFFD")},
		{"last rune of the first plane", Text("Name", "\uFFFF")},
		{"first rune after the controls", Text("Name", "\u00A0")},
		{"first time", Time("Date", time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC))},
		{"last time", Time("Date", time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC))},
		{"year 10000 in another zone", Time("Date", time.Date(10000, 1, 1, 1, 0, 0, 0, time.FixedZone("east", 2*60*60)))},
		{"appender", Marshaled("Addr", netip.MustParseAddr("192.0.2.1"))},
		{"marshaler", Marshaled("Name", onlyMarshaler("x"))},
		{"smallest exact int", Int("Year", -1<<53)},
		{"largest exact int", Int("Year", 1<<53)},
		{"zero int", Int("Year", 0)},
		{"largest exact uint", Uint("Year", 1<<53)},
		{"float", Float("Ratio", -0.5)},
		{"zero float", Float("Ratio", 0)},
		{"first suffix", RandomSuffix("Suffix", 1, 400)},
		{"last suffix", RandomSuffix("Suffix", 400, 400)},
		{"longest key", Key(strings.Repeat("é", MaxKeyBytes/2))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := Check("VehicleEvent", tt.c); err != nil {
				t.Errorf("Check = %v, want nil", err)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Component
		want string
	}{
		{"no suffix", RandomSuffix("Suffix", 0, 400), "T.Suffix: is not chosen yet: creating the document chooses it; for a stored document, take the key of one that was read"},
		{"suffix beyond", RandomSuffix("Suffix", 401, 400), "T.Suffix: is no suffix: these are 1 to 400"},
		{"negative suffix", RandomSuffix("Suffix", -1, 400), "T.Suffix: is no suffix: these are 1 to 400"},
		{"empty id", ID(""), "T.ID: is empty: set it before the key is made"},
		{"long id", ID(strings.Repeat("é", 512)), "T.ID: has 1024 bytes, more than the 1023 that Cosmos DB allows in an id: shorten it"},
		{"slash in id", ID("a/b"), `T.ID: has '/' at byte 1: Cosmos DB restricts / \ ? # in ids, use another character`},
		{"backslash in id", ID(`éa\`), `T.ID: has '\\' at byte 3: Cosmos DB restricts / \ ? # in ids, use another character`},
		{"question mark in id", ID("?"), `T.ID: has '?' at byte 0: Cosmos DB restricts / \ ? # in ids, use another character`},
		{"hash in id", ID("a#"), `T.ID: has '#' at byte 1: Cosmos DB restricts / \ ? # in ids, use another character`},
		{"percent escape in id", ID("per-22%27x"), "T.ID: has a percent sign before two hexadecimal digits at byte 6: Cosmos DB decodes them in the path of a request, and misses the document, use another character"},
		{"second percent sign in id", ID("100%-%2F"), "T.ID: has a percent sign before two hexadecimal digits at byte 5: Cosmos DB decodes them in the path of a request, and misses the document, use another character"},
		{"percent escape in id with a prefix", PrefixedID("order-%e9", "order-"), "T.ID: has a percent sign before two hexadecimal digits at byte 6: Cosmos DB decodes them in the path of a request, and misses the document, use another character"},
		{"space at the end of id", ID("a "), "T.ID: ends with a space, which is lost in the request's path: trim it"},
		{"id of a dot", ID("."), `T.ID: is ".", which HTTP takes for a step in the path: use another id`},
		{"id without its prefix", PrefixedID("17", "order-"), `T.ID: does not begin with "order-", as all ids of the type do: write that before it`},
		{"id with a prefix in upper case", PrefixedID("Order-17", "order-"), `T.ID: does not begin with "order-", as all ids of the type do: write that before it`},
		{"id of a table without its prefix", IDPrefix("17", "order-"), `T.ID: does not begin with "order-", as all ids of the type do: write that before it`},
		{"id of a prefix alone", PrefixedID("order-", "order-"), `T.ID: is "order-" and nothing more: write what tells documents of the type apart after it`},
		{"id with its prefix and a slash", PrefixedID("order-1/7", "order-"), `T.ID: has '/' at byte 7: Cosmos DB restricts / \ ? # in ids, use another character`},
		{"empty id that has a prefix", PrefixedID("", "order-"), "T.ID: is empty: set it before the key is made"},
		{"id of two dots", ID(".."), `T.ID: is "..", which HTTP takes for a step in the path: use another id`},
		{"control character in id", ID("a\nb"), "T.ID: has the control character U+000A at byte 1: remove it"},
		{"invalid UTF-8 in id", ID("a\xffb"), "T.ID: is not valid UTF-8 at byte 1 (0xff): decode the text, or encode bytes as hexadecimal or base64url"},

		{"empty text", Text("VIN", ""), "T.VIN: is empty: set it before the key is made"},
		{"cut UTF-8", Text("VIN", "日\xe6\x9c"), "T.VIN: is not valid UTF-8 at byte 3 (0xe6): decode the text, or encode bytes as hexadecimal or base64url"},
		{"surrogate in UTF-8", Text("VIN", "\xed\xa0\x80"), "T.VIN: is not valid UTF-8 at byte 0 (0xed): decode the text, or encode bytes as hexadecimal or base64url"},
		{"NUL", Text("VIN", "a\x00"), "T.VIN: has the control character U+0000 at byte 1: remove it"},
		{"tab", Text("VIN", "a\tb"), "T.VIN: has the control character U+0009 at byte 1: remove it"},
		{"DEL", Text("VIN", "\x7f"), "T.VIN: has the control character U+007F at byte 0: remove it"},
		{"first upper control", Text("VIN", "a\u0080"), "T.VIN: has the control character U+0080 at byte 1: remove it"},
		{"last upper control", Text("VIN", "é\u009f"), "T.VIN: has the control character U+009F at byte 2: remove it"},
		{"emoji", Text("Name", "hi 😀"), "T.Name: has U+1F600 at byte 3: azcosmos cannot send characters beyond U+FFFF, emoji among them, in a partition key, use others"},
		{"first rune of the second plane", Text("Name", "\U00010000"), "T.Name: has U+10000 at byte 0: azcosmos cannot send characters beyond U+FFFF, emoji among them, in a partition key, use others"},

		{"zero time", Time("Date", time.Time{}), "T.Date: is empty, the zero time: set it before the key is made"},
		{"zero time in another zone", Time("Date", time.Time{}.In(time.FixedZone("east", 3600))), "T.Date: is empty, the zero time: set it before the key is made"},
		{"year 0", Time("Date", time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)), "T.Date: is in a year of UTC that is not written with four digits: use the years 1 to 9999"},
		{"year 0 in UTC only", Time("Date", time.Date(1, 1, 1, 0, 30, 0, 0, time.FixedZone("east", 3600))), "T.Date: is in a year of UTC that is not written with four digits: use the years 1 to 9999"},
		{"year 10000", Time("Date", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), "T.Date: is in a year of UTC that is not written with four digits: use the years 1 to 9999"},

		{"seconds in an offset", Time("Date", monrovia), "T.Date: has an offset from UTC with seconds, which JSON drops, so that the document would hold another instant than its key: store it in UTC, as UTC() returns it"},

		{"nil marshaler", Marshaled[interface{ MarshalText() ([]byte, error) }]("Addr", nil), "T.Addr: is empty: the value is nil: give it a value that has a text"},
		{"failing marshaler", Marshaled("Addr", failing{errors.New("no text")}), "T.Addr: is empty: MarshalText failed: give it a value that has a text"},
		{"panicking marshaler", Marshaled("Addr", panicking{}), "T.Addr: is empty: MarshalText panicked: give it a value that has a text"},
		{"failing appender", Marshaled("Addr", failingAppender{}), "T.Addr: is empty: AppendText failed: give it a value that has a text"},
		{"empty marshaler", Marshaled("Addr", onlyMarshaler("")), "T.Addr: is empty: set it before the key is made"},
		{"empty appender", Marshaled("Addr", netip.Addr{}), "T.Addr: is empty: set it before the key is made"},
		{"marshaler of control characters", Marshaled("Addr", onlyMarshaler("a\r")), "T.Addr: has the control character U+000D at byte 1: remove it"},

		{"small int", Int("Seq", -1<<53-1), "T.Seq: is beyond ±2^53 (9007199254740992), where Cosmos DB, which stores doubles, takes neighbouring integers for one: keep it in a string"},
		{"large int", Int("Seq", 1<<53+1), "T.Seq: is beyond ±2^53 (9007199254740992), where Cosmos DB, which stores doubles, takes neighbouring integers for one: keep it in a string"},
		{"large uint", Uint("Seq", math.MaxUint64), "T.Seq: is beyond ±2^53 (9007199254740992), where Cosmos DB, which stores doubles, takes neighbouring integers for one: keep it in a string"},
		{"NaN", Float("Ratio", math.NaN()), "T.Ratio: is NaN, which JSON cannot hold: use a finite number"},
		{"infinity", Float("Ratio", math.Inf(1)), "T.Ratio: is +Inf, which JSON cannot hold: use a finite number"},
		{"negative infinity", Float("Ratio", math.Inf(-1)), "T.Ratio: is -Inf, which JSON cannot hold: use a finite number"},
		{"negative zero", Float("Ratio", math.Copysign(0, -1)), "T.Ratio: is negative zero, whose partition is not that of zero: use 0"},

		{"long key", Key(strings.Repeat("x", MaxKeyBytes+1)), "T: the partition key has 2049 bytes, more than the 2048 that Cosmos DB allows: shorten a component"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Check("T", tt.c)
			if err == nil {
				t.Fatal("Check = nil, want an error")
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("Check = %s\nwant    %s", got, tt.want)
			}
		})
	}
}

func TestCheckReportsTheFirst(t *testing.T) {
	err := Check("VehicleEvent", ID("a"), Text("Date", ""), Text("VIN", "\x00"), Key(strings.Repeat("x", 3000)))
	var keyErr *KeyError
	if !errors.As(err, &keyErr) {
		t.Fatalf("Check = %v, want a *KeyError", err)
	}
	if want := (KeyError{"VehicleEvent", "Date", reasonEmpty}); *keyErr != want {
		t.Errorf("Check = %+v, want %+v", *keyErr, want)
	}
	if err := Check("VehicleEvent"); err != nil {
		t.Errorf("Check of no component = %v, want nil", err)
	}
}

func TestKeyErrorNames(t *testing.T) {
	for _, tt := range []struct {
		err  KeyError
		want string
	}{
		{KeyError{"VehicleEvent", "Date", "is empty"}, "VehicleEvent.Date: is empty"},
		{KeyError{"", "Date", "is empty"}, "Date: is empty"},
		{KeyError{"VehicleEvent", "", "the partition key is long"}, "VehicleEvent: the partition key is long"},
		{KeyError{"", "", "the partition key is long"}, "the partition key is long"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("Error of %#v = %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestCheckDoesNotAllocate(t *testing.T) {
	at := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	long := strings.Repeat("é", MaxKeyBytes/2)
	if n := testing.AllocsPerRun(100, func() {
		if err := Check("VehicleEvent", PrefixedID("evt-0001", "evt-"), Text("VIN", "1HGCM82633A004352"), Text("City", "日本"),
			Time("Date", at), Int("Year", 2018), Uint("Seq", 7), Float("Ratio", 0.5), Key(long)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Check allocates %v times, want 0", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	at := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	id, vin, key := "evt-0001", "1HGCM82633A004352", "2018-08-09.126"
	b.ReportAllocs()
	for b.Loop() {
		if err := Check("VehicleEvent", ID(id), Time("Date", at), Text("VIN", vin), Key(key)); err != nil {
			b.Fatal(err)
		}
	}
}
