package golangci_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	_ "github.com/cosmos-pkgen/pkgen/golangci"
)

// TestPlugin gets the plugin as golangci-lint does, and runs its analyzers on a package with a
// mistake. internal/consumer builds a golangci-lint with it.
func TestPlugin(t *testing.T) {
	build, err := register.GetPlugin("pkgen")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := build(map[string]any{"strict": true}); err == nil || !strings.Contains(err.Error(), "the linter pkgen has no settings: remove them") {
		t.Errorf("with settings: %v", err)
	}
	if _, err := build(map[string]any{}); err != nil {
		t.Errorf("with empty settings: %v", err)
	}
	linter, err := build(nil)
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil || len(analyzers) != 1 || analyzers[0].Name != "pkgen" || linter.GetLoadMode() != register.LoadModeTypesInfo {
		t.Fatalf("analyzers %v, %v, mode %s", analyzers, err, linter.GetLoadMode())
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/shop\n\ngo 1.25.0\n",
		"shop.go": "package shop\n\ntype Order struct {\n\tID string `json:\"id\" cosmos:\"pkk\"`\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: folder, Env: append(os.Environ(), "GOWORK=off")}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze(analyzers, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, action := range graph.Roots {
		for _, d := range action.Diagnostics {
			found = append(found, action.Package.Fset.Position(d.Pos).String()+": "+d.Message)
		}
	}
	if want := filepath.Join(folder, "shop.go") + `:4:31: unknown word "pkk"`; len(found) != 1 || !strings.HasPrefix(found[0], want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
