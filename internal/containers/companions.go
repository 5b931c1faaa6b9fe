package containers

// What containers of the run time are like: those with leases of processors, and those
// with a directory of tenants.
const (
	// CompanionPath is the path of their keys.
	CompanionPath = "/id"

	// LeasesTTL is the default time to live of leases. Nothing expires by -1, except
	// what has a time to live of its own: the lock of a process that crashes while it
	// creates leases.
	LeasesTTL = -1
)

// AcceptsLeases reports whether a container for leases may have this value of a property:
// any version of the key, and no time to live.
func AcceptsLeases(property, have string) bool {
	return property == "partitionKey.version" || property == "defaultTtl" && have == "off"
}
