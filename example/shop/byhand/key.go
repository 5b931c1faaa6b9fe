package byhand

import (
	"hash/fnv"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// buckets is how many logical partitions a tenant has. It can never change: documents
// would be looked for where they are not.
const buckets = 8

// keyText returns the partition key of a customer's orders. FNV alone puts similar names
// into few buckets, so its result is mixed as the end of MurmurHash3 does it.
func keyText(tenant, customer string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(customer))
	h := hash.Sum32()
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	return bucketText(tenant, int(h%buckets)+1)
}

func bucketText(tenant string, bucket int) string {
	return tenant + "." + strconv.Itoa(bucket)
}

func key(tenant, customer string) azcosmos.PartitionKey {
	return azcosmos.NewPartitionKeyString(keyText(tenant, customer))
}
