package lease

import "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

// Wanted returns what a new container for leases is like. A default time to live of -1
// turns on the time to live of the lock, and nothing else expires.
func Wanted(id string) azcosmos.ContainerProperties {
	byDocument := int32(-1)
	return azcosmos.ContainerProperties{
		ID:                     id,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/id"}, Version: 2},
		DefaultTimeToLive:      &byDocument,
	}
}

// Accepts reports whether a container for leases may have this value of a property:
// any version of the key, and no time to live.
func Accepts(property, have string) bool {
	return property == "partitionKey.version" || property == "defaultTtl" && have == "off"
}
