package query

import (
	"cmp"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// perKey returns one job for each of values, and one for the whole container. A
// prefix of levels has no header: azcosmos asks there for all of them, so its
// levels are a condition and the gateway finds its physical partitions.
func perKey(values []Target) []job {
	if values == nil {
		return []job{{key: azcosmos.NewPartitionKey()}}
	}
	jobs := make([]job, len(values))
	for i, v := range values {
		jobs[i].key, jobs[i].name = wire.PartitionKeyOf(v.Value)
		if v.prefix {
			jobs[i].key, jobs[i].listed = azcosmos.NewPartitionKey(), true
			jobs[i].values = values[i : i+1]
		}
	}
	return jobs
}

// byGateway returns jobs for which the gateway finds the physical partitions of
// values.
func byGateway(values []Target) []job {
	if values == nil {
		return []job{{key: azcosmos.NewPartitionKey()}}
	}
	lists := chunks(values)
	jobs := make([]job, len(lists))
	for i, list := range lists {
		jobs[i] = job{key: azcosmos.NewPartitionKey(), values: list, listed: true}
	}
	return jobs
}

// scopedJobs returns the jobs that read values, one for each physical partition
// that holds some, in the order of the key space. If all values begin with prefix
// and few others do, the prefix replaces the list of them; if they are ranged, their
// range does.
func scopedJobs(values []Target, prefix string, ranged bool, m *route.Map, version int) []job {
	all := job{key: azcosmos.NewPartitionKey(), values: values, prefix: prefix, ranged: ranged, low: route.FirstKey, high: route.LastKey}
	jobs := all.split(m, version)
	slices.SortStableFunc(jobs, func(a, b job) int {
		return cmp.Or(partition.CompareEPK(a.low, b.low), cmp.Compare(a.in.ID, b.in.ID))
	})
	return jobs
}
