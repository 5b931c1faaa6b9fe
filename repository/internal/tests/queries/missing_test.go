package queries

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestMissingContainer asks for the documents of a container that does not exist: that is no
// missing document.
func TestMissingContainer(t *testing.T) {
	t.Parallel()
	server, d := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx := context.Background()
	containers := server.DB.NewQueryContainersPager("SELECT * FROM c", nil)
	page, err := containers.NextPage(ctx)
	if err != nil || len(page.Containers) != 1 {
		t.Fatal(page.Containers, err)
	}
	container, err := server.DB.NewContainer(page.Containers[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := container.Delete(ctx, nil); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"All": func() error {
			for _, err := range d.Scan().All(ctx) {
				return err
			}
			return nil
		},
		"Page":  func() error { _, err := d.Scan().Page(ctx, "", 10); return err },
		"Count": func() error { _, err := d.Scan().Count(ctx); return err },
		"Changes": func() error {
			for _, err := range feed.Changes(ctx, d.Documents, feed.FromBeginning(), feed.UntilCaughtUp()) {
				return err
			}
			return nil
		},
	} {
		if err := read(); err == nil || errors.Is(err, repository.ErrNotFound) || !strings.Contains(err.Error(), "container or its database does not exist") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
