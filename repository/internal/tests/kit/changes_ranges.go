package kit

import (
	"context"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Some reads n changes and returns their ids and the cursor after them.
func (c Things) Some(t *testing.T, cursor string, n int, opts ...repository.ChangesOption) ([]string, string) {
	t.Helper()
	var names []string
	for change, err := range c.Changes(context.Background(), repository.FromCursor(cursor), append(opts, repository.UntilCaughtUp())...) {
		if err != nil {
			t.Fatal(err)
		}
		names, cursor = append(names, change.Doc.ID), change.Cursor()
		if len(names) == n {
			break
		}
	}
	return names, cursor
}
