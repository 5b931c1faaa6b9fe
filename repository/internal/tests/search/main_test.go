package search

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

func TestMain(m *testing.M) { harness.Run(m) }
