package lease

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

var fleet = Monitored{Host: "127.0.0.1", Database: "fleet", Container: "events", RID: "ZDqBaocDp1A="}

var golden = map[Dialect]string{DotNet: "dotnet", JavaRange: "java-range", JavaEPK: "java-epk"}

// documents returns the golden leases of a dialect.
func documents(t testing.TB, d Dialect) []string {
	t.Helper()
	all, err := os.ReadFile("testdata/" + golden[d] + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(all)), "\n")
}

func TestGoldenLeases(t *testing.T) {
	low, high := &Range{"", "05C1DFFFFFFFFC"}, &Range{"05C1DFFFFFFFFC", "FF"}
	const host = "projectionaccount.documents.azure.com_ZDqBag==_ZDqBaocDp1A=.."
	second := func(at string) time.Time {
		parsed, err := time.Parse(time.RFC3339Nano, at)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, test := range []struct {
		dialect Dialect
		line    int
		want    Lease
	}{
		{DotNet, 0, Lease{ID: host + "0", Token: "0", Range: low, Time: time.Unix(1795359114, 0).UTC(), ETag: `"0000-1"`}},
		{DotNet, 1, Lease{ID: host + "0", Token: "0", Range: low, Owner: "worker-1", Tag: `"6"`, Time: second("2026-11-22T14:51:55.9798567Z"), ETag: `"0000-2"`}},
		{DotNet, 2, Lease{
			ID: host + "05C1DFFFFFFFFC-FF", Token: "05C1DFFFFFFFFC-FF", Range: high, Owner: "worker-2", Tag: `"17"`,
			Time: second("2026-11-22T14:51:56Z"), ETag: `"0000-3"`, byRange: true,
		}},
		{DotNet, 3, Lease{ID: host + "1", Token: "1", Owner: "worker-3", Tag: `"9"`, Time: second("2019-11-22T14:51:56.5Z"), ETag: `"0000-4"`}},
		{JavaRange, 0, Lease{
			ID: "projection127.0.0.1_fleet_events..0", Token: "0", Time: second("2026-11-22T14:51:54.036098775Z"),
			ETag: `"e059c753-370a-4b81-a263-3fc630f3003f"`,
		}},
		{JavaRange, 3, Lease{
			ID: "projection127.0.0.1_fleet_events..1", Token: "1", Owner: "worker-1", Tag: `"6"`,
			Time: second("2026-11-22T14:51:55.964214045Z"), ETag: `"f8391b33-6ece-4384-aa9b-14d52392cd84"`,
		}},
		{JavaEPK, 0, Lease{
			ID: "projection127.0.0.1_ZDqBag==_ZDqBaocDp1A=..-05C1DFFFFFFFFC", Token: "-05C1DFFFFFFFFC", Range: low,
			Time: second("2026-11-22T14:51:56.98421615Z"), ETag: `"dd9c8543-e7f0-4aa1-a2b6-95d853aa78ea"`, byRange: true,
		}},
		{JavaEPK, 3, Lease{
			ID: "projection127.0.0.1_ZDqBag==_ZDqBaocDp1A=..05C1DFFFFFFFFC-FF", Token: "05C1DFFFFFFFFC-FF", Range: high, Owner: "worker-1", Tag: `"6"`,
			Time: second("2026-11-22T14:51:58.766176146Z"), ETag: `"8e898520-45c9-4efe-9c69-c9ec2f9787d5"`, byRange: true,
		}},
	} {
		got, err := test.dialect.Parse([]byte(documents(t, test.dialect)[test.line]))
		if err != nil {
			t.Errorf("%s %d: %v", test.dialect, test.line, err)
		}
		got.stored = nil
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Lease{})); diff != "" {
			t.Errorf("%s %d:\n%s", test.dialect, test.line, diff)
		}
	}
}

// TestLeasesOfOtherDialectsAreRefused reads each golden lease as one of the others.
// A lease of the .NET library's version 2 has no mark but PartitionId.
func TestLeasesOfOtherDialectsAreRefused(t *testing.T) {
	for written := range golden {
		for read := range golden {
			for i, document := range documents(t, written) {
				_, err := read.Parse([]byte(document))
				if written == read && err != nil {
					t.Errorf("%s: %v", written, err)
				}
				if written != read && (err == nil || !strings.Contains(err.Error(), written.String())) {
					t.Errorf("lease %d of %s, read as %s: %v", i, written, read, err)
				}
			}
		}
	}
}

// plain decodes JSON to be compared, without what the service adds.
func plain(t *testing.T, document []byte) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(document, &all); err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	for name := range all {
		if strings.HasPrefix(name, "_") {
			delete(all, name)
		}
	}
	return all
}

// TestEncodeKeepsGoldenLeases writes leases as they were read: nothing changes but
// the epoch, and the precision of the time.
func TestEncodeKeepsGoldenLeases(t *testing.T) {
	for d := range golden {
		for _, document := range documents(t, d) {
			l, err := d.Parse([]byte(document))
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := d.Encode(l, fleet)
			if err != nil {
				t.Fatal(err)
			}
			ignored := cmpopts.IgnoreMapEntries(func(name string, _ any) bool {
				return name == nameTimestamp || name == nameProperties || name == nameEpoch
			})
			if diff := cmp.Diff(plain(t, []byte(document)), plain(t, encoded), ignored); diff != "" {
				t.Errorf("%s:\n%s", d, diff)
			}
			again, err := d.Parse(encoded)
			if err != nil {
				t.Fatal(err)
			}
			again.stored, l.stored = nil, nil
			if d == JavaRange {
				l.container = fleet.RID // which Java leaves out
			}
			again.Time, l.Time = again.Time.Truncate(time.Microsecond), l.Time.Truncate(time.Microsecond)
			if diff := cmp.Diff(l, again, cmp.AllowUnexported(Lease{})); diff != "" {
				t.Errorf("%s:\n%s", d, diff)
			}
		}
	}
}

// TestNewLeasesAreGolden makes the leases that Java's processors have made.
func TestNewLeasesAreGolden(t *testing.T) {
	for d, ids := range map[Dialect][]string{JavaRange: {"0", "1"}, JavaEPK: {"", ""}} {
		prefix, err := d.Prefix("projection", fleet)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range []Range{{"", "05C1DFFFFFFFFC"}, {"05C1DFFFFFFFFC", "FF"}} {
			for _, held := range []int{0, 2} { // the second of them has a continuation
				want := []byte(documents(t, d)[i+held])
				golden, err := d.Parse(want)
				if err != nil {
					t.Fatal(err)
				}
				l := d.NewLease(prefix, ids[i], r, golden.Tag, golden.Time)
				l.Owner = golden.Owner
				got, err := d.Encode(l, fleet)
				if err != nil {
					t.Fatal(err)
				}
				ignored := cmpopts.IgnoreMapEntries(func(name string, _ any) bool { return name == nameTimestamp || name == nameProperties })
				if diff := cmp.Diff(plain(t, want), plain(t, got), ignored); diff != "" {
					t.Errorf("%s:\n%s", d, diff)
				}
			}
		}
	}
}

func TestNewLeasesOfDotNet(t *testing.T) {
	m := fleet
	m.Host = "account.documents.azure.com"
	prefix, err := DotNet.Prefix("projection", m)
	if err != nil {
		t.Fatal(err)
	}
	l := DotNet.NewLease(prefix, "0", Range{"", "05C1DFFFFFFFFC"}, `"6"`, time.Unix(1795359115, 979856700))
	l.Owner = "worker-1"
	got, err := DotNet.Encode(l, m)
	if err != nil {
		t.Fatal(err)
	}
	want := plain(t, []byte(documents(t, DotNet)[1]))
	want[nameProperties] = map[string]any{nameEpoch: "0"}
	if diff := cmp.Diff(want, plain(t, got)); diff != "" {
		t.Error(diff)
	}
}

// TestUnknownPropertiesStay: other programs may have added some, also within those
// that are known.
func TestUnknownPropertiesStay(t *testing.T) {
	for d := range golden {
		document := []byte(documents(t, d)[1])
		document, err := text.SetProperty(document, []string{"team"}, []byte(`{"name":"fleet"}`))
		if err != nil {
			t.Fatal(err)
		}
		if document, err = text.SetProperty(document, []string{nameProperties, "note"}, []byte(`"mine"`)); err != nil {
			t.Fatal(err)
		}
		l, err := d.Parse(document)
		if err != nil {
			t.Fatal(err)
		}
		l.Owner, l.Tag, l.Epoch, l.Time = "", `"99"`, 7, time.Unix(1795360000, 0)
		if d == JavaRange {
			l.Range = &Range{"", "05C1DFFFFFFFFC"} // was looked up, and is not stored
		}
		encoded, err := d.Encode(l, fleet)
		if err != nil {
			t.Fatal(err)
		}
		fields := plain(t, encoded)
		properties := fields[nameProperties].(map[string]any)
		if fields["team"] == nil || properties["note"] != "mine" || properties[nameEpoch] != "7" || fields[nameOwner] != nil {
			t.Errorf("%s: %s", d, encoded)
		}
		again, err := d.Parse(encoded)
		if err != nil || again.Tag != `"99"` || again.Epoch != 7 || !again.Time.Equal(l.Time) {
			t.Errorf("%s: %+v, %v", d, again, err)
		}
	}
}

func TestTimesOfJava(t *testing.T) {
	for written, want := range map[string]string{
		"2026-01-02T03:04:05.123456789Z[UTC]": "2026-01-02T03:04:05.123456789Z",
		"2026-01-02T03:04Z":                   "2026-01-02T03:04:00Z",
		"2026-01-02T05:04:05+02:00":           "2026-01-02T03:04:05Z",
	} {
		got, err := stored{Timestamp: &written}.time()
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v", written, got, err)
		}
	}
}

func TestLeasesThatAreRefused(t *testing.T) {
	state := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	const javaEPK = `{"id":"p..-FF","LeaseToken":"-FF","version":1,"feedRange":{"Range":{"min":"","max":"FF"}},"ContinuationToken":`
	for _, test := range []struct {
		dialect        Dialect
		document, want string
	}{
		{DotNet, `[`, "cannot be read"},
		{DotNet, `null`, "null"},
		{DotNet, `{"id":"p.info"}`, "no LeaseToken"},
		{DotNet, `{"id":7,"LeaseToken":"0"}`, "property id"},
		{DotNet, `{"id":"p..0","LeaseToken":"0","version":0,"Mode":"Some Other Feed"}`, "mode"},
		{DotNet, `{"id":"p..0","LeaseToken":"0","version":1}`, "range of keys"},
		{DotNet, `{"id":"p..0","LeaseToken":"0","version":0,"FeedRange":{"Range":{"min":"FF","max":""}}}`, "range of keys"},
		{DotNet, `{"id":"p..0","LeaseToken":"0","version":0,"timestamp":"yesterday"}`, "timestamp"},
		{JavaEPK, javaEPK + `"\"6\""}`, "continuation"},
		{JavaEPK, javaEPK + `"` + state(`[]`) + `"}`, "continuation"},
		{JavaEPK, javaEPK + `"` + state(`{"V":2}`) + `"}`, "version 2"},
		{JavaEPK, javaEPK + `"` + state(`{"V":1,"Mode":"FULL_FIDELITY"}`) + `"}`, "mode"},
		{JavaEPK, javaEPK + `"` + state(`{"V":1,"Mode":"INCREMENTAL","Continuation":{"Continuation":[{},{}]}}`) + `"}`, "several"},
	} {
		if l, err := test.dialect.Parse([]byte(test.document)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", test.document, l, err)
		}
	}
}

func TestPrefixes(t *testing.T) {
	m := fleet
	for d, want := range map[Dialect]string{
		DotNet:    "projection127.0.0.1_ZDqBag==_ZDqBaocDp1A=",
		JavaRange: "projection127.0.0.1_fleet_events",
		JavaEPK:   "projection127.0.0.1_ZDqBag==_ZDqBaocDp1A=",
	} {
		if got, err := d.Prefix("projection", m); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", d, got, err)
		}
	}
	m.RID = "Zz=="
	if _, err := DotNet.Prefix("projection", m); err == nil {
		t.Error("a RID of a database was taken for one of a container")
	}
}

// FuzzParse reads documents. What is accepted is written so that the same is read.
func FuzzParse(f *testing.F) {
	for d := range golden {
		for _, document := range documents(f, d) {
			f.Add(int(d), document)
		}
	}
	f.Fuzz(func(t *testing.T, dialect int, document string) {
		d := Dialect(((dialect % 3) + 3) % 3)
		l, err := d.Parse([]byte(document))
		if err != nil || l.Time.Year() > 9999 || l.Time.Year() < 0 {
			return
		}
		encoded, err := d.Encode(l, fleet)
		if err != nil {
			return // properties that are no object
		}
		again, err := d.Parse(encoded)
		if err != nil {
			t.Fatalf("%s is written as %s: %v", document, encoded, err)
		}
		if again.Tag != l.Tag || again.Owner != l.Owner || again.Token != l.Token || again.Epoch != l.Epoch {
			t.Errorf("%+v is read as %+v", l, again)
		}
	})
}
