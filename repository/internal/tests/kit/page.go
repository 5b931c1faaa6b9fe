package kit

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Orders stores n things of few values.
func (c Things) Orders(t testing.TB, n, values int) []*Thing {
	t.Helper()
	all := make([]*Thing, n)
	for i := range all {
		all[i] = &Thing{ID: fmt.Sprintf("t%05d", i), Base: "x", Properties: map[string]any{"a": float64(i % values)}}
	}
	if _, err := c.CreateAll(context.Background(), slices.Values(all), repository.InBatches()); err != nil {
		t.Fatal(err)
	}
	return all
}
