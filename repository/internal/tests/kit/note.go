package kit

import (
	"context"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// left and right have one partition key, a-b-c, and one id.
var (
	LeftNote  = fixtures.Note{ID: "1", Topic: "a-b", Title: "c", Text: "left"}
	RightNote = fixtures.Note{ID: "1", Topic: "a", Title: "b-c", Text: "right"}
)

func CreateNote(ctx context.Context, t testing.TB, r Notes, n fixtures.Note) fixtures.Note {
	t.Helper()
	if err := r.Create(ctx, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// HoldsNote fails the test unless n, and nothing else, is stored in its place.
func HoldsNote(t testing.TB, r Notes, n fixtures.Note) {
	t.Helper()
	got, err := r.Get(context.Background(), n.Key())
	if err != nil || got.Text != n.Text || got.Key() != n.Key() {
		t.Errorf("got %+v, %v, want %+v", got, err, n)
	}
}

// UnverifiedNotes is the model of notes as if keys could not collide, which the generator
// never writes for this layout.
var UnverifiedNotes = func() *generated.Model[fixtures.Note, fixtures.NoteKey] {
	m := *fixtures.NoteModel
	m.Ambiguous, m.Same = false, nil
	return &m
}()

type Notes struct {
	*fixtures.NoteRepository
}

// NewNotes is an empty container of notes, whose client has the policies given
// before its retries.
func NewNotes(t testing.TB, perCall ...policy.Policy) (*harness.Account, Notes) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), repository.Configure(harness.Impatient(perCall...)))
	return server, Notes{&fixtures.NoteRepository{Documents: repository.New(container, fixtures.NoteModel)}}
}
