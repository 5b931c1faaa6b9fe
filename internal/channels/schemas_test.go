package channels

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// decoded returns a JSON text as the validator reads it.
func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return v
}

// schema compiles a schema of docs/schemas. A strict one refuses each property that it does
// not name. A user's validator lets it pass, since later versions may add properties.
func schema(t *testing.T, name string, strict bool) *jsonschema.Schema {
	t.Helper()
	file := name + ".schema.json"
	document := decoded(t, readFile(t, "docs/schemas/"+file)).(map[string]any)
	const address = "https://raw.githubusercontent.com/cosmos-pkgen/pkgen/main/docs/schemas/"
	if document["$id"] != address+file || document["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("%s has $id %v and $schema %v", file, document["$id"], document["$schema"])
	}
	if strict {
		seal(document)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(address+file, document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(address + file)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// seal makes the objects of a schema refuse further properties.
func seal(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			seal(inner)
		}
	case []any:
		for _, inner := range v {
			seal(inner)
		}
	}
}

// wholeScenario and wholeCalls have each property once.
const (
	wholeScenario = `{"$schema": "https://example.com", "title": "t", "seconds": 1, "start": "2026-01-02T03:04:05Z", "partitions": 1, "throughput": 100, "latency": 5,
		"documentBytes": 1000, "layouts": ["{date}.{vin%10}"], "indexes": [{"layout": "{vin}", "throughput": 50, "partitions": 2}], "escape": false, "arrivals": "regular", "clients": 2, "retries": {"most": 1, "longest": 2.5, "total": 3},
		"properties": {"date": {"time": "2006-01-02"}, "vin": {"zipf": 10, "exponent": 1.1, "prefix": "V"}, "n": {"uniform": 3, "number": true}, "c": {"constant": [1]},
			"s": {"sample": "sample.ndjson", "property": "a.b"}},
		"operations": [{"name": "ByDate", "method": "query", "rate": 1, "by": ["date"], "results": 2, "charge": 3.5, "properties": {"vin": {"uniform": 2}}}]}`
	wholeCalls = `{"$schema": "https://example.com", "Get": 5, "ByVIN": {"method": "ByVIN", "perSecond": 1.5, "knows": ["vin"], "documents": 3, "periods": 2}, "Update": {"perSecond": 2, "changes": ["vin"]}}`
	listCalls  = `[{"method": "ByVIN", "perSecond": 1.5, "knows": ["vin"], "documents": 3, "periods": 2}, {"method": "Update", "perSecond": 2, "changes": ["vin"]}]`
)

// fenced is a block of JSON on a page.
var fenced = regexp.MustCompile("(?ms)^```json\n(.*?)^```$")

// TestFilesOfPeople validates the scenarios and the calls of the tree, in files and on pages.
func TestFilesOfPeople(t *testing.T) {
	counts := map[string]int{}
	valid := func(name, where, text string) {
		t.Helper()
		counts[name]++
		if err := schema(t, name, false).Validate(decoded(t, text)); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	scenarios, err := filepath.Glob(rootPath(t, "cmd/pkgen-data/internal/simulate/testdata/*.scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(scenarios, rootPath(t, "example/fleet/rush-hour.json"), rootPath(t, "example/shop/tenants.json"), rootPath(t, "example/shop/indexes.json")) {
		valid("scenario", path, read(t, path))
	}
	valid("calls", "calls.json", readFile(t, "example/fleet/calls.json"))
	for page, name := range map[string]string{"docs/simulate.md": "scenario", "docs/analyze.md": "calls", "docs/ci.md": "calls"} {
		for _, block := range fenced.FindAllStringSubmatch(readFile(t, page), -1) {
			if object, ok := decoded(t, block[1]).(map[string]any); !ok || object["documents"] == nil { // not a report
				valid(name, page, block[1])
			}
		}
	}
	valid("scenario", "all properties", wholeScenario)
	valid("calls", "all properties", wholeCalls)
	valid("calls", "all properties of a list", listCalls)
	if counts["scenario"] < 8 || counts["calls"] < 6 {
		t.Errorf("validated %v", counts)
	}
}

// TestMisspelled changes the name of each property of a whole file, one after the other, and
// expects that the schema refuses the file, and that the command does.
func TestMisspelled(t *testing.T) {
	program := filepath.Join(programs(t), "pkgen-data")
	folder := t.TempDir()
	write(t, filepath.Join(folder, "sample.ndjson"), `{"a":{"b":"x"},"id":"1"}`+"\n")
	refuses := func(name, text string) (bool, string) {
		file := filepath.Join(folder, name+".json")
		write(t, file, text)
		arguments := []string{"simulate", file}
		if name == "calls" {
			arguments = []string{"calls", file, "-layout", "{vin}", "-in", rootPath(t, "example/fleet/events.ndjson")}
		}
		out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput()
		return err != nil, string(out)
	}
	property := regexp.MustCompile(`"([\w$]+)":`)
	for _, test := range []struct {
		name, text string
		free       string // names that are free: of methods, and of properties of documents
	}{
		{"scenario", wholeScenario, " date vin n c s "},
		{"calls", wholeCalls, " $schema Get ByVIN Update "},
		{"calls", listCalls, ""},
	} {
		if refused, out := refuses(test.name, test.text); refused {
			t.Errorf("the command refuses %s: %s", test.text, out)
		}
		checked := schema(t, test.name, false)
		places := property.FindAllStringSubmatchIndex(test.text, -1)
		for _, at := range places {
			if name := test.text[at[2]:at[3]]; strings.Contains(test.free, " "+name+" ") {
				continue
			}
			wrong := test.text[:at[3]] + "x" + test.text[at[3]:]
			if checked.Validate(decoded(t, wrong)) == nil {
				t.Errorf("the schema takes %s", wrong)
			}
			if refused, _ := refuses(test.name, wrong); !refused {
				t.Errorf("the command takes %s", wrong)
			}
		}
	}
	// Values that the command refuses.
	for _, change := range [][2]string{
		{`"seconds": 1`, `"seconds": 0`}, {`"seconds": 1`, `"seconds": "1"`}, {`"seconds": 1`, `"seconds": 1.5`}, {`"partitions": 1`, `"partitions": 1001`},
		{`"regular"`, `"often"`}, {`"query"`, `"put"`}, {`"rate": 1`, `"rate": 0`}, {`"most": 1`, `"most": -1`}, {`"2026-01-02T03:04:05Z"`, `"today"`},
		{`"layouts": ["{date}.{vin%10}"]`, `"layouts": []`}, {`{"uniform": 2}`, `{"uniform": 2, "time": "2006"}`}, {`{"uniform": 2}`, `{}`},
		{`{"uniform": 2}`, `{"time": "2006", "prefix": "x"}`}, {`"prefix": "V"`, `"prefix": "V", "number": true`}, {`"query"`, `"get"`},
		{`"throughput": 50`, `"throughput": 0`}, {`"partitions": 2`, `"partitions": -1`}, {`{"layout": "{vin}", `, `{`}, {`"layout": "{vin}"`, `"layout": ""`},
	} {
		wrong := strings.Replace(wholeScenario, change[0], change[1], 1)
		if wrong == wholeScenario || schema(t, "scenario", false).Validate(decoded(t, wrong)) == nil {
			t.Errorf("the schema takes %s in the place of %s", change[1], change[0])
		}
		if refused, _ := refuses("scenario", wrong); !refused {
			t.Errorf("the command takes %s", change[1])
		}
	}
}

// ofData are the schemas of what pkgen-data prints.
var ofData = []string{"analyze", "simulate", "verify", "doctor", "dump", "load", "migrate", "upgrade", "move-tenant"}

// TestOutputs validates what each command prints with -format json: over examples, a module
// with mistakes, and an emulator.
func TestOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all commands")
	}
	_, module := newRepository(t)
	bin := programs(t)
	connection := startEmulator(t, filepath.Join(bin, "pkgen-emulator"), module)
	validated := map[string]bool{}
	prints := func(name, folder string, arguments ...string) {
		t.Helper()
		program := "pkgen"
		if slices.Contains(ofData, name) {
			program = "pkgen-data"
		}
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, program), arguments...)
		cmd.Dir = folder
		cmd.Env = environment(connection)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if len(out) == 0 {
			t.Errorf("%q prints nothing, %v: %s", arguments, err, stderr.String())
			return
		}
		validated[name] = true
		value := decoded(t, string(out))
		if list, ok := value.([]any); ok && len(list) == 0 {
			t.Errorf("%q prints an empty list", arguments)
		}
		if err := schema(t, name, true).Validate(value); err != nil {
			t.Errorf("%q: %v\n%s", arguments, err, out)
		}
	}
	root := rootPath(t, ".")
	prints("explain", root, "explain", "-format", "json", "./example/...")
	prints("tags", root, "tags", "-format", "json")
	prints("simulate", root, "simulate", "-format", "json", "example/shop/tenants.json")
	prints("simulate", root, "simulate", "-format", "json", "example/shop/indexes.json")
	prints("analyze", root, "analyze", "-format", "json", "-in", "example/fleet/events.ndjson", "-time", "at", "-layout", "{date}", "-buckets", "10", "./example/fleet")
	prints("analyze", root, "calls", "example/fleet/calls.json", "-format", "json", "-in", "example/fleet/events.ndjson", "-index", "{vin}", "./example/fleet")
	prints("analyze", root, "usage", "example/fleet/usage.ndjson", "-format", "json")
	write(t, filepath.Join(module, "log.csv"), "TimeGenerated,DatabaseName,CollectionName,RegionName,PartitionKey,PartitionKeyRangeId,OperationName,RequestCharge\n"+
		"2026-01-02T03:04:05Z,shop,order,West,\"[\"\"c.1\"\"]\",0,Query,12.5\n2026-01-02T03:05:05Z,shop,order,West,\"[\"\"d.1\"\"]\",1,Create,5\n")
	prints("analyze", module, "rulog", "log.csv", "-format", "json", "./shop")

	prints("verify", module, "verify", "-format", "json", "./shop")
	prints("doctor", module, "doctor", "-format", "json", "./shop")
	prints("analyze", module, "analyze", "-format", "json", "-container", "order", "./shop")
	prints("dump", module, "dump", "-format", "json", "-container", "order", "-o", "dumped.ndjson")
	write(t, filepath.Join(module, "bad.ndjson"), "{\"id\":\"9\",\"partitionKey\":\"c.1\"}\n[]\n")
	prints("load", module, "load", "-format", "json", "-container", "order", "-in", "bad.ndjson")
	prints("migrate", module, "migrate", "-format", "json", "-dry-run", "-from", "old", "-to", "empty", "-type", "Order", "./shop")
	write(t, filepath.Join(module, "people", "person.go"), "package people\n\ntype Person struct {\n\tID   string `json:\"id\" cosmos:\"id,pk\"`\n\tName string `json:\"name\" cosmos:\"was=title\"`\n}\n")
	run(t, module, "go", "tool", "pkgen", "./people")
	prints("upgrade", module, "upgrade", "-format", "json", "-dry-run", "./people")
	prints("move-tenant", module, "move-tenant", "-format", "json", "-dry-run", "-tenant", "c", "-shared", "orders", "-to", "orders-c")

	write(t, filepath.Join(module, "shop", "more.go"), "package shop\n\ntype Memo struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n\ntype Plain struct {\n\tID       string `json:\"id\"`\n\tTenantID string `json:\"tenantId\"`\n}\n")
	prints("findings", module, "-check", "-format", "json", "./shop")
	prints("init", module, "init", "-format", "json", "./shop")
	run(t, module, "go", "tool", "pkgen", "./shop")
	prints("seal", module, "seal", "-format", "json", "./shop")
	write(t, filepath.Join(module, "shop", "more.go"), read(t, filepath.Join(module, "shop", "more.go"))+"\ntype Wrong struct {\n\tID string `json:\"id\" cosmos:\"pkk\"`\n}\n")
	prints("findings", module, "vet", "-format", "json", "./shop")
	prints("findings", module, "-format", "json", "./shop")
	write(t, filepath.Join(module, "shop", "more.go"), "package shop\n")
	run(t, module, "go", "tool", "pkgen", "./shop")
	prints("forget", module, "forget", "-format", "json", "-type", "Memo", "./shop")

	files, err := filepath.Glob(rootPath(t, "docs/schemas/*.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".schema.json"); !validated[name] && name != "scenario" && name != "calls" {
			t.Errorf("no output was validated by %s", name)
		}
	}
	// The reports that are kept in the tree, and a property that is misspelled in one.
	reports, err := filepath.Glob(rootPath(t, "cmd/pkgen-data/internal/simulate/testdata/*.report.json"))
	if err != nil || len(reports) == 0 {
		t.Fatal(err)
	}
	for _, report := range reports {
		text := read(t, report)
		if err := schema(t, "simulate", true).Validate(decoded(t, text)); err != nil {
			t.Errorf("%s: %v", report, err)
		}
		if schema(t, "simulate", false).Validate(decoded(t, strings.Replace(text, `"effective"`, `"efective"`, 1))) == nil {
			t.Errorf("%s is valid without its effective", report)
		}
	}
}

// startEmulator starts an emulator with containers for a module of newRepository, and returns
// the variable of the environment that names it.
func startEmulator(t *testing.T, program, folder string) string {
	t.Helper()
	arguments := []string{"-http", "-addr", "127.0.0.1:0"}
	for id, path := range map[string]string{"order": "/partitionKey", "old": "/customer", "empty": "/partitionKey", "orders": "/tenantId", "orders-c": "/tenantId", "tenants": "/id", "person": "/id"} {
		head, err := json.Marshal(map[string]any{"database": "shop", "container": map[string]any{"id": id, "partitionKey": map[string]any{"paths": []string{path}, "kind": "Hash", "version": 2}}})
		if err != nil {
			t.Fatal(err)
		}
		text := string(head) + "\n"
		if id == "order" || id == "old" {
			text += `{"id":"1","customer":"c","partitionKey":"c.1"}` + "\n" + `{"id":"2","customer":"c","partitionKey":"c.1"}` + "\n"
		}
		file := filepath.Join(folder, id+".container.ndjson")
		write(t, file, text)
		arguments = append(arguments, "-load", file)
	}
	cmd := exec.CommandContext(t.Context(), program, arguments...)
	return awaitConnection(t, cmd)
}
