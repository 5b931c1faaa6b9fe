package analyze

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// fleetSample writes a seeded sample of a fleet, with so many documents.
func fleetSample(t *testing.T, documents string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "vehicles.ndjson")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd := exec.CommandContext(t.Context(), "go", "run", "../../../../../example/samples", "-shape", "vehicles", "-n", documents)
	cmd.Stdout, cmd.Stderr = file, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnalyzeFigure draws the picture of the README and docs/analyze.md again, and
// compares it to the last byte; then the same as a page and in pixels.
func TestAnalyzeFigure(t *testing.T) {
	if !*update {
		seeds.Gate(t, "300,000 documents")
	}
	t.Setenv("GOFLAGS", "")
	const figure = "../../../../../docs/analyze.svg"
	sample, dir := fleetSample(t, "300000"), t.TempDir()
	draw := func(path string) []byte {
		t.Helper()
		var out, problems bytes.Buffer
		code := run(t.Context(), []string{"analyze", "-in", sample, "-layout", "{date}", "-buckets", "10,50", "-partitions", "10", "-o", path, "../../../../../example/fleet"}, &out, &problems)
		if code != cli.Done || problems.Len() > 0 {
			t.Fatalf("exit code %d: %s", code, problems.String())
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	got := draw(filepath.Join(dir, "analyze.svg"))
	if *update {
		if err := os.WriteFile(figure, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(figure)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/analyze.svg is out of date: look at what has changed, and run go test ./cmd/pkgen-data/internal/command/analyze -run TestAnalyzeFigure -update")
	}
	for d := xml.NewDecoder(bytes.NewReader(got)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if page := draw(filepath.Join(dir, "report.html")); !bytes.Contains(page, []byte("The keys of VehicleEvent")) || len(page) > 2_000_000 {
		t.Errorf("the page has %d bytes: %.200s", len(page), page)
	}
	info, err := os.Stat(filepath.Join(dir, "report.html"))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the keys of the page: %v, %v", info.Mode(), err)
	}
}
