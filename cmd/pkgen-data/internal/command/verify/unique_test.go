package verify

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
)

// usersLock has a type with a container of its own, and one that shares it with another.
const usersLock = `version 2

container users
	path /region
	kind Hash
	version 2
	type User {region} unique=email,badge
		component region text
		property /badge number
		property /email string

container shared
	path /org/name,/region
	kind MultiHash
	version 2
	type Person {org.name},{region} as=person unique=email
		component org.name text
		component region text
		property /email string
	type Visit {org.name},{region} as=visit
		component org.name text
		component region text

end
`

// reservationOf is a stored reservation.
func reservationOf(id, holder, key, rest string) string {
	return fmt.Sprintf(`{"id":%q,"_unique":{"type":"User","property":"email","id":%q,"key":%s,"token":"t"},"ttl":-1%s}`, id, holder, key, rest)
}

// usersRig has users with all that can be wrong.
func usersRig(t *testing.T) *testRig {
	r := newRig(t)
	if err := os.WriteFile(lock.FileName, []byte(usersLock), 0o600); err != nil {
		t.Fatal(err)
	}
	id := func(email string) string { return reservation.IDOf("", "email", email) }
	at := func(email string) string { return fmt.Sprintf(`,"region":%q`, id(email)) }
	r.Load("db", `{"id":"users","partitionKey":{"paths":["/region"],"kind":"Hash","version":2}}`,
		`{"id":"good","region":"eu","email":"good@x"}`, reservationOf(id("good@x"), "good", `"eu"`, at("good@x")),
		`{"id":"<&>","region":"<ü>","email":"odd@x"}`, reservationOf(id("odd@x"), `<&>`, `"\u003c\u00fc\u003e"`, at("odd@x")),
		`{"id":"none","region":"eu"}`,
		`{"id":"bare","region":"eu","email":"bare@x","badge":7}`,
		`{"id":"robbed","region":"eu","email":"robbed@x"}`, reservationOf(id("robbed@x"), "nobody", `"eu"`, at("robbed@x")),
		`{"id":"one","region":"eu","email":"two@x"}`, `{"id":"two","region":"us","email":"two@x"}`, reservationOf(id("two@x"), "one", `"eu"`, at("two@x")),
		reservationOf(id("gone@x"), "gone", `"eu"`, at("gone@x")),
		reservationOf(id("was@x"), "good", `"eu"`, at("was@x")),
		reservationOf(id("hidden@x"), "hidden", `"eu"`, at("hidden@x")), `{"id":"hidden","region":"eu","email":"hidden@x","_pending":{"token":"t"}}`,
		`{"id":"_pkgen-unique-broken","region":"_pkgen-unique-broken","_unique":{}}`,
	)
	person := reservation.IDOf("person", "email", "p@x")
	r.Load("db", `{"id":"shared","partitionKey":{"paths":["/org/name","/region"],"kind":"MultiHash","version":2}}`,
		`{"id":"p","org":{"name":"o"},"region":"eu","type":"person","email":"p@x"}`,
		`{"id":"q","org":{"name":"o"},"region":"eu","type":"person","email":"q@x"}`,
		reservationOf(person, "p", `["o","eu"]`, fmt.Sprintf(`,"type":"_pkgen-unique","org":{"name":%q},"region":%[1]q`, person)),
		`{"id":"v","org":{"name":"o"},"region":"eu","type":"visit","email":"p@x"}`,
	)
	return r
}

// said are the findings of reports, in a line each.
func said(reports []verify.Report) (lines []string) {
	for _, r := range reports {
		for _, t := range r.Types {
			for _, f := range t.Findings {
				ids := []string{}
				for _, e := range f.Examples {
					ids = append(ids, e.ID)
				}
				lines = append(lines, fmt.Sprintf("%s %s %s %s %d", t.Type, f.Name, f.Property, strings.Join(ids, ","), f.Mended))
			}
		}
	}
	return lines
}

// TestVerifyUnique finds what is left over and what is missing, tells writes that are
// under way from those that were interrupted, and mends what can be mended.
func TestVerifyUnique(t *testing.T) {
	r := usersRig(t)
	young := []string{
		"Person no-reservation email q 0",
		"User bad-reservation  _pkgen-unique-broken 0",
		"User no-reservation badge bare 0",
		"User no-reservation email bare,robbed 0",
		"User not-unique email two 0",
	}
	code, reports := r.reports("-container", "users")
	if diff := cmp.Diff(young[1:], said(reports)); diff != "" || code != cli.Found {
		t.Errorf("exit %d: %s", code, diff)
	}
	if got := reports[0]; got.Others != 0 || got.Hidden != 1 || got.Reservations != 8 {
		t.Errorf("%+v", got)
	}
	r.Server.Advance(time.Minute)
	old := []string{
		young[0], young[1],
		"User left-hidden  hidden 0",
		"User left-reservation email gone,hidden,good 0",
		young[2], young[3], young[4],
	}
	code, reports = r.reports()
	if diff := cmp.Diff(old, said(reports)); diff != "" || code != cli.Found {
		t.Errorf("exit %d: %s", code, diff)
	}
	_, text, _ := r.verify("-container", "users")
	for _, want := range []string{`the document shares its value with id "one"`, "unique values: 8 reservations, 1 hidden document", "it blocks no write"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}

	code, reports = r.reports("-mend")
	for _, line := range said(reports) {
		if mended := !strings.HasSuffix(line, " 0"); mended == strings.Contains(line, "not-unique") {
			t.Errorf("mended: %s", line)
		}
	}
	if code != cli.Found { // two documents have one value
		t.Errorf("exit %d", code)
	}
	r.Server.Advance(time.Minute)
	code, reports = r.reports()
	if diff := cmp.Diff(young[4:], said(reports)); diff != "" || code != cli.Found {
		t.Errorf("after mending, exit %d: %s", code, diff)
	}
	if got := reports[1]; got.Hidden != 0 || got.Reservations != 6 { // good, odd, robbed, two, bare twice
		t.Errorf("%+v", got)
	}
	if code, reports = r.reports("-container", "shared"); code != cli.Done || reports[0].Reservations != 2 || reports[0].Others != 0 {
		t.Errorf("exit %d: %+v", code, reports)
	}
}

// TestVerifyUniqueSample reads a sample, and until a budget is spent: only documents that are read have findings.
func TestVerifyUniqueSample(t *testing.T) {
	r := usersRig(t)
	_, reports := r.reports("-container", "shared", "-sample", "50", "-seed", "7")
	for _, line := range said(reports) {
		if line != "Person no-reservation email q 0" {
			t.Errorf("%s", line)
		}
	}
	stopped := false
	for budget := 3; budget < 30; budget++ {
		_, text, _ := r.verify("-container", "users", "-limit", fmt.Sprint(budget))
		if strings.Contains(text, "until the limit was reached") {
			stopped = true
			if !strings.Contains(text, "not compared") || strings.Contains(text, "no-reservation") {
				t.Errorf("%d RU: %s", budget, text)
			}
		}
	}
	if !stopped {
		t.Error("no budget was spent")
	}
}
