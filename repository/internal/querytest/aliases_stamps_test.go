package querytest

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/forms"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestPatchOfAliasesIsRepeated loses the answer to a patch of a property that has a
// alias. The repeated patch finds out that the first one took effect.
func TestPatchOfAliasesIsRepeated(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("all", "/key"), repository.Configure(nil))
	all := repository.New(container, forms.RenamedModel)
	name := forms.RenamedPatch.Name
	for what, patch := range map[string]repository.PatchOperation[forms.Renamed]{"set": name.Set("new"), "removed": name.Remove()} {
		put(t, container, `{"id":"`+what+`","key":"k","fullName":"old","n":4}`)
		server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: true})
		err := all.Patch(ctx, forms.RenamedKey{ID: what, Key: "k"}, patch)
		server.ClearFaults()
		got, readErr := all.Get(ctx, forms.RenamedKey{ID: what, Key: "k"})
		if readErr != nil || got.N != 5 || got.Name == "old" {
			t.Fatalf("%s: %+v, %v", what, got, readErr)
		}
		if err != nil {
			t.Errorf("%s: %v, precondition %v", what, err, errors.Is(err, repository.ErrPreconditionFailed))
		}
	}
}
