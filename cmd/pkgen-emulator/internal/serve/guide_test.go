package serve

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// TestEmulatorGuide finds every flag of the emulator in the guide's line of usage
// and in its table.
func TestEmulatorGuide(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/emulator.md")
	if err != nil {
		t.Fatal(err)
	}
	usage, _, _ := strings.Cut(string(text), "\n```\n\n")
	flags := flag.NewFlagSet("pkgen-emulator", flag.ContinueOnError)
	bindServe(flags)
	flags.VisitAll(func(f *flag.Flag) {
		name := "-" + f.Name
		if !strings.Contains(usage, "["+name) && !strings.Contains(usage, " "+name+" ") { // a needed one has no brackets
			t.Errorf("docs/emulator.md has no %s in its usage", name)
		}
		if !strings.Contains(string(text), "\n| `"+name) {
			t.Errorf("docs/emulator.md has no row for %s", name)
		}
	})
}
