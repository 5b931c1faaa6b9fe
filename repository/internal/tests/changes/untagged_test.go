package changes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// untagged takes the ETag out of every nth answer of a change feed, as a proxy that strips
// headers would. It counts the answers of each physical partition by themselves, so that a
// repeated request meets as many, whatever is read at the same time.
type untagged struct {
	nth atomic.Int64

	mu   sync.Mutex
	seen map[string]int64 // by the id of the physical partition
}

// counted counts an answer of a physical partition, and reports whether it is an nth one.
func (u *untagged) counted(id string, n int64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.seen[id]++
	return u.seen[id]%n == 0
}

func (u *untagged) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if n := u.nth.Load(); err == nil && n > 0 && r.Raw().Header.Get("A-IM") != "" && strings.HasSuffix(r.Raw().URL.Path, "/docs") &&
		u.counted(r.Raw().Header.Get("x-ms-documentdb-partitionkeyrangeid"), n) {
		response.Header.Del("ETag")
	}
	return response, err
}

// newUntagged returns things with a client whose feeds may lose ETags.
func newUntagged(t *testing.T) (kit.Things, *untagged) {
	u := &untagged{seen: map[string]int64{}}
	o := azcosmos.ClientOptions{}
	o.PerRetryPolicies = []policy.Policy{u}
	return kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(&o), false), u
}

// TestChangesWithoutAnETag reads a feed whose answers lack the ETag after which it goes on:
// one of three, and then all. It has each document once, or an error.
func TestChangesWithoutAnETag(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, u := newUntagged(t)
		all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 40)
		u.nth.Store(3)
		got, cursor := kit.ChangedIDs(t, feed.Changes(t.Context(), c.Documents, feed.FromBeginning(), feed.UntilCaughtUp(), feed.PageSize(4)))
		if want := kit.ChangedThings(all); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %d changes of %d documents: %v", len(got), len(want), got)
		}
		u.nth.Store(1)
		for _, from := range []feed.From{feed.FromBeginning(), feed.FromCursor(cursor)} {
			n, failure := 0, error(nil)
			for _, err := range feed.Changes(t.Context(), c.Documents, from, feed.UntilCaughtUp(), feed.PageSize(4)) {
				if n++; err != nil || n > len(all) {
					failure = err
					break
				}
			}
			var own *repository.Error
			if n != 1 || !errors.Is(failure, io.ErrUnexpectedEOF) || !errors.As(failure, &own) || own.Op != "changes" {
				t.Errorf("without any ETag: %d changes, %v", n, failure)
			}
		}
	})
}

// TestProcessorWithoutAnETag has a processor read such a feed. It handles nothing while no
// answer has an ETag, and each document once when one of three lacks it.
func TestProcessorWithoutAnETag(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, u := newUntagged(t)
		leases := kit.NewLeases(t, c.Server)
		all := c.Add(t, "a", 40)
		u.nth.Store(1)
		var got kit.Handled
		told := make(chan error, 1)
		kit.RunProcessor(t, feed.NewProcessor(c.Documents, "projection", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
			got.Note(changes)
			return nil
		}, kit.Quick, feed.PageSize(4), feed.PollEvery(5*time.Millisecond), kit.OnRequestError(func(_ context.Context, err error) {
			select {
			case told <- err:
			default:
			}
		})))
		select {
		case err := <-told:
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the processor tells of %v", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("the processor tells of no error")
		}
		got.Mu.Lock()
		if len(got.Times) != 0 {
			t.Errorf("%d documents were handled before any answer had an ETag", len(got.Times))
		}
		got.Mu.Unlock()
		u.nth.Store(3)
		if again := got.Await(t, all); again != 0 {
			t.Errorf("%d of %d documents were handled again", again, len(all))
		}
	})
}

// untaggedRanges takes the ETag out of the next answers about physical partitions.
type untaggedRanges struct{ left atomic.Int64 }

// Do implements policy.Transporter.
func (u *untaggedRanges) Do(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultClient.Do(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "/pkranges") && response.StatusCode == http.StatusOK && u.left.Add(-1) >= 0 {
		response.Header.Del("ETag")
	}
	return response, err
}

// TestRangesWithoutAnETag has the first answers about the physical partitions lack the ETag
// after which they go on: a processor begins, and a query succeeds, once one has it.
func TestRangesWithoutAnETag(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*testing.T, kit.Things, []*kit.Thing){
		"processor": func(t *testing.T, c kit.Things, all []*kit.Thing) {
			var got kit.Handled
			kit.RunProcessor(t, feed.NewProcessor(c.Documents, "projection", kit.NewLeases(t, c.Server), func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
				got.Note(changes)
				return nil
			}, kit.Quick))
			got.Await(t, all)
		},
		"query": func(t *testing.T, c kit.Things, all []*kit.Thing) {
			got, err := c.Scan().OrderBy(kit.ThingA.Asc()).Collect(t.Context())
			if err != nil || len(got) != len(all) {
				t.Errorf("%d documents, %v", len(got), err)
			}
		},
	} {
		harness.Bubble(t, name, func(t *testing.T) {
			u := &untaggedRanges{}
			u.left.Store(2)
			o := azcosmos.ClientOptions{}
			o.Transport = u
			c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(&o), false)
			run(t, c, c.Add(t, "a", 20))
			if u.left.Load() > 0 {
				t.Error("no answer lacked its ETag")
			}
		})
	}
}
