package main

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// advice returns what Azure's own pages say of keys of this kind, in short. It
// knows how the key is made, and nothing of the data; docs/keys.md has more.
func advice(t *templates.Type) []string {
	switch t.Kind {
	case templates.Natural:
		if t.Levels[0].Parts[0].Component.Value == templates.Bool {
			return []string{"a boolean makes two logical partitions: neither can outgrow one physical partition, its 20 GB and its 10,000 request units a second"}
		}
		return nil
	case templates.ItemID:
		return []string{"every document is a logical partition of its own: point reads are as cheap as can be, and queries read the whole container"}
	case templates.Hierarchical:
		return nil
	}
	var notes []string
	components := 0
	for _, part := range t.Levels[0].Parts {
		if part.Component != nil {
			components++
		}
		if part.Bucket != nil {
			notes = append(notes, bucketAdvice(part.Bucket)...)
		}
	}
	if components > 1 && len(notes) == 0 {
		notes = append(notes, "the first component alone finds nothing; if requests know only that, as with tenants, or it may outgrow 20 GB, "+
			"a hierarchical key serves both: level=1, level=2")
	}
	return notes
}

func bucketAdvice(b *templates.Bucket) []string {
	notes := []string{fmt.Sprintf("%d suffixes raise write throughput only up to the number of physical partitions, each of 10,000 request units a second; "+
		"beyond that they only make reads of all buckets dearer", b.Count)}
	if b.Hash == nil {
		notes = append(notes, "a random suffix cannot be computed again; if readers know some property of the document, hashsuffix makes its point read possible")
	}
	return notes
}
