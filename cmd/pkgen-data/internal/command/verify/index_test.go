package verify

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// shipmentSource is a type with two indexes, whose properties pkgen.lock has.
const shipmentSource = `package m

import "time"

type Shipment struct {
	_          struct{}  'cosmos:"container=shipments"'
	_          struct{}  'cosmos:"index=ByCarrier,key={TenantID},{Carrier|lower}-{SentAt|2006-01}"'
	_          struct{}  'cosmos:"index=ByState,key={State}.{ID%4},later"'
	ID         string    'json:"id"'
	TenantID   string    'json:"tenantId" cosmos:"pk"'
	Carrier    string    'json:"carrier"'
	SentAt     time.Time 'json:"sentAt"'
	State      string    'json:"state"'
	ByCarrier  string    'json:"byCarrier" cosmos:"synthetic=ByCarrier"'
	ByState    string    'json:"byState" cosmos:"synthetic=ByState"'
}
`

// TestVerifyIndexes prints the findings about properties of indexes, by the lock that pkgen
// writes, and the documents that an index with "later" still waits for.
func TestVerifyIndexes(t *testing.T) {
	r := newRig(t)
	r.generate(strings.ReplaceAll(shipmentSource, "'", "`"))
	shipment := func(id, more string) string {
		return `{"id":"` + id + `","tenantId":"t","carrier":"Post","sentAt":"2024-01-31T12:00:00Z"` + more + `}`
	}
	const container = `{"id":"shipments","partitionKey":{"paths":["/tenantId"],"kind":"Hash","version":2}}`
	r.Load("a", container,
		shipment("1", `,"state":"s","byCarrier":"post-2024-01"`),
		shipment("2", `,"state":"s","byCarrier":"other-2024-01"`),
		shipment("3", `,"state":"s"`),
		shipment("4", `,"state":"s","byCarrier":[7]`),
		shipment("per-22%27x", `,"state":"s","byCarrier":"x"`),
	)
	text := func(code int, want, not []string, args ...string) {
		t.Helper()
		got, stdout, stderr := r.verify(append(args, "-database", "a")...)
		if got != code || stderr != "" {
			t.Errorf("%s: exit %d: %s%s", args, got, stdout, stderr)
		}
		for _, line := range want {
			if !strings.Contains(stdout, line+"\n") {
				t.Errorf("%s: no line %q in\n%s", args, line, stdout)
			}
		}
		for _, line := range not {
			if strings.Contains(stdout, line) {
				t.Errorf("%s: a line %q in\n%s", args, line, stdout)
			}
		}
	}
	const stale = "property byCarrier is not the text that the index ByCarrier needs, so reads of the index miss them, or find them under another key"
	text(cli.Found, []string{
		"\t\tstale-index, 1 document: " + stale,
		"\t\tstale-index, 2 documents: " + stale,
		`			id "2" has "other-2024-01", but needs "post-2024-01"`,
		`			id "3" has none, but needs "post-2024-01"`,
		`			id "4" has [7], but needs "post-2024-01"`,
		`			id "per-22%27x" has "x", but needs "post-2024-01"; not written by -mend, because generated code refuses the id`,
		"\t\tunwritten, 5 documents: no property byState for the index ByState, which a later release reads: write it by Upgrade or -mend",
	}, []string{"absent", "mended", "property-type"})
	text(cli.Found, nil, []string{"byState", "absent"}, "-format", "github")
	text(cli.Found, []string{
		"\t\tstale-index, 2 documents: " + stale + "; 1 mended",
		"\t\tunwritten, 5 documents: no property byState for the index ByState, which a later release reads: write it by Upgrade or -mend; 4 mended",
	}, nil, "-mend")

	r.Load("b", container, shipment("1", `,"state":"s","byCarrier":"other-2024-01"`), shipment("2", `,"state":"s","byCarrier":"post-2024-01"`))
	r.Load("c", container, shipment("1", `,"state":"","byCarrier":"post-2024-01"`))
	for _, step := range []struct {
		database string
		args     []string
		code     int
		findings int
		left     int
	}{
		{"b", nil, cli.Found, 1, 2},
		{"b", []string{"-mend"}, cli.Done, 1, 2},
		{"b", nil, cli.Done, 0, 0},
		{"c", []string{"-mend"}, cli.Found, 1, 0},
	} {
		code, reports := r.reports(append(step.args, "-database", step.database)...)
		if of := reports[0].Types[0]; code != step.code || len(of.Findings) != step.findings || len(of.Unwritten) != min(step.left, 1) || step.left > 0 && of.Unwritten[0].Documents != step.left {
			t.Errorf("%+v: exit %d, %+v", step, code, of)
		}
	}
	_, stdout, _ := r.verify("-database", "c")
	if want := "no-index-key, 1 document: no key in the index ByState, because property state is empty"; !strings.Contains(stdout, want) {
		t.Errorf("no line %q in\n%s", want, stdout)
	}
}
