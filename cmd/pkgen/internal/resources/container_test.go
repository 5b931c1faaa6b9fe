package resources

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// oddID is an id that ends strings, that shells and templates would replace, that
// ends lines for some, and that turns the direction of writing.
const oddID = "it's ${a} %{b} $c\u202e\u2029\U000e0001"

// oddContainers have in their texts what languages give a meaning to.
func oddContainers() []container {
	ttl := 86400
	return []container{
		{
			id: oddID, types: []string{"m.Reading"}, kind: "Hash", paths: []string{"/partitionKey"}, ttl: &ttl,
			composites: [][]templates.IndexPath{{{Path: `/"my-speed"`, Descending: true}, {Path: "/at"}}},
			conflicts:  containers.LastWriter("/meta/revision"),
		},
		{id: "visits-2024", types: []string{"m.Visit", "m.Stay"}, kind: "MultiHash", paths: []string{"/tenantId", "/userId"}, conflicts: containers.LastWriter(containers.ByTime)},
		{id: "visits_2024", types: []string{"n.Visit"}, kind: "Hash", paths: []string{"/id"}},
	}
}

// otherContainers are those of the other APIs: a table, a collection, and two graphs.
func otherContainers() []container {
	return []container{
		{api: templates.Table, id: "Reading", types: []string{"m.Reading"}, kind: "Hash", paths: []string{"/partitionKey"}},
		{
			api: templates.Mongo, id: oddID, types: []string{"m.Visit"}, kind: "Hash", paths: []string{"meta.tenant"},
			composites: [][]templates.IndexPath{{{Path: "at"}, {Path: "speed"}}, {{Path: "at", Descending: true}, {Path: "my-speed"}}},
		},
		{api: templates.Gremlin, words: "graph", types: []string{"m.Device", "m.Installed"}, kind: "Hash", paths: []string{"/partitionKey"}},
		{api: templates.Gremlin, words: "graph", types: []string{"m.Site"}, kind: "Hash", paths: []string{"/town"}},
	}
}

func written(language string) string {
	return text(language, append(oddContainers(), otherContainers()...))
}

// TestStoredNames has an id that is the shard key and in an index.
func TestStoredNames(t *testing.T) {
	model := &templates.Type{
		API: templates.Mongo, ID: pk.Field{Pointer: "/key"}, Key: pk.Key{Levels: []pk.Level{{Path: "/key"}}},
		Composites: [][]templates.IndexPath{{{Path: "/meta/key", Descending: true}, {Path: "/key"}}},
	}
	got := expected([]generator.TypeInfo{{Model: model}})[0]
	if want := []string{"_id"}; !slices.Equal(got.paths, want) {
		t.Errorf("the shard key is %q", got.paths)
	}
	if want := []templates.IndexPath{{Path: "meta.key", Descending: true}, {Path: "_id"}}; !slices.Equal(got.composites[0], want) {
		t.Errorf("the index is %v", got.composites[0])
	}
}

// TestContainersAreFit looks at what is printed of odd containers.
func TestContainersAreFit(t *testing.T) {
	for _, language := range []string{Bicep, Terraform, AzureCLI} {
		for _, r := range written(language) {
			if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
				t.Errorf("%s has %U", language, r)
			}
		}
	}
}

// TestContainerAzureCLI runs the script with a command az that prints its
// arguments.
func TestContainerAzureCLI(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Log("no bash: the script is not run")
		return
	}
	const az = "az() { printf '%s\\0' \"$@\" end; }\nRESOURCE_GROUP='my group' ACCOUNT=a DATABASE=d TABLE_ACCOUNT=t MONGO_ACCOUNT=m MONGO_DATABASE=md GREMLIN_ACCOUNT=g GREMLIN_DATABASE=gd GRAPH_NAME='one graph' GRAPH_2_NAME=two\n"
	command := exec.Command(bash)
	command.Stdin = strings.NewReader(az + written(AzureCLI))
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	calls := strings.Split(strings.TrimSuffix(string(out), "\x00end\x00"), "\x00end\x00")
	if len(calls) != 7 {
		t.Fatalf("%d calls of az in %q", len(calls), out)
	}
	create := strings.Split(calls[0], "\x00")
	for _, pair := range [][2]string{
		{"--resource-group", "my group"}, {"--account-name", "a"}, {"--database-name", "d"}, {"--name", oddID},
		{"--partition-key-path", "/partitionKey"}, {"--partition-key-version", "2"}, {"--ttl", "86400"},
		{"--conflict-resolution-policy", `{"mode":"LastWriterWins","conflictResolutionPath":"/meta/revision"}`},
	} {
		if i := slices.Index(create, pair[0]); i < 0 || create[i+1] != pair[1] {
			t.Errorf("%s is not %q in %q", pair[0], pair[1], create)
		}
	}
	var policy armPolicy
	if err := json.Unmarshal([]byte(create[slices.Index(create, "--idx")+1]), &policy); err != nil {
		t.Fatal(err)
	}
	if got := policy.Composites[0]; got[0] != (armPath{`/"my-speed"`, "descending"}) || got[1] != (armPath{"/at", "ascending"}) {
		t.Errorf("composite index %v", got)
	}
	put := strings.Split(calls[1], "\x00")
	url := "/subscriptions/{subscriptionId}/resourceGroups/my group/providers/Microsoft.DocumentDB/databaseAccounts/a/sqlDatabases/d/containers/visits-2024?api-version=" + bicepVersion
	if put[0] != "rest" || put[slices.Index(put, "--url")+1] != url {
		t.Errorf("az is called with %q", put)
	}
	var body struct {
		Properties struct {
			Resource armResource `json:"resource"`
		} `json:"properties"`
	}
	if err := json.Unmarshal([]byte(put[slices.Index(put, "--body")+1]), &body); err != nil {
		t.Fatal(err)
	}
	if got := body.Properties.Resource; got.PartitionKey.Kind != "MultiHash" || got.PartitionKey.Version != 2 || !slices.Equal(got.PartitionKey.Paths, []string{"/tenantId", "/userId"}) {
		t.Errorf("az rest puts %+v", got)
	} else if *got.Conflicts != *containers.LastWriter("/_ts") {
		t.Errorf("az rest puts conflicts by %v", got.Conflicts)
	}
	for i, want := range []string{
		"cosmosdb table create --resource-group my group --account-name t --name Reading",
		"cosmosdb mongodb collection create --resource-group my group --account-name m --database-name md --name " + oddID + ` --shard meta.tenant --idx [{"key":{"keys":["_id"]}},{"key":{"keys":["at","speed"]}}]`,
		"rest --method put --url /subscriptions/{subscriptionId}/resourceGroups/my group/providers/Microsoft.DocumentDB/databaseAccounts/g/gremlinDatabases/gd/graphs/one graph?api-version=" + bicepVersion +
			` --body {"properties":{"resource":{"id":"one graph","partitionKey":{"kind":"Hash","paths":["/partitionKey"],"version":2}}}}`,
		"rest --method put --url /subscriptions/{subscriptionId}/resourceGroups/my group/providers/Microsoft.DocumentDB/databaseAccounts/g/gremlinDatabases/gd/graphs/two?api-version=" + bicepVersion +
			` --body {"properties":{"resource":{"id":"two","partitionKey":{"kind":"Hash","paths":["/town"],"version":2}}}}`,
	} {
		if got := strings.ReplaceAll(calls[3+i], "\x00", " "); got != want {
			t.Errorf("az is called with\n%s\nwant\n%s", got, want)
		}
	}
}

// TestContainerTerraform has terraform read and format the resources, where it is.
func TestContainerTerraform(t *testing.T) {
	text := written(Terraform)
	for _, want := range []string{
		`name                  = "it's $${a} %%{b} $c\U0000202e\U00002029\U000e0001"`, `default_ttl           = 86400`,
		"  conflict_resolution_policy {\n    mode                     = \"LastWriterWins\"\n    conflict_resolution_path = \"/meta/revision\"\n  }\n", `path  = "/\"my-speed\""`, `order = "descending"`,
		`partition_key_paths   = ["/tenantId", "/userId"]`, `partition_key_kind    = "MultiHash"`, `"it_s_a_b_c"`, `"visits_2024"`, `"visits_2024_2"`,
		"resource \"azurerm_cosmosdb_table\" \"reading\" {\n  name                = \"Reading\"\n", "account_name        = var.table_account_name\n}\n",
		`shard_key           = "meta.tenant"`, `keys = ["at", "speed"]`, "# A resource cannot declare the index of at descending, my-speed ascending: the program creates it.\nresource \"azurerm_cosmosdb_mongo_collection\"",
		"variable \"graph_name\" {\n", "resource \"azurerm_cosmosdb_gremlin_graph\" \"graph_2\" {\n  name                  = var.graph_2_name\n", `partition_key_path    = "/town"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestContainerTerraformSyntax has the resources formatted by the command that
// PKGEN_HCLFMT gives: hclfmt, which is made of Terraform's own parser.
func TestContainerTerraformSyntax(t *testing.T) {
	words := strings.Fields(os.Getenv("PKGEN_HCLFMT"))
	if len(words) == 0 {
		t.Log("NOT RUN: PKGEN_HCLFMT gives no command, so Terraform is not parsed")
		return
	}
	format := func(text string) (string, error) {
		path := filepath.Join(t.TempDir(), "containers.tf")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), words[0], append(words[1:], "-check", path)...)
		out, err := command.Output()
		return string(out), err
	}
	text := written(Terraform)
	if out, err := format(text); err != nil || out != text {
		t.Errorf("hclfmt writes, %v,\n%s\nfor\n%s", err, out, text)
	}
	if _, err := format("resource \"x\" \"y\" {\n  name =\n}\n"); err == nil {
		t.Error("hclfmt takes what is no Terraform")
	}
}

// bicepGrammar parses standard input by the npm packages tree-sitter-bicep and
// web-tree-sitter, and prints where that fails.
const bicepGrammar = `
import { readFileSync } from "fs";
import { Language, Parser } from "web-tree-sitter";
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load("node_modules/tree-sitter-bicep/tree-sitter-bicep.wasm"));
const walk = (node) => {
	if (node.isError || node.isMissing) console.log(node.startPosition.row + 1 + ": " + node.text);
	node.children.forEach(walk);
};
walk(parser.parse(readFileSync(0, "utf8")).rootNode);
`

// TestContainerBicepSyntax parses the resources by a grammar of Bicep, from the
// folder that PKGEN_BICEP_GRAMMAR names, into which npm has installed it.
func TestContainerBicepSyntax(t *testing.T) {
	dir := os.Getenv("PKGEN_BICEP_GRAMMAR")
	switch {
	case dir == "" && os.Getenv("CI") == "true":
		t.Fatal("PKGEN_BICEP_GRAMMAR names no folder: .ci/run installs the grammar and sets it")
	case dir == "":
		t.Log("NOT RUN: PKGEN_BICEP_GRAMMAR names no folder, so Bicep is not parsed")
		return
	}
	parse := func(text string) string {
		command := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", bicepGrammar)
		command.Dir = dir
		command.Stdin = strings.NewReader(text)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := parse(written(Bicep)); out != "" {
		t.Errorf("errors of syntax in\n%s", out)
	}
	if out := parse("resource x 'a' = {\n  name 'b'\n}\n"); out == "" {
		t.Error("the grammar takes what is no Bicep")
	}
}

// TestContainerBicep holds the form of the resources, and has bicep build them
// where it is.
func TestContainerBicep(t *testing.T) {
	text := written(Bicep)
	for _, want := range []string{
		`name: 'it\'s \${a} %{b} $c\u{202e}\u{2029}\u{e0001}'`, "resource itSABCContainer '", "resource visits2024Container '", "resource visits20242Container '",
		"kind: 'MultiHash'\n        paths: [\n          '/tenantId'\n          '/userId'\n        ]\n        version: 2\n", "defaultTtl: 86400",
		"[\n            {\n              path: '/\"my-speed\"'\n              order: 'descending'\n            }",
		"resource tableAccount 'Microsoft.DocumentDB/databaseAccounts@", "resource readingTable 'Microsoft.DocumentDB/databaseAccounts/tables@", "  parent: tableAccount\n  name: 'Reading'\n",
		"name: '${mongoAccountName}/${mongoDatabaseName}'", "shardKey: {\n        'meta.tenant': 'Hash'\n      }\n", "keys: [\n              'at'\n              'speed'\n            ]\n",
		"// A resource cannot declare the index of at descending, my-speed ascending: the program creates it.\nresource itSABC2Collection", "param graphName string\n", "resource graph2 'Microsoft.DocumentDB/databaseAccounts/gremlinDatabases/graphs@", "  name: graph2Name\n", "          '/town'\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	depth := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasSuffix(line, "}") && strings.TrimSpace(line) == "}" || strings.TrimSpace(line) == "]" {
			depth--
		}
		if line != "" && len(line)-len(strings.TrimLeft(line, " ")) != 2*depth {
			t.Errorf("%q is %d deep", line, depth)
		}
		if strings.HasSuffix(line, "{") || strings.HasSuffix(line, "[") {
			depth++
		}
	}
	if depth != 0 {
		t.Errorf("%d brackets stay open", depth)
	}
	if binary, err := exec.LookPath("bicep"); err == nil {
		command := exec.Command(binary, "build", "--stdout", "/dev/stdin")
		command.Stdin = strings.NewReader(text)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("bicep build: %v\n%s", err, out)
		}
	}
}
