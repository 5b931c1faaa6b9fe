package unique_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

func TestMain(m *testing.M) { harness.Verify(m) }
