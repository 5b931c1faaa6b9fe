package provision

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
)

// compare returns the differences of a container from what is wanted.
func compare(have, want *azcosmos.ContainerProperties) []containers.Finding {
	return containers.Compare(settingsOf(have), settingsOf(want))
}

// settingsOf returns the settings of a container that are compared.
func settingsOf(p *azcosmos.ContainerProperties) *containers.Properties {
	s := &containers.Properties{
		PartitionKeyDefinition: containers.PartitionKeyDefinition{
			Paths: p.PartitionKeyDefinition.Paths, Kind: string(p.PartitionKeyDefinition.Kind), Version: p.PartitionKeyDefinition.Version,
		},
		DefaultTimeToLive: p.DefaultTimeToLive,
	}
	if policy := p.IndexingPolicy; policy != nil {
		s.IndexingPolicy = &containers.IndexingPolicy{
			Automatic: policy.Automatic, IndexingMode: string(policy.IndexingMode),
			IncludedPaths:   each(policy.IncludedPaths, func(x azcosmos.IncludedPath) containers.Path { return containers.Path(x) }),
			ExcludedPaths:   each(policy.ExcludedPaths, func(x azcosmos.ExcludedPath) containers.Path { return containers.Path(x) }),
			FullTextIndexes: each(policy.FullTextIndexes, func(x azcosmos.FullTextIndex) containers.Path { return containers.Path(x) }),
			VectorIndexes: each(policy.VectorIndexes, func(x azcosmos.VectorIndex) containers.VectorIndex {
				return containers.VectorIndex{Path: x.Path, Type: string(x.Type)}
			}),
			CompositeIndexes: each(policy.CompositeIndexes, func(index []azcosmos.CompositeIndex) []containers.CompositeIndex {
				return each(index, func(x azcosmos.CompositeIndex) containers.CompositeIndex {
					return containers.CompositeIndex{Path: x.Path, Order: string(x.Order)}
				})
			}),
		}
	}
	if p.UniqueKeyPolicy != nil {
		s.UniqueKeyPolicy = &containers.UniqueKeyPolicy{UniqueKeys: each(p.UniqueKeyPolicy.UniqueKeys, func(x azcosmos.UniqueKey) containers.UniqueKey {
			return containers.UniqueKey(x)
		})}
	}
	if p.VectorEmbeddingPolicy != nil {
		s.VectorEmbeddingPolicy = &containers.VectorEmbeddingPolicy{VectorEmbeddings: each(p.VectorEmbeddingPolicy.VectorEmbeddings, func(x azcosmos.VectorEmbedding) containers.VectorEmbedding {
			return containers.VectorEmbedding{Path: x.Path, DataType: string(x.DataType), DistanceFunction: string(x.DistanceFunction), Dimensions: x.Dimensions}
		})}
	}
	if p.FullTextPolicy != nil {
		s.FullTextPolicy = &containers.FullTextPolicy{
			DefaultLanguage: p.FullTextPolicy.DefaultLanguage,
			FullTextPaths:   each(p.FullTextPolicy.FullTextPaths, func(x azcosmos.FullTextPath) containers.FullTextPath { return containers.FullTextPath(x) }),
		}
	}
	return s
}

// changed returns the properties of a container with the fixes of findings, and leaves
// have as it is. Fixes change the time to live, paths and indexes, and full text.
func changed(have *azcosmos.ContainerProperties, found []containers.Finding) azcosmos.ContainerProperties {
	p := *have
	policy := azcosmos.IndexingPolicy{
		Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
		IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
		ExcludedPaths: []azcosmos.ExcludedPath{{Path: `/"_etag"/?`}},
	}
	if have.IndexingPolicy != nil {
		policy = *have.IndexingPolicy
	}
	p.IndexingPolicy = &policy
	s := settingsOf(&p)
	for _, f := range found {
		if f.Fix != nil {
			f.Fix(s)
		}
	}
	p.DefaultTimeToLive = s.DefaultTimeToLive
	policy.IncludedPaths = each(s.IndexingPolicy.IncludedPaths, func(x containers.Path) azcosmos.IncludedPath { return azcosmos.IncludedPath(x) })
	policy.ExcludedPaths = each(s.IndexingPolicy.ExcludedPaths, func(x containers.Path) azcosmos.ExcludedPath { return azcosmos.ExcludedPath(x) })
	policy.FullTextIndexes = each(s.IndexingPolicy.FullTextIndexes, func(x containers.Path) azcosmos.FullTextIndex { return azcosmos.FullTextIndex(x) })
	policy.CompositeIndexes = each(s.IndexingPolicy.CompositeIndexes, func(index []containers.CompositeIndex) []azcosmos.CompositeIndex {
		return each(index, func(x containers.CompositeIndex) azcosmos.CompositeIndex {
			return azcosmos.CompositeIndex{Path: x.Path, Order: azcosmos.CompositeIndexOrder(x.Order)}
		})
	})
	if s.FullTextPolicy != nil {
		p.FullTextPolicy = &azcosmos.FullTextPolicy{
			DefaultLanguage: s.FullTextPolicy.DefaultLanguage,
			FullTextPaths:   each(s.FullTextPolicy.FullTextPaths, func(x containers.FullTextPath) azcosmos.FullTextPath { return azcosmos.FullTextPath(x) }),
		}
	}
	return p
}

// each returns a list with each element made another one, nil for nil.
func each[A, B any](list []A, other func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = other(x)
	}
	return out
}
