package lock

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Step is a change of the number of buckets of a type from one release to the next. Programs of two
// releases run side by side, and must find each other's documents, so the number grows over two
// releases.
type Step int

// The steps that need no decision. All others lose documents, or need a decision that no lock can
// make.
const (
	NoStep    Step = iota
	Announced      // next= is new or changed: the release reads the buckets of the next one
	Withdrawn      // next= was removed: the next release keeps the number
	Switched       // the number of next= is written now, and the earlier number is in was=
	Tiered         // own= is new: the release finds tenants in containers of their own
	Marked         // deleted= is new: the release marks documents as deleted
)

// StepTo returns the step from e to now. It returns NoStep if there is none, or if anything else
// differs. Only a sealed layout takes steps.
func (e Entry) StepTo(now Entry) Step {
	if e.OnlyOwn(now) && e.Own == "" && !e.Draft && !e.Gone {
		return Tiered
	}
	if e.OnlyDeleted(now) && e.Deleted == "" && !e.Draft && !e.Gone {
		return Marked
	}
	if !e.OnlyBuckets(now) || e.Draft || e.Gone {
		return NoStep
	}
	was, is := e.Counts(), now.Counts()
	switch same := was.Now == is.Now && slices.Equal(was.Before, is.Before); {
	case same && is.Next != 0 && is.Next != was.Next:
		return Announced
	case same && is.Next == 0 && was.Next != 0:
		return Withdrawn
	case was.Next != 0 && is.Now == was.Next && is.Next == 0 && slices.Equal(is.Before, e.after()):
		return Switched
	}
	return NoStep
}

// OnlyOwn reports whether two entries differ in own=, and in nothing else that keys depend on.
func (e Entry) OnlyOwn(now Entry) bool {
	if e.Own == now.Own {
		return false
	}
	e.Own = now.Own
	return e.same(now)
}

// OnlyDeleted reports whether two entries differ in deleted=, and in nothing else that operations
// depend on.
func (e Entry) OnlyDeleted(now Entry) bool {
	if e.Deleted == now.Deleted {
		return false
	}
	e.Deleted = now.Deleted
	return e.same(now)
}

// FindsEach reports whether programs of e and of other find each other's documents: they make the
// same keys, and if their numbers of buckets differ, each reads the number that the other writes.
// It does not compare own containers, marks of deleted documents, unique properties and
// discriminators.
func (e Entry) FindsEach(other Entry) bool {
	e.Own, e.Deleted, e.Unique, e.Discriminator = other.Own, other.Deleted, other.Unique, other.Discriminator
	if e.same(other) {
		return true
	}
	return e.OnlyBuckets(other) && e.reads(other.Counts().Now) && other.reads(e.Counts().Now)
}

// Describes reports whether two types may describe the same documents: programs of each find the
// documents of the other, and one has all properties of the other. A package describes the
// documents of another package if documents move from there, or if it reads a part of them.
func (e Entry) Describes(other Entry) bool {
	return e.FindsEach(other) && (e.has(other.Properties) || other.has(e.Properties))
}

// has reports whether e has properties, as far as they are known.
func (e Entry) has(properties []Property) bool {
	return e.Properties == nil || !slices.ContainsFunc(properties, func(p Property) bool {
		return !slices.ContainsFunc(e.Properties, func(own Property) bool { return own.Pointer == p.Pointer && own.JSON == p.JSON })
	})
}

// reads reports whether programs of e read n buckets. Random buckets of a smaller number are
// included in any greater number.
func (e Entry) reads(n int) bool {
	c := e.Counts()
	if !e.Hashes() {
		return n <= max(c.Now, c.Next)
	}
	return n == c.Now || n == c.Next || slices.Contains(c.Before, n)
}

// Rekeyed reports whether now lacks the oldest earlier numbers of buckets of e, and nothing else
// differs. No document may be stored under them any more.
func (e Entry) Rekeyed(now Entry) bool {
	was, is := e.Counts(), now.Counts()
	return e.OnlyBuckets(now) && was.Now == is.Now && was.Next == is.Next &&
		len(is.Before) < len(was.Before) && slices.Equal(is.Before, was.Before[:len(is.Before)])
}

// after returns the earlier numbers of buckets in the release that switches: none for a random
// suffix, which documents keep.
func (e Entry) after() []int {
	if !e.Hashes() {
		return nil
	}
	c := e.Counts()
	return append([]int{c.Now}, c.Before...)
}

// Hashes reports whether the bucket of e is computed. A random one is stored in the document.
func (e Entry) Hashes() bool {
	k, _ := e.Key() // a text that is no layout has no buckets
	return !slices.ContainsFunc(k.Levels, pk.Level.Random)
}

// OnlyBuckets reports whether two entries differ in their numbers of buckets, and in nothing else
// that keys depend on.
func (e Entry) OnlyBuckets(now Entry) bool {
	if e.same(now) || e.Counts().Now == 0 || now.Counts().Now == 0 {
		return false
	}
	one, other := e.without(), now.without()
	return one.same(other)
}

// without returns e without its numbers of buckets.
func (e Entry) without() Entry {
	if k, bucket := e.bucket(); bucket != nil {
		bucket.Count = 0
		e.Layout = k.Layout()
	}
	e.Was, e.Next = "", ""
	return e
}

// Counts are the numbers of buckets of a type.
type Counts struct {
	Before []int // of earlier releases, oldest last
	Now    int   // 0 if the layout has no bucket, or several
	Next   int   // 0 if the number stays
}

// Counts returns the numbers of buckets of e.
func (e Entry) Counts() Counts {
	c := Counts{Before: numbers(e.Was)}
	if _, bucket := e.bucket(); bucket != nil {
		c.Now = bucket.Count
	}
	if next := numbers(e.Next); len(next) == 1 {
		c.Next = next[0]
	}
	return c
}

// Others returns entries with the layouts of other numbers of buckets under which documents of e
// may be stored: the earlier numbers, and the next one.
func (e Entry) Others() []Entry {
	c := e.Counts()
	if c.Next > 0 {
		c.Before = append(c.Before, c.Next)
	}
	k, bucket := e.bucket()
	var out []Entry
	for _, n := range c.Before {
		bucket.Count = n
		other := e
		other.Layout, other.Was, other.Next = k.Layout(), "", ""
		out = append(out, other)
	}
	return out
}

// falls reports whether the numbers of buckets of e decrease from the next release to the oldest.
// Without numbers of other releases they do.
func (e Entry) falls() bool {
	if e.Was == "" && e.Next == "" {
		return true
	}
	c := e.Counts()
	return c.Now > 0 && (c.Next == 0 || c.Next > c.Now) && (len(c.Before) == 0 || c.Before[0] < c.Now)
}

// bucket returns the key of the entry and its only bucket, which the caller may modify. The bucket
// is nil if the key has none, or several.
func (e Entry) bucket() (k pk.Key, only *pk.Bucket) {
	k, _ = e.Key()
	for _, level := range k.Levels {
		switch bucket := level.Bucket(); {
		case bucket != nil && only != nil:
			return k, nil
		case bucket != nil:
			only = bucket
		}
	}
	return k, only
}

// numbers parses a list of numbers of buckets. It returns nil if a word is not one.
func numbers(list string) []int {
	var out []int
	for word := range strings.SplitSeq(list, ",") {
		if !isCount(word) {
			return nil
		}
		n, _ := strconv.Atoi(word)
		out = append(out, n)
	}
	return out
}

// isCount reports whether a word is a number of buckets.
func isCount(word string) bool {
	n, err := strconv.Atoi(word)
	return err == nil && n > 1 && strconv.Itoa(n) == word
}

// isFalling reports whether a word is a legal Entry.Was.
func isFalling(word string) bool {
	list := numbers(word)
	for i, n := range list {
		if i > 0 && n >= list[i-1] {
			return false
		}
	}
	return list != nil
}
