package generator

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

func TestMain(m *testing.M) {
	testgc.Less()
	m.Run()
}
