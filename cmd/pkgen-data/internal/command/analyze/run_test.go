package analyze

import (
	"flag"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

var update = flag.Bool("update", false, "record what tests compare")

// run runs a program that has these commands.
var run = (&cli.Program{Name: "pkgen-data", Commands: append([]cli.Command{cli.Group("", "")}, Commands()...)}).Run

// testRig is an account, and a package with a lock.
type testRig struct{ *rig.Rig }

func newRig(t *testing.T) *testRig {
	t.Helper()
	return &testRig{rig.New(t)}
}

// otherPrograms are programs that tests of some systems need.
var otherPrograms = map[string]func(){}

func TestMain(m *testing.M) {
	testgc.Less()
	testscript.Main(m, otherPrograms)
}
