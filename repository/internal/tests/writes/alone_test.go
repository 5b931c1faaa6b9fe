package writes

import (
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestKeysThatEndInTheID writes a document whose key has four levels, and moves it to another
// id, which is another logical partition.
func TestKeysThatEndInTheID(t *testing.T) {
	t.Parallel()
	server, container, r := kit.NewSteps(t)
	ctx := t.Context()
	s := &fixtures.Step{ID: "1", Tenant: "contoso", User: "ann", Session: 7}
	kit.MustPass(t, r.Create(ctx, s))
	if request := server.Requests()[len(server.Requests())-1]; request.Operation != emulator.OpCreateItem || request.PartitionKey != `["contoso","ann",7,"1"]` {
		t.Errorf("sent %s with the partition key %s", request.Operation, request.PartitionKey)
	}
	if _, err := container.ReadItem(ctx, azcosmos.NewPartitionKeyString("contoso").AppendString("ann").AppendNumber(7).AppendString("1"), "1", nil); err != nil {
		t.Error(err)
	}
	if got, err := r.Get(ctx, s.Key()); err != nil || *got != *s {
		t.Errorf("got %+v, %v, want %+v", got, err, s)
	}
	if err := r.Create(ctx, s); !errors.Is(err, repository.ErrAlreadyExists) || !strings.Contains(err.Error(), `in partition ["contoso","ann",7,"1"]`) {
		t.Errorf("second Create: %v", err)
	}
	for value, write := range []func() error{
		1: func() error { s.Value = 1; return r.Replace(ctx, s) },
		2: func() error { s.Value = 2; return r.Upsert(ctx, s) },
		3: func() error { return r.Patch(ctx, s.Key(), fixtures.StepPatch.Value.Set(3)) },
		4: func() error {
			return r.Update(ctx, s.Key(), func(s *fixtures.Step) error { s.Value++; return nil })
		},
	} {
		if write == nil {
			continue
		}
		if err := write(); err != nil {
			t.Errorf("write %d: %v", value, err)
		}
		if got, err := r.Get(ctx, s.Key()); err != nil || got.Value != value {
			t.Errorf("after write %d: %+v, %v", value, got, err)
		}
	}
	if err := r.Update(ctx, s.Key(), func(s *fixtures.Step) error { s.ID = "2"; return nil }); !errors.Is(err, repository.ErrKeyChanged) { //nolint:pkgen // it is refused
		t.Errorf("an update to another id: %v", err)
	}
	moved, err := r.Get(ctx, s.Key())
	if err != nil {
		t.Fatal(err)
	}
	moved.ID = "2"
	kit.MustPass(t, r.Move(ctx, s.Key(), moved))
	if _, err := r.Get(ctx, s.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the document that has moved: %v", err)
	}
	if found, err := r.ByTenantAndUserAndSession("contoso", "ann", 7).Collect(ctx); err != nil || len(found) != 1 || found[0].ID != "2" || found[0].Value != 4 {
		t.Errorf("found %+v, %v", found, err)
	}
	kit.MustPass(t, r.Delete(ctx, moved.Key()))
	if err := r.Delete(ctx, moved.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("second Delete: %v", err)
	}
	var keyError *partition.KeyError
	for field, s := range map[string]*fixtures.Step{"Tenant": {ID: "1", User: "u"}, "User": {ID: "1", Tenant: "t"}, "ID": {Tenant: "t", User: "u"}} {
		if err := r.Create(ctx, s); !errors.As(err, &keyError) || keyError.Field != field {
			t.Errorf("Create without %s: %v", field, err)
		}
	}
}

// TestBulkOfKeysThatEndInTheID stores and removes documents of one id, each in a logical
// partition of its own.
func TestBulkOfKeysThatEndInTheID(t *testing.T) {
	t.Parallel()
	_, _, r := kit.NewSteps(t)
	all := kit.ManySteps()
	var keys []fixtures.StepKey
	for _, s := range all {
		keys = append(keys, s.Key())
	}
	if summary, err := r.CreateAll(documents.Items(all...)).Collect(t.Context()); err != nil {
		t.Fatal(summary, err)
	}
	for _, s := range all {
		s.Value, s.ETag = -s.Value, string(azcore.ETagAny)
	}
	if summary, err := r.UpsertAll(documents.Items(all...)).Collect(t.Context()); err != nil {
		t.Fatal(summary, err)
	}
	if got, err := r.Get(t.Context(), keys[100]); err != nil || got.Value != -100 {
		t.Errorf("got %+v, %v", got, err)
	}
	if summary, err := r.DeleteAll(documents.Items(keys[:90]...)).Collect(t.Context()); err != nil {
		t.Fatal(summary, err)
	}
	if summary, err := r.DeleteFound(r.ByTenant("t3")).Collect(t.Context()); err != nil {
		t.Fatal(summary, err)
	}
	if n, err := r.Scan().Count(t.Context()); err != nil || n != 45 {
		t.Errorf("%d documents are left, %v", n, err)
	}
}
