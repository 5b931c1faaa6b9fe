package combinations

import (
	"slices"
	"strings"
	"testing"
)

func TestRefusals(t *testing.T) {
	pairs := map[[2]Feature]bool{}
	for _, r := range Refusals {
		if r.Why == "" || strings.HasSuffix(r.Why, ".") || (r.Instead == "") == (r.By == "") {
			t.Errorf("%s: a refusal has a reason, and either a way out or another check", r.Feature)
		}
		for _, with := range r.With {
			pair := [2]Feature{min(r.Feature, with), max(r.Feature, with)}
			if pairs[pair] {
				t.Errorf("%s and %s are refused twice", r.Feature, with)
			}
			pairs[pair] = true
			if got := Of(with, r.Feature); got == nil || got.Why != r.Why {
				t.Errorf("%s and %s: %+v", with, r.Feature, got)
			}
		}
	}
	if r := Of(ETag, Version); r != nil {
		t.Errorf("_etag and version: %+v", r)
	}
}

func TestExcluded(t *testing.T) {
	never, notYet := Excluded([]Feature{Hash, Windows})
	if want := []Feature{Own, Unique}; !slices.Equal(never, want) {
		t.Errorf("never %q, want %q", never, want)
	}
	if want := []Feature{Growing, Formerly, Index}; !slices.Equal(notYet, want) {
		t.Errorf("not yet %q, want %q", notYet, want)
	}
	if never, notYet := Excluded([]Feature{Levels}); never != nil || notYet != nil {
		t.Errorf("levels exclude %q and %q", never, notYet)
	}
}
