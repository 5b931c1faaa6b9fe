package suggest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// module makes a module of these files, which has this repository in place of
// the released one.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := scratch.Dir(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	files["go.mod"] = strings.Replace(files["go.mod"], "module github.com/cosmos-pkgen/pkgen", "module example.com/m", 1) +
		"\nrequire github.com/cosmos-pkgen/pkgen v0.0.0\n\nreplace github.com/cosmos-pkgen/pkgen => " + root + "\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// documents makes a module of the structs in testdata.
func documents(t *testing.T) (dir, source string) {
	t.Helper()
	text, err := os.ReadFile("testdata/documents.go")
	if err != nil {
		t.Fatal(err)
	}
	return module(t, map[string]string{"documents.go": string(text)}), string(text)
}

func find(t *testing.T, o Options) *Result {
	t.Helper()
	result, err := Find(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// first is what was found first in the structs of testdata.
var first *Result

// findFirst returns what is found in the structs of testdata, to read: it is
// looked for once.
func findFirst(t *testing.T) *Result {
	t.Helper()
	if first == nil {
		dir, _ := documents(t)
		first = find(t, Options{Dir: dir})
	}
	return first
}

// TestFind compares what is proposed with what a person would choose, writes
// it, generates, and compiles. With -short it does not generate.
func TestFind(t *testing.T) {
	dir, source := documents(t)
	result := find(t, Options{Dir: dir})
	got := make(map[string]string)
	for _, p := range result.Proposals {
		var tags []string
		for _, tag := range p.Tags {
			tags = append(tags, tag.Field+" "+tag.Words)
		}
		got[p.Type] = strings.Join(tags, "; ")
	}
	if d := cmp.Diff(map[string]string{
		"Order":        "TenantID pk,level=1; CustomerID pk,level=2",
		"User":         "TenantID pk",
		"VehicleEvent": "VIN pk",
		"Reading":      "DeviceID pk",
		"Measurement":  "SensorID pk",
		"Telemetry":    "TenantID pk,level=1; DeviceID pk,level=2",
		"Click":        "Date pk,randomsuffix,buckets=400; Stored synthetic",
		"AuditEntry":   "_ methods=none; OccurredAt pk,format=day,randomsuffix,buckets=400; PartitionKey synthetic",
		"Product":      "_ methods=none; ID id,pk",
		"Session":      "Token id,pk",
		"Comment":      "PostID pk",
		"Invoice":      "AccountNumber pk",
		"Message":      "ConversationID pk,level=1; AuthorID pk,level=2",
		"Patient":      "PatientID pk",
		"Setting":      "_ key={ID}",
		"Job":          "_ key={ID}",
		"Locked":       "_ methods=none,key={ID}",
	}, got); d != "" {
		t.Errorf("proposals (-want +got):\n%s", d)
	}
	if err := result.Generated.Err(); err != nil {
		t.Fatalf("the generator refuses what is proposed: %v", err)
	}
	if n := len(result.Generated.Types); n != len(got) {
		t.Errorf("%d models of %d proposals", n, len(got))
	}
	if n := bytes.Count(result.Files[0].New, []byte(directive)); n != 1 || len(result.Files) != 1 {
		t.Errorf("%d directives in %d files", n, len(result.Files))
	}
	if now, err := os.ReadFile(filepath.Join(dir, "documents.go")); err != nil || string(now) != source {
		t.Fatalf("Find has written: %v", err)
	}
	another := slices.Clone(findFirst(t).Proposals)
	for i := range another {
		another[i].File.Path = filepath.Join(dir, filepath.Base(another[i].File.Path))
	}
	if !reflect.DeepEqual(result.Proposals, another) { // which takes half a second less than cmp
		t.Errorf("another run, in another module, proposes something else:\n%s", cmp.Diff(result.Proposals, another))
	}

	if err := result.Commit(); err != nil {
		t.Fatal(err)
	}
	if seeds.Part(t, "go vet of what is generated") {
		return
	}
	generated, err := generator.Generate(context.Background(), generator.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := generated.Commit(); err != nil {
		t.Fatal(err)
	}
	vet := exec.Command("go", "vet", "-mod=mod", ".")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("what is generated does not compile: %v\n%s", err, out)
	}
	again := find(t, Options{Dir: dir})
	if len(again.Proposals) > 0 || again.Generated != nil || len(again.Files) > 0 {
		t.Errorf("a second run proposes %v", again.Proposals)
	}
	if err := again.Commit(); err != nil {
		t.Errorf("nothing to write: %v", err)
	}
}

func TestFindSkipped(t *testing.T) {
	dir, _ := documents(t)
	got := make(map[string]string)
	for _, s := range findFirst(t).Skipped {
		got[s.Type] = s.Reason
	}
	asked := find(t, Options{Dir: dir, Types: []string{"Tagged", "Options", "OrderLine", "page"}})
	for _, s := range asked.Skipped {
		got[s.Type+" asked for"] = s.Reason
	}
	if d := cmp.Diff(map[string]string{
		"OrderLine":         "Order holds it, so it is part of that document: name it with -type if it is a document itself",
		"Base":              "Patient holds it, so it is part of that document: name it with -type if it is a document itself",
		"Envelope":          "Job holds it, so it is part of that document: name it with -type if it is a document itself",
		"Legacy":            "field ID has the property legacyId, and every item needs a string with the JSON name id: write `json:\"id\"`",
		"Counter":           "field ID has the property id and is of type int64, and the id of an item is a string: declare it as one, or as a type with a MarshalText method",
		"page":              "it is unexported, and may not be stored: name it with -type if it is",
		"Tagged asked for":  "it has cosmos tags",
		"Options asked for": "it does not look like a document: one has fields with JSON names, and among them a string of the name id, as in `json:\"id\"`",
	}, got); d != "" {
		t.Errorf("skipped (-want +got):\n%s", d)
	}
	named := asked.Proposals
	if len(named) != 2 || named[0].Type != "OrderLine" || named[1].Type != "page" {
		t.Errorf("types that are asked for: %v", named)
	}
}

// TestFindReasons reads the reasons and questions of proposals.
func TestFindReasons(t *testing.T) {
	for _, p := range findFirst(t).Proposals {
		if len(p.Reasons) == 0 || len(p.Unknown) == 0 || len(p.Alternatives) == 0 {
			t.Errorf("%s: a proposal without reasons, unknowns or alternatives: %+v", p.Type, p.Key)
		}
		for _, line := range slices.Concat(p.Reasons, p.Rejected, p.Unknown, p.Alternatives) {
			if strings.ContainsAny(line, "\n\t") || strings.Contains(line, "%!") {
				t.Errorf("%s: not one line: %q", p.Type, line)
			}
		}
		want := map[string]string{
			"Order":      "status: its type has 3 constants, and as many values use no more physical partitions",
			"AuditEntry": "level: its type has 2 constants, and as many values use no more physical partitions",
			"Product":    "category: its name suggests few values, or a value that changes, which a stored key cannot",
		}[p.Type]
		if want != "" && !slices.Contains(p.Rejected, want) {
			t.Errorf("%s: rejected %q, want %q", p.Type, p.Rejected, want)
		}
	}
}

func TestFindErrors(t *testing.T) {
	dir := module(t, map[string]string{
		"broken/a.go":  "package broken\n\ntype T struct {\n",
		"clash/a.go":   "package clash\n\ntype T struct {\n\tID string `json:\"id\"`\n}\n\ntype TKey struct{}\n",
		"changed/a.go": "package changed\n\ntype T struct {\n\tID string `json:\"id\"`\n}\n",
	})
	for _, tt := range []struct {
		pattern, typ, want string
	}{
		{"./none", "", "directory not found"},
		{"./broken", "", "cannot look at the structs of example.com/m/broken, correct this first"},
		{"./changed", "Order", "no struct type Order in ./changed: list the package that declares it"},
	} {
		o := Options{Dir: dir, Patterns: []string{tt.pattern}}
		if tt.typ != "" {
			o.Types = []string{tt.typ}
		}
		if _, err := Find(context.Background(), o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.pattern, err, tt.want)
		}
	}

	clash := find(t, Options{Dir: dir, Patterns: []string{"./clash"}})
	if err := clash.Commit(); err == nil || !strings.Contains(err.Error(), "TKey is the name of something that pkgen generates") {
		t.Errorf("a proposal that the generator refuses: got %v", err)
	}
	changed := find(t, Options{Dir: dir, Patterns: []string{"./changed"}})
	path := changed.Files[0].Path
	later := append(bytes.Clone(changed.Files[0].Old), "\n// More.\n"...)
	if err := os.WriteFile(path, later, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := changed.Commit(); err == nil || !strings.Contains(err.Error(), "has changed since it was read") {
		t.Errorf("a file that has changed: got %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(canceled, Options{Dir: dir, Patterns: []string{"./changed"}}); err == nil {
		t.Error("canceled: no error")
	}
}

// TestFindPassed names the properties that would make a better key, where no tag
// can be written.
func TestFindPassed(t *testing.T) {
	dir := t.TempDir()
	const source = `package x

type Base struct {
	ID       string ` + "`json:\"id\"`" + `
	TenantID string ` + "`json:\"tenant_id\"`" + `
}

type Reading struct {
	Base
	DeviceID, Region string
	Amount           float64 ` + "`json:\"amount\"`" + `
	OrderID          string  ` + "`json:\"orderId\"`" + `
}
`
	for name, text := range map[string]string{"go.mod": "module example.com/x\n\ngo 1.25\n", "x.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result := find(t, Options{Dir: dir})
	if len(result.Proposals) != 1 {
		t.Fatalf("%d proposals", len(result.Proposals))
	}
	want := []string{
		"tenant_id: it is a field of the embedded Base, which other types may share: tag it there by hand",
		"DeviceID: its field is declared together with others, which one tag would mark all: declare it by itself first",
	}
	if got := result.Proposals[0].Rejected; !slices.Equal(got, want) {
		t.Errorf("rejected %q, want %q", got, want)
	}
}
