package generated

// Tenant says whose documents are, in a type of which a program may use the part of
// one tenant alone.
type Tenant[K Key] struct {
	// Property is the JSON pointer of the property that names the tenant, such as
	// "/tenantId".
	Property string

	// Same reports whether two keys are of one tenant.
	Same func(a, b K) bool

	// Value returns the tenant of a key for encoding/json.
	Value func(K) any

	// Check returns a *partition.KeyError if no key can have the tenant of a key, such
	// as an empty one. It is nil if every value is legal, as for integers.
	Check func(K) error
}
