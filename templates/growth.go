package templates

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// growth is a number of buckets that grows, so that documents are under several keys.
var growth = feature{
	in:   func(t *Type) bool { return t.grows() >= 0 },
	keys: (*file).otherKeys,
	model: func(f *file) members {
		m := members{{"Others", jen.Id(f.keyName).Dot("otherKeys")}}
		if f.Levels[f.grows()].Bucket().Next > 0 {
			m = append(m, member{"Later", jen.Lit(1)})
		}
		return m
	},
	prices: func(f *plan, p *prices) {
		n := f.places()
		words := func(reads int, format string) cost { // by places, reads, requests and units
			return cost{Words: fmt.Sprintf(format, n, reads, reads+1, reads+5), Requests: reads + 1, Units: reads + 5}
		}
		p.create = words(2*(n-1), "one write and %[2]d point reads, %[3]d requests and about %[4]d request units for 1 KB")
		p.change = words(n, "up to %[1]d point reads until one finds it, and a conditional write, at most %[3]d requests and about %[4]d request units for 1 KB")
		p.upsert = words(2*n, "up to %[1]d point reads until one finds it, and a conditional write; if none does, up to %[3]d requests and about %[4]d request units for 1 KB")
		p.delete = words(n, "%[1]d point reads and a conditional write, %[3]d requests and about %[4]d request units for 1 KB")
		p.read = cost{Words: fmt.Sprintf("one point read, 1 request unit for 1 KB, or up to %d while the number of buckets grows", n), Requests: n, Units: n}
		p.many.Words += fmt.Sprintf("; up to %d times as much while the number of buckets grows", n)
		p.many.Requests, p.many.Units = n*p.many.Requests, n*p.many.Units
		p.patch, p.update = p.change, p.change
		if !f.carries && f.Schema == nil {
			p.store = p.change
		}
	},
}

// grows returns the number of the level whose bucket is computed and whose number of
// buckets grows, or -1. A document keeps a random suffix, so that it has one place.
func (t *Type) grows() int {
	return slices.IndexFunc(t.Levels, func(l pk.Level) bool {
		bucket := l.Bucket()
		return bucket != nil && bucket.Hash != nil && len(bucket.Counts()) > 1
	})
}

// Growth returns how many numbers of buckets of releases before documents may be
// stored under, and the number of the next release, or 0. Both are 0 for a random
// suffix.
func (t *Type) Growth() (before, next int) {
	i := t.grows()
	if i < 0 {
		return 0, 0
	}
	bucket := t.Levels[i].Bucket()
	return len(bucket.Was), bucket.Next
}

// places is how many partition keys a document may be under.
func (t *Type) places() int {
	if i := t.grows(); i >= 0 {
		return len(t.Levels[i].Bucket().Counts())
	}
	return 1
}

// otherKeys writes the method that makes the other partition keys of a key, by growing
// numbers of buckets.
//
//	func (k VehicleEventKey) otherKeys() []any {
//		return []any{
//			k.bucket(partition.Hash{}.Text(k.VIN).Bucket(100)),
//			k.bucket(partition.Hash{}.Text(k.VIN).Bucket(200)),
//		}
//	}
func (f *file) otherKeys() {
	level := f.grows()
	bucket := f.Levels[level].Bucket()
	counts := slices.Sorted(slices.Values(bucket.Counts()[1:]))
	doc := "otherKeys returns the other partition keys under which the " + f.Name + " that k identifies may be stored:"
	if bucket.Was != nil {
		doc += " with " + prose.Enumerate(collect(bucket.Was, strconv.Itoa)) + " buckets by earlier releases"
	}
	if bucket.Next > 0 {
		if bucket.Was != nil {
			doc += ", and"
		}
		doc += fmt.Sprintf(" with %d buckets by the next release", bucket.Next)
	}
	f.declare(doc+".", f.keyMethod("otherKeys").Params().Index().Any().Block(
		jen.Return(rows(jen.Index().Any(), f.keysWith("k", counts, level, len(f.Levels))...))))
}

// keysWith writes the partition key of the variable key by each number of buckets, or
// the first levels of it. The level has the bucket.
//
//	key.bucket(partition.Hash{}.Text(key.VIN).Bucket(100))
//	[]any{float64(key.Tenant), key.bucket2(partition.Hash{}.Text(key.VIN).Bucket(100))}
func (f *file) keysWith(key string, counts []int, level, levels int) []jen.Code {
	keys := make([]jen.Code, len(counts))
	for i, n := range counts {
		bucket := *f.Levels[level].Bucket()
		bucket.Count = n
		number := f.hash(&bucket, func(c pk.Component) *jen.Statement { return jen.Id(key).Dot(f.keyField(c).name) })
		if f.Kind != Hierarchical {
			keys[i] = jen.Id(key).Dot("bucket").Call(number)
			continue
		}
		values := make([]jen.Code, levels)
		for j := range values {
			values[j] = f.levelOf(key, j)
			if j == level {
				values[j] = jen.Id(key).Dot(bucketMethod(j)).Call(number)
			}
		}
		keys[i] = jen.Index().Any().Values(values...)
	}
	return keys
}

// spread reports whether a query that knows the suffix has to read the logical
// partitions of several numbers of buckets.
func (f *plan) spread(w keyQuery) bool {
	level := f.grows()
	return level >= 0 && w.open < 0 && level <= w.level
}

// keyList is the type of a list of keys.
func (f *file) keyList() *jen.Statement {
	if f.Kind == Hierarchical {
		return jen.Index().Index().Any()
	}
	return jen.Index().String()
}

// spreadKeys writes the keys of a query under all numbers of buckets, as a list.
//
//	[]string{
//		key.bucket(partition.Hash{}.Text(key.VIN).Bucket(400)),
//		key.bucket(partition.Hash{}.Text(key.VIN).Bucket(100)),
//	}
func (f *file) spreadKeys(w keyQuery) *jen.Statement {
	level := f.grows()
	return rows(f.keyList(), f.keysWith("key", f.Levels[level].Bucket().Counts(), level, w.level+1)...)
}
