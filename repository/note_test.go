package repository_test

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// unverifiedNotes is the model of notes as if keys could not collide, which the generator
// never writes for this layout.
var unverifiedNotes = func() *generated.Model[fixtures.Note, fixtures.NoteKey] {
	m := *fixtures.NoteModel
	m.Ambiguous, m.Same = false, nil
	return &m
}()

type notes struct {
	*fixtures.NoteRepository
}

// newNotes is an empty container of notes, whose client has the policies given
// before its retries.
func newNotes(t testing.TB, perCall ...policy.Policy) (*harness.Account, notes) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), repository.Configure(harness.Impatient(perCall...)))
	return server, notes{&fixtures.NoteRepository{Documents: repository.New(container, fixtures.NoteModel)}}
}
