package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// indexLock has a type with two indexes, one of them of two levels and "later", and a third by
// a property as it is; a type with a form, a prefix and an index; and one without.
const indexLock = `version 2

container orders
	path /tenant
	kind Hash
	version 2
	type Order {tenant} as=order deleted=deletedAt
		component tenant text
		property /byCustomer string
		property /customerId string
		property /tenant string
		index ByCustomer order-by-customer {customerId}-{at|2006-01} kinds=text,time property=byCustomer
		index ByState order-by-state {tenant},{state}-{n} kinds=text,text,int property=byState later
		index ByTotal order-by-total {n} kinds=int
	type Parcel {tenant} as=parcel prefix=p- schema=2,v
		component tenant text
		index ByCarrier parcel-by-carrier {carrier|lower}.{id%4} kinds=text,text property=byCarrier
	type Visit {tenant} as=visit
		component tenant text

end
`

// indexRig is an account with a container, its judge, and a link that tests can watch.
type indexRig struct {
	*testing.T
	judge     *Judge
	server    *server.Server
	link      *harness.Link
	account   *account.Account
	container *account.Container
}

func newIndexRig(t *testing.T, documents ...string) *indexRig {
	t.Helper()
	locked, problem := lock.Parse([]byte(indexLock))
	if problem != nil {
		t.Fatal(problem)
	}
	s := harness.Bare(t, server.Options{})
	harness.Load(t, s, "db", `{"id":"orders","partitionKey":{"paths":["/tenant"],"kind":"Hash","version":2}}`, documents...)
	r := &indexRig{T: t, judge: newJudge(t, locked...), server: s, link: &harness.Link{Account: s}}
	r.account = r.other(r.link)
	var err error
	if r.container, err = r.account.Container(t.Context(), "db", "orders"); err != nil {
		t.Fatal(err)
	}
	return r
}

// other returns another client of the account.
func (r *indexRig) other(through http.RoundTripper) *account.Account {
	r.Helper()
	a, err := account.Open("AccountEndpoint=http://cosmos/;AccountKey=" + r.server.Key())
	if err != nil {
		r.Fatal(err)
	}
	a.Through(through)
	return a
}

// found returns what is found, in lines, with the number of documents and of mended ones.
func (r *indexRig) found(mend bool) (lines []string) {
	r.Helper()
	r.judge.Mend = mend
	report, err := r.judge.Container(r.Context(), r.account, r.container, account.Sampling{Share: 1})
	if err != nil {
		r.Fatal(err)
	}
	for _, of := range report.Types {
		for _, f := range of.Findings {
			var examples []string
			for _, e := range f.Examples {
				text := fmt.Sprintf("%s %s→%s", e.ID, e.Stored, e.Made)
				if e.Reason != "" {
					text += " (" + e.Reason + ")"
				}
				examples = append(examples, text)
			}
			lines = append(lines, fmt.Sprintf("%s %s %s %s %d/%d: %s", f.Index, f.Name, f.Property, f.Problem, f.Mended, f.Documents, strings.Join(examples, ", ")))
		}
		for _, u := range of.Unwritten {
			lines = append(lines, fmt.Sprintf("%s unwritten %s %d/%d", u.Index, u.Property, u.Mended, u.Documents))
		}
	}
	return lines
}

// stored returns the documents by their ids, without what the service writes.
func (r *indexRig) stored() map[string]string {
	r.Helper()
	all := map[string]string{}
	err := r.other(&harness.Link{Account: r.server}).Query(r.Context(), r.container, "SELECT * FROM c", nil, func(row json.RawMessage) {
		var properties map[string]json.RawMessage
		if err := json.Unmarshal(row, &properties); err != nil {
			r.Error(err)
		}
		maps.DeleteFunc(properties, func(name string, _ json.RawMessage) bool {
			return slices.Contains([]string{"_rid", "_self", "_etag", "_ts", "_attachments"}, name)
		})
		text, _ := json.Marshal(properties) // of a document
		all[textOf(properties["id"])] = string(text)
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

// want compares lines.
func (r *indexRig) want(what string, want, got []string) {
	r.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// order returns an order of customer a in January 2024 with more properties.
func order(id, more string) string {
	return fmt.Sprintf(`{"id":%q,"tenant":"t","type":"order","customerId":"a","at":"2024-01-31T23:00:00Z","state":"s","n":7%s}`, id, more)
}

// TestIndexes finds and mends properties of all sorts that are not as they have to be, and
// nothing else of the documents changes.
func TestIndexes(t *testing.T) {
	const good = `,"byCustomer":"a-2024-01","byState":"s-7"`
	r := newIndexRig(t,
		order("good", good),
		order("stale", `,"byCustomer":"b-2024-02","byState":"s-7","x":[1]`),
		order("missing", `,"byState":"s-7"`),
		order("null", `,"byCustomer":null,"byState":"s-7"`),
		order("number", `,"byCustomer":7,"byState":"s-7"`),
		order("deleted", `,"byCustomer":"b-2024-02","byState":"s-7","deletedAt":"2024-03-01T00:00:00Z"`),
		order("both", `,"byCustomer":"b","byState":"b"`),
		order("old", `,"byCustomer":"a-2024-01"`),
		order("older", `,"byState":null`),
		`{"id":"empty","tenant":"t","type":"order","customerId":"","at":"2024-01-31T23:00:00Z","state":"s","n":7,"byCustomer":"a-2024-01","byState":"s-7"}`,
		`{"id":"wrong","tenant":"t","type":"order","customerId":"a","at":1706742000,"state":"s","n":7,"byState":"s-7"}`,
		`{"id":"later","tenant":"t","type":"order","customerId":"a","at":"2024-01-31T23:00:00Z","state":"s","n":7.5,"byCustomer":"a-2024-01"}`,
		`{"id":"p-good","tenant":"t","type":"parcel","carrier":"DHL","v":2,"byCarrier":"dhl.2"}`,
		`{"id":"visit","tenant":"t","type":"visit","byCustomer":7,"customerId":"a"}`,
		`{"id":"none","tenant":"t","type":"none","byCustomer":"b"}`,
		`{"id":"_pkgen-fence","tenant":"t","_pkgenMove":{"kind":"fence"}}`,
	)
	broken := []string{
		`ByCustomer no-index-key at other-type 0/1: wrong →`,
		`ByCustomer no-index-key customerId refused 0/1: empty "a-2024-01"→`,
		`ByState no-index-key n other-type 0/1: later →`,
	}
	texts := func(of [5]string) []string {
		return []string{
			`ByCustomer stale-index byCustomer missing ` + of[0] + `: missing →"a-2024-01", older →"a-2024-01"`,
			`ByCustomer stale-index byCustomer null ` + of[1] + `: null null→"a-2024-01"`,
			`ByCustomer stale-index byCustomer other-type ` + of[2] + `: number 7→"a-2024-01"`,
			`ByCustomer stale-index byCustomer stale ` + of[3] + `: stale "b-2024-02"→"a-2024-01", deleted "b-2024-02"→"a-2024-01", both "b"→"a-2024-01"`,
			`ByState stale-index byState stale ` + of[4] + `: both "b"→"s-7"`,
		}
	}
	before := r.stored()
	r.want("found", append(slices.Concat(broken, texts([5]string{"0/2", "0/1", "0/1", "0/3", "0/1"})), "ByState unwritten byState 0/2"), r.found(false))
	if diff := cmp.Diff(before, r.stored()); diff != "" {
		t.Errorf("without -mend something has changed (-want +got):\n%s", diff)
	}
	r.want("mended", append(slices.Concat(broken, texts([5]string{"2/2", "1/1", "1/1", "3/3", "1/1"})), "ByState unwritten byState 2/2"), r.found(true))
	r.want("after mending", broken, r.found(false))
	after := r.stored()
	for id, document := range after {
		want := before[id]
		if slices.Contains([]string{"stale", "missing", "null", "number", "deleted", "both", "old", "older"}, id) {
			var properties map[string]json.RawMessage
			_ = json.Unmarshal([]byte(want), &properties)
			properties["byCustomer"], properties["byState"] = json.RawMessage(`"a-2024-01"`), json.RawMessage(`"s-7"`)
			text, _ := json.Marshal(properties)
			want = string(text)
		}
		if document != want {
			t.Errorf("%s is %s, want %s", id, document, want)
		}
	}
}

// TestIndexesLeft says why -mend leaves documents alone: ids of no type, another form, a move.
func TestIndexesLeft(t *testing.T) {
	parcel := func(id, more string) string {
		return fmt.Sprintf(`{"id":%q,"tenant":"t","type":"parcel","carrier":"DHL","byCarrier":"x"%s}`, id, more)
	}
	r := newIndexRig(t, parcel("p-1", `,"v":2`), parcel("p-2", `,"v":1`), parcel("p-3", ""), parcel("q-4", `,"v":2`),
		parcel("p-5", `,"v":2,"_move":{"state":"moved","token":"aaaaaaaaaaaaaaaaaaaaaaaaaa"}`), parcel("p-6", `,"v":2,"_move":{"state":"final","at":1}`))
	report := strings.Join(r.found(true), "\n")
	for _, want := range []string{"byCarrier stale 2/6", `p-1 "x"→"dhl.`, "p-2", "does not have form 2", "generated code refuses the id", "is moving to another key"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in %s", want, report)
		}
	}
	after := r.stored()
	for _, id := range []string{"p-1", "p-6"} {
		if strings.Contains(after[id], `"byCarrier":"x"`) {
			t.Errorf("%s is left", after[id])
		}
	}
	for _, id := range []string{"p-2", "p-3", "q-4", "p-5"} {
		if !strings.Contains(after[id], `"byCarrier":"x"`) {
			t.Errorf("%s was written", after[id])
		}
	}
}

// TestIndexChanged has a program that writes a document between the reading and the patch. The
// patch takes back nothing: the document is judged anew.
func TestIndexChanged(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(ctx context.Context, r *indexRig, a *account.Account, document json.RawMessage, etag string) error
		always bool // it writes before each patch
		found  []string
		after  string
	}{
		"another customer": {
			change: func(ctx context.Context, r *indexRig, a *account.Account, _ json.RawMessage, etag string) error {
				_, err := a.PatchItem(ctx, r.container, "o", `["t"]`, map[string]any{"customerId": "c"}, etag)
				return err
			},
			found: []string{`ByCustomer stale-index byCustomer stale 1/1: o "b-2024-02"→"c-2024-01"`}, after: `"byCustomer":"c-2024-01"`,
		},
		"mended by itself": {
			change: func(ctx context.Context, r *indexRig, a *account.Account, _ json.RawMessage, etag string) error {
				_, err := a.PatchItem(ctx, r.container, "o", `["t"]`, map[string]any{"byCustomer": "a-2024-01"}, etag)
				return err
			},
			after: `"byCustomer":"a-2024-01"`,
		},
		"deleted": {
			change: func(ctx context.Context, r *indexRig, a *account.Account, _ json.RawMessage, etag string) error {
				return a.DeleteItem(ctx, r.container, "o", `["t"]`, etag)
			},
		},
		"no key any more": {
			change: func(ctx context.Context, r *indexRig, a *account.Account, _ json.RawMessage, etag string) error {
				_, err := a.PatchItem(ctx, r.container, "o", `["t"]`, map[string]any{"customerId": ""}, etag)
				return err
			},
			found: []string{`ByCustomer no-index-key customerId refused 0/1: o "b-2024-02"→`}, after: `"byCustomer":"b-2024-02"`,
		},
		"another type": {
			change: func(ctx context.Context, r *indexRig, a *account.Account, _ json.RawMessage, etag string) error {
				_, err := a.PatchItem(ctx, r.container, "o", `["t"]`, map[string]any{"type": "visit"}, etag)
				return err
			},
			after: `"byCustomer":"b-2024-02"`,
		},
		"again and again": {
			change: func(ctx context.Context, r *indexRig, a *account.Account, document json.RawMessage, etag string) error {
				_, err := a.ReplaceItem(ctx, r.container, "o", `["t"]`, document, etag)
				return err
			},
			always: true,
			found:  []string{`ByCustomer stale-index byCustomer stale 0/1: o "b-2024-02"→"a-2024-01" (other programs keep writing the document: run the command again)`}, after: `"byCustomer":"b-2024-02"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newIndexRig(t, order("o", `,"byCustomer":"b-2024-02","byState":"s-7"`))
			program, wrote := r.other(&harness.Link{Account: r.server}), 0
			r.link.Each = func(_ int, q *http.Request) {
				if q.Method != http.MethodPatch || wrote > 0 && !tt.always {
					return
				}
				wrote++
				ctx := context.Background()
				document, etag, err := program.ReadItem(ctx, r.container, "o", `["t"]`)
				if err == nil {
					err = tt.change(ctx, r, program, document, etag)
				}
				if err != nil {
					t.Error(err)
				}
			}
			r.want("found", tt.found, r.found(true))
			if got := r.stored()["o"]; wrote == 0 || !strings.Contains(got, tt.after) || (tt.after == "") != (got == "") {
				t.Errorf("%d writes, and the document is %s, want %s", wrote, got, tt.after)
			}
		})
	}
}

// TestIndexRefused has a key that may only read: the command ends with the first write.
func TestIndexRefused(t *testing.T) {
	r := newIndexRig(t, order("1", ""), order("2", ""))
	r.judge.Mend = true
	r.server.Inject(server.Fault{Operation: server.OpPatchItem, Count: 1, Status: http.StatusForbidden})
	if _, err := r.judge.Container(t.Context(), r.account, r.container, account.Sampling{Share: 1}); !account.Is(err, http.StatusForbidden) {
		t.Errorf("%v", err)
	}
	for id, document := range r.stored() {
		if strings.Contains(document, "byCustomer") {
			t.Errorf("%s was written", id)
		}
	}
}

// TestIndexTooLarge has a document that the service refuses with the property: the others are
// mended.
func TestIndexTooLarge(t *testing.T) {
	r := newIndexRig(t, order("1", `,"byState":"s-7"`), order("2", `,"byState":"s-7"`))
	r.server.Inject(server.Fault{Operation: server.OpPatchItem, Count: 1, Status: http.StatusRequestEntityTooLarge})
	r.want("found", []string{`ByCustomer stale-index byCustomer missing 1/2: ` +
		`1 →"a-2024-01" (the document would be larger than the service allows: make it smaller), 2 →"a-2024-01"`}, r.found(true))
}

// TestIndexOfTwoTypes has a document that two types may claim, as those of two packages: it is
// found, and not written.
func TestIndexOfTwoTypes(t *testing.T) {
	r := newIndexRig(t, order("1", `,"byCustomer":"b","byState":"s-7"`))
	locked, problem := lock.Parse([]byte(indexLock))
	if problem != nil {
		t.Fatal(problem)
	}
	entry, _ := locked.Find("Order")
	other := entry
	other.Type = "Purchase"
	r.judge = newJudge(t, entry, other)
	report := strings.Join(r.found(true), "\n")
	if want := `1 "b"→"a-2024-01" (the document's type is unknown: name the package of one type)`; !strings.Contains(report, want) {
		t.Errorf("no %q in %s", want, report)
	}
	if got := r.stored()["1"]; !strings.Contains(got, `"byCustomer":"b"`) {
		t.Errorf("the document is %s", got)
	}
}

// TestIndexPages mends documents of several pages, while the next ones are not read yet: each
// is found once.
func TestIndexPages(t *testing.T) {
	const n = 2100
	var documents []string
	for i := range n {
		documents = append(documents, order(fmt.Sprint(i), `,"byCustomer":"a-2024-01"`))
	}
	r := newIndexRig(t, documents...)
	r.want("mended", []string{fmt.Sprintf("ByState unwritten byState %d/%[1]d", n)}, r.found(true))
	r.want("after mending", nil, r.found(false))
}
