package keychange

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/goldentest"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestGeneratedKinds renders the types of the golden cases, reads from the text
// what keys are made of, and expects what the lock says.
func TestGeneratedKinds(t *testing.T) {
	dir := goldentest.Module(t, "../../..", goldentest.Read(t, "../../testdata/success")...)
	report := &diag.Reporter{Dir: dir}
	loaded, err := source.Load(t.Context(), source.Options{Dir: dir, Patterns: []string{"./..."}}, report)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, u := range loaded.Units {
		found := model.Find(u, report, func(*source.Declaration) bool { return true })
		found = model.Models(loaded, u, found, model.Parts(found))
		model.Paths(found)
		reserved := model.Reserved(loaded, u, found)
		for _, c := range found {
			if c.Failed {
				continue
			}
			text, err := templates.Render(c.Model.Type(reserved, false))
			if err != nil {
				t.Fatalf("%s: type %s: %v", u.Path, c.Name(), err)
			}
			read++
			e := entryOf(c.Model)
			if diff := cmp.Diff(e.Kinds, generatedKinds(e, text)); diff != "" {
				t.Errorf("%s: type %s: -lock +file:\n%s", u.Path, e.Type, diff)
			}
		}
	}
	if read < 90 {
		t.Errorf("%d types have been compared", read)
	}
}
