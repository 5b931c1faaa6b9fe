package roundtrip

import (
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"

	"example.com/platform"
	"example.com/service/clusters"
)

func TestClusters(t *testing.T) {
	const (
		subscription = "6B690BEC-0C16-4ECB-8F67-781CAF40BBA7"
		lower        = "6b690bec-0c16-4ecb-8f67-781caf40bba7"
		resource     = "/subscriptions/" + subscription + "/resourceGroups/rg/providers/Contoso.Db/clusters/Main"
	)
	db := database(t)
	parse := func(text string) *arm.ResourceID {
		id, err := arm.ParseResourceID(text)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	t.Run("Cluster", func(t *testing.T) {
		r, c := in(t, db, clusters.EnsureClusterContainer, clusters.NewClusterRepository)
		d := &clusters.Cluster{Document: platform.Document{ID: "c1"}, ResourceID: parse(resource), State: "new", Nodes: 3}
		run(t, c, r, d.Key(), trip[clusters.Cluster]{
			document: d, key: `["` + lower + `"]`, query: r.BySubscriptionID(subscription),
			changes: list(clusters.ClusterPatch.State.Set("ready"), clusters.ClusterPatch.Nodes.Increment(2)),
			changed: func(d *clusters.Cluster) { d.State, d.Nodes = "ready", 5 },
		})
	})
	t.Run("NodePool", func(t *testing.T) {
		r, c := in(t, db, clusters.EnsureNodePoolContainer, clusters.NewNodePoolRepository)
		d := &clusters.NodePool{
			Expiring: platform.Expiring{Document: platform.Document{ID: "n1"}, TTL: 600}, ResourceID: parse(resource + "/nodePools/np1"),
			Labels: map[string]string{"a": "b"}, Taints: []clusters.Taint{{Key: "k", Value: "v"}},
		}
		run(t, c, r, d.Key(), trip[clusters.NodePool]{
			document: d, key: `["` + lower + `/main"]`, query: r.BySubscriptionIDAndName(subscription, "MAIN"),
			changes: list(clusters.NodePoolPatch.TTL.Set(700), clusters.NodePoolPatch.Labels.Key("c/d").Set("e"), clusters.NodePoolPatch.Taints.RemoveAt(0)),
			changed: func(d *clusters.NodePool) { d.TTL, d.Labels["c/d"], d.Taints = 700, "e", nil },
		})
	})
	t.Run("Operation", func(t *testing.T) {
		r, c := in(t, db, clusters.EnsureOperationContainer, clusters.NewOperationRepository)
		ttl := int32(60)
		d := &clusters.Operation{
			BaseDocument: clusters.BaseDocument{ID: "o1", TTL: &ttl}, SubscriptionID: subscription,
			Request: "create", Result: json.RawMessage(`{"ok":[1,2.5]}`),
		}
		run(t, c, r, d.Key(), trip[clusters.Operation]{
			document: d, key: `["` + lower + `"]`, query: r.BySubscriptionID(subscription),
			changes: list(clusters.OperationPatch.Request.Replace("delete"), clusters.OperationPatch.Result.Set(json.RawMessage(`null`))),
			changed: func(d *clusters.Operation) { d.Request, d.Result = "delete", json.RawMessage(`null`) },
		})
	})
	t.Run("Lease", func(t *testing.T) {
		r, c := in(t, db, clusters.EnsureLeaseContainer, clusters.NewLeaseRepository)
		d := &clusters.Lease{ID: "subscription " + lower, Owner: "host-1", TTL: 10}
		run(t, c, r, d.Key(), trip[clusters.Lease]{
			document: d, key: `["subscription ` + lower + `"]`, query: r.Scan(),
			changes: list(clusters.LeasePatch.Owner.Remove(), clusters.LeasePatch.TTL.Set(-1)),
			changed: func(d *clusters.Lease) { d.Owner, d.TTL = "", -1 },
		})
	})
	t.Run("Billing", func(t *testing.T) {
		r, c := in(t, db, clusters.EnsureBillingContainer, clusters.NewBillingRepository)
		d := &clusters.Billing{
			Document: &platform.Document{ID: "b1"},
			Envelope: platform.Envelope[clusters.Meter]{Version: 1, Properties: clusters.Meter{Region: "westeurope", Stage: 1, Count: 1 << 50}},
		}
		run(t, c, r, d.Key(), trip[clusters.Billing]{
			document: d, key: `["westeurope:live"]`, query: r.ByRegionAndStage("westeurope", 1),
			changes: list(clusters.BillingPatch.Properties.Count.Set(7)),
			changed: func(d *clusters.Billing) { d.Properties.Count = 7 },
		})
	})
}
