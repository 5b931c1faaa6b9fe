package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// consumer is a module of its own in a temporary folder, which uses this one as
// others do.
type consumer struct {
	t   *testing.T
	dir string
}

func newConsumer(t *testing.T, files map[string]string) consumer {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	c := consumer{t, scratch.Dir(t)}
	c.write("go.mod", "module example.com/consumer\n\ngo 1.25.0\n\n"+
		"require github.com/cosmos-pkgen/pkgen v0.0.0\n\n"+
		"replace github.com/cosmos-pkgen/pkgen => "+root+"\n")
	for name, text := range files {
		c.write(name, text)
	}
	return c
}

func (c consumer) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c consumer) read(name string) string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// run runs the go command. Every module that it needs is in the module cache
// already, since this one needs them all.
func (c consumer) run(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOSUMDB=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// generate writes a source file, runs pkgen on its folder as users do, and binds layouts
// that are drafts.
func (c consumer) generate(name, source string) {
	c.t.Helper()
	c.write(name, source)
	folder := "./" + filepath.Dir(name)
	c.pkgen(folder)
	if strings.Contains(c.read(filepath.Join(folder, lock.FileName)), " draft") {
		c.pkgen("seal", folder)
	}
}

// pkgen runs pkgen in the module.
func (c consumer) pkgen(args ...string) {
	c.t.Helper()
	binary, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(binary)
	cmd.Args, cmd.Dir = append([]string{"pkgen"}, args...), c.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOSUMDB=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// program starts a program of the module. The function that it returns closes the input of
// the program, and waits for its end.
func (c consumer) program(out io.Writer, env []string, name string, args ...string) (input io.Writer, end func()) {
	c.t.Helper()
	cmd := exec.Command(filepath.Join(c.dir, name), args...)
	cmd.Env = append(os.Environ(), env...)
	var errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &errors
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	ended := false
	c.t.Cleanup(func() {
		if !ended {
			_ = cmd.Process.Kill() // the test has failed
			_ = cmd.Wait()
			c.t.Logf("%s %s: %s", name, strings.Join(args, " "), errors.String())
		}
	})
	return in, func() {
		c.t.Helper()
		_ = in.Close() // the program may have ended
		err := cmd.Wait()
		if ended = true; err != nil {
			c.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errors.String())
		}
	}
}

const orderSource = `package shop

//` + `go:generate go tool pkgen

type Order struct {
	ID       string ` + "`json:\"id\"`" + `
	Customer string ` + "`json:\"customer\" cosmos:\"pk,hashsuffix=ID,buckets=8\"`" + `
	Total    int    ` + "`json:\"total\"`" + `
	Stored   string ` + "`json:\"partitionKey\" cosmos:\"synthetic\"`" + `
}
`

const orderTest = `package shop_test

import (
	"context"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"example.com/consumer/shop"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func TestOrders(t *testing.T) {
	ctx := context.Background()
	client := emulator.New(t, emulator.Options{Partitions: 3}).Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, _ := client.NewDatabase("db")
	if _, err := db.CreateContainer(ctx, shop.OrderContainer(), nil); err != nil {
		t.Fatal(err)
	}
	container, _ := db.NewContainer(shop.OrderContainer().ID)
	orders := shop.NewOrderRepository(container)
	for _, id := range []string{"1", "2", "3"} {
		if err := orders.Create(ctx, &shop.Order{ID: id, Customer: "c", Total: 5}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := orders.ByCustomer("c").Collect(ctx)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d orders, %v", len(all), err)
	}
}
`

// TestConsumer does what the README tells users to do: add the tool, generate,
// test.
func TestConsumer(t *testing.T) {
	seeds.Gate(t, "a module that uses pkgen")
	t.Parallel()
	c := newConsumer(t, map[string]string{"shop/order.go": orderSource, "shop/order_test.go": orderTest})
	// What go get -tool does, without asking for versions.
	c.run("mod", "edit", "-tool=github.com/cosmos-pkgen/pkgen/cmd/pkgen")
	c.run("build", "-o", os.DevNull, "github.com/cosmos-pkgen/pkgen/cmd/pkgen")
	c.run("generate", "./...")
	c.run("vet", "./...")
	c.run("test", "./...")
	c.run("tool", "pkgen", "seal", "./...")
	if out := c.run("tool", "pkgen", "-check", "./..."); out != "" {
		t.Errorf("out of date at once: %s", out)
	}
	if out := c.run("tool", "pkgen", "explain", "./..."); !strings.Contains(out, "{customer}.{id%8}") {
		t.Errorf("explain printed %s", out)
	}
}

// TestRunTimeConsumer uses checked-in generated code without the tool: what only
// the generator needs must not reach the go.sum of such a module.
func TestRunTimeConsumer(t *testing.T) {
	seeds.Gate(t, "builds a module")
	t.Parallel()
	generated, err := os.ReadFile("../../example/telemetry/reading_cosmos.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../example/telemetry/reading.go")
	if err != nil {
		t.Fatal(err)
	}
	c := newConsumer(t, map[string]string{
		"telemetry/reading_cosmos.go": string(generated),
		"telemetry/reading.go":        string(source),
	})
	c.run("build", "./...")
	sums := c.read("go.sum")
	for _, module := range []string{"github.com/dave/jennifer", "golang.org/x/tools", "github.com/rogpeppe/go-internal"} {
		for line := range strings.Lines(sums) {
			if strings.HasPrefix(line, module+" ") {
				t.Errorf("go.sum has %s", line)
			}
		}
	}
	if n := strings.Count(sums, "\n"); n > 40 {
		t.Errorf("go.sum has %d lines:\n%s", n, sums)
	}
}
