package kit

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Put stores readings.
func (r Readings) Put(t testing.TB, all ...*fixtures.Reading) {
	t.Helper()
	for _, x := range all {
		if err := r.Upsert(context.Background(), x); err != nil {
			t.Fatal(err)
		}
	}
}

// Changed are the ids of n changes after a cursor, or of all, sorted, and the cursor after
// them.
func (r Readings) Changed(t testing.TB, cursor string, n int, opts ...repository.ChangesOption) (ids []string, after string, err error) {
	t.Helper()
	after = cursor
	caughtUp := repository.OnCaughtUp(func(c string) { after = c })
	for change, err := range r.Changes(t.Context(), repository.FromCursor(cursor), append(opts, repository.UntilCaughtUp(), caughtUp)...) {
		if err != nil {
			slices.Sort(ids)
			return ids, after, err
		}
		ids, after = append(ids, change.Doc.ID), change.Cursor()
		if n--; n == 0 {
			break
		}
	}
	slices.Sort(ids)
	return ids, after, nil
}

// Elsewhere is the repository of another process.
func (r Readings) Elsewhere(t testing.TB, configured bool, opts ...repository.Option) Readings {
	t.Helper()
	var o *azcosmos.ClientOptions
	if configured {
		o = repository.Configure(nil)
	}
	r.Db = r.Server.Database(o)
	r.Documents = repository.NewIn(r.Db, fixtures.ReadingModel, opts...)
	return r
}

// polls is how often a window was asked for changes.
func (r Readings) polls(month int) (n int) {
	for _, q := range r.Server.Requests() {
		if q.Operation == emulator.OpReadChangeFeed && strings.Contains(q.Path, "/colls/"+Window(month)+"/") {
			n++
		}
	}
	return n
}

// Polled waits until the window of June was polled more often, and returns the polls of
// that of January.
func (r Readings) Polled() int {
	for before := r.polls(6); r.polls(6) < before+8; {
		time.Sleep(5 * time.Millisecond)
	}
	return r.polls(1)
}
