// Package tenancy is for operators of tenants: the directory of the container of each tenant,
// the move of a tenant to another container while it is served, and the request units that each
// tenant uses. Documents of tenants are in package repository.
//
//	directory, err := tenancy.EnsureTenantDirectory(ctx, db, "tenants", admin.Autoscale(1000))
//	orders := NewOrderRepository(db, directory).For("contoso")
//	…
//	done, err := tenancy.Move(ctx, db, directory, tenancy.TenantMove{Shared: "orders", Tenant: "contoso", To: "orders-contoso"})
package tenancy
