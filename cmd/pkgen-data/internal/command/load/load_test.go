package load

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/command/dump"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
)

// TestFixtures dumps a container, and loads the file into others.
func TestFixtures(t *testing.T) {
	r := rig.New(t, dump.Command(), Command())
	r.Load("shop", `{"id":"orders","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, `{"id":"1","pk":"a"}`, `{"id":"2","pk":"b"}`)
	const orders = "container orders of database shop: "
	for _, step := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"dump", "-container", "orders", "-o", "o.ndjson.gz"}, 0, orders + "2 documents to o.ndjson.gz, ", ""},
		{[]string{"dump", "-container", "orders", "-o", "o.ndjson.gz"}, 2, "", "pkgen: o.ndjson.gz exists: remove it, or name another file by -o\n"},
		{[]string{"dump", "-container", "shop/orders", "-budget", "400", "-o", "o.ndjson.zst", "-format", "json"}, 0, "{\n", ""},
		{[]string{"dump", "-database", "shop", "-container", "orders"}, 0, `{"database":"shop","container":{`, ""},
		{[]string{"load", "-container", "orders", "-in", "o.ndjson.gz"}, 0, orders + "2 documents stored, no lines refused, ", ""},
		{[]string{"load", "-container", "orders", "-keep", "-budget", "400", "-in", "o.ndjson.zst"}, 0, orders + "no documents stored, 2 that were there kept, ", ""},
		{[]string{"load", "-container", "new/made", "-in", "o.ndjson.zst"}, 2, "", "or add -create, which creates the container from the first line of the file\n"},
		{[]string{"load", "-container", "new/made", "-create", "-in", "o.ndjson.zst"}, 0, "container made of database new: 2 documents stored, ", ""},
		{[]string{"load", "-container", "copy", "-database", "new", "-create", "-in", "o.ndjson.zst", "-format", "json"}, 0, "{\n", ""},
		{[]string{"load", "-container", "orders", "-in", "bad.ndjson"}, 1, "1 line refused", ""},
		{[]string{"load", "-container", "orders", "-in", "none"}, 2, "", "pkgen: open none: "},
		{[]string{"load", "-container", "none", "-in", "bad.ndjson"}, 2, "", "no database of the account has a container \"none\""},
		{[]string{"load", "-container", "none", "-create", "-in", "bad.ndjson"}, 2, "", "the first line has no settings of a container"},
		{[]string{"load", "-container", "orders"}, 2, "", "pkgen: load needs a file, by -in FILE or -in - for standard input"},
		{[]string{"load", "-container", "orders", "-in", "-", "-position", "p.position"}, 2, "", "standard input has no position"},
		{[]string{"load"}, 2, "", "load needs a container: name it by -container"},
		{[]string{"dump", "-container", "orders", "x"}, 2, "", "dump takes no arguments"},
		{[]string{"dump", "-container", "orders", "-budget", "-1"}, 2, "", "-budget is negative: give a number of RU/s"},
		{[]string{"dump", "-container", "orders", "-format", "json"}, 2, "", "name a file by -o"},
		{[]string{"dump", "-container", "none", "-o", "none"}, 2, "", "no database of the account has a container \"none\""},
	} {
		if err := os.WriteFile("bad.ndjson", []byte(`{"id":"3","pk":"a"}`+"\n{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := r.Run(step.args...)
		if code != step.code || !strings.Contains(stdout, step.stdout) || !strings.Contains(stderr, step.stderr) || stderr != "" && step.stderr == "" {
			t.Errorf("pkgen %s: exit code %d\n%s\n%s", strings.Join(step.args, " "), code, stdout, stderr)
		}
		if strings.HasPrefix(step.stdout, "{\n") && !json.Valid([]byte(stdout)) {
			t.Errorf("pkgen %s prints no JSON: %s", strings.Join(step.args, " "), stdout)
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".position") || strings.HasSuffix(f.Name(), ".part") {
			t.Errorf("%s is left", f.Name())
		}
	}
}
