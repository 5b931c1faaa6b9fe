package serve

import (
	"flag"
	"os"
	"regexp"
	"testing"
)

// TestEmulatorGuide looks up each flag of docs/emulator.md. docs/cli.md has all flags.
func TestEmulatorGuide(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/emulator.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := flag.NewFlagSet("pkgen-emulator", flag.ContinueOnError)
	bindServe(flags)
	named := regexp.MustCompile("`-([a-z][a-z-]+)").FindAllStringSubmatch(string(text), -1)
	if len(named) < 10 {
		t.Errorf("docs/emulator.md has %d flags", len(named))
	}
	for _, name := range named {
		if flags.Lookup(name[1]) == nil {
			t.Errorf("docs/emulator.md has flag -%s, and the program has not", name[1])
		}
	}
}
