package queries

import (
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// hierarchy describes a container with a hierarchical key.
func hierarchy(id string, paths ...string) azcosmos.ContainerProperties {
	return azcosmos.ContainerProperties{
		ID: id,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
			Kind: azcosmos.PartitionKeyKindMultiHash, Paths: paths, Version: 2,
		},
	}
}

// A draw has the layout {tenantId},{game}-{round}.{*%8}, with a random suffix on
// a level whose components can collide.
type draw struct {
	ID       string `json:"id"`
	TenantID string `json:"tenantId"`
	Game     string `json:"game"`
	Round    string `json:"round"`
	Stored   string `json:"stored,omitempty"`
}

type drawKey struct {
	ID, TenantID, Game, Round string
	Suffix                    int
}

func (d *draw) key() drawKey {
	return drawKey{d.ID, d.TenantID, d.Game, d.Round, partition.Suffix(d.Stored, ".", 8)}
}

func (k drawKey) bucket(n int) []any {
	return []any{k.TenantID, k.Game + "-" + k.Round + "." + strconv.Itoa(n)}
}

func (k drawKey) Validate() error {
	return partition.Check("draw",
		partition.ID(k.ID), partition.Text("TenantID", k.TenantID), partition.Text("Game", k.Game), partition.Text("Round", k.Round),
		partition.RandomSuffix("Suffix", k.Suffix, 8))
}

var drawContainer = hierarchy("draws", "/tenantId", "/stored")

// By hand: pkgen writes no level of two properties.
var drawModel = generated.Model[draw, drawKey]{
	Type:      "draw",
	Paths:     drawContainer.PartitionKeyDefinition.Paths,
	Key:       (*draw).key,
	ID:        func(k drawKey) string { return k.ID },
	Values:    func(k drawKey) []any { return k.bucket(k.Suffix) },
	Made:      []int{1},
	Same:      func(a, b drawKey) bool { return a.TenantID == b.TenantID && a.Game == b.Game && a.Round == b.Round },
	Ambiguous: true,
	Stored:    func(d *draw) *string { return &d.Stored },
	Random:    &generated.Random[drawKey]{Buckets: 8, Suffix: func(k *drawKey) *int { return &k.Suffix }},
}

func drawKeys(tenantID, game, round string) generated.Keys {
	key := drawKey{TenantID: tenantID, Game: game, Round: round}
	return generated.Buckets(8, key.bucket,
		partition.Text("TenantID", tenantID), partition.Text("Game", game), partition.Text("Round", round),
	).Where("/game", game).Where("/round", round)
}
