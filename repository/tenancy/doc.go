// Package tenancy has what operators of tenants need: the directory that says in which container
// each tenant lives, the move of a tenant from one container to another while it is served, and
// how many request units each tenant uses. Documents of tenants are in package repository.
//
//	directory, err := tenancy.EnsureTenantDirectory(ctx, db, "tenants", admin.Autoscale(1000))
//	orders := NewOrderRepository(db, directory).For("contoso")
//	…
//	done, err := tenancy.Move(ctx, db, directory, tenancy.TenantMove{Shared: "orders", Tenant: "contoso", To: "orders-contoso"})
package tenancy
