package facts

import (
	"encoding/json"
	"go/types"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator/internal/sourcetest"
	"github.com/cosmos-pkgen/pkgen/generator/testdata/jsontypes"
)

func TestJSONFields(t *testing.T) {
	text, err := os.ReadFile("../../testdata/jsontypes/types.go")
	if err != nil {
		t.Fatal(err)
	}
	u := sourcetest.Unit(string(text))
	for name, value := range jsontypes.Values() {
		body, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(body, &object); err != nil {
			t.Fatal(err)
		}
		want := slices.Sorted(maps.Keys(object))
		var got []string
		strct := u.Types.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		for _, p := range JSONFields(strct) {
			got = append(got, p.Name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -encoding/json +jsonFields:\n%s", name, diff)
		}
	}
}
