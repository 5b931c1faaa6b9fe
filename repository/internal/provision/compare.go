package provision

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// immutable is what can be done about a property that a container is created
// with.
const immutable = "it cannot be changed: make a new container and copy the documents, see docs/keys.md"

// finding is a difference, and the change to the container's properties that
// removes it, nil if there is none.
type finding struct {
	difference
	fix func(*azcosmos.ContainerProperties)
}

// compare returns the differences of a container from what is wanted, in the
// order of the properties in the documentation of [difference]. What want does
// not ask for is not compared: a container may have more.
func compare(have, want *azcosmos.ContainerProperties) []finding {
	found := compareKey(have.PartitionKeyDefinition, want.PartitionKeyDefinition)
	found = append(found, compareTTL(have.DefaultTimeToLive, want.DefaultTimeToLive)...)
	found = append(found, compareUnique(have.UniqueKeyPolicy, want.UniqueKeyPolicy)...)
	found = append(found, compareVectors(have, want)...)
	found = append(found, compareFullText(have, want)...)
	return append(found, compareIndexing(have, want)...)
}

func compareKey(have, want azcosmos.PartitionKeyDefinition) []finding {
	var found []finding
	differ := func(property, have, want string) {
		found = append(found, finding{difference: difference{Property: property, Have: have, Want: want, Why: immutable}})
	}
	if !samePaths(have.Paths, want.Paths) {
		differ("partitionKey.paths", strings.Join(have.Paths, ","), strings.Join(want.Paths, ","))
	}
	if h, w := keyKind(have), keyKind(want); h != w {
		differ("partitionKey.kind", string(h), string(w))
	}
	// No version is version 1.
	if h, w := max(have.Version, 1), max(want.Version, 1); h != w {
		differ("partitionKey.version", strconv.Itoa(h), strconv.Itoa(w))
	}
	return found
}

// keyKind is the kind that a definition says, or that azcosmos takes it for.
func keyKind(d azcosmos.PartitionKeyDefinition) azcosmos.PartitionKeyKind {
	inferred := azcosmos.PartitionKeyKindHash
	if len(d.Paths) > 1 {
		inferred = azcosmos.PartitionKeyKindMultiHash
	}
	return cmp.Or(d.Kind, inferred)
}

// compareTTL compares the times to live, by which nothing stored may come to
// expire that would not have expired otherwise: the service applies a new one
// to old documents too ("Time to live (TTL) in Azure Cosmos DB"). A container
// that is switched on without a default of its own, -1, is as good as one that
// is off, since it leaves all to the documents.
func compareTTL(have, want *int32) []finding {
	h, w := seconds(have), seconds(want)
	if h == w || h == -1 && w == 0 {
		return nil
	}
	f := finding{difference: difference{Property: "defaultTtl", Have: ttlText(h), Want: ttlText(w)}}
	switch {
	case h > 0 && w == 0:
		f.Why = "no document expires any more"
	case h > 0 && w == -1:
		f.Why = "documents without a ttl of their own do not expire any more"
	case h > 0 && w > h:
		f.Why = "documents without a ttl of their own expire later"
	default:
		doomed := "stored documents"
		if w == -1 {
			doomed = "stored documents that carry a ttl"
		}
		f.Why = fmt.Sprintf("%s would expire by it, old ones at once: where that is meant, az cosmosdb sql container update --ttl %d", doomed, w)
		return []finding{f}
	}
	f.fix = func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = want }
	return []finding{f}
}

// seconds is a time to live, 0 if there is none.
func seconds(ttl *int32) int32 {
	if ttl == nil {
		return 0
	}
	return *ttl
}

func ttlText(seconds int32) string {
	switch seconds {
	case 0:
		return "off"
	case -1:
		return "-1, by document"
	default:
		return fmt.Sprintf("%d seconds", seconds)
	}
}

func compareUnique(have, want *azcosmos.UniqueKeyPolicy) []finding {
	if want == nil {
		return nil
	}
	var stored []azcosmos.UniqueKey
	if have != nil {
		stored = have.UniqueKeys
	}
	var found []finding
	for _, key := range want.UniqueKeys {
		if !slices.ContainsFunc(stored, func(k azcosmos.UniqueKey) bool { return sameSet(k.Paths, key.Paths) }) {
			found = append(found, finding{difference: difference{
				Property: "uniqueKeyPolicy.uniqueKeys", Have: uniqueText(stored), Want: uniqueText([]azcosmos.UniqueKey{key}), Why: immutable,
			}})
		}
	}
	return found
}

// sameSet reports whether two unique keys have the same paths, in any order.
func sameSet(a, b []string) bool {
	within := func(list []string) func(string) bool {
		return func(path string) bool {
			return !slices.ContainsFunc(list, func(other string) bool { return samePath(path, other) })
		}
	}
	return !slices.ContainsFunc(a, within(b)) && !slices.ContainsFunc(b, within(a))
}

func uniqueText(keys []azcosmos.UniqueKey) string {
	if len(keys) == 0 {
		return "none"
	}
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = "(" + strings.Join(k.Paths, ", ") + ")"
	}
	return strings.Join(parts, ", ")
}

// compareIndexing compares what the queries of a repository need: the index of
// the partition key property, which a policy does not have by itself, and
// composite indexes.
func compareIndexing(have, want *azcosmos.ContainerProperties) []finding {
	if indexless(want.IndexingPolicy) {
		return nil
	}
	const byHand = "this would index every document anew and make every write dearer: change it by az cosmosdb sql container update --idx, or in the portal"
	switch policy := have.IndexingPolicy; {
	case indexless(policy):
		return []finding{{difference: difference{Property: "indexingPolicy.indexingMode", Have: "none", Want: "consistent", Why: byHand}}}
	case policy != nil && !policy.Automatic:
		return []finding{{difference: difference{Property: "indexingPolicy.automatic", Have: "false", Want: "true", Why: byHand}}}
	}
	return append(compareKeyIndex(have, want), compareComposites(have, want)...)
}

// compareKeyIndex looks for the index of each partition key path that want's own
// policy indexes. The service always indexes /id.
func compareKeyIndex(have, want *azcosmos.ContainerProperties) []finding {
	var found []finding
	for _, path := range want.PartitionKeyDefinition.Paths {
		if samePath(path, "/id") || !indexes(want.IndexingPolicy, path) || indexes(have.IndexingPolicy, path) {
			continue
		}
		found = append(found, finding{
			difference{
				Property: "indexingPolicy.includedPaths", Have: "no index of " + path, Want: indexPattern(path),
				Why: "queries by key do without it look at every document; " + inBackground,
			},
			func(p *azcosmos.ContainerProperties) { include(p.IndexingPolicy, path) },
		})
	}
	return found
}

// inBackground is what a new index costs ("Indexing policies in Azure Cosmos
// DB", modifying the indexing policy).
const inBackground = "the service builds it in the background, from the container's request units"

func compareComposites(have, want *azcosmos.ContainerProperties) []finding {
	if want.IndexingPolicy == nil {
		return nil
	}
	var found []finding
	for _, index := range want.IndexingPolicy.CompositeIndexes {
		if hasComposite(have.IndexingPolicy, index) {
			continue
		}
		found = append(found, finding{
			difference{
				Property: "indexingPolicy.compositeIndexes", Have: "no such index", Want: compositeText(index),
				Why: "an order by these properties fails without it; " + inBackground,
			},
			func(p *azcosmos.ContainerProperties) {
				if !hasComposite(p.IndexingPolicy, index) {
					p.IndexingPolicy.CompositeIndexes = append(slices.Clip(p.IndexingPolicy.CompositeIndexes), index)
				}
			},
		})
	}
	return found
}
