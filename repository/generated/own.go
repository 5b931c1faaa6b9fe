package generated

// Own says that the tenants of a type share a container, and that a tenant may have a
// container of its own: a directory says where each one lives. The type has a [Tenant],
// which is a text, and is the whole partition key of both containers, or its first level.
type Own[K Key] struct {
	// Shared is the id of the container in which tenants live by default, such as
	// "orders".
	Shared string

	// Parts are the template of the ids of own containers, such as orders-{TenantID}.
	// Its one component is the tenant.
	Parts []ContainerPart

	// Tenant returns the tenant of a key as a directory knows it: the text in the
	// partition key.
	Tenant func(K) string

	// Name returns the id of the own container of the tenant of a key whose Tenant.Check
	// has passed.
	Name func(K) string

	// Whole says that the tenant is the whole partition key, so that its documents are
	// one logical partition. Otherwise it is the first of several levels.
	Whole bool

	// Properties is a func(id string) azcosmos.ContainerProperties, which returns what a
	// container of this id is created with.
	Properties any

	// EnsureShared and EnsureOwn are the names of the generated functions that create
	// the shared container and an own one, for errors, such as "EnsureOrderContainer"
	// and "EnsureOrderOwnContainer".
	EnsureShared, EnsureOwn string
}
