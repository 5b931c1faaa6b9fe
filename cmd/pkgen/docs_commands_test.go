package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// notRun are the commands of the docs that TestCommandsOfTheDocs does not run,
// each with the reason.
var notRun = map[string]string{
	"go generate ./... && go run ./example":                                                                  "it is for a clone, and .ci/run runs it",
	"go test ./...":                                                                                          "it is for a clone, and runs this test, but for the other pages",
	"pkgen explain -format json ./... | jq '.[].layout'":                                                     "not every machine has jq; TestExplainSchema reads what it prints",
	"pkgen forget -type Order ./shop":                                                                        "its type is not gone there; the script lock.txtar has one that is",
	"pkgen forget -type VehicleEvent ./fleet":                                                                "its type is not gone there; the script lock.txtar has one that is",
	"pkgen-data rulog log.csv -layout '{vin}' ./fleet":                                                       "there is no log; TestAnalyzeLog has one",
	"pkgen-emulator -partitions 5 -data ./cosmos":                                                            "it goes on until it is interrupted; TestEmulator starts it",
	"pkgen-emulator dump -data ./cosmos -o testdata":                                                         "there is no data folder; TestEmulatorData has one",
	"pkgen-emulator -data ./cosmos -ahead 25h":                                                               "it goes on until it is interrupted; TestEmulatorAhead starts it",
	`pkgen-emulator -http -regions "West Europe,North Europe" -replication-lag 2s`:                           "it goes on until it is interrupted; TestEmulatorRegions starts it",
	"pkgen-emulator dump -data ./cosmos -o saved":                                                            "there is no data folder; TestEmulatorData has one",
	"pkgen-data analyze -in events.ndjson -time at -layout '{date}' -buckets 10 ./fleet":                     "there is no sample; TestAnalyze has one",
	"pkgen-data analyze -in sample.ndjson.gz -fail-on hot-key,colliding -max-share 5 -format github ./fleet": "there is no sample; TestAnalyzeExits has one",
	"pkgen-data verify ./...":                                                                                "there is no account; TestVerifyAllIsWell has one",
	"pkgen-data verify -sample 5 -limit 2000 ./shop":                                                         "there is no account; TestVerifyAllIsWell has one",
	"pkgen-data migrate -from events -to daily -dry-run ./fleet":                                             "there is no account; TestMigrate has one",
	"pkgen-data migrate -from events -to daily -budget 2000 ./fleet":                                         "there is no account; TestMigrate has one",
	"pkgen-data migrate -from events -to daily -cutover ./fleet":                                             "there is no account; TestMigrate has one",
	"pkgen-data move-tenant -tenant contoso -dry-run ./shop":                                                 "there is no account; TestMoveTenant has one",
	"pkgen-data move-tenant -tenant contoso -budget 2000 ./shop":                                             "there is no account; TestMoveTenant has one",
	"pkgen-data move-tenant -tenant contoso -to orders ./shop":                                               "there is no account; TestMoveTenant has one",
	"pkgen-data upgrade -dry-run ./...":                                                                      "there is no account; TestUpgradeCommand has one",
	"pkgen-data upgrade -type Person -budget 400 ./people":                                                   "there is no account; TestUpgradeCommand has one",
	"pkgen-data dump -container orders -o orders.ndjson.gz":                                                  "there is no account; TestFixtures has one",
	"pkgen-data dump -container orders -budget 400 -o orders.ndjson.zst":                                     "there is no account; TestFixtures has one",
	"pkgen-data load -container orders -in orders.ndjson.gz":                                                 "there is no account; TestFixtures has one",
	"pkgen-data load -container orders -keep -budget 400 -in orders.ndjson":                                  "there is no account; TestFixtures has one",
	"pkgen-data doctor ./...":                                                                                "there is no account; the script doctor.txtar has one",
	"pkgen-data doctor -probe":                                                                               "there is no account; the script doctor.txtar has one",
	"go tool pkgen-emulator":                                                                                 "it goes on until it is interrupted; TestTutorial starts it",
	"export SSL_CERT_FILE=$HOME/.cache/pkgen/emulator.pem COSMOS_CONNECTION_STRING='AccountEndpoint=https://localhost:8081/;AccountKey=C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='": "there is no emulator; TestTutorial does the same",
	"go run .": "it goes on until it is interrupted; TestPage of example/shop/browsertest starts the shop",
	"docker build -f emulator/Containerfile -t pkgen-emulator:v1.2.3 'https://github.com/cosmos-pkgen/pkgen.git#v1.2.3'": "not every machine has docker; TestContainer of internal/channels runs what it runs",
	"docker run --rm -p 8081:8081 pkgen-emulator:v1.2.3":                                                                 "not every machine has docker; TestContainer of internal/channels runs what it runs",
	"docker run --rm -p 3000:3000 -p 4318:4318 grafana/otel-lgtm:0.28.0":                                                 "not every machine has docker",
	"OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 go run .":                                                         "there is no collector; TestCollector of example/shop has one",
	"go tool pkgen-data dump -container shop/users -o users.ndjson.gz":                                                   "there is no account; TestFixtures of example/shop has two",
	"go tool pkgen-data load -container shop/users -in users.ndjson.gz":                                                  "there is no account; TestFixtures of example/shop has two",
	"go tool pkgen-data verify -database shop ./documents":                                                               "there is no account; TestFixtures of example/shop has two",
	"az cosmosdb sql container create \\\n--resource-group \"$RESOURCE_GROUP\" --account-name \"$ACCOUNT\" --database-name \"$DATABASE\" \\\n--name leases --partition-key-path /id --partition-key-version 2 --ttl -1 --max-throughput 1000": "not every machine has az",
	"cd internal/conformance/azurite": "it is for a clone",
	"COSMOS_TABLE_CONNECTION_STRING='DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…;TableEndpoint=…;' go test -v -run TestConformanceOfAccount .": "there is no account; TestTemporaryTables runs the same on a server",

	"go run ./example/samples -shape vehicles -n 300000 | go run ./cmd/pkgen-data analyze -in - -layout '{date}' -buckets 10,50 -partitions 10 -o docs/analyze.svg ./example/fleet": "it is for a clone; TestAnalyzeFigure draws the same",

	"go run ./cmd/pkgen-data simulate -o docs/simulate.svg example/fleet/rush-hour.json": "it is for a clone; TestSimulateFigure draws the same",
}

// commandTime is how long a command of the docs may take on a busy machine.
const commandTime = 5 * time.Minute

// TestCommandsOfTheDocs runs every command line of every page, those in blocks of
// a shell and those that are indented, in the order of the page and with what
// they need: a module that has pkgen as its tool, a package fleet with generated
// code, and a package shop without tags. Each has to exit with 0. Without -seeds 3, it
// runs those of README.md.
func TestCommandsOfTheDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool")
	}
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Log("NOT RUN: there is no bash")
		return
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	decisions, err := filepath.Glob("../../docs/decisions/*.md")
	if err != nil || len(decisions) == 0 {
		t.Fatal(decisions, err)
	}
	path := "PATH=" + os.Getenv("PATH") + string(filepath.ListSeparator) + clitest.Build(t, "pkgen-data", "pkgen-emulator")
	met := make(map[string]bool)
	part := seeds.Part(t, "commands of other pages than README.md")
	pages = slices.DeleteFunc(pages, func(page string) bool { return filepath.Base(page) == "tutorial.md" }) // TestTutorial
	for _, page := range append(slices.Concat(pages, decisions), "../../README.md", "../../CONTRIBUTING.md", "../../example/shop/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, line := range commandLines(string(text)) {
			if notRun[line] != "" {
				met[line] = true
			} else {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 && (!part || page == "../../README.md") {
			t.Run(filepath.Base(page), func(t *testing.T) {
				t.Parallel()
				runCommands(t, bash, path, lines)
			})
		}
	}
	for line, reason := range notRun {
		if !met[line] {
			t.Errorf("no page has %q any more, which is not run since %s: remove it from the list", line, reason)
		}
	}
}

// runCommands runs command lines in one module.
func runCommands(t *testing.T, bash, path string, lines []string) {
	c := newConsumer(t, map[string]string{
		"shop/order.go": "package shop\n\ntype Order struct {\n\tID       string `json:\"id\"`\n\tCustomer string `json:\"customer\"`\n}\n",
	})
	sources, err := filepath.Glob("../../example/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		if base := filepath.Base(path); !strings.HasSuffix(base, "_test.go") && slices.Contains([]string{".go", ".json", ".lock", ".ndjson"}, filepath.Ext(base)) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c.write("fleet/"+base, strings.Replace(string(text), "go run ../../cmd/pkgen", "go tool pkgen", 1))
		}
	}
	for _, name := range []string{"tenants.json", "indexes.json"} {
		scenario, err := os.ReadFile("../../example/shop/" + name)
		if err != nil {
			t.Fatal(err)
		}
		c.write("shop/"+name, string(scenario))
	}
	for _, program := range []string{"pkgen", "pkgen-data", "pkgen-emulator"} {
		c.run("mod", "edit", "-tool=github.com/cosmos-pkgen/pkgen/cmd/"+program)
	}
	for _, line := range lines {
		t.Log(line)
		ctx, cancel := context.WithTimeout(t.Context(), commandTime)
		command := exec.CommandContext(ctx, bash, "-e", "-o", "pipefail", "-c", line)
		command.Dir = c.dir
		command.Env = append(os.Environ(), path, "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOSUMDB=off", "PKGEN_CACHE=off")
		out, err := command.CombinedOutput()
		cancel()
		if err != nil {
			t.Errorf("%s\n%v\n%s", line, err, out)
		}
	}
}

var (
	remark = regexp.MustCompile(` +# .*$`)
	fence  = regexp.MustCompile("^ *```(\\w*)$")
	// commandWord begins a command line where the block does not say that it is
	// one of a shell.
	commandWord = regexp.MustCompile(`^(az|cd|cp|curl|docker|export|git|go|pkgen|pkgen-data|pkgen-emulator|source|sudo|terraform|\.ci/\w+|[A-Z_]+=\S+ (go|pkgen)) `)
	// usageLine is a line that says how a command is called.
	usageLine   = regexp.MustCompile(`^pkgen(-data|-emulator)?( [a-z-]+){0,2}( \[\S.*\]| [A-Z]+| -[a-z]+ [A-Z]+)+$`)
	shellBlocks = []string{"bash", "console", "sh", "shell"}
)

// commandLines returns the command lines of a page.
func commandLines(page string) []string {
	var lines []string
	fenced, language, continued := false, "", false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		if m := fence.FindStringSubmatch(line); m != nil {
			fenced, language = !fenced, m[1]
			continue
		}
		command := strings.TrimSpace(remark.ReplaceAllString(line, ""))
		shell := fenced && slices.Contains(shellBlocks, language)
		switch {
		case continued:
			last := &lines[len(lines)-1]
			*last += "\n" + command
			continued = strings.HasSuffix(command, `\`)
			continue
		case !fenced && !strings.HasPrefix(line, "    "), fenced && language != "" && !shell:
			continue // prose, or another language
		case command == "" || strings.HasPrefix(command, "#") || usageLine.MatchString(command):
			continue
		case shell || commandWord.MatchString(command+" "):
			lines = append(lines, strings.TrimPrefix(command, "$ "))
			continued = strings.HasSuffix(command, `\`)
		}
	}
	return lines
}

// TestCommandLines finds the commands of a page.
func TestCommandLines(t *testing.T) {
	const page = "go is fine.\n\n    go test ./...\n    not a command\n\n```\npkgen vet [flags] [packages]\npkgen-emulator [-addr A]\n               [-v]\npkgen-data simulate SCENARIO\npkgen-emulator dump -data FOLDER -o FOLDER\npkgen vet  # ok\nprinted: text\n```\n\n" +
		"```sh\n# a comment\nanything\n$ az login\naz a \\\n  b\n```\n\n```go\ngo f()\n```\n\n```\nA=b go run .\n```\n"
	want := []string{"go test ./...", "pkgen vet", "anything", "az login", "az a \\\nb", "A=b go run ."}
	if got := commandLines(page); slices.CompareFunc(got, want, cmp.Compare[string]) != 0 {
		t.Errorf("got %q, want %q", got, want)
	}
}
