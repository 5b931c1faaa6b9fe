package lease

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func inOrder(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// owned are leases of these owners. An owner with a ! has let its lease expire.
func owned(owners ...string) []Seen {
	all := make([]Seen, len(owners))
	for i, owner := range owners {
		all[i].Lease.Token, all[i].Lease.ID = fmt.Sprint(i), fmt.Sprint(i)
		if n := len(owner) - 1; n >= 0 && owner[n] == '!' {
			all[i].Expired, owner = true, owner[:n]
		}
		all[i].Lease.Owner = owner
	}
	return all
}

func TestTake(t *testing.T) {
	for _, test := range []struct {
		name   string
		owners []string
		want   string
	}{
		{"no leases", nil, "[]"},
		{"a first worker takes all", []string{"", "", ""}, "[0 1 2]"},
		{"a second takes half, rounded up, of what is free", []string{"a", "", "", "", ""}, "[1 2 3]"},
		{"expired ones are free", []string{"a!", "a!", "b"}, "[0 1]"},
		{"its own expired ones, too", []string{"me!", "b"}, "[0]"},
		{"enough", []string{"me", "b", "me", ""}, "[]"},
		{"free ones first, though another has more", []string{"a", "a", "a", "a", ""}, "[4]"},
		{"one is stolen at a time", []string{"a", "a", "a", "a"}, "[0]"},
		{"from the fullest", []string{"a", "b", "b", "b", "a", "b"}, "[1]"},
		{"not below the target", []string{"a", "a", "b", "b", "me"}, "[]"},
		{"from one that has the target, if two are needed", []string{"a", "a", "b", "b", "c"}, "[0]"},
		{"not more workers than leases", []string{"a", "b"}, "[]"},
		{"the last of a worker is not stolen", []string{"a"}, "[]"},
	} {
		if got := tokensOf(Take(owned(test.owners...), "me", 1, inOrder)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func tokensOf(taken []Lease) string {
	tokens := []string{}
	for _, l := range taken {
		tokens = append(tokens, l.Token)
	}
	return fmt.Sprint(tokens)
}

// TestTakeSeveral steals several leases at a time, each from the worker that has most, and
// never more than the share.
func TestTakeSeveral(t *testing.T) {
	for _, test := range []struct {
		owners []string
		steals int
		want   string
	}{
		{[]string{"a", "a", "a", "a", "a", "a", "a", "a"}, 3, "[0 1 2]"},
		{[]string{"a", "a", "a", "a", "a", "a", "a", "a"}, 16, "[0 1 2 3]"},
		{[]string{"a", "b", "b", "b", "a", "b", "a", "a", "a"}, 16, "[0 4 1]"},
		{[]string{"a", "a", "b", "b", "me"}, 16, "[]"},
		{[]string{"a", "b"}, 16, "[]"},
	} {
		if got := tokensOf(Take(owned(test.owners...), "me", test.steals, inOrder)); got != test.want {
			t.Errorf("%v, %d at a time: got %s, want %s", test.owners, test.steals, got, test.want)
		}
	}
}

// TestBalanceSettles lets workers come, go and take leases, one after another or all by the
// same look, until no worker takes more. Then each lease has a living owner, no worker has two
// leases more than another, and the settled state does not change.
func TestBalanceSettles(t *testing.T) {
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 15))
		all := make([]Seen, 1+random.IntN(40))
		for i := range all {
			all[i].Lease.Token, all[i].Lease.ID = fmt.Sprint(i), fmt.Sprint(i)
		}
		workers := map[string]bool{}
		for range 1 + random.IntN(6) {
			for n := range 1 + random.IntN(9) {
				name := fmt.Sprint("w", n)
				workers[name] = random.IntN(3) > 0
			}
			for i := range all {
				all[i].Expired = all[i].Lease.Owner != "" && !workers[all[i].Lease.Owner]
			}
			rounds := settle(t, seed, all, workers, random)
			if rounds > 4*len(all)+10 {
				t.Fatalf("seed %d: settled after %d rounds of %d leases", seed, rounds, len(all))
			}
		}
	}
}

// settle returns after how many rounds nobody takes any more.
func settle(t *testing.T, seed uint64, all []Seen, workers map[string]bool, random *rand.Rand) int {
	t.Helper()
	together := random.IntN(2) == 0
	alive := 0
	for _, living := range workers {
		if living {
			alive++
		}
	}
	for round := 0; ; round++ {
		if round > 1000 {
			t.Fatalf("seed %d: does not settle: %+v", seed, all)
		}
		seen, taken := append([]Seen{}, all...), 0
		for name, living := range workers { // in any order
			if !living {
				continue
			}
			if !together {
				seen = append(seen[:0], all...)
			}
			most := len(all) - counted(seen, name)
			mine := Take(seen, name, 1+int(seed%3)*5, random.Perm)
			if len(mine) > most {
				t.Fatalf("seed %d: %s takes %d leases", seed, name, len(mine))
			}
			for _, l := range mine {
				var i int
				fmt.Sscan(l.Token, &i)
				if all[i].Lease.Owner != l.Owner && together {
					continue // another was first: the ETag has changed
				}
				all[i].Lease.Owner, all[i].Expired = name, false
				taken++
			}
		}
		if taken > 0 {
			continue
		}
		low, high := len(all), 0
		for name, living := range workers {
			if living {
				low, high = min(low, counted(all, name)), max(high, counted(all, name))
			}
		}
		if alive > 0 && high-low > 1 {
			t.Fatalf("seed %d: settled with %d and %d leases", seed, low, high)
		}
		for _, s := range all {
			if alive > 0 && (s.free() || !workers[s.Lease.Owner]) {
				t.Fatalf("seed %d: nobody has lease %s", seed, s.Lease.Token)
			}
		}
		return round
	}
}

func counted(all []Seen, worker string) int {
	n := 0
	for _, s := range all {
		if s.Lease.Owner == worker && !s.Expired {
			n++
		}
	}
	return n
}
