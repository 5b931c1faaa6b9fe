package layout

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Reach says what the known properties of documents tell about their partition keys: the number of
// leading levels that are known, and the number of buckets over which the documents are spread.
// Buckets is 1 if the bucket is known or the levels have no suffix. A query for no levels reads the
// whole container.
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

// Bucket returns the key of the document by layout i of the set, with the suffix n, from 1, in
// place of its own.
func (d *Document) Bucket(i, n int) (Key, error) {
	in := d.values(i)
	in.bucket = n
	return d.set.layouts[i].key(in)
}

// Prefix returns the first n levels of the key. [Key.EPK] of the prefix is the beginning of the
// effective partition keys with this prefix.
func (k Key) Prefix(n int) Key {
	p := Key{n: min(n, k.n)}
	copy(p.values[:p.n], k.values[:p.n])
	p.texts = k.texts[:k.start(p.n)]
	return p
}
