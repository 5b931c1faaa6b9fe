package stored

import (
	"os"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

func TestMain(m *testing.M) {
	testgc.Less()
	os.Exit(m.Run())
}
