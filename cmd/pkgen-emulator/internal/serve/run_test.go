package serve

import (
	"context"
	"io"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

// run runs pkgen-emulator.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return Program().Run(ctx, args, stdout, stderr)
}

func TestMain(m *testing.M) {
	testgc.Less()
	testscript.Main(m, map[string]func(){"pkgen-emulator": Program().Main})
}
