package containers

import (
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestWindowsGrouped merges groups over all containers of a type, and ends Exists and
// TakeWhile in the container that has the answer.
func TestWindowsGrouped(t *testing.T) {
	t.Parallel()
	r, _ := sixMonths(t, repository.WithPageSize(2))
	all, err := r.Scan().Collect(t.Context())
	if err != nil || len(all) != 24 {
		t.Fatalf("%d readings, %v", len(all), err)
	}
	type perDevice struct {
		Device string          `json:"device"`
		N      int             `json:"n"`
		Sum    int             `json:"sum"`
		Last   repository.Time `json:"last"`
	}
	want := map[string]perDevice{}
	for _, x := range all {
		d := want[x.Device]
		d.Device, d.N, d.Sum = x.Device, d.N+1, d.Sum+x.Value
		if x.At.Compare(d.Last) > 0 {
			d.Last = x.At
		}
		want[x.Device] = d
	}
	const device documents.String[fixtures.Reading, string] = "/device"
	groups, err := repository.GroupBy[perDevice](r.Scan(), device).Count("n").Sum("sum", kit.ReadingValue).Max("last", kit.ReadingAtF).Collect(t.Context())
	if err != nil || len(groups) != len(want) {
		t.Fatalf("%d groups, want %d; %v", len(groups), len(want), err)
	}
	for _, g := range groups {
		if g != want[g.Device] {
			t.Errorf("got %+v, want %+v", g, want[g.Device])
		}
	}

	r.Server.ResetRequests()
	if found, err := r.Scan().Exists(t.Context()); err != nil || !found {
		t.Errorf("%v, %v", found, err)
	}
	if asked := r.Queried(); !slices.Equal(asked, []string{kit.Window(1)}) {
		t.Errorf("Exists asked %v", asked)
	}
	r, _ = sixMonths(t, repository.WithPageSize(2)) // another server: requests that Exists has cancelled may still arrive
	r.Server.ResetRequests()
	n := 0
	for x, err := range r.Scan().OrderBy(kit.ReadingAtF.Desc()).TakeWhile(t.Context(), func(x *fixtures.Reading) bool { return x.At.Time().Month() == 6 }) {
		if err != nil || x.At.Time().Month() != 6 {
			t.Errorf("%v, %v", x, err)
		}
		n++
	}
	if asked := r.Queried(); n != 4 || !slices.Equal(asked, []string{kit.Window(6), kit.Window(5)}) {
		t.Errorf("%d readings of %v", n, asked)
	}
}
