package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// printing is what writes to standard output, each in its own way.
var printing = [][]string{
	{"-check", "../../example/fleet"},
	{"-stdout", "../../example/fleet"},
	{"explain", "../../example/fleet"},
	{"explain", "-format", "json", "../../example/fleet"},
	{"explain", "-container", "az", "../../example/fleet"},
	{"keys", "-lang", "go", "../../example/fleet"},
	{"tags"},
	{"help"},
	{"explain", "-h"},
}

// printed is printing, of which short tests leave out most that loads packages.
func printed() [][]string {
	if testing.Short() {
		return append(printing[:1:1], printing[5:]...)
	}
	return printing
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestOutputLost ends with an error, and says it once, where what was asked for
// cannot be written.
func TestOutputLost(t *testing.T) {
	for _, args := range printed()[1:] { // nothing is stale in the first
		var stderr bytes.Buffer
		if code := run(t.Context(), args, fullDisk{}, &stderr); code != cli.Failed || stderr.String() != "pkgen: no space left on device\n" {
			t.Errorf("%q: exit code %d, %q", args, code, stderr.String())
		}
	}
}

// TestOutputClosed says nothing to a reader who has gone, as head does.
func TestOutputClosed(t *testing.T) {
	for _, args := range printed() {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = reader.Close()
		var stderr bytes.Buffer
		run(t.Context(), args, writer, &stderr)
		if stderr.Len() > 0 {
			t.Errorf("%q: %s", args, stderr.String())
		}
		if _, err := writer.WriteString("x"); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("the pipe is open: %v", err)
		}
		_ = writer.Close()
	}
}

// TestInterrupted says so, and not in the words of a context.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, args := range [][]string{{"../../example/fleet"}, {"explain", "../../example/fleet"}, {"keys", "-lang", "go", "../../example/fleet"}} {
		var stdout, stderr bytes.Buffer
		if code := run(ctx, args, &stdout, &stderr); code != cli.Failed || stderr.String() != "pkgen: interrupted; nothing was written\n" {
			t.Errorf("%q: exit code %d, %q", args, code, stderr.String())
		}
	}
}

// TestFlagsAnywhere reads flags before and after packages, with one hyphen or two,
// until "--".
func TestFlagsAnywhere(t *testing.T) {
	const pkg = "../../example/fleet"
	want := ""
	for i, args := range [][]string{
		{"explain", "-type", "VehicleEvent", "-format", "json", pkg},
		{"explain", pkg, "-type", "VehicleEvent", "-format", "json"},
		{"explain", "--type=VehicleEvent", pkg, "--format", "json"},
		{"explain", "-format=json", "-type", "VehicleEvent", "--", pkg},
	} {
		if testing.Short() && i%2 > 0 {
			continue
		}
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), args, &stdout, &stderr); code != cli.Done || stderr.Len() > 0 {
			t.Fatalf("%q: exit code %d, %s", args, code, stderr.String())
		}
		if i == 0 {
			want = stdout.String()
		} else if stdout.String() != want {
			t.Errorf("%q prints something else", args)
		}
	}
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"tags", "--", "-x"}, &bytes.Buffer{}, &stderr); code != cli.Failed || !strings.Contains(stderr.String(), `remove "-x"`) {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}

// TestFlagMisspelt names the flag that was meant.
func TestFlagMisspelt(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"-chek"}, "pkgen: flag provided but not defined: -chek: did you mean -check?\nrun pkgen -h for the flags\n"},
		{[]string{"explain", "./x", "--formt=json"}, "pkgen: flag provided but not defined: -formt: did you mean -format?\nrun pkgen explain -h for the flags\n"},
		{[]string{"vet", "-zzz"}, "pkgen: flag provided but not defined: -zzz\nrun pkgen vet -h for the flags\n"},
		{[]string{"-type"}, "pkgen: flag needs an argument: -type\nrun pkgen -h for the flags\n"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), test.args, &bytes.Buffer{}, &stderr); code != cli.Failed || stderr.String() != test.says {
			t.Errorf("%q: exit code %d, %q", test.args, code, stderr.String())
		}
	}
}
