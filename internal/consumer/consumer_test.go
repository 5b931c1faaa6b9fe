package consumer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// drivers are what a program of one API has, and a program of another must not have:
// paths with which packages begin.
var drivers = map[string][]string{
	"nosql":   {"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos", root + "/repository/internal"},
	"table":   {"github.com/Azure/azure-sdk-for-go/sdk/data/aztables", root + "/table"},
	"mongo":   {"go.mongodb.org/mongo-driver", root + "/mongo"},
	"gremlin": {"github.com/coder/websocket", root + "/gremlin"},
	"otel":    {"go.opentelemetry.io", root + "/otel"}, // no program has it unless it asks for it
}

// TestConsumers builds a program for each API, with generated code, from modules that
// a proxy of files has, and looks at what is in the program.
func TestConsumers(t *testing.T) {
	env := environment(t)
	for _, api := range []string{"nosql", "table", "mongo", "gremlin"} {
		t.Run(api, func(t *testing.T) {
			if testing.Short() && (api == "mongo" || api == "gremlin") {
				t.Skip("is built as table is")
			}
			runtime := root + "/" + api
			if api == "nosql" {
				runtime = root + "/repository"
			} else if _, err := os.Stat(filepath.Join("../..", api, "go.mod")); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, name := range []string{"go.mod", "reading.go", "main.go"} {
				text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				source := strings.NewReplacer("API", api).Replace(string(text))
				if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run(t, dir, env, "go", "get", runtime+"@"+version)
			run(t, dir, env, "go", "get", "-tool", root+"/cmd/pkgen@"+version)
			if got := strings.TrimSpace(run(t, dir, env, "go", "list", "-m", "-f", "{{.Version}} {{.Replace}}", root)); got != version+" <nil>" {
				t.Errorf("the root is %s", got)
			}
			run(t, dir, env, "go", "generate", "./...")
			run(t, dir, env, "go", "get", "./...")
			if got, want := run(t, dir, env, "go", "run", "."), "2018-08-09.a\n"; got != want {
				t.Errorf("the program prints %q, want %q", got, want)
			}
			packages := strings.Fields(run(t, dir, env, "go", "list", "-deps", "."))
			for owner, prefixes := range drivers {
				for _, prefix := range prefixes {
					has := slices.ContainsFunc(packages, func(p string) bool { return p == prefix || strings.HasPrefix(p, prefix+"/") })
					if has != (owner == api) {
						t.Errorf("a program of %s: imports of %s: %v", api, prefix, has)
					}
				}
			}
		})
	}
}

// environment returns variables of the environment by which the go command finds the
// modules of this tree as a version that is published.
func environment(t *testing.T) []string {
	t.Helper()
	proxy := publish(t)
	cache := t.TempDir() // of modules; what this machine has comes from its own cache
	return []string{
		"GOMODCACHE=" + cache,
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE")), "cache", "download") + "," + strings.TrimSpace(run(t, ".", nil, "go", "env", "GOPROXY")),
		"GOSUMDB=off", // which has no sums of a version that is not published
		"GOFLAGS=-modcacherw -trimpath",
		"GOWORK=off",
	}
}

// TestGenerator runs pkgen as the only tool of a module, and then pkgen-data, which pkgen runs
// as the other tool of the module. internal/house has a budget for the lines of go.sum.
func TestGenerator(t *testing.T) {
	env := environment(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/generates\n\ngo 1.25.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, env, "go", "get", "-tool", root+"/cmd/pkgen@"+version)
	run(t, dir, env, "go", "tool", "pkgen", "tags")
	t.Logf("go.sum has %d lines", lines(t, dir, "go.sum"))
	if testing.Short() {
		return
	}
	run(t, dir, env, "go", "get", "-tool", root+"/cmd/pkgen-data@"+version)
	if out := run(t, dir, env, "go", "tool", "pkgen", "help", "verify"); !strings.HasPrefix(out, "Usage: pkgen-data verify") {
		t.Errorf("pkgen runs something else: %s", out)
	}
	t.Logf("with pkgen-data, go.sum has %d lines", lines(t, dir, "go.sum"))
}

// lines returns the number of lines of a file.
func lines(t *testing.T, dir, name string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}
