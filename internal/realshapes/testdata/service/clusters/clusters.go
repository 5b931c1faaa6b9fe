// Package clusters holds the documents of a resource provider.
package clusters

import (
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"

	"example.com/platform"
)

// Cluster is kept by the subscription that its resource id names.
type Cluster struct {
	platform.Document

	_          struct{}        `cosmos:"key={ResourceID.SubscriptionID|lower}"`
	ResourceID *arm.ResourceID `json:"resourceId"`
	State      string          `json:"state"`
	Nodes      int             `json:"nodes"`
}

// NodePool is kept with the cluster that is its parent.
type NodePool struct {
	_ struct{} `cosmos:"container=node-pools,path=/pk,key={ResourceID.SubscriptionID|lower}/{ResourceID.Parent.Name|lower},escape"`
	platform.Expiring

	ResourceID *arm.ResourceID   `json:"resourceId"`
	Labels     map[string]string `json:"labels,omitempty"`
	Taints     []Taint           `json:"taints,omitempty"`
}

// Taint keeps work away from a node.
type Taint struct {
	Key, Value string
	Effect     *string `json:",omitempty"`
}

// Operation is something long that is under way, and expires when it is over.
type Operation struct {
	BaseDocument

	SubscriptionID string          `json:"subscriptionId" cosmos:"pk,lower"`
	Request        Request         `json:"request"`
	Result         json.RawMessage `json:"result,omitempty"`
	Internal       func()          `json:"-"`
}

// BaseDocument is as the service of the database describes it.
type BaseDocument struct {
	ID        string      `json:"id,omitempty"`
	ETag      azcore.ETag `json:"_etag,omitempty"`
	Timestamp int         `json:"_ts,omitempty"`
	TTL       *int32      `json:"ttl,omitempty"`
}

// Request is an enumeration whose text is what is stored.
type Request string

// Lease is held by one process for a short while.
type Lease struct {
	_     struct{} `cosmos:"container=leases,ttl=30"`
	ID    string   `json:"id" cosmos:"id,pk"`
	Owner string   `json:"owner,omitempty"`
	TTL   int      `json:"ttl,omitempty"`
	ETag  string   `json:"_etag,omitempty"`
}

// Billing is a generic envelope whose properties make the key.
type Billing struct {
	_ struct{} `cosmos:"key={Properties.Region}:{Properties.Stage},container=billing-meters"`
	*platform.Document
	platform.Envelope[Meter]
}

// Meter counts.
type Meter struct {
	Region string         `json:"region"`
	Stage  platform.Stage `json:"stage"`
	Count  uint64         `json:"count"`
}
