package explain

import (
	"fmt"
	"slices"

	queries "github.com/cosmos-pkgen/pkgen/internal/advice"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// advice summarizes Azure's own pages about this kind of key. It knows the key, but not the data;
// docs/keys.md has more.
func advice(t *templates.Type) []string {
	return slices.Concat(movingAdvice(t), keyAdvice(t), conditionAdvice(t))
}

// conditionAdvice lists the conditions that no index of the container serves.
func conditionAdvice(t *templates.Type) (notes []string) {
	for _, p := range t.Unindexed() {
		if instead, ok := queries.NotIndexed(p.Pointer, p.Vector != nil); ok {
			notes = append(notes, queries.Warning("a condition on "+p.Name, instead))
		}
	}
	return notes
}

// movingAdvice describes the cost of documents that move to another container.
func movingAdvice(t *templates.Type) []string {
	if t.Former == nil {
		return nil
	}
	return []string{fmt.Sprintf("documents move from the container of %s: while programs use %sMigration, a read takes one to four point reads, "+
		"a change one or two more, and a creation two writes and a point read; the costs below are for %sRepository", t.Former.Name, t.Name, t.Name)}
}

// keyAdvice is advice about the key only.
func keyAdvice(t *templates.Type) []string {
	if t.Edge != nil {
		return nil
	}
	switch t.Kind {
	case templates.Natural:
		if t.Levels[0].Parts[0].Component.Value == pk.Bool {
			return []string{"a boolean makes only two logical partitions, each limited to 20 GB and 10,000 request units per second"}
		}
		return nil
	case templates.ItemID:
		return []string{"every document has its own logical partition: point reads are cheapest, and queries read the whole container"}
	case templates.Hierarchical:
		notes := growthAdvice(t)
		if t.Alone() {
			notes = append(notes, "every document has its own logical partition: none can outgrow 20 GB, and there are no transactions")
		}
		return notes
	}
	notes := growthAdvice(t)
	components := 0
	for _, part := range t.Levels[0].Parts {
		if part.Component != nil {
			components++
		}
		if part.Bucket != nil {
			notes = append(notes, bucketAdvice(part.Bucket)...)
		}
	}
	if components > 1 && t.Levels[0].Bucket() == nil && t.API == templates.NoSQL {
		notes = append(notes, "a query needs every component; if requests know only the first, such as a tenant, or if it may outgrow 20 GB, "+
			"use a hierarchical key: level=1, level=2")
	}
	return notes
}

// growthAdvice describes the cost of a growing number of buckets.
func growthAdvice(t *templates.Type) []string {
	switch before, next := t.Growth(); {
	case before == 0 && next == 0:
		return nil
	case before == 0:
		return []string{fmt.Sprintf("until you remove next=, operations on a key also read under the %d announced buckets, at the cost shown below", next)}
	default:
		return []string{fmt.Sprintf("documents may be stored under %d other bucket counts: until you remove was= and next=, operations on a key also read there, at the cost shown below; Rekey moves documents to the current count", before+min(next, 1))}
	}
}

func bucketAdvice(b *pk.Bucket) []string {
	notes := []string{fmt.Sprintf("%d buckets raise write throughput only up to the number of physical partitions, each with 10,000 request units per second; "+
		"beyond that they only make reads of all buckets more expensive", b.Count)}
	if b.Hash == nil {
		notes = append(notes, "a random suffix cannot be recomputed; if readers know a property of the document, hashsuffix makes point reads possible")
	}
	return notes
}

// indexAdvice compares an index with a query of all physical partitions.
func indexAdvice(scan, write templates.Method) []string {
	_, read := scan.At(1) // in one logical partition of the index
	_, more := write.At(1)
	all := []string{fmt.Sprintf("each write of a document costs about %d more request units of the index's throughput; a write that changes the index's key costs twice as much", more)}
	for _, physical := range physicalPartitions[1:] {
		_, fanOut := scan.At(physical)
		reads := (100*more + fanOut - read - 1) / (fanOut - read)
		all = append(all, fmt.Sprintf("with %d physical partitions, a query of all of them costs about %d request units for a page of each, and a query of the index %d: the index pays from %d queries per 100 writes", physical, fanOut, read, reads))
	}
	return all
}
