package repository_test

import (
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
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

// A visit has the layout {tenantId},{place.floor},{at|2006-01}: a text and a
// number that are properties, and a level that is made.
type visit struct {
	ID       string    `json:"id"`
	TenantID string    `json:"tenantId"`
	Place    place     `json:"place"`
	At       time.Time `json:"at"`
	Note     string    `json:"note,omitempty"`
	ETag     string    `json:"_etag,omitempty"`
}

type place struct {
	Floor int `json:"floor"`
}

type visitKey struct {
	ID       string
	TenantID string
	Floor    int
	At       time.Time
}

func (v *visit) key() visitKey {
	return visitKey{v.ID, v.TenantID, v.Place.Floor, partition.Month(v.At)}
}

func (k visitKey) month() string { return string(partition.AppendTime(nil, k.At, "2006-01")) }

func (k visitKey) levels() []any { return []any{k.TenantID, float64(k.Floor), k.month()} }

func (k visitKey) components() []partition.Component {
	return []partition.Component{
		partition.Text("TenantID", k.TenantID), partition.Int("Floor", int64(k.Floor)), partition.Time("At", k.At),
	}
}

func (k visitKey) Validate() error {
	return partition.Check("visit", append(k.components(), partition.ID(k.ID))...)
}

var visitContainer = hierarchy("visits", "/tenantId", "/place/floor", "/partitionKey")

var visitModel = generated.Model[visit, visitKey]{
	Type:   "visit",
	Paths:  visitContainer.PartitionKeyDefinition.Paths,
	Key:    (*visit).key,
	ID:     func(k visitKey) string { return k.ID },
	Values: visitKey.levels,
	Made:   []int{2},
	ETag:   func(v *visit) *string { return &v.ETag },
}

type visits struct {
	*repository.Documents[visit, visitKey]
}

func (r visits) byTenantIDAndFloorAndAt(tenantID string, floor int, at time.Time) repository.Query[visit] {
	key := visitKey{TenantID: tenantID, Floor: floor, At: at}
	return repository.NewQuery(r.Documents, generated.Levels(key.levels(), key.components()...))
}

func (r visits) byTenantIDAndFloor(tenantID string, floor int) repository.Query[visit] {
	key := visitKey{TenantID: tenantID, Floor: floor}
	return repository.NewQuery(r.Documents, generated.Prefix(key.levels()[:2], key.components()[:2]...))
}

func (r visits) byTenantID(tenantID string) repository.Query[visit] {
	return repository.NewQuery(r.Documents, generated.Prefix([]any{tenantID}, partition.Text("TenantID", tenantID)))
}

func (r visits) byTenantIDAndFloorAndAtBetween(tenantID string, floor int, from, to time.Time) repository.Query[visit] {
	return repository.NewQuery(r.Documents, generated.Periods(from, to, "2006-01", func(at time.Time) []any {
		return visitKey{TenantID: tenantID, Floor: floor, At: at}.levels()
	}, partition.Text("TenantID", tenantID), partition.Int("Floor", int64(floor))))
}

// An order has the layout {tenantId}.{customer%8},{customer},{day|2006-01-02},
// whose first and last levels are made.
type order struct {
	ID       string    `json:"id"`
	TenantID string    `json:"tenantId"`
	Customer string    `json:"customer"`
	Day      time.Time `json:"day"`
}

type orderKey struct {
	ID, TenantID, Customer string
	Day                    time.Time
}

func (o *order) key() orderKey {
	return orderKey{o.ID, o.TenantID, o.Customer, partition.Day(o.Day)}
}

func (k orderKey) tenant(bucket int) string { return k.TenantID + "." + strconv.Itoa(bucket) }

func (k orderKey) levels() []any {
	return []any{
		k.tenant(partition.Hash{}.Text(k.Customer).Bucket(8)),
		k.Customer,
		string(partition.AppendTime(nil, k.Day, "2006-01-02")),
	}
}

func (k orderKey) Validate() error {
	return partition.Check("order",
		partition.ID(k.ID), partition.Text("TenantID", k.TenantID), partition.Text("Customer", k.Customer), partition.Time("Day", k.Day))
}

var orderContainer = hierarchy("orders", "/partitionKey1", "/customer", "/partitionKey3")

var orderModel = generated.Model[order, orderKey]{
	Type:   "order",
	Paths:  orderContainer.PartitionKeyDefinition.Paths,
	Key:    (*order).key,
	ID:     func(k orderKey) string { return k.ID },
	Values: orderKey.levels,
	Made:   []int{0, 2},
}

type orders struct {
	*repository.Documents[order, orderKey]
}

func (r orders) byTenantID(tenantID string) repository.Query[order] {
	key := orderKey{TenantID: tenantID}
	return repository.NewQuery(r.Documents, generated.Buckets(8, func(bucket int) []any { return []any{key.tenant(bucket)} },
		partition.Text("TenantID", tenantID)))
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
