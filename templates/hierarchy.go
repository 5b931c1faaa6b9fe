package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// levelsOfKey writes the values of a hierarchical key.
//
//	azcosmos.NewPartitionKey().AppendString(k.TenantID).AppendString(k.level2())
func (f *file) levelsOfKey() *jen.Statement {
	key := jen.Qual(azcosmosPath, "NewPartitionKey").Call()
	for i := range f.Levels {
		key = key.Dot(appendMethod(f.Levels[i])).Call(f.levelOf("k", i))
	}
	return key
}

// appendMethod is the method of azcosmos.PartitionKey that appends a value.
func appendMethod(level pk.Level) string {
	switch level.Value() {
	case pk.Bool:
		return "AppendBool"
	case pk.Int, pk.Uint, pk.Float:
		return "AppendNumber"
	default:
		return "AppendString"
	}
}

// levelOf writes value i of the hierarchical key in the variable key, as the run
// time takes it: a string, a float64 or a bool.
//
//	k.TenantID
//	float64(k.Number)
//	k.level2()
func (f *file) levelOf(key string, i int) *jen.Statement {
	level := f.Levels[i]
	if level.Textual() {
		return jen.Id(key).Dot(levelMethod(i)).Call()
	}
	c := *level.Parts[0].Component
	return scalarValue(c, jen.Id(key).Dot(f.keyField(c).name))
}

// levelMethod is the method that makes value i, counted from 0, of a
// hierarchical key.
func levelMethod(i int) string { return fmt.Sprintf("level%d", i+1) }

// levelTexts writes the methods that make the textual values.
//
//	func (k EventKey) level3() string {
//		var buf [64]byte
//		b := partition.AppendTime(buf[:0], k.At, "2006-01")
//		return string(b)
//	}
//
// or, with a suffix,
//
//	func (k EventKey) level1() string {
//		return k.bucket1(partition.Hash{}.Text(k.VIN).Bucket(400))
//	}
//
//	func (k EventKey) bucket1(n int) string {
//		…
//	}
func (f *file) levelTexts() {
	for i, level := range f.Levels {
		if !level.Textual() {
			continue
		}
		doc := fmt.Sprintf("%s returns the value at %s: %s", levelMethod(i), level.Path, describeLevel(level))
		bucket := level.Bucket()
		if bucket == nil {
			f.declare(doc+".", f.keyMethod(levelMethod(i)).Params().String().Block(f.textOfParts(level, nil)...))
			continue
		}
		var body []jen.Code
		if level.Random() {
			doc += fmt.Sprintf(", or \"\" where k has no %s", f.suffix)
			body = append([]jen.Code{f.emptyWithoutSuffix()}, f.textOfParts(level, jen.Id("k").Dot(f.suffix))...)
		} else {
			body = []jen.Code{jen.Return(jen.Id("k").Dot(bucketMethod(i)).Call(f.hash(bucket, f.ofKey)))}
		}
		f.declare(doc+".", f.keyMethod(levelMethod(i)).Params().String().Block(body...))
		f.declare(fmt.Sprintf("%s returns the value at %s with suffix n, from 1 to %d.", bucketMethod(i), level.Path, bucket.Reach()),
			f.keyMethod(bucketMethod(i)).Params(jen.Id("n").Int()).String().Block(f.bucketBody(level, levelMethod(i))...))
	}
}

// bucketMethod is the method that makes value i, counted from 0, of a
// hierarchical key with a given suffix.
func bucketMethod(i int) string { return fmt.Sprintf("bucket%d", i+1) }
