package layout

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Reach returns what is known of the partition keys of documents if some of their
// properties are known: how many levels of the key, from the first one on, and among
// how many buckets those documents are spread, which is 1 if their bucket is known or
// the levels have no suffix. A query for no levels reads the whole container.
//
//	{date}.{vin%400}     date, vin   1 level, 1 bucket
//	                     date        1 level, 400 buckets
//	                     vin         0 levels
//	{tenantId},{userId}  tenantId    1 level, 1 bucket
func (l *Layout) Reach(known ...string) (levels, buckets int) {
	buckets = 1
	has := func(c pk.Component) bool { return slices.Contains(known, c.Property) }
	for _, level := range l.levels {
		spread := 1
		for _, p := range level.Parts {
			switch {
			case p.Component != nil && !has(*p.Component):
				return levels, buckets
			case p.Bucket != nil && (p.Bucket.Hash == nil || slices.ContainsFunc(p.Bucket.Hash, func(c pk.Component) bool { return !has(c) })):
				spread = p.Bucket.Count
			}
		}
		levels++
		buckets *= spread
	}
	return levels, buckets
}

// Bucket returns the key that the document would have by layout i of the set if its
// suffix were n, from 1: a document with other values of the properties that are hashed
// has it.
func (d *Document) Bucket(i, n int) (Key, error) {
	in := d.values(i)
	in.bucket = n
	return d.set.layouts[i].key(in)
}

// Prefix returns the first n levels of the key, of which [Key.EPK] returns where the
// effective partition keys begin that have this prefix.
func (k Key) Prefix(n int) Key {
	p := Key{n: min(n, k.n)}
	copy(p.values[:p.n], k.values[:p.n])
	p.texts = k.texts[:k.start(p.n)]
	return p
}
