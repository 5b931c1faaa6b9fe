package changes

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestChangesAgainstModel reads in parts, each from a cursor of the part before,
// while things are written, physical partitions split and requests fail.
func TestChangesAgainstModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 7))
			var client *azcosmos.ClientOptions
			if seed%3 > 0 {
				client = repository.Configure(nil)
			}
			m := kit.FeedModel{
				Things: kit.NewThings(t, emulator.Options{Partitions: 1 + r.IntN(3)}, client, seed%2 == 0, repository.WithConcurrency(1+r.IntN(4))),
				T:      t, R: r, Latest: map[kit.ThingKey]int{}, Seen: map[string]int{}, Last: map[string]int{}, Known: map[kit.ThingKey]int{},
			}
			cursor := ""
			for range seeds.Few(40, 20) {
				for range r.IntN(25) {
					m.Write()
				}
				m.Disturb()
				cursor = m.Read(cursor, 1+r.IntN(30), m.Disturb)
			}
			m.Server.ClearFaults()
			m.Read(cursor, -1, m.Disturb)
			for key, n := range m.Latest {
				if n > 0 && m.Known[key] != n {
					t.Errorf("thing %s: the last change was %d, and the last write %d", key.ID, m.Known[key], n)
				}
			}
			if m.Made < 100 {
				t.Errorf("only %d changes", m.Made)
			}
		})
	}
}
