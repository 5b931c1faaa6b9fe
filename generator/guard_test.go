package generator

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompileGuard changes fields after the code has been generated. The build
// must stop with the remedy in the compiler's own words, wherever the generated
// code depends on the field, and only there.
func TestCompileGuard(t *testing.T) {
	const source = `package guarded

import "time"

type Serial string

type Meta struct {
	Region string ` + "`json:\"region\"`" + `
}

type Base struct {
	ID string ` + "`json:\"id\"`" + `
}

type Event struct {
	Base
	At     time.Time ` + "`json:\"at\" cosmos:\"pk,concat,format=day\"`" + `
	Device string    ` + "`json:\"device\" cosmos:\"pk,concat,hashsuffix=Serial+Meta.Region,buckets=4\"`" + `
	Serial Serial    ` + "`json:\"serial\"`" + `
	Meta   *Meta     ` + "`json:\"meta\"`" + `
	Stored string    ` + "`json:\"partitionKey\" cosmos:\"synthetic\"`" + `
	ETag   string    ` + "`json:\"_etag,omitempty\"`" + `
	Speed  int       ` + "`json:\"speed\"`" + `
}

type Count struct {
	ID   string ` + "`json:\"id\"`" + `
	Year int    ` + "`json:\"year\" cosmos:\"pk\"`" + `
}
`
	dir := module(t, nil)
	write(t, filepath.Join(dir, "event.go"), []byte(source))
	result, err := Generate(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	const event, count = "eventChanged_runPkgen", "countChanged_runPkgen"
	for _, tt := range []struct{ name, old, new, want string }{
		{"rename", "\tDevice string ", "\tMachine string ", event + ".Device undefined"},
		{"renametime", "\tAt     time.Time", "\tWhen   time.Time", event + ".At undefined"},
		{"renamehashed", "\tSerial Serial ", "\tNumber Serial ", event + ".Serial undefined"},
		{"renamedeep", "\tRegion string", "\tPlace  string", event + ".Meta.Region undefined"},
		{"renameid", "\tID string `json:\"id\"`\n}\n\ntype Event", "\tKey string `json:\"id\"`\n}\n\ntype Event", event + ".ID undefined"},
		{"renamestored", "\tStored string", "\tHeld string", event + ".Stored undefined"},
		{"renametag", "\tETag   string", "\tTag   string", event + ".ETag undefined"},
		{"retype", "\tDevice string ", "\tDevice int ", "&" + event + ".Device (value of type *int) as *string value"},
		{"retypenamed", "\tDevice string ", "\tDevice Serial ", "&" + event + ".Device (value of type *Serial) as *string value"},
		{"retypepointer", "\tDevice string ", "\tDevice *string ", "&" + event + ".Device (value of type **string) as *string value"},
		{"retypetime", "\tAt     time.Time", "\tAt string", "&" + event + ".At (value of type *string) as "},
		{"retypehashed", "\tSerial Serial ", "\tSerial string ", "&" + event + ".Serial (value of type *string) as *Serial value"},
		{"retypedeep", "\tRegion string", "\tRegion int", "&" + event + ".Meta.Region (value of type *int) as *string value"},
		{"retypenatural", "\tYear int", "\tYear int64", "&" + count + ".Year (value of type *int64) as *int value"},
		{"other", "\tSpeed  int", "\tVelocity  float64", ""},
		{"same", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(source, tt.old) {
				t.Fatalf("no %q", tt.old)
			}
			write(t, filepath.Join(dir, tt.name, "event.go"), []byte(strings.Replace(source, tt.old, tt.new, 1)))
			for _, f := range result.Files {
				write(t, filepath.Join(dir, tt.name, filepath.Base(f.Path)), f.New)
			}
			cmd := exec.Command("go", "build", "./"+tt.name)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if (err != nil) != (tt.want != "") || !strings.Contains(string(out), tt.want) {
				t.Errorf("got %v, want %q in\n%s", err, tt.want, out)
			}
		})
	}
}
