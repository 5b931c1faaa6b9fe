package fields

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// recordPatch makes the changes of a patch of a record, as generated code has it.
var recordPatch = struct {
	Name   repository.PatchValue[values.Record, string]
	Mode   repository.PatchValue[values.Record, flag]
	At     repository.PatchValue[values.Record, repository.Time]
	Part   repository.PatchValue[values.Record, values.Part]
	Odd    repository.PatchValue[values.Record, any]
	Count  repository.PatchNumber[values.Record, int]
	Level  repository.PatchNumber[values.Record, uint64]
	Ratio  repository.PatchNumber[values.Record, float64]
	Inner  repository.PatchNumber[values.Record, int8]
	Mixed  repository.PatchNumber[values.Record, mixed]
	Tags   repository.PatchList[values.Record, string]
	Parts  repository.PatchList[values.Record, values.Part]
	Counts repository.PatchMap[values.Record, int, repository.PatchNumber[values.Record, int]]
}{
	Name: "/name", Mode: "/mode", At: "/at", Part: "/part", Odd: "/a~1b~0c \"é\\.x",
	Count: "/count", Level: "/level", Ratio: "/ratio", Inner: "/part/n", Mixed: "/mixed",
	Tags: "/tags", Parts: "/parts", Counts: "/counts",
}

var recordContainer = harness.Properties("records", "/key")

// records is a container of one record, whose id is 1.
type records struct {
	*repository.Documents[values.Record, values.RecordKey]
	server    *harness.Account
	container *azcosmos.ContainerClient
}

var one = values.RecordKey{ID: "1", Key: "k"}

func newRecords(t testing.TB, options *azcosmos.ClientOptions, properties string) records {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, recordContainer, options)
	r := records{repository.New(container, values.RecordModel), server, container}
	r.store(t, properties)
	return r
}

// store stores a record with these properties, such as "n":1, in place of the
// last one.
func (r records) store(t testing.TB, properties string) {
	t.Helper()
	body := `{"id":"1","key":"k"`
	if properties != "" {
		body += "," + properties
	}
	if _, err := r.container.UpsertItem(context.Background(), azcosmos.NewPartitionKeyString("k"), []byte(body+"}"), nil); err != nil {
		t.Fatalf("%s: %v", properties, err)
	}
}

// properties are those of the record, without its key and the system's.
func (r records) properties(t testing.TB) map[string]any {
	t.Helper()
	response, err := r.container.ReadItem(context.Background(), azcosmos.NewPartitionKeyString("k"), "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(response.Value, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"id", "key", "_rid", "_self", "_etag", "_ts", "_attachments"} {
		delete(all, name)
	}
	return all
}

// holds fails the test unless the record has these properties.
func (r records) holds(t testing.TB, properties string) {
	t.Helper()
	var want map[string]any
	if err := json.Unmarshal([]byte("{"+properties+"}"), &want); err != nil {
		t.Fatal(err)
	}
	if got := r.properties(t); !reflect.DeepEqual(got, want) {
		t.Errorf("stored is %v, want %v", got, want)
	}
}

// patches counts the patches in the server's journal.
func (r records) patches() (n int) {
	for _, request := range r.server.Requests() {
		if request.Operation == emulator.OpPatchItem {
			n++
		}
	}
	return n
}

type change = repository.PatchOperation[values.Record]

// TestPatch makes every change of every kind.
func TestPatch(t *testing.T) {
	t.Parallel()
	f := recordPatch
	r := newRecords(t, repository.Configure(nil), "")
	for _, test := range []struct {
		before string
		change change
		after  string // or
		status int
	}{
		{`"name":"a"`, f.Name.Set("b"), `"name":"b"`, 0},
		{``, f.Name.Set(""), `"name":""`, 0},
		{`"name":null`, f.Name.Set("\"\\\u2028<é日本\U0001F600\x00"), `"name":"\"\\\u2028<é日本😀\u0000"`, 0},
		{`"name":"a"`, f.Name.Replace(""), `"name":""`, 0},
		{`"name":null`, f.Name.Replace("b"), `"name":"b"`, 0},
		{``, f.Name.Replace("b"), ``, 400},
		{``, f.Name.Set("b"), `"name":"b"`, 0},
		{`"name":"a"`, f.Name.Set("b"), `"name":"b"`, 0},
		{`"name":"a","count":1`, f.Name.Remove(), `"count":1`, 0},
		{``, f.Name.Remove(), ``, 400},
		{``, f.Name.SetNull(), `"name":null`, 0},
		{`"mode":true`, f.Mode.Set(false), `"mode":false`, 0},
		{``, f.Mode.Set(true), `"mode":true`, 0},
		{``, f.At.Set(repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC))), `"at":"2018-08-09T06:05:04.0000000Z"`, 0},
		{``, f.Part.Set(values.Part{N: 1}), `"part":{"n":1}`, 0},
		{`"part":{"n":1,"s":"x"}`, f.Part.Set(values.Part{}), `"part":{"n":0}`, 0},
		{``, f.Odd.Set(map[string]any{"": nil}), `"a/b~c \"é\\.x":{"":null}`, 0},
		{`"a/b~c \"é\\.x":1`, f.Odd.Remove(), ``, 0},
		{``, f.Odd.Set(nil), `"a/b~c \"é\\.x":null`, 0},

		{`"count":1`, f.Count.Set(0), `"count":0`, 0},
		{`"count":1`, f.Count.Replace(-1 << 53), `"count":-9007199254740992`, 0},
		{``, f.Count.Set(7), `"count":7`, 0},
		{`"count":1`, f.Count.Remove(), ``, 0},
		{`"count":1`, f.Count.SetNull(), `"count":null`, 0},
		{`"count":1`, f.Count.Increment(2), `"count":3`, 0},
		{`"count":1`, f.Count.Increment(0), `"count":1`, 0},
		{``, f.Count.Increment(2), `"count":2`, 0},
		{`"count":null`, f.Count.Increment(2), `"count":null`, 400},
		{`"count":1`, f.Count.Decrement(2), `"count":-1`, 0},
		{`"count":1`, f.Count.Decrement(-2), `"count":3`, 0},
		{`"count":1`, f.Count.Decrement(0), `"count":1`, 0},
		{`"level":1.5`, f.Level.Increment(1 << 53), `"level":9007199254740994`, 0},
		{`"level":5`, f.Level.Decrement(3), `"level":2`, 0},
		{`"ratio":1`, f.Ratio.Set(-1e-7), `"ratio":-1e-7`, 0},
		{`"ratio":1`, f.Ratio.Set(math.MaxFloat64), `"ratio":1.7976931348623157e308`, 0},
		{`"ratio":1`, f.Ratio.Increment(1e18), `"ratio":1000000000000000001`, 0},
		{`"ratio":1`, f.Ratio.Decrement(3), `"ratio":-2`, 0},
		{`"part":{"n":1,"s":"x"}`, f.Inner.Increment(-2), `"part":{"n":-1,"s":"x"}`, 0},
		{`"part":null`, f.Inner.Set(1), `"part":null`, 400},
		{``, f.Inner.Increment(1), ``, 400},
		{``, f.Mixed.Set(1), `"mixed":"one"`, 0},

		{`"tags":["a"]`, f.Tags.Set([]string{"b", ""}), `"tags":["b",""]`, 0},
		{``, f.Tags.Set(nil), `"tags":null`, 0},
		{``, f.Tags.Set([]string{}), `"tags":[]`, 0},
		{`"tags":null`, f.Tags.Replace([]string{"b"}), `"tags":["b"]`, 0},
		{`"tags":[]`, f.Tags.Remove(), ``, 0},
		{`"tags":[]`, f.Tags.SetNull(), `"tags":null`, 0},
		{`"tags":["a"]`, f.Tags.Append("b", "c"), `"tags":["a","b","c"]`, 0},
		{`"tags":null`, f.Tags.Append("b"), `"tags":null`, 400},
		{``, f.Tags.Append("b"), ``, 400},
		{`"tags":["a","b"]`, f.Tags.Insert(0, "x"), `"tags":["x","a","b"]`, 0},
		{`"tags":["a","b"]`, f.Tags.Insert(2, "x"), `"tags":["a","b","x"]`, 0},
		{`"tags":["a","b"]`, f.Tags.Insert(3, "x"), `"tags":["a","b"]`, 400},
		{`"tags":["a","b"]`, f.Tags.ReplaceAt(1, "x"), `"tags":["a","x"]`, 0},
		{`"tags":["a","b"]`, f.Tags.ReplaceAt(2, "x"), `"tags":["a","b"]`, 400},
		{`"tags":["a","b"]`, f.Tags.RemoveAt(0), `"tags":["b"]`, 0},
		{`"tags":["a","b"]`, f.Tags.RemoveAt(2), `"tags":["a","b"]`, 400},
		{`"parts":[{"n":1}]`, f.Parts.Insert(0, values.Part{N: 2, S: "s"}), `"parts":[{"n":2,"s":"s"},{"n":1}]`, 0},

		{`"counts":{"a":1}`, f.Counts.Set(map[string]int{"b/~": 2}), `"counts":{"b/~":2}`, 0},
		{``, f.Counts.Set(map[string]int{}), `"counts":{}`, 0},
		{``, f.Counts.Replace(map[string]int{}), ``, 400},
		{`"counts":1`, f.Counts.Set(nil), `"counts":null`, 0},
		{`"counts":1`, f.Counts.SetNull(), `"counts":null`, 0},
		{`"counts":1`, f.Counts.Remove(), ``, 0},
		{`"counts":{}`, f.Counts.Key(`a/b~c~1".é`).Increment(1), `"counts":{"a/b~c~1\".é":1}`, 0},
		{`"counts":{"0":5}`, f.Counts.Key("0").Remove(), `"counts":{}`, 0},
		{`"counts":null`, f.Counts.Key("0").Set(1), `"counts":null`, 400},
	} {
		r.store(t, test.before)
		err := r.Patch(t.Context(), one, test.change)
		var own *repository.Error
		if errors.As(err, &own) != (test.status != 0) || own != nil && (own.Status != test.status || own.Op != "patch") {
			t.Errorf("%s of %s: %v", test.change, test.before, err)
		}
		r.holds(t, test.after)
	}
}

// TestPatchOfSeveral makes several changes, in their order, or none of them.
func TestPatchOfSeveral(t *testing.T) {
	f := recordPatch
	ctx := context.Background()
	r := newRecords(t, repository.Configure(nil), "")
	var ten []change
	for i := range 10 {
		ten = append(ten, f.Count.Increment(i))
	}
	if err := r.Patch(ctx, one, ten...); err != nil {
		t.Fatal(err)
	}
	r.holds(t, `"count":45`)
	all := []change{
		f.Part.Set(values.Part{}), f.Inner.Set(1), f.Inner.Increment(1), f.Counts.Set(map[string]int{}), f.Counts.Key("a").Set(1),
		f.Tags.Set([]string{}), f.Tags.Append("a", "b"), {}, f.Tags.Append(), f.Tags.RemoveAt(0), f.Count.Remove(),
	}
	if err := r.Patch(ctx, one, all...); err != nil {
		t.Fatal(err)
	}
	const want = `"part":{"n":2},"counts":{"a":1},"tags":["b"]`
	r.holds(t, want)
	if err := r.Patch(ctx, one, f.Name.Set("x"), f.Count.Remove()); err == nil || !strings.Contains(err.Error(), "where a value that is to be removed, replaced or appended to is absent or null: set it as a whole, or ask by PatchIf whether it is there: status 400") {
		t.Errorf("removing a missing property: %v", err)
	}
	r.holds(t, want)

	sent := r.patches()
	for says, changes := range map[string][]change{
		"no operations: pass at least one":                   nil,
		"there are no operations":                            {{}, f.Tags.Append()},
		"there are 11 operations, more than the 10":          {f.Count.Set(0), f.Tags.Append(strings.Split("a b c d e f g h i j", " ")...)},
		`operation on "/ratio": Set: NaN has no form`:        {f.Name.Set(""), f.Ratio.Set(math.NaN())},
		"Replace: +Inf has no form":                          {f.Ratio.Replace(math.Inf(1))},
		"Increment: -Inf has no form":                        {f.Ratio.Increment(math.Inf(-1))},
		"operation on \"/count\": Set: the value is":         {f.Count.Set(1<<53 + 1)},
		"Decrement: the value is beyond 2^53":                {f.Level.Decrement(1<<53 + 1)},
		"mixed is not a number in JSON":                      {f.Mixed.Increment(1)},
		`operation on "/tags/-1": Insert: the index -1`:      {f.Tags.Insert(-1, "")},
		"ReplaceAt: the index -1 is negative":                {f.Tags.ReplaceAt(-1, "")},
		"RemoveAt: the index -2 is negative":                 {f.Tags.RemoveAt(-2)},
		`it begins with a slash, as "/speed" does`:           {repository.PatchNumber[values.Record, int]("?/count").Set(1)},
		"write ~0 for ~":                                     {repository.PatchNumber[values.Record, int]("/a~b").Remove()},
		"unsupported type: func()":                           {f.Odd.Set(func() {})},
		`operation on "/parts/-": Append: json: unsupported`: {repository.PatchList[values.Record, any]("/parts").Append(1, make(chan int), 2)},
	} {
		err := r.Patch(ctx, one, changes...)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), `patch Record "1" in partition "k": `) {
			t.Errorf("got %v, want that it says %s", err, says)
		}
	}
	if err := r.Patch(ctx, values.RecordKey{}, f.Name.Set("")); err == nil || !strings.HasPrefix(err.Error(), "Record.ID: is empty") {
		t.Errorf("a key that is no key: %v", err)
	}
	if n := r.patches(); n != sent {
		t.Errorf("%d patches were sent that are known to be wrong", n-sent)
	}
	if err := r.Patch(ctx, values.RecordKey{ID: "2", Key: "k"}, f.Name.Set("")); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("a patch of nothing: %v", err)
	}
}

// TestPatchOperationString has operations as people read them.
func TestPatchOperationString(t *testing.T) {
	f := recordPatch
	for want, c := range map[string]change{
		`{"op":"set","path":"/name","value":"a\u003cb"}`:                                     f.Name.Set("a<b"),
		`{"op":"incr","path":"/count","value":-3}`:                                           f.Count.Decrement(3),
		`{"op":"add","path":"/tags/-","value":"a"},{"op":"add","path":"/tags/-","value":""}`: f.Tags.Append("a", ""),
		`{"op":"remove","path":"/tags/2"}`:                                                   f.Tags.RemoveAt(2),
		`{"op":"replace","path":"/counts/a~1b~0","value":0}`:                                 f.Counts.Key("a/b~").Replace(0),
		``: {},
		`invalid: operation on "/tags/-5": RemoveAt: the index -5 is negative: indexes count from 0`: f.Tags.RemoveAt(-5),
	} {
		if got := c.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
