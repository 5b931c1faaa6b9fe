package unique_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// For the tests of the night.
var (
	attacks  = flag.Uint64("attacks", 4, "how many seeds TestUniqueThroughProxy has")
	attacked = flag.Duration("attack", time.Second, "how long TestUniqueThroughProxy runs for each seed")
)

// throughProxy is a client of the members whose requests go through a proxy.
func throughProxy(t testing.TB, server *harness.Account, proxy *proxytest.Proxy) *azcosmos.ContainerClient {
	t.Helper()
	options := harness.Impatient()
	options.Transport = proxy
	return server.Container("members", repository.Configure(options))
}

// TestUniqueTwice has a proxy that repeats each write: the second answer comes back. The
// document that was stored keeps its value, and no other document gets it.
func TestUniqueTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	ada := func() *fixtures.Member { return &fixtures.Member{ID: "1", Region: "eu", Email: "ada"} }
	for name, test := range map[string]struct {
		before *fixtures.Member
		run    func(r *members) error
	}{
		"Create": {nil, func(r *members) error { return r.Create(ctx, ada()) }},
		"Upsert": {nil, func(r *members) error { return r.Upsert(ctx, ada()) }},
		"Upsert of one that is there": {&fixtures.Member{ID: "1", Region: "eu", Email: "eve"}, func(r *members) error {
			return r.Upsert(ctx, ada())
		}},
		"Replace": {&fixtures.Member{ID: "1", Region: "eu", Email: "eve"}, func(r *members) error { return r.Replace(ctx, ada()) }},
		"Replace on ETag": {&fixtures.Member{ID: "1", Region: "eu", Email: "eve"}, func(r *members) error {
			now, err := r.Get(ctx, fixtures.MemberKey{ID: "1", Region: "eu"})
			if err != nil {
				return err
			}
			now.Email = "ada"
			return r.Replace(ctx, now)
		}},
		"Update": {&fixtures.Member{ID: "1", Region: "eu", Email: "eve"}, func(r *members) error {
			return r.Update(ctx, fixtures.MemberKey{ID: "1", Region: "eu"}, func(m *fixtures.Member) error { m.Email = "ada"; return nil })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, container, direct := newMembers(t)
			if test.before != nil {
				if err := direct.Create(ctx, test.before); err != nil {
					t.Fatal(err)
				}
			}
			proxy := &proxytest.Proxy{Fate: proxytest.Writes(proxytest.Twice, http.MethodPost, http.MethodPut, http.MethodDelete)}
			if err := test.run(repository.New(throughProxy(t, server, proxy), fixtures.MemberModel)); err != nil && !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("a definite error of a document that is stored: %v", err)
			}
			if err := direct.Create(ctx, &fixtures.Member{ID: "2", Region: "us", Email: "ada"}); !errors.Is(err, repository.ErrNotUnique) || documents.HTTPField(err) != "email" {
				t.Errorf("another document of the value: %v", err)
			}
			s, err := takeStock(container)
			if err == nil {
				err = s.check()
			}
			if err != nil || len(s.visible) != 1 || s.visible[0].Email != "ada" {
				t.Errorf("stored: %v, %v", s.visible, err)
			}
		})
	}
}

// TestUniqueTwiceUnread has a proxy that repeats the request by which a document becomes
// visible, and a caller that gives up before pkgen has read why the second one was refused.
func TestUniqueTwiceUnread(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(ctx context.Context, r *members) error{
		"Create": func(ctx context.Context, r *members) error {
			return r.Create(ctx, &fixtures.Member{ID: "2", Region: "eu", Email: "ada"})
		},
		"Upsert": func(ctx context.Context, r *members) error {
			return r.Upsert(ctx, &fixtures.Member{ID: "1", Region: "eu", Email: "ada"})
		},
		"Replace": func(ctx context.Context, r *members) error {
			return r.Replace(ctx, &fixtures.Member{ID: "1", Region: "eu", Email: "ada"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _, direct := newMembers(t)
			if err := direct.Create(t.Context(), &fixtures.Member{ID: "1", Region: "eu", Email: "eve"}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			repeated := false
			proxy := &proxytest.Proxy{Fate: func(r *http.Request) proxytest.Fate {
				switch {
				case r.Method == http.MethodGet && repeated:
					cancel()
				case r.Method == http.MethodPut:
					repeated = true
					return proxytest.Twice
				}
				return proxytest.Passes
			}}
			if err := run(ctx, repository.New(throughProxy(t, server, proxy), fixtures.MemberModel)); !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// fates are what the proxy of a seed does with writes: it repeats them, delays them, loses
// them, or all of it.
var fates = [][]proxytest.Fate{
	{proxytest.Twice},
	{proxytest.Late, proxytest.Delayed},
	{proxytest.Answerless, proxytest.Dropped},
	{proxytest.Twice, proxytest.Late, proxytest.Delayed, proxytest.Answerless, proxytest.Dropped},
}

// TestUniqueThroughProxy has programs that create, change and delete documents with few
// values, through a proxy that repeats, delays and loses a third of their requests. After
// each round no two visible documents have one value, each of them has its reservation, and
// nothing is stored of a write whose error was definite.
func TestUniqueThroughProxy(t *testing.T) {
	t.Parallel()
	seeds := *attacks
	if testing.Short() {
		seeds = min(seeds, 1)
	}
	for seed := range seeds {
		server, container, _ := newMembers(t)
		var drawing sync.Mutex
		random := rand.New(rand.NewPCG(seed, 30))
		draw := func(n int) int {
			drawing.Lock()
			defer drawing.Unlock()
			return random.IntN(n)
		}
		some := fates[(seed+3)%4]
		proxy := &proxytest.Proxy{
			Fate: func(r *http.Request) proxytest.Fate {
				if r.Method == http.MethodGet || r.Header.Get("X-Ms-Documentdb-Query") != "" || draw(3) > 0 {
					return proxytest.Passes
				}
				return some[draw(len(some))]
			},
			Pause: func() time.Duration { return time.Duration(draw(30)) * time.Millisecond },
		}
		through := throughProxy(t, server, proxy)
		rounds := 0
		for begun := time.Now(); rounds == 0 || time.Since(begun) < *attacked; rounds++ {
			var running sync.WaitGroup
			refused := make([][]attempted, 8)
			for program := range refused {
				own := rand.New(rand.NewPCG(seed<<32+uint64(rounds), uint64(program)))
				running.Go(func() { refused[program] = attack(repository.New(through, fixtures.MemberModel), own) })
			}
			running.Wait()
			proxy.Wait()
			s, err := takeStock(container)
			if err == nil {
				err = s.check()
			}
			if err == nil {
				err = s.lacks(refused)
			}
			if err != nil {
				t.Fatalf("seed %d, round %d, after %d requests that the proxy did not simply pass: %v", seed, rounds, proxy.Repeated(), err)
			}
			server.Advance(time.Duration(draw(12)) * time.Second)
		}
	}
}

// attempted is a write that had a definite error.
type attempted struct {
	name string // of its document alone
	op   string
	err  error
}

// lacks returns an error if a document is stored of a write that had a definite error.
func (s *stock) lacks(all [][]attempted) error {
	for _, some := range all {
		for _, a := range some {
			for _, item := range s.visible {
				if item.Name == a.name {
					return fmt.Errorf("%v is stored, and the %s of it had the definite error: %w", at{item.ID, item.Region}, a.op, a.err)
				}
			}
		}
	}
	return nil
}

// attack runs some operations of one program, and returns those with a definite error.
func attack(r *members, random *rand.Rand) (refused []attempted) {
	ctx := context.Background()
	for range 6 {
		m := &fixtures.Member{
			ID: fmt.Sprint("u", random.IntN(6)), Region: []string{"eu", "us"}[random.IntN(2)],
			Email: fmt.Sprint("e", random.IntN(4)), Badge: random.IntN(4), Name: fmt.Sprint(random.Uint64()),
		}
		a := attempted{name: m.Name}
		switch random.IntN(8) {
		default:
			a.op, a.err = "Create", r.Create(ctx, m)
		case 3:
			a.op, a.err = "Upsert", r.Upsert(ctx, m)
		case 4:
			a.op, a.err = "Replace", r.Replace(ctx, m)
		case 5:
			a.op = "Update"
			a.err = r.Update(ctx, m.Key(), func(now *fixtures.Member) error {
				now.Email, now.Badge, now.Name = m.Email, m.Badge, m.Name
				return nil
			})
		case 6, 7:
			_ = r.Delete(ctx, m.Key())
		}
		if a.err != nil && !errors.Is(a.err, repository.ErrUnclear) {
			refused = append(refused, a)
		}
	}
	return refused
}
