package repository_test

import (
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// patchProgram is two document types with the fields of their patches, as
// generated code has them, around a statement.
const patchProgram = `package p

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

type Event struct{}

type Trip struct{}

type Key string

func (Key) Validate() error { return nil }

type VIN string

var eventFields = struct{ Speed documents.Number[Event, int] }{"/speed"}

var tripFields = struct{ Km documents.Number[Trip, int] }{"/km"}

var event = struct {
	VIN   repository.PatchValue[Event, VIN]
	Speed repository.PatchNumber[Event, int]
	Load  repository.PatchNumber[Event, float32]
	Sent  repository.PatchValue[Event, time.Time]
	Tags  repository.PatchList[Event, string]
	Count repository.PatchMap[Event, int, repository.PatchNumber[Event, int]]
	Age   repository.PatchRenamed[Event, int]
}{VIN: "/vin"}

var trip = struct{ Km repository.PatchNumber[Trip, int] }{Km: "/km"}

func _(ctx context.Context, events *repository.Documents[Event, Key], at time.Time, vin VIN) {
	%s
}
`

func TestPatchesAreCheckedByTheCompiler(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	imports := exportData(t, "github.com/cosmos-pkgen/pkgen/documents", "github.com/cosmos-pkgen/pkgen/repository", "time", "context")
	for _, c := range []struct{ statement, want string }{
		{`events.Patch(ctx, "k", event.Speed.Set(120), event.Count.Key("starts").Increment(1), event.Tags.Append("a", "b"))`, ""},
		{`events.PatchIf(ctx, "k", eventFields.Speed.Lt(120), event.Load.Increment(0.5), event.Sent.Set(at), event.VIN.SetNull())`, ""},
		{`_ = []repository.PatchOperation[Event]{event.VIN.Set(vin), event.VIN.Set("x"), event.Tags.RemoveAt(0), event.Count.Set(map[string]int{})}`, ""},

		// Another document.
		{
			`events.Patch(ctx, "k", trip.Km.Set(1))`,
			`cannot use trip.Km.Set(1) (value of struct type repository.PatchOperation[Trip]) as repository.PatchOperation[Event] value in argument to events.Patch`,
		},
		{
			`events.PatchIf(ctx, "k", tripFields.Km.Gt(1), event.Speed.Set(1))`,
			`cannot use tripFields.Km.Gt(1) (value of struct type documents.Predicate[Trip]) as repository.Predicate[Event] value in argument to events.PatchIf`,
		},

		// A value of another type.
		{
			`event.Speed.Set("fast")`,
			`cannot use "fast" (untyped string constant) as int value in argument to event.Speed.Set`,
		},
		{
			`event.Speed.Increment(0.5)`,
			`cannot use 0.5 (untyped float constant) as int value in argument to event.Speed.Increment (truncated)`,
		},
		{
			`event.VIN.Set(string(vin))`,
			`cannot use string(vin) (value of type string) as VIN value in argument to event.VIN.Set`,
		},
		{
			`event.Tags.Append(1)`,
			`cannot use 1 (untyped int constant) as string value in argument to event.Tags.Append`,
		},
		{
			`event.Count.Key("starts").Set("x")`,
			`cannot use "x" (untyped string constant) as int value in argument to event.Count.Key("starts").Set`,
		},

		// A change that the kind does not have.
		{`_ = []repository.PatchOperation[Event]{event.Age.Set(1), event.Age.Remove(), event.Age.SetNull()}`, ""},
		{
			`event.Age.Increment(1)`,
			`event.Age.Increment undefined (type repository.PatchRenamed[Event, int] has no field or method Increment)`,
		},
		{
			`event.VIN.Increment("x")`,
			`event.VIN.Increment undefined (type repository.PatchValue[Event, VIN] has no field or method Increment)`,
		},
		{
			`event.Speed.Append(1)`,
			`event.Speed.Append undefined (type repository.PatchNumber[Event, int] has no field or method Append)`,
		},
		{
			`var _ repository.PatchNumber[Event, string]`,
			"string does not satisfy documents.Numeric (string missing in ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64)",
		},
	} {
		if got := typeCheck(t, imports, fmt.Sprintf(patchProgram, c.statement)); got != c.want {
			t.Errorf("%s\n got: %s\nwant: %s", c.statement, got, c.want)
		}
	}
}
