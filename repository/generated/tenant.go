package generated

// Tenant describes the owner of documents, in a type that a program may restrict to one tenant.
type Tenant[K Key] struct {
	// Property is the JSON pointer of the property with the tenant, such as "/tenantId".
	Property string

	// Same reports whether two keys belong to the same tenant.
	Same func(a, b K) bool

	// Value returns the tenant of a key for encoding/json.
	Value func(K) any

	// Check returns a *partition.KeyError if a key's tenant is illegal, for example empty. It
	// is nil if every value is legal, as for integers.
	Check func(K) error
}
