package doctor

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

func TestMain(m *testing.M) { harness.Verify(m) }

// rig is an account, through a handler.
type rig struct {
	*testing.T
	server  *server.Server
	account *account.Account
	web     *httptest.Server
}

// newRig serves an account, through a handler if around is not nil.
func newRig(t *testing.T, o server.Options, around func(http.Handler) http.Handler) *rig {
	t.Helper()
	s := harness.Bare(t, o)
	handler := http.Handler(s)
	if around != nil {
		handler = around(s)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	return &rig{t, s, openAccount(t, web.URL, s.Key()), web}
}

func openAccount(t *testing.T, endpoint, key string) *account.Account {
	t.Helper()
	a, err := account.Open("AccountEndpoint=" + endpoint + "/;AccountKey=" + key)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// make makes a container of a database by its settings.
func (r *rig) make(database, settings, throughput string) {
	r.Helper()
	if throughput != "" {
		throughput = `,"throughput":` + throughput
	}
	if _, err := r.server.Load(strings.NewReader(fmt.Sprintf(`{"database":%q,"container":%s%s}`+"\n", database, settings, throughput))); err != nil {
		r.Fatal(err)
	}
}

// examine examines the account, and returns the report.
func (r *rig) examine(o Options) *Report {
	r.Helper()
	if o.Account == nil {
		o.Account = r.account
	}
	report := &Report{}
	Examine(r.Context(), o, report)
	return report
}

// wanted is a container as the tests want it.
func wanted(id string) Container {
	return Container{ID: id, Types: []string{"shop.Order"}, queried: []string{`/"customer"`, `/"meta"/"speed"`}, Want: containers.Properties{
		PartitionKeyDefinition: containers.PartitionKeyDefinition{Paths: []string{"/pk"}, Kind: containers.Hash, Version: 2},
		IndexingPolicy: &containers.IndexingPolicy{
			Automatic: true, IndexingMode: "consistent", IncludedPaths: []containers.Path{{Path: "/*"}},
			CompositeIndexes: [][]containers.CompositeIndex{{{Path: "/customer", Order: containers.Ascending}, {Path: `/"total-sum"`, Order: containers.Descending}}},
		},
	}}
}

// healthy are the settings that wanted wants.
func healthy(id string) string {
	return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"indexingPolicy":{"automatic":true,"indexingMode":"consistent",`+
		`"includedPaths":[{"path":"/*"}],"compositeIndexes":[[{"path":"/customer","order":"ascending"},{"path":"/\"total-sum\"","order":"descending"}]]}}`, id)
}

// expect fails unless a check of this state has a text in what it found or in its way out.
func expect(t *testing.T, r *Report, state State, what, text string) {
	t.Helper()
	for _, c := range r.Checks {
		if c.State == state && strings.HasPrefix(c.What, what) && strings.Contains(c.Found+"\n"+c.WayOut, text) {
			return
		}
	}
	t.Errorf("no %s check %s with %q in\n%s", state, what, text, r.Text())
}
