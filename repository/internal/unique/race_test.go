package unique_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// races is for the tests of the night.
var races = flag.Uint64("races", 4, "how many seeds TestUniqueUnderRaces has")

// TestUniqueUnderRaces has 32 programs that create, change and delete documents with few
// values and few ids, while programs pause, are killed before and after requests, and
// requests of killed ones act late. After each request no two visible documents have one
// value; in the end nothing blocks a value or an id for longer than the bound.
func TestUniqueUnderRaces(t *testing.T) {
	t.Parallel()
	seeds := *races
	if testing.Short() {
		seeds = min(seeds, 1)
	}
	for seed := range seeds {
		server, container, r := newMembers(t)
		chaos := &mayhem{
			random: rand.New(rand.NewPCG(seed, 18)), server: server, peek: container,
			kill: 0.04, pause: 0.3, killed: map[int]bool{},
		}
		through := server.Container("members", repository.Configure(harness.PerRetry(chaos)))
		begun := time.Now()
		var running sync.WaitGroup
		for program := range 32 {
			random := rand.New(rand.NewPCG(seed, uint64(program)))
			running.Go(func() {
				ctx := context.WithValue(context.Background(), programKey{}, program)
				race(ctx, repository.New(through, fixtures.MemberModel), random)
			})
		}
		running.Wait()
		chaos.late.Wait()
		if chaos.wrong != nil {
			t.Fatalf("seed %d: %v", seed, chaos.wrong)
		}
		server.Advance(11*time.Second + time.Since(begun))
		afterwards(t, r)
		s, err := takeStock(container)
		if err == nil {
			err = s.check()
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// race runs some operations of one program.
func race(ctx context.Context, r *members, random *rand.Rand) {
	doc := func() *fixtures.Member {
		return &fixtures.Member{
			ID: fmt.Sprint("u", random.IntN(6)), Region: []string{"eu", "us"}[random.IntN(2)],
			Email: fmt.Sprint("e", random.IntN(4)), Badge: random.IntN(4), Name: fmt.Sprint(random.Uint64()),
		}
	}
	for range 4 {
		m := doc()
		switch random.IntN(8) {
		default:
			_ = r.Create(ctx, m)
		case 3:
			_ = r.Upsert(ctx, m)
		case 4:
			_ = r.Replace(ctx, m)
		case 5:
			_ = r.Update(ctx, m.Key(), func(now *fixtures.Member) error { now.Email, now.Badge = m.Email, m.Badge; return nil })
		case 6, 7:
			_ = r.Delete(ctx, m.Key())
		}
	}
}

// afterwards checks that each value and each id is that of a visible document or free.
func afterwards(t *testing.T, r *members) {
	t.Helper()
	ctx := context.Background()
	for i := range 4 {
		email := fmt.Sprint("e", i)
		_, err := repository.GetByUnique(ctx, r, "email", email)
		created := r.Create(ctx, &fixtures.Member{ID: "free-" + email, Region: "eu", Email: email})
		if err == nil && !errors.Is(created, repository.ErrNotUnique) || errors.Is(err, repository.ErrNotFound) && created != nil {
			t.Fatalf("%s: %v, and a create gives %v", email, err, created)
		}
	}
	for i := range 6 {
		for _, region := range []string{"eu", "us"} {
			key := fixtures.MemberKey{ID: fmt.Sprint("u", i), Region: region}
			_, err := r.Get(ctx, key)
			created := r.Create(ctx, &fixtures.Member{ID: key.ID, Region: region})
			if err == nil && !errors.Is(created, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrNotFound) && created != nil {
				t.Fatalf("%v: %v, and a create gives %v", key, err, created)
			}
		}
	}
}
