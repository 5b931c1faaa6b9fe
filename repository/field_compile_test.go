package repository_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// program is a document type with its fields, as generated code has them, and a
// second one, around a statement.
const program = `package p

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

type Event struct{}

type Trip struct{}

type VIN string

type Mode bool

var events = struct {
	VIN   documents.String[Event, VIN]
	Speed documents.Number[Event, int]
	Load  documents.Number[Event, float32]
	Mode  documents.Bool[Event, Mode]
	At    documents.Instant[Event]
	Sent  documents.Opaque[Event]
	Tags  documents.List[Event, string]
	Count documents.Map[Event, documents.Number[Event, int]]
	Meta  documents.Object[Event]
	Age   documents.Renamed[Event, int]
	Name  documents.RenamedString[Event, string]
	Since documents.RenamedInstant[Event]
	Parts documents.List[Event, Part]
	Marks struct {
		documents.List[Event, string]
		Element documents.String[string, string]
	}
}{VIN: "/vin"}

type Part struct{}

var parts = struct {
	Number documents.Number[Part, int]
	Parts  documents.List[Part, Part]
}{Number: "/number"}

var trips = struct{ Km documents.Number[Trip, int] }{Km: "/km"}

func _(q repository.Query[Event], at time.Time, vin VIN) {
	%s
}
`

func TestFieldsAreCheckedByTheCompiler(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	imports := exportData(t, "github.com/cosmos-pkgen/pkgen/documents", "github.com/cosmos-pkgen/pkgen/repository", "time")
	for _, c := range []struct{ statement, want string }{
		{`q.Where(events.Speed.Gt(120), events.VIN.StartsWith("1HG"), events.VIN.Gt("1HG"), events.Mode.Eq(true))`, ""},
		{`q.Where(repository.Or(events.VIN.In(vin, "x"), repository.Not(events.Load.Lt(1.5))))`, ""},
		{`q.Where(events.At.Lt(at), events.Count.Key("starts").Ge(3), events.Tags.Contains("a"))`, ""},
		{`_ = []repository.Order[Event]{events.Speed.Desc(), events.At.Asc(), events.VIN.Asc()}`, ""},
		{`_ = documents.Number[Event, uint8](events.Sent).Eq(255)`, ""},

		// Another document.
		{
			`q.Where(trips.Km.Gt(120))`,
			"cannot use trips.Km.Gt(120) (value of struct type documents.Predicate[Trip]) as repository.Predicate[Event] value in argument to q.Where",
		},
		{
			`q.Where(repository.And(events.Speed.Gt(1), trips.Km.Gt(2)))`,
			"in call to repository.And, type documents.Predicate[Trip] of trips.Km.Gt(2) does not match inferred type repository.Predicate[Event] for repository.Predicate[D]",
		},
		{
			`_ = []repository.Order[Event]{trips.Km.Asc()}`,
			"cannot use trips.Km.Asc() (value of struct type documents.Order[Trip]) as repository.Order[Event] value in array or slice literal",
		},

		// Elements of lists, and the document around them.
		{`q.Where(events.Parts.Any(parts.Number.Gt(1), repository.Not(parts.Number.Eq(2))), events.Parts.All(parts.Parts.Any(parts.Number.Lt(1))))`, ""},
		{`q.Where(events.Parts.Len().Gt(2), events.Marks.Any(events.Marks.Element.StartsWith("a")), events.Marks.Len().In(1, 2))`, ""},
		{`_ = repository.Join[struct{}, string](q, events.Marks, events.Marks.Element.Gt("a"))`, ""},
		{`_ = repository.Join[struct{}, Part](q, events.Parts)`, ""},
		{
			`q.Where(parts.Number.Gt(1))`,
			"cannot use parts.Number.Gt(1) (value of struct type documents.Predicate[Part]) as repository.Predicate[Event] value in argument to q.Where",
		},
		{
			`events.Parts.Any(events.Speed.Gt(1))`,
			"cannot use events.Speed.Gt(1) (value of struct type documents.Predicate[Event]) as documents.Predicate[Part] value in argument to events.Parts.Any",
		},
		{
			`events.Parts.All(trips.Km.Gt(1))`,
			"cannot use trips.Km.Gt(1) (value of struct type documents.Predicate[Trip]) as documents.Predicate[Part] value in argument to events.Parts.All",
		},
		{
			`events.Parts.Any(events.Marks.Element.Eq("a"))`,
			`cannot use events.Marks.Element.Eq("a") (value of struct type documents.Predicate[string]) as documents.Predicate[Part] value in argument to events.Parts.Any`,
		},
		{
			`q.Where(parts.Parts.Any(parts.Number.Gt(1)))`,
			"cannot use parts.Parts.Any(parts.Number.Gt(1)) (value of struct type documents.Predicate[Part]) as repository.Predicate[Event] value in argument to q.Where",
		},
		{
			`q.OrderBy(parts.Number.Asc())`,
			"cannot use parts.Number.Asc() (value of struct type documents.Order[Part]) as repository.Order[Event] value in argument to q.OrderBy",
		},
		{
			`events.Parts.Len().Gt(1.5)`,
			"cannot use 1.5 (untyped float constant) as int value in argument to events.Parts.Len().Gt (truncated)",
		},
		{
			`events.Parts.Len().Asc()`,
			"events.Parts.Len().Asc undefined (type documents.Length[Event] has no field or method Asc)",
		},
		{
			`_ = repository.Join[struct{}, Part](q, parts.Parts)`,
			"in call to repository.Join[struct{}, Part], type documents.List[Part, Part] of parts.Parts does not match inferred type documents.ListField[Event, Part] for documents.ListField[T, V]",
		},

		// A comparison that the kind does not have.
		{
			`events.Speed.StartsWith("1")`,
			"events.Speed.StartsWith undefined (type documents.Number[Event, int] has no field or method StartsWith)",
		},
		{
			`events.Mode.Lt(true)`,
			"events.Mode.Lt undefined (type documents.Bool[Event, Mode] has no field or method Lt)",
		},
		{
			`events.Sent.Gt(at)`,
			"events.Sent.Gt undefined (type documents.Opaque[Event] has no field or method Gt)",
		},
		{
			`events.Sent.Asc()`,
			"events.Sent.Asc undefined (type documents.Opaque[Event] has no field or method Asc)",
		},
		{
			`events.Tags.Eq("a")`,
			"events.Tags.Eq undefined (type documents.List[Event, string] has no field or method Eq)",
		},
		{
			`events.Meta.Eq(1)`,
			"events.Meta.Eq undefined (type documents.Object[Event] has no field or method Eq)",
		},

		// What the service cannot do with a property under several names.
		{`q.Where(events.Age.In(1, 2), events.Name.StartsWith("a"), events.Since.Ne(at), repository.IsDefined(events.Age))`, ""},
		{`events.Age.Gt(1)`, "events.Age.Gt undefined (type documents.Renamed[Event, int] has no field or method Gt)"},
		{`events.Age.Asc()`, "events.Age.Asc undefined (type documents.Renamed[Event, int] has no field or method Asc)"},
		{`events.Name.Desc()`, "events.Name.Desc undefined (type documents.RenamedString[Event, string] has no field or method Desc)"},
		{`events.Since.Lt(at)`, "events.Since.Lt undefined (type documents.RenamedInstant[Event] has no field or method Lt)"},
		{
			`repository.Values(q, events.Age)`,
			"in call to repository.Values, type documents.Renamed[Event, int] of events.Age does not match inferred type documents.Valued[Event, V] for documents.Valued[T, V]",
		},

		// A value of another type.
		{
			`events.Speed.Gt(1.5)`,
			"cannot use 1.5 (untyped float constant) as int value in argument to events.Speed.Gt (truncated)",
		},
		{
			`events.Speed.Eq("fast")`,
			`cannot use "fast" (untyped string constant) as int value in argument to events.Speed.Eq`,
		},
		{
			`events.VIN.Eq(string(vin))`,
			"cannot use string(vin) (value of type string) as VIN value in argument to events.VIN.Eq",
		},
		{
			`events.At.Gt(at.Unix())`,
			"cannot use at.Unix() (value of type int64) as time.Time value in argument to events.At.Gt",
		},
		{
			`events.Tags.Contains(1)`,
			"cannot use 1 (untyped int constant) as string value in argument to events.Tags.Contains",
		},
		{
			`events.Count.Key("starts").Eq("x")`,
			`cannot use "x" (untyped string constant) as int value in argument to events.Count.Key("starts").Eq`,
		},

		// A field of a kind that its type does not fit.
		{
			`var _ documents.Number[Event, string]`,
			"string does not satisfy documents.Numeric (string missing in ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64)",
		},
		{
			`var _ documents.String[Event, time.Time]`,
			"time.Time does not satisfy ~string (time.Time missing in ~string)",
		},
	} {
		if got := typeCheck(t, imports, fmt.Sprintf(program, c.statement)); got != c.want {
			t.Errorf("%s\n got: %s\nwant: %s", c.statement, got, c.want)
		}
	}
}

// typeCheck returns what the type checker says about a program.
func typeCheck(t *testing.T, imports map[string]string, program string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", program, 0)
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	config := types.Config{
		Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(imports[path])
		}),
		Error: func(err error) { messages = append(messages, err.(types.Error).Msg) },
	}
	_, _ = config.Check("p", fset, []*ast.File{file}, nil) // Error has it all
	return strings.Join(messages, "; ")
}

// exportData returns the files in which the go command keeps the compiled form of
// packages and of all that they import. It builds those that have not been built
// yet.
func exportData(t *testing.T, packages ...string) map[string]string {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}, packages...)
	command := exec.CommandContext(t.Context(), "go", args...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return files
}
