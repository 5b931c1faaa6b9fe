package changes

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestChangesOfKeysThatEndInTheID reads the feed of documents whose key has four levels, while
// physical partitions split: it has each change once.
func TestChangesOfKeysThatEndInTheID(t *testing.T) {
	t.Parallel()
	server, _, r := kit.NewSteps(t)
	all := kit.ManySteps()
	from := feed.FromBeginning()
	for round := range 6 {
		steps := all[30*round:][:30]
		if summary, err := r.UpsertAll(documents.Items(steps...)).Collect(t.Context()); err != nil {
			t.Fatal(summary, err)
		}
		var got, want []string
		for _, s := range steps {
			want = append(want, fmt.Sprint(s.Key()))
		}
		for c, err := range feed.Changes(t.Context(), r.Documents, from, feed.UntilCaughtUp(), feed.PageSize(7)) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, fmt.Sprint(c.Doc.Key())); len(got) == 10 {
				kit.MustPass(t, server.Split("db", "steps", strconv.Itoa(round)))
			}
			from = feed.FromCursor(c.Cursor())
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("round %d: %d changes, want %d:\n%v\n%v", round, len(got), len(want), got, want)
		}
	}
}
