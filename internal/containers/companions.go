package containers

// Settings of the run time's own containers, for leases of processors and for directories of
// tenants.
const (
	// CompanionPath is the path of their partition keys.
	CompanionPath = "/id"

	// LeasesTTL is the default time to live of leases. With -1, a document expires only if it has a
	// time to live of its own: the lock of a process that crashes while it creates leases.
	LeasesTTL = -1
)

// AcceptsLeases reports whether a container for leases may have a value of a property: any version
// of the key, and no time to live.
func AcceptsLeases(property, have string) bool {
	return property == "partitionKey.version" || property == "defaultTtl" && have == "off"
}
