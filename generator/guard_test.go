package generator

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// guardedSource has all that a struct of a document may be made of.
const guardedSource = `package guarded

import (
	"net/netip"
	"sync"
	"time"

	"example.com/cases/other"
)

type Serial string

type Meta struct {
	Region string ` + "`json:\"region\"`" + `
}

type Base struct {
	ID string ` + "`json:\"id\"`" + `
}

type Page[T any] struct {
	First T ` + "`json:\"first\"`" + `
}

type Event struct {
	Base
	other.Audit
	At     time.Time ` + "`json:\"at\" cosmos:\"pk,concat,format=day\"`" + `
	Device string    ` + "`json:\"device\" cosmos:\"pk,concat,hashsuffix=Serial+Meta.Region,buckets=4\"`" + `
	Serial Serial    ` + "`json:\"serial\"`" + `
	Meta   *Meta     ` + "`json:\"meta\"`" + `
	Stored string    ` + "`json:\"partitionKey\" cosmos:\"synthetic\"`" + `
	ETag   string    ` + "`json:\"_etag,omitempty\"`" + `
	Speed  int       ` + "`json:\"speed\" validate:\"min=0\"`" + `
	Limit  int       ` + "`json:\"limit\"`" + `
	Page   Page[int] ` + "`json:\"page\"`" + `
	Inline struct {
		Height float64 ` + "`json:\"height\"`" + `
	} ` + "`json:\"inline\"`" + `
	Parent CountKey                ` + "`json:\"parent\"`" + `
	Peers  map[netip.Addr][]*other.Peer ` + "`json:\"peers\"`" + `
	Notify func(...netip.Addr) chan<- error ` + "`json:\"-\"`" + `
	mu     sync.Mutex
	seen   [3]bool
}

type Count struct {
	ID   string ` + "`json:\"id\"`" + `
	Year int    ` + "`json:\"year\" cosmos:\"pk\"`" + `
}

func (e *Event) used() bool { e.mu.Lock(); return e.seen[0] }

var _ = (*Event).used
`

// otherSource is the package that guardedSource imports.
const otherSource = `package other

type Audit struct {
	By string ` + "`json:\"by\"`" + `
	on bool
}

func (a Audit) On() bool { return a.on }

type Peer struct{ Name string }
`

// TestCompileGuard changes the source after the code has been generated. The
// build must stop with the remedy in the compiler's own words wherever the
// generated code depends on what has changed: names, types, order and tags of the
// document and of structs within it, and fields in use of other packages.
func TestCompileGuard(t *testing.T) {
	dir := module(t, nil)
	write(t, filepath.Join(dir, "other", "other.go"), []byte(otherSource))
	write(t, filepath.Join(dir, "event.go"), []byte(guardedSource))
	result, err := Generate(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	const event, count = "eventChanged_runPkgen", "countChanged_runPkgen"
	another := func(value string) string { return "cannot use " + event + "() (value of struct type " + value + ")" }
	type row struct{ name, old, new, want string }
	rows := []row{
		{"rename", "\tDevice string ", "\tMachine string ", another("Event")},
		{"retype", "\tDevice string ", "\tDevice int ", another("Event")},
		{"retypepointer", "\tDevice string ", "\tDevice *string ", another("Event")},
		{"renamedeep", "\tRegion string", "\tPlace  string", another("Meta")},
		{"retypedeep", "\tRegion string", "\tRegion int", another("Meta")},
		{"renameid", "\tID string `json:\"id\"`\n}\n\ntype Page", "\tKey string `json:\"id\"`\n}\n\ntype Page", another("Base")},
		{"retypenatural", "\tYear int", "\tYear int64", "cannot use " + count + "() (value of struct type Count)"},
		{"plainname", "\tSpeed  int", "\tVelocity int", another("Event")},
		{"plaintype", "\tSpeed  int", "\tSpeed  string", another("Event")},
		{"plainjson", "json:\"speed\"", "json:\"velocity\"", another("Event")},
		{"othertag", "validate:\"min=0\"", "validate:\"min=1\"", another("Event")},
		{"order", "\tSpeed  int       `json:\"speed\" validate:\"min=0\"`\n\tLimit  int       `json:\"limit\"`\n", "\tLimit  int       `json:\"limit\"`\n\tSpeed  int       `json:\"speed\" validate:\"min=0\"`\n", another("Event")},
		{"added", "\tmu     sync.Mutex", "\tMore   int `json:\"more\"`\n\tmu     sync.Mutex", another("Event")},
		{"unexported", "\tseen   [3]bool", "\tseen   [4]bool", another("Event")},
		{"generic", "\tPage   Page[int] ", "\tPage   Page[int64] ", another("Event")},
		{"ingeneric", "\tFirst T `json:\"first\"`", "\tFirst T `json:\"one\"`", another("Page[int]")},
		{"inline", "\t\tHeight float64", "\t\tHeight float32", another("Event")},
		{"ofgenerated", "\tParent CountKey ", "\tParent *CountKey ", another("Event")},
		{"imported", "[]*other.Peer", "[]other.Peer", another("Event")},
		{"function", "func(...netip.Addr) chan<- error", "func(...netip.Addr) chan error", another("Event")},
		{"embedded", "\tother.Audit\n", "\tother.Peer\n", another("Event")},
		{"comment", "type Event struct {", "// Event is one.\ntype Event struct {", ""},
		{"same", "", "", ""},
	}
	if testing.Short() { // a name, a type, a tag of a struct within, and what may change
		rows = slices.DeleteFunc(rows, func(r row) bool {
			return !slices.Contains([]string{"rename", "plaintype", "ingeneric", "comment"}, r.name)
		})
	}
	packages := make([]string, len(rows))
	for i, tt := range rows {
		if !strings.Contains(guardedSource, tt.old) {
			t.Fatalf("%s: no %q", tt.name, tt.old)
		}
		write(t, filepath.Join(dir, tt.name, "event.go"), []byte(strings.Replace(guardedSource, tt.old, tt.new, 1)))
		for _, f := range result.Files {
			write(t, filepath.Join(dir, tt.name, filepath.Base(f.Path)), f.New)
		}
		packages[i] = "./" + tt.name
	}
	// One build of all rows tells the errors of each package under its name.
	out, err := goIn(dir, append([]string{"build"}, packages...)...)
	if err == nil {
		t.Error("all packages are built")
	}
	sections := make(map[string]string)
	for section := range strings.SplitSeq("\n"+out, "\n# example.com/cases/") {
		name, text, _ := strings.Cut(section, "\n")
		sections[name] = text
	}
	if out = sections[""]; out != "" {
		t.Errorf("go build: %s", out)
	}
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			text, failed := sections[tt.name]
			if failed != (tt.want != "") || !strings.Contains(text, tt.want) {
				t.Errorf("the build failed: %t, want %q in\n%s", failed, tt.want, text)
			}
		})
	}
	if seeds.Part(t, "packages that are compiled one after the other") {
		return
	}
	t.Run("otherpackage", func(t *testing.T) {
		if err := result.Commit(); err != nil {
			t.Fatal(err)
		}
		if out, err := goIn(dir, "vet", "."); err != nil {
			t.Errorf("go vet: %v\n%s", err, out)
		}
		for _, field := range []string{"By int `json:\"by\"`", "Who string `json:\"by\"`"} {
			write(t, filepath.Join(dir, "other", "other.go"), []byte(strings.Replace(otherSource, "By string `json:\"by\"`", field, 1)))
			builds(t, dir, ".", event+".By")
		}
	})
	t.Run("again", func(t *testing.T) {
		changed := strings.Replace(guardedSource, "\tSpeed  int", "\tSpeed  string", 1)
		write(t, filepath.Join(dir, "other", "other.go"), []byte(otherSource))
		write(t, filepath.Join(dir, "event.go"), []byte(changed))
		builds(t, dir, ".", another("Event"))
		again, err := Generate(context.Background(), Options{Dir: dir})
		if err == nil {
			err = again.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		builds(t, dir, ".", "")
	})
}

// builds compiles a package, which must fail with a text, or not if that is "".
func builds(t *testing.T, dir, pkg, want string) {
	t.Helper()
	out, err := goIn(dir, "build", pkg)
	if (err != nil) != (want != "") || !strings.Contains(out, want) {
		t.Errorf("got %v, want %q in\n%s", err, want, out)
	}
}

// goIn runs the go command in a module, and returns what it prints.
func goIn(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
