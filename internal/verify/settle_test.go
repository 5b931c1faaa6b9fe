package verify

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
)

// mending is a container with a type that has unique values, and another type.
func mending(t *testing.T, documents ...string) (*Judge, *server.Server, *harness.Link, *account.Account, *account.Container) {
	t.Helper()
	s := harness.Bare(t, server.Options{Lenient: true})
	harness.Load(t, s, "db", `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, documents...)
	a, err := account.Open("AccountEndpoint=http://cosmos/;AccountKey=" + s.Key())
	if err != nil {
		t.Fatal(err)
	}
	d := &harness.Link{Account: s}
	a.Through(d)
	c, err := a.Container(t.Context(), "db", "c")
	if err != nil {
		t.Fatal(err)
	}
	entry := func(name, discriminator, unique string) lock.Entry {
		return lock.Entry{
			Type: name, Container: "c", Definition: lock.Definition{Path: "/pk", Kind: "Hash", Version: 2}, Layout: "{pk}", Discriminator: discriminator, Unique: unique,
			Kinds: []lock.PropertyKind{{Property: "pk", Kind: lock.Text}},
		}
	}
	j := newJudge(t, entry("User", "user", "email"), entry("Visit", "visit", ""))
	j.Mend = true
	return j, s, d, a, c
}

// TestMendOthers leaves documents alone that are of other types, and have properties of the
// names by which documents with unique values are hidden.
func TestMendOthers(t *testing.T) {
	j, s, _, a, c := mending(t,
		`{"id":"v1","pk":"a","type":"visit","_pending":true}`,
		`{"id":"v2","pk":"a","type":"visit","_unique":{"visitors":7}}`,
		`{"id":"u","pk":"a","type":"user","_pending":{"token":"t"}}`,
	)
	s.Advance(time.Minute)
	report, err := j.Container(t.Context(), a, c, account.Sampling{Share: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"v1", "v2"} {
		if _, _, err := a.ReadItem(t.Context(), c, id, `["a"]`); err != nil {
			t.Errorf("document %s of another type: %v", id, err)
		}
	}
	if _, _, err := a.ReadItem(t.Context(), c, "u", `["a"]`); !account.Absent(err) || report.Hidden != 1 || report.Reservations != 0 {
		t.Errorf("the hidden document: %v, %+v", err, report)
	}
}

// TestUnaddressable has documents with ids that the service's routing gateway cannot
// address: they are reported, and all others are compared.
func TestUnaddressable(t *testing.T) {
	id := func(email string) string { return reservation.IDOf("user", "email", email) }
	reserved := func(email, holder string) string {
		return fmt.Sprintf(`{"id":%q,"pk":%[1]q,"type":"_pkgen-unique","_unique":{"type":"User","property":"email","id":%q,"key":"a","token":"t"},"ttl":-1}`, id(email), holder)
	}
	for _, mend := range []bool{false, true} {
		j, s, d, a, c := mending(t,
			`{"id":"per-22%27x","pk":"a","type":"user","email":"a@x"}`,
			`{"id":"per-23%27x","pk":"a","type":"user","_pending":{"token":"t"}}`,
			`{"id":"plain","pk":"a","type":"user","email":"b@x"}`,
			`{"id":"other%20","pk":"a","type":"user","email":"d@x"}`,
			reserved("c@x", "gone%20"), reserved("d@x", "plain"),
		)
		s.Advance(time.Minute)
		d.Account = s.Handler(server.Front{Routing: true})
		j.Mend = mend
		report, err := j.Container(t.Context(), a, c, account.Sampling{Share: 1})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		mended := map[string]int{}
		for _, of := range report.Types {
			for _, f := range of.Findings {
				found[f.Name] += f.Documents
				mended[f.Name] += f.Mended
			}
		}
		if want := map[string]int{BadID: 2, NoReservation: 3, LeftHidden: 1, LeftReservation: 1}; !maps.Equal(found, want) {
			t.Errorf("mend %t: found %v, want %v", mend, found, want)
		}
		want := map[string]int{BadID: 0, NoReservation: 0, LeftHidden: 0, LeftReservation: 0}
		if mend { // the documents themselves cannot be written
			want = map[string]int{BadID: 0, NoReservation: 3, LeftHidden: 0, LeftReservation: 0}
		}
		if !maps.Equal(mended, want) {
			t.Errorf("mend %t: mended %v, want %v", mend, mended, want)
		}
	}
}

// findingsOf counts documents by finding.
func findingsOf(r *Report) map[string]int {
	found := map[string]int{}
	for _, of := range r.Types {
		for _, f := range of.Findings {
			found[f.Name] += f.Documents
		}
	}
	return found
}

// TestNoneReserved has documents that share a value without a reservation: both are not
// unique, and a third value only lacks its reservation.
func TestNoneReserved(t *testing.T) {
	j, _, _, a, c := mending(t,
		`{"id":"u1","pk":"a","type":"user","email":"a@x"}`,
		`{"id":"u2","pk":"b","type":"user","email":"a@x"}`,
		`{"id":"u3","pk":"b","type":"user","email":"b@x"}`,
	)
	j.Mend = false
	report, err := j.Container(t.Context(), a, c, account.Sampling{Share: 1})
	if err != nil {
		t.Fatal(err)
	}
	if found, want := findingsOf(report), (map[string]int{NotUnique: 2, NoReservation: 1}); !maps.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

// TestMarksAreNoDocuments has what Rekey leaves: marks are moves, a final copy is the
// document, and so is a copy whose mark is there.
func TestMarksAreNoDocuments(t *testing.T) {
	j, _, _, a, c := mending(t,
		`{"id":"u1","pk":"a","type":"user","email":"a@x","_move":{"state":"moved","token":"aaaaaaaaaaaa"}}`,
		`{"id":"u1","pk":"b","type":"user","_move":{"state":"final","at":1}}`,
		`{"id":"u2","pk":"a","type":"user","_move":{"state":"moved","token":"bbbbbbbbbbbb"}}`,
		`{"id":"u2","pk":"b","type":"user","_move":{"state":"copy","token":"bbbbbbbbbbbb"}}`,
		`{"id":"u3","pk":"b","type":"user","_move":{"state":"copy","token":"cccccccccccc"}}`,
		`{"id":"v","pk":"b","type":"visit","_move":"to Bern"}`,
	)
	j.Mend = false
	report, err := j.Container(t.Context(), a, c, account.Sampling{Share: 1})
	if err != nil {
		t.Fatal(err)
	}
	documents := map[string]int{}
	for _, of := range report.Types {
		documents[of.Type] = of.Documents
	}
	if want := map[string]int{"User": 2, "Visit": 1}; !maps.Equal(documents, want) || report.Others != 0 || report.Moves != 3 || report.Documents != 3 {
		t.Errorf("%v, %d others and %d moves of %d, want %v, 0 and 3 of 3", documents, report.Others, report.Moves, report.Documents, want)
	}
	if found := findingsOf(report); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

// TestMendBrokenTwice has a broken reservation that another run removes, after which a
// program takes the value: the reservation of that stays.
func TestMendBrokenTwice(t *testing.T) {
	id := reservation.IDOf("user", "email", "a@x")
	key := fmt.Sprintf("[%q]", id)
	j, s, d, a, c := mending(t, fmt.Sprintf(`{"id":%q,"pk":%[1]q,"type":"_pkgen-unique","_unique":{}}`, id))
	other, err := account.Open("AccountEndpoint=http://cosmos/;AccountKey=" + s.Key())
	if err != nil {
		t.Fatal(err)
	}
	other.Through(&harness.Link{Account: s})
	did := false
	d.Each = func(_ int, q *http.Request) {
		if did || q.Method != http.MethodGet || !strings.HasSuffix(q.URL.Path, id) {
			return
		}
		did = true
		ctx := context.Background()
		_, etag, err := other.ReadItem(ctx, c, id, key)
		if err == nil {
			err = other.DeleteItem(ctx, c, id, key, etag)
		}
		if err == nil {
			_, err = other.CreateItem(ctx, c, key, fmt.Appendf(nil, `{"id":%q,"pk":%[1]q,"type":"_pkgen-unique","_unique":{"type":"User","property":"email","id":"u","key":"a","token":"t"},"ttl":-1}`, id))
		}
		if err == nil {
			_, err = other.CreateItem(ctx, c, `["a"]`, []byte(`{"id":"u","pk":"a","type":"user","email":"a@x"}`))
		}
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := j.Container(t.Context(), a, c, account.Sampling{Share: 1}); err != nil || !did {
		t.Fatal(err, did)
	}
	if _, _, err := other.ReadItem(t.Context(), c, id, key); err != nil {
		t.Errorf("the reservation of a visible document: %v", err)
	}
}
