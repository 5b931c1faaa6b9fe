package kit

import (
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// Seeds runs a test with n seeds, several at once, and finds goroutines that they left running.
func Seeds(t *testing.T, n uint64, test func(t *testing.T, seed uint64)) {
	t.Helper()
	t.Run("seed", func(t *testing.T) {
		for seed := range seeds.Of(n) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				test(t, seed)
			})
		}
	})
	harness.Settled(t)
}
