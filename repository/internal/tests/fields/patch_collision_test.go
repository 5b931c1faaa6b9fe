package fields

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestPatchOfAnotherType has documents of three types in one container. Only its
// own type patches a document.
func TestPatchOfAnotherType(t *testing.T) {
	t.Parallel()
	c := kit.NewCustomers(t)
	ctx := context.Background()
	total := repository.PatchNumber[fixtures.Purchase, int]("/total").Increment(1)
	three := documents.Number[fixtures.Purchase, int]("/total").Eq(3)
	text := repository.PatchValue[fixtures.Memo, string]("/text").Set("bye")
	hello := documents.String[fixtures.Memo, string]("/text").Eq("hello")
	for _, test := range []struct {
		name, id string
		patch    func(fixtures.PurchaseKey) error
		want     error
		says     string
	}{
		{"of its own, if not", "o1", func(k fixtures.PurchaseKey) error { return c.Orders.PatchIf(ctx, k, repository.Not(three), total) }, repository.ErrPreconditionFailed, "does not hold: NOT ("},
		{"of its own, if", "o1", func(k fixtures.PurchaseKey) error { return c.Orders.PatchIf(ctx, k, three, total) }, nil, ""},
		{"of its own", "o1", func(k fixtures.PurchaseKey) error { return c.Orders.Patch(ctx, k, total) }, nil, ""},
		{"of its own, if, again", "o1", func(k fixtures.PurchaseKey) error { return c.Orders.PatchIf(ctx, k, three, total) }, repository.ErrPreconditionFailed, `does not hold: c["total"] = ? (status 412)`},
		{"of nobody", "o3", func(k fixtures.PurchaseKey) error { return c.Orders.Patch(ctx, k, total) }, repository.ErrNotFound, "(status 404)"},
		{"of nobody, if", "o3", func(k fixtures.PurchaseKey) error { return c.Orders.PatchIf(ctx, k, three, total) }, repository.ErrNotFound, "(status 404)"},
		{"of another type", "p1", func(k fixtures.PurchaseKey) error { return c.Orders.Patch(ctx, k, total) }, repository.ErrNotFound, `its property type says so`},
		{"of another type, if", "n1", func(k fixtures.PurchaseKey) error { return c.Orders.PatchIf(ctx, k, repository.Not(three), total) }, repository.ErrNotFound, "of another type"},
		{"without a type, of one", "o1", func(k fixtures.PurchaseKey) error { return c.Memos.Patch(ctx, fixtures.MemoKey(k), text) }, repository.ErrNotFound, `its property type says so`},
		{"without a type, of one, if", "p1", func(k fixtures.PurchaseKey) error {
			return c.Memos.PatchIf(ctx, fixtures.MemoKey(k), repository.Not(hello), text)
		}, repository.ErrNotFound, "of another type"},
		{"without a type", "n1", func(k fixtures.PurchaseKey) error { return c.Memos.Patch(ctx, fixtures.MemoKey(k), text) }, nil, ""},
		{"without a type, if", "n1", func(k fixtures.PurchaseKey) error { return c.Memos.PatchIf(ctx, fixtures.MemoKey(k), hello, text) }, repository.ErrPreconditionFailed, "does not hold"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := etag(t, c.Container, "ann", test.id)
			err := test.patch(fixtures.PurchaseKey{ID: test.id, Customer: "ann"})
			if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v", err)
			}
			if changed := etag(t, c.Container, "ann", test.id) != before; changed != (test.want == nil) {
				t.Errorf("the document was changed: %v", changed)
			}
		})
	}
}

// etag returns the ETag of a stored document, or nothing.
func etag(t *testing.T, container *azcosmos.ContainerClient, partition, id string) azcore.ETag {
	t.Helper()
	response, err := container.ReadItem(context.Background(), azcosmos.NewPartitionKeyString(partition), id, nil)
	var failure *azcore.ResponseError
	if err != nil && (!errors.As(err, &failure) || failure.StatusCode != 404) {
		t.Fatal(err)
	}
	return response.ETag
}

var (
	notePatch = repository.PatchValue[fixtures.Note, string]("/text")
	noteText  = documents.String[fixtures.Note, string]("/text")
)

// TestPatchWhereKeysCollide patches notes in whose place another note may be
// stored.
func TestPatchWhereKeysCollide(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	for name, patch := range map[string]func() error{
		"Patch":   func() error { return r.Patch(ctx, kit.RightNote.Key(), notePatch.Set("x")) },
		"PatchIf": func() error { return r.PatchIf(ctx, kit.RightNote.Key(), noteText.Eq("left"), notePatch.Set("x")) },
	} {
		if err := patch(); !errors.Is(err, repository.ErrNotFound) || !strings.Contains(err.Error(), "is another") {
			t.Errorf("%s of a missing note: %v", name, err)
		}
		kit.HoldsNote(t, r, kit.LeftNote)
	}

	server.ResetRequests()
	if err := r.Patch(ctx, kit.LeftNote.Key(), notePatch.Set("new")); err != nil {
		t.Fatal(err)
	}
	if err := r.PatchIf(ctx, kit.LeftNote.Key(), noteText.Eq("new"), notePatch.Set("newer")); err != nil {
		t.Fatal(err)
	}
	newer := kit.LeftNote
	newer.Text = "newer"
	if sent := operations(server); sent != "ReadItem PatchItem ReadItem PatchItem" {
		t.Errorf("sent %s", sent)
	}

	// That the condition fails is found out by one read more, and not tried again.
	server.ResetRequests()
	err := r.PatchIf(ctx, kit.LeftNote.Key(), noteText.Eq("new"), notePatch.Set("newest"))
	var response *azcore.ResponseError
	if !errors.Is(err, repository.ErrPreconditionFailed) || !errors.As(err, &response) || !strings.Contains(err.Error(), `does not hold: c["text"] = ? (status 412)`) {
		t.Errorf("got %v", err)
	}
	if sent := operations(server); sent != "ReadItem PatchItem ReadItem" {
		t.Errorf("sent %s", sent)
	}
	kit.HoldsNote(t, r, newer)
}

// operations are those of a server's journal on items.
func operations(server *harness.Account) string {
	var all []string
	for _, r := range server.Requests() {
		if strings.HasSuffix(r.Operation, "Item") {
			all = append(all, r.Operation)
		}
	}
	return strings.Join(all, " ")
}

// TestPatchOvertaken has somebody write a note between the requests of a patch of
// it, once as the patch wants the note and once differently.
func TestPatchOvertaken(t *testing.T) {
	b := new(harness.Between)
	_, r := kit.NewNotes(t, harness.Intercepted)
	background := context.Background()
	ctx := b.Context(background)
	n := kit.CreateNote(background, t, r, kit.LeftNote)
	write := func(text string) func() {
		return func() {
			b.Act = nil
			n.Text, n.ETag = text, ""
			if err := r.Upsert(background, &n); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		meanwhile string
		patch     func() error
		want      string // what is stored; or
		err       error
	}{
		{"a", func() error { return r.Patch(ctx, kit.LeftNote.Key(), notePatch.Set("b")) }, "b", nil},
		{"c", func() error { return r.PatchIf(ctx, kit.LeftNote.Key(), noteText.Eq("c"), notePatch.Set("d")) }, "d", nil},
		{"e", func() error { return r.PatchIf(ctx, kit.LeftNote.Key(), noteText.Eq("d"), notePatch.Set("f")) }, "e", repository.ErrPreconditionFailed},
		{"g", func() error { return r.PatchIf(ctx, kit.LeftNote.Key(), noteText.Ne("g"), notePatch.Set("h")) }, "g", repository.ErrPreconditionFailed},
	} {
		b.Act = write(test.meanwhile)
		if err := test.patch(); !errors.Is(err, test.err) || errors.Is(err, repository.ErrUnclear) {
			t.Errorf("after %s: %v", test.meanwhile, err)
		}
		n.Text = test.want
		kit.HoldsNote(t, r, n)
	}
}

// TestPatchOfAVerifiedOtherType has a layout in which keys collide and documents
// of another type in the container.
func TestPatchOfAVerifiedOtherType(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), repository.Configure(harness.Impatient()))
	ctx := context.Background()
	model, other := *fixtures.NoteModel, *fixtures.NoteModel
	model.Discriminator = &generated.Discriminator{Property: "type", Value: "note"}
	other.Discriminator = &generated.Discriminator{Property: "type", Value: "letter"}
	r, letters := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, &model)}}, kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, &other)}}
	kit.CreateNote(ctx, t, letters, kit.LeftNote)
	for name, err := range map[string]error{
		"Patch":   r.Patch(ctx, kit.LeftNote.Key(), notePatch.Set("x")),
		"PatchIf": r.PatchIf(ctx, kit.LeftNote.Key(), noteText.Eq("left"), notePatch.Set("x")),
	} {
		if !errors.Is(err, repository.ErrNotFound) || !strings.Contains(err.Error(), `its property type says so`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := letters.PatchIf(ctx, kit.LeftNote.Key(), noteText.Eq("left"), notePatch.Set("right")); err != nil {
		t.Error(err)
	}
	n := kit.LeftNote
	n.Text = "right"
	kit.HoldsNote(t, letters, n)
}

// TestMeterOfAConditionThatDoesNotHold counts a refused patch, and the reads
// before and after it, for a client without policies.
func TestMeterOfAConditionThatDoesNotHold(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), nil)
	var refused error
	r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, fixtures.NoteModel, repository.WithObserver(func(_ context.Context, e repository.Event) {
		if e.Op == "patch" && e.Err != nil {
			refused = e.Err
		}
	}))}}
	kit.CreateNote(context.Background(), t, r, kit.LeftNote)
	var m repository.Meter
	err := r.PatchIf(repository.WithMeter(context.Background(), &m), kit.LeftNote.Key(), noteText.Eq("other"), notePatch.Set("x"))
	if !errors.Is(err, repository.ErrPreconditionFailed) || m.Requests() != 3 {
		t.Errorf("%v, and %d requests", err, m.Requests())
	}
	var response *azcore.ResponseError
	if !errors.As(refused, &response) || response.StatusCode != 412 {
		t.Errorf("observed %v", refused)
	}
}
