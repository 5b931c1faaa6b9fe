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
	return []string{fmt.Sprintf("documents move from the container of %s: while programs use %sMigration, a read is one to three point reads, "+
		"a change one or two more, and a creation two writes and a point read; the costs below are those of %sRepository", t.Former.Name, t.Name, t.Name)}
}

// keyAdvice is advice about the key only.
func keyAdvice(t *templates.Type) []string {
	if t.Edge != nil {
		return nil
	}
	switch t.Kind {
	case templates.Natural:
		if t.Levels[0].Parts[0].Component.Value == pk.Bool {
			return []string{"a boolean makes two logical partitions: neither can outgrow one physical partition, its 20 GB and its 10,000 request units a second"}
		}
		return nil
	case templates.ItemID:
		return []string{"every document is a logical partition of its own: point reads are as cheap as can be, and queries read the whole container"}
	case templates.Hierarchical:
		notes := growthAdvice(t)
		if t.Alone() {
			notes = append(notes, "every document is a logical partition of its own: nothing outgrows 20 GB, and there are no transactions")
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
		notes = append(notes, "the first component alone finds nothing; if requests know only that, as with tenants, or it may outgrow 20 GB, "+
			"a hierarchical key serves both: level=1, level=2")
	}
	return notes
}

// growthAdvice describes the cost of a growing number of buckets.
func growthAdvice(t *templates.Type) []string {
	switch before, next := t.Growth(); {
	case before == 0 && next == 0:
		return nil
	case before == 0:
		return []string{fmt.Sprintf("%d buckets are announced: operations on a key look there, too, and cost the point reads below until the tag has next no more", next)}
	default:
		return []string{fmt.Sprintf("documents may be stored under %d other numbers of buckets: operations on a key look there, too, and cost the point reads below until the tag has was and next no more; Rekey moves documents to the present number", before+min(next, 1))}
	}
}

func bucketAdvice(b *pk.Bucket) []string {
	notes := []string{fmt.Sprintf("%d suffixes raise write throughput only up to the number of physical partitions, each of 10,000 request units a second; "+
		"beyond that they only make reads of all buckets dearer", b.Count)}
	if b.Hash == nil {
		notes = append(notes, "a random suffix cannot be computed again; if readers know some property of the document, hashsuffix makes its point read possible")
	}
	return notes
}

// indexAdvice compares an index with a query of all physical partitions.
func indexAdvice(scan, write templates.Method) []string {
	_, read := scan.At(1) // in one logical partition of the index
	_, more := write.At(1)
	all := []string{fmt.Sprintf("each write of a document costs about %d request units more, from the throughput of the index; a write that changes the key of the index costs that twice", more)}
	for _, physical := range physicalPartitions[1:] {
		_, fanOut := scan.At(physical)
		reads := (100*more + fanOut - read - 1) / (fanOut - read)
		all = append(all, fmt.Sprintf("on %d physical partitions a query of all of them costs about %d request units a page of each, and one of the index %d: it pays from %d such reads for 100 writes on", physical, fanOut, read, reads))
	}
	return all
}
