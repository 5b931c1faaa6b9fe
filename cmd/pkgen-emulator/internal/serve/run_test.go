package serve

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

// run runs pkgen-emulator.
var run = Program().Run

func TestMain(m *testing.M) {
	testgc.Less()
	testscript.Main(m, map[string]func(){"pkgen-emulator": Program().Main})
}
