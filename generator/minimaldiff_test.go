package generator

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// diffSource is what the edits of TestMinimalDiff are made to. Trip has a hash,
// and a nested struct; Vehicle is another type of the file.
const diffSource = `package edited

type Trip struct {
	ID    string ` + "`json:\"id\"`" + `
	Day   string ` + "`json:\"day\" cosmos:\"pk,hashsuffix=VIN,buckets=400\"`" + `
	VIN   string ` + "`json:\"vin\"`" + `
	Stops int ` + "`json:\"stops\"`" + `
	Note  string ` + "`json:\"note\"`" + `
	Route Route ` + "`json:\"route\"`" + `
}

type Route struct {
	From string ` + "`json:\"from\"`" + `
	To   string ` + "`json:\"to\"`" + `
}

type Vehicle struct {
	_   struct{} ` + "`cosmos:\"container=vehicles\"`" + `
	VIN string ` + "`json:\"id\" cosmos:\"id,pk\"`" + `
}
`

// changedLines is how many lines an edit takes from each file and adds to it.
type changedLines map[string][2]int

// TestMinimalDiff edits the source, and counts the lines that change in what is
// generated: those of what was edited, and no others.
func TestMinimalDiff(t *testing.T) {
	line := func(name string) string {
		for l := range strings.Lines(diffSource) {
			if strings.HasPrefix(l, "\t"+name+" ") {
				return l
			}
		}
		t.Fatalf("no field %s", name)
		return ""
	}
	const end = "\ntype Route"
	_, vehicle, _ := strings.Cut(diffSource, "\ntype Vehicle")
	vehicle = "\ntype Vehicle" + vehicle
	_, trip, _ := strings.Cut(strings.TrimSuffix(diffSource, vehicle), "\ntype Trip")
	trip = "\ntype Trip" + trip
	edits := []struct {
		name     string
		old, new string
		want     changedLines
	}{
		// A number that is no key: its line in the guard, its reference and its patch,
		// each with its type and its pointer; and a line in the lock.
		{"AddField", line("Note"), line("Note") + "\tSpeedOverGround float64 `json:\"speedOverGround\"`\n", changedLines{"trip_cosmos.go": {0, 5}, "pkgen.lock": {0, 1}}},
		{"RemoveField", line("Note"), "", changedLines{"trip_cosmos.go": {5, 0}, "pkgen.lock": {1, 0}}},
		{"RenameField", "\tNote ", "\tText ", changedLines{"trip_cosmos.go": {5, 5}}},
		{"RenameProperty", "`json:\"note\"`", "`json:\"text\"`", changedLines{"trip_cosmos.go": {3, 3}, "pkgen.lock": {1, 1}}},
		{"RetypeField", "\tStops int ", "\tStops int64 ", changedLines{"trip_cosmos.go": {3, 3}}},
		{"SwapFields", line("Stops") + line("Note"), line("Note") + line("Stops"), changedLines{"trip_cosmos.go": {5, 5}}},
		{"AddNested", "\tTo ", "\tVia []string `json:\"via\"`\n\tTo ", changedLines{"trip_cosmos.go": {0, 5}, "pkgen.lock": {0, 1}}},
		{"AddUnexported", line("Note"), line("Note") + "\tseen bool\n", changedLines{"trip_cosmos.go": {0, 1}}},
		{"AddIgnored", line("Note"), line("Note") + "\tSeen bool `json:\"-\"`\n", changedLines{"trip_cosmos.go": {0, 1}}},
		{"AddComment", "type Trip", "// Trip is a journey.\ntype Trip", nil},
		{"AddFunction", end, "\nfunc (t *Trip) Length() int { return t.Stops }\n" + end, nil},
		// The type in the lock has eight lines with the empty one.
		{"AddType", end, "\ntype Driver struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n" + end, changedLines{"driver_cosmos.go": {0, -1}, "pkgen.lock": {0, 8}}},
		{"RemoveType", vehicle, "", changedLines{"vehicle_cosmos.go": {-1, 0}, "pkgen.lock": {8, 0}}},
		// The container keeps its name, so the lock has one other line.
		{"RenameType", "type Vehicle ", "type Car ", changedLines{"vehicle_cosmos.go": {-1, 0}, "car_cosmos.go": {0, -1}, "pkgen.lock": {1, 1}}},
		{
			"SwapTypes", trip + vehicle,
			vehicle + trip, nil,
		},
	}
	dir := module(t, nil)
	write(t, filepath.Join(dir, "before", "edited.go"), []byte(diffSource))
	for _, e := range edits {
		if !strings.Contains(diffSource, e.old) {
			t.Fatalf("%s: no %q", e.name, e.old)
		}
		write(t, filepath.Join(dir, e.name, "edited.go"), []byte(strings.Replace(diffSource, e.old, e.new, 1)))
	}
	result, err := Generate(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	before := textsOf(result.within(dir, "before"))
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			after := textsOf(result.within(dir, e.name))
			got := changedLines{}
			for name := range before {
				if removed, added := diffLines(before[name], after[name]); removed+added > 0 {
					got[name] = [2]int{removed, added}
				}
			}
			for name := range after {
				if _, ok := before[name]; !ok {
					got[name] = [2]int{0, strings.Count(after[name], "\n")}
				}
			}
			for name, n := range e.want { // whole files, however long
				if n == [2]int{0, -1} {
					e.want[name] = [2]int{0, strings.Count(after[name], "\n")}
				}
				if n == [2]int{-1, 0} {
					e.want[name] = [2]int{strings.Count(before[name], "\n"), 0}
				}
			}
			if diff := cmp.Diff(fmt.Sprint(e.want), fmt.Sprint(got)); diff != "" {
				t.Errorf("lines removed and added: -want +got:\n%s", diff)
			}
		})
	}
}

// textsOf returns what is generated by the names of the files.
func textsOf(r *Result) map[string]string {
	out := make(map[string]string)
	for _, f := range r.Files {
		out[filepath.Base(f.Path)] = string(f.New)
	}
	return out
}

// unaligned returns a text without the blanks by which gofmt aligns lines with each other.
func unaligned(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

// diffLines returns how many lines a shortest edit takes from a text and adds to
// it. Space within a line counts: what is generated has no columns that a longer
// name would move.
func diffLines(before, after string) (removed, added int) {
	a, b := strings.Split(unaligned(before), "\n"), strings.Split(unaligned(after), "\n")
	common := make([]int, len(b)+1) // of the rest of a and that of b, from its index on
	for i := range slices.Backward(a) {
		next := 0 // common of the rest of a after i, and the rest of b after j
		for j := range slices.Backward(b) {
			here := max(common[j], common[j+1])
			if a[i] == b[j] {
				here = next + 1
			}
			common[j], next = here, common[j]
		}
	}
	return len(a) - common[0], len(b) - common[0]
}
