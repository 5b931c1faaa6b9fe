package containers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// immutable is the advice for a property that only a new container can have.
const immutable = "it cannot be changed: create a new container and copy the documents, see docs/keys.md"

// Compare returns the differences between a container and the wanted one, in the order of
// docs/provisioning.md. It compares only settings that want specifies: a container may have more.
func Compare(have, want *Properties) []Finding {
	found := compareKey(have.PartitionKeyDefinition, want.PartitionKeyDefinition)
	found = append(found, compareIndex(have.IndexedBy(), want.IndexedBy())...)
	found = append(found, compareTTL(have.DefaultTimeToLive, want.DefaultTimeToLive)...)
	found = append(found, compareUnique(have.UniqueKeyPolicy, want.UniqueKeyPolicy)...)
	found = append(found, compareConflicts(have.ConflictPolicy, want.ConflictPolicy)...)
	found = append(found, compareVectors(have, want)...)
	found = append(found, compareFullText(have, want)...)
	found = append(found, compareComputed(have, want)...)
	return append(found, compareIndexing(have, want)...)
}

func compareKey(have, want PartitionKeyDefinition) []Finding {
	var found []Finding
	differ := func(property, have, want string) {
		found = append(found, Finding{Difference: Difference{Property: property, Have: have, Want: want, Why: immutable}})
	}
	if !samePaths(have.Paths, want.Paths) {
		differ("partitionKey.paths", strings.Join(have.Paths, ","), strings.Join(want.Paths, ","))
	}
	if h, w := keyKind(have), keyKind(want); h != w {
		differ("partitionKey.kind", h, w)
	}
	// No version is version 1.
	if h, w := max(have.Version, 1), max(want.Version, 1); h != w {
		differ("partitionKey.version", strconv.Itoa(h), strconv.Itoa(w))
	}
	return found
}

// keyKind returns the kind of a definition, with the default of azcosmos.
func keyKind(d PartitionKeyDefinition) string {
	inferred := Hash
	if len(d.Paths) > 1 {
		inferred = MultiHash
	}
	return cmp.Or(d.Kind, inferred)
}

// compareTTL compares the times to live. Its fixes never make a stored document expire earlier,
// because the service applies a new default to old documents too ("Time to live (TTL) in Azure
// Cosmos DB"). A default of -1 is as good as no time to live, since it leaves expiry to the
// documents.
func compareTTL(have, want *int32) []Finding {
	h, w := seconds(have), seconds(want)
	if h == w || h == -1 && w == 0 {
		return nil
	}
	f := Finding{Difference: Difference{Property: "defaultTtl", Have: ttlText(h), Want: ttlText(w)}}
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
		f.Why = fmt.Sprintf("%s would expire by it, old ones at once: if this is intended, az cosmosdb sql container update --ttl %d", doomed, w)
		return []Finding{f}
	}
	f.Fix = func(p *Properties) { p.DefaultTimeToLive = want }
	return []Finding{f}
}

// seconds returns a time to live, 0 if there is none.
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

func compareUnique(have, want *UniqueKeyPolicy) []Finding {
	if want == nil {
		return nil
	}
	var stored []UniqueKey
	if have != nil {
		stored = have.UniqueKeys
	}
	var found []Finding
	for _, key := range want.UniqueKeys {
		if !slices.ContainsFunc(stored, func(k UniqueKey) bool { return sameSet(k.Paths, key.Paths) }) {
			found = append(found, Finding{Difference: Difference{
				Property: "uniqueKeyPolicy.uniqueKeys", Have: uniqueText(stored), Want: uniqueText([]UniqueKey{key}), Why: immutable,
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

func uniqueText(keys []UniqueKey) string {
	if len(keys) == 0 {
		return "none"
	}
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = "(" + strings.Join(k.Paths, ", ") + ")"
	}
	return strings.Join(parts, ", ")
}

// compareIndexing compares the indexes that the queries of a repository need: the index of the
// partition key property, which a policy does not have by default, and composite indexes.
func compareIndexing(have, want *Properties) []Finding {
	if indexless(want.IndexingPolicy) {
		return nil
	}
	const byHand = "this would index every document again and make every write more expensive: change it by az cosmosdb sql container update --idx, or in the portal"
	switch policy := have.IndexingPolicy; {
	case indexless(policy):
		return []Finding{{Difference: Difference{Property: "indexingPolicy.indexingMode", Have: "none", Want: "consistent", Why: byHand}}}
	case policy != nil && !policy.Automatic:
		return []Finding{{Difference: Difference{Property: "indexingPolicy.automatic", Have: "false", Want: "true", Why: byHand}}}
	}
	return slices.Concat(compareKeyIndex(have, want), compareComputedIndex(have, want), compareComposites(have, want))
}

// compareKeyIndex finds partition key paths that want indexes and have does not. The service always
// indexes /id.
func compareKeyIndex(have, want *Properties) []Finding {
	var found []Finding
	for _, path := range want.PartitionKeyDefinition.Paths {
		if samePath(path, "/id") || !Indexes(want.IndexingPolicy, path) || Indexes(have.IndexingPolicy, path) {
			continue
		}
		found = append(found, Finding{
			Difference{
				Property: "indexingPolicy.includedPaths", Have: "no index of " + path, Want: indexPattern(path),
				Why: "queries by key read every document without it; " + inBackground,
			},
			func(p *Properties) { include(p.IndexingPolicy, path) },
		})
	}
	return found
}

// inBackground is the cost of a new index ("Indexing policies in Azure Cosmos DB", modifying the
// indexing policy).
const inBackground = "the service builds it in the background, from the container's request units"

func compareComposites(have, want *Properties) []Finding {
	if want.IndexingPolicy == nil {
		return nil
	}
	var found []Finding
	for _, index := range want.IndexingPolicy.CompositeIndexes {
		if hasComposite(have.IndexingPolicy, index) {
			continue
		}
		found = append(found, Finding{
			Difference{
				Property: "indexingPolicy.compositeIndexes", Have: "no such index", Want: compositeText(index),
				Why: "an order by these properties fails without it; " + inBackground,
			},
			func(p *Properties) {
				if !hasComposite(p.IndexingPolicy, index) {
					p.IndexingPolicy.CompositeIndexes = append(slices.Clip(p.IndexingPolicy.CompositeIndexes), index)
				}
			},
		})
	}
	return found
}
