package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestVectorLengths sees that no way to write stores a vector of another length, that the
// error names the document, and that nothing is sent.
func TestVectorLengths(t *testing.T) {
	t.Parallel()
	server, _, _ := newPages(t, 2, 3, "cosine")
	container := server.Container("pages", repository.Configure(nil))
	ctx, pages := t.Context(), repository.New(container, values.PageModel)
	stored := &values.Page{ID: "1", Group: "a", V: []float32{1, 2, 3}}
	if err := pages.Create(ctx, stored); err != nil {
		t.Fatal(err)
	}
	if err := pages.Create(ctx, &values.Page{ID: "none", Group: "a"}); err != nil {
		t.Errorf("without a vector: %v", err)
	}
	field := values.PagePatch.V
	wrong := &values.Page{ID: "1", Group: "a", V: []float32{1, 2}}
	for name, write := range map[string]func() error{
		"Create":  func() error { return pages.Create(ctx, &values.Page{ID: "2", Group: "a", V: []float32{1, 2}}) },
		"Upsert":  func() error { return pages.Upsert(ctx, wrong) },
		"Replace": func() error { return pages.Replace(ctx, wrong) },
		"Update": func() error {
			return pages.Update(ctx, values.PageKey{ID: "1", Group: "a"}, func(p *values.Page) error { p.V = p.V[:2]; return nil })
		},
		"Patch": func() error { return pages.Patch(ctx, values.PageKey{ID: "1", Group: "a"}, field.Set([]float32{1, 2})) },
		"CreateAll": func() error {
			_, err := pages.CreateAll(documents.Items(wrong)).Collect(ctx)
			return err
		},
	} {
		before := writes(server)
		err := write()
		if err == nil || !strings.Contains(err.Error(), `property "/v": the vector has 2 numbers, and its tag says 3`) || !strings.Contains(err.Error(), "Page") {
			t.Errorf("%s: %v", name, err)
		}
		if n := writes(server) - before; n != 0 {
			t.Errorf("%s: %d writes were sent", name, n)
		}
	}
	if got, err := pages.Get(ctx, values.PageKey{ID: "1", Group: "a"}); err != nil || !slices.Equal(got.V, stored.V) {
		t.Errorf("%v, %v", got, err)
	}
}

// writes counts the requests that may have changed something.
func writes(server *harness.Account) (n int) {
	for _, r := range server.Requests() {
		if r.Method != "GET" && r.Operation != emulator.OpQueryItems {
			n++
		}
	}
	return n
}
