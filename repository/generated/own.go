package generated

// Own describes a type whose tenants share a container, and may each have their own: a
// directory has the container of each tenant. The type has a [Tenant], which is a text, and is
// the whole partition key of both containers, or its first level.
type Own[K Key] struct {
	// Shared is the id of the container in which tenants live by default, such as
	// "orders".
	Shared string

	// Parts are the template of the ids of own containers, such as orders-{TenantID}. Its only
	// component is the tenant.
	Parts []ContainerPart

	// Tenant returns the tenant of a key for the directory: the text in the partition key.
	Tenant func(K) string

	// Name returns the id of the own container of a key's tenant, after Tenant.Check has
	// succeeded.
	Name func(K) string

	// Whole reports that the tenant is the whole partition key, so that its documents are one
	// logical partition. Otherwise it is the first of several levels.
	Whole bool

	// Properties is a func(id string) azcosmos.ContainerProperties, which returns the
	// properties for creating a container with this id.
	Properties any

	// EnsureShared and EnsureOwn are the names of the generated functions that create the
	// shared container and an own one, for errors, such as "EnsureOrderContainer" and
	// "EnsureOrderOwnContainer".
	EnsureShared, EnsureOwn string
}
