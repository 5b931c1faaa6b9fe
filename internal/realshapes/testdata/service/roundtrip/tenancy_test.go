package roundtrip

import (
	"testing"

	"example.com/platform"
	"example.com/service/tenancy"
)

func TestTenancy(t *testing.T) {
	db := database(t)
	t.Run("Membership", func(t *testing.T) {
		r, c := in(t, db, tenancy.EnsureMembershipContainer, tenancy.NewMembershipRepository)
		d := &tenancy.Membership{Document: platform.Document{ID: "m1"}, TenantID: "contoso", UserID: "ann", Roles: []tenancy.Role{"owner"}, Stage: 1}
		run(t, c, r, d.Key(), trip[tenancy.Membership]{
			document: d, key: `["contoso","ann"]`, query: r.ByTenantID("contoso"),
			changes: list(tenancy.MembershipPatch.Roles.Insert(0, "reader"), tenancy.MembershipPatch.Stage.Set(2), tenancy.MembershipPatch.Since.Set(at)),
			changed: func(d *tenancy.Membership) {
				d.Roles, d.Stage, d.Since = []tenancy.Role{"reader", "owner"}, 2, &at
			},
		})
	})
	t.Run("Session", func(t *testing.T) {
		r, c := in(t, db, tenancy.EnsureSessionContainer, tenancy.NewSessionRepository)
		d := &tenancy.Session{ID: "s1", TenantID: "contoso", Opened: at, Shard: -2, Agent: &tenancy.Agent{Name: "x"}}
		run(t, c, r, d.Key(), trip[tenancy.Session]{
			document: d, key: `["contoso","2024-06-01",-2]`, query: r.ByTenantIDBetweenDays("contoso", at, at),
			changes: list(tenancy.SessionPatch.Agent.Version.Set("1.2")), changed: func(d *tenancy.Session) { d.Agent.Version = "1.2" },
		})
	})
	t.Run("Quota", func(t *testing.T) {
		r, c := in(t, db, tenancy.EnsureQuotaContainer, tenancy.NewQuotaRepository)
		d := &tenancy.Quota{ID: "q1", Plan: 0, Used: 0.1}
		run(t, c, r, d.Key(), trip[tenancy.Quota]{
			document: d, key: `[0]`, query: r.ByPlan(0),
			changes: list(tenancy.QuotaPatch.Used.Increment(0.2), tenancy.QuotaPatch.Blocked.Set(true)),
			changed: func(d *tenancy.Quota) { d.Used, d.Blocked = d.Used+0.2, true },
		})
	})
	t.Run("Flag", func(t *testing.T) {
		r, c := in(t, db, tenancy.EnsureFlagContainer, tenancy.NewFlagRepository)
		d := &tenancy.Flag{ID: "f1", Rules: map[string]bool{}}
		run(t, c, r, d.Key(), trip[tenancy.Flag]{
			document: d, key: `[false]`, query: r.ByEnabled(false),
			changes: list(tenancy.FlagPatch.Rules.Key("beta~1").Set(true)), changed: func(d *tenancy.Flag) { d.Rules["beta~1"] = true },
		})
	})
	t.Run("Workspace", func(t *testing.T) {
		r, c := in(t, db, tenancy.EnsureWorkspaceContainer, tenancy.NewWorkspaceRepository)
		d := &tenancy.Workspace{Document: platform.Document{ID: "w1"}, TenantID: "contoso", Name: "Alpha"}
		run(t, c, r, d.Key(), trip[tenancy.Workspace]{
			document: d, key: `["contoso.6","alpha"]`, query: r.ByTenantID("contoso"),
			changes: list(tenancy.WorkspacePatch.Deleted.Set(tenancy.Deletion{At: at, By: "ann"})),
			changed: func(d *tenancy.Workspace) { d.Deleted = &tenancy.Deletion{At: at, By: "ann"} },
		})
	})
}
