package kit

import (
	"context"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// Orders stores n things of few values.
func (c Things) Orders(t testing.TB, n, values int) []*Thing {
	t.Helper()
	all := make([]*Thing, n)
	for i := range all {
		all[i] = &Thing{ID: fmt.Sprintf("t%05d", i), Base: "x", Properties: map[string]any{"a": float64(i % values)}}
	}
	if _, err := c.CreateAll(documents.Items(all...), documents.InBatches()).Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return all
}
