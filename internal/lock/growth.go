package lock

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// Step is what a release does to the number of buckets of a type. Programs of two
// releases run side by side, and programs of one release must find what those of the
// next one write. So a number of buckets grows in two releases.
type Step int

// The steps that need no decision. All others lose documents, or need a decision
// that no lock can make.
const (
	NoStep    Step = iota
	Announced      // the release reads the buckets of the next one: next= is new, or another number
	Withdrawn      // the next release has the same buckets after all: next= is gone
	Switched       // the release writes the number that next= had, and the number before is in was=
	Tiered         // the release finds tenants in containers of their own: own= is new
	Marked         // the release marks documents as deleted: deleted= is new
)

// StepTo returns the step from e to now, or NoStep if there is none, or more than
// that is different. Only a sealed layout takes steps.
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

// OnlyOwn reports whether two entries differ in their own containers, and in nothing
// else that keys depend on.
func (e Entry) OnlyOwn(now Entry) bool {
	if e.Own == now.Own {
		return false
	}
	e.Own = now.Own
	return e.same(now)
}

// OnlyDeleted reports whether two entries differ in the property that marks documents as
// deleted, and in nothing else that operations depend on.
func (e Entry) OnlyDeleted(now Entry) bool {
	if e.Deleted == now.Deleted {
		return false
	}
	e.Deleted = now.Deleted
	return e.same(now)
}

// FindsEach reports whether programs of e and of other find what the others store: their
// keys are made alike, but for numbers of buckets of which each reads what the other
// writes. It does not compare own containers, marks of deleted documents, unique
// properties and discriminators.
func (e Entry) FindsEach(other Entry) bool {
	e.Own, e.Deleted, e.Unique, e.Discriminator = other.Own, other.Deleted, other.Unique, other.Discriminator
	if e.same(other) {
		return true
	}
	return e.OnlyBuckets(other) && e.reads(other.Counts().Now) && other.reads(e.Counts().Now)
}

// Describes reports whether two types may be about the same documents: programs of each
// find what the other stores, and one has all properties of the other. A package has a
// type for what another package stores if documents move from there, or if it reads a part
// of them.
func (e Entry) Describes(other Entry) bool {
	return e.FindsEach(other) && (e.has(other.Properties) || other.has(e.Properties))
}

// has reports whether e has properties, as far as they are known.
func (e Entry) has(properties []Property) bool {
	return e.Properties == nil || !slices.ContainsFunc(properties, func(p Property) bool {
		return !slices.ContainsFunc(e.Properties, func(own Property) bool { return own.Pointer == p.Pointer && own.JSON == p.JSON })
	})
}

// reads reports whether programs of e read n buckets. The documents of random buckets lie
// in the first ones of any greater number.
func (e Entry) reads(n int) bool {
	c := e.Counts()
	if !e.Hashes() {
		return n <= max(c.Now, c.Next)
	}
	return n == c.Now || n == c.Next || slices.Contains(c.Before, n)
}

// Rekeyed reports whether now lacks earlier numbers of buckets of e, the oldest ones, and
// nothing else is different. No document may be stored under them any more.
func (e Entry) Rekeyed(now Entry) bool {
	was, is := e.Counts(), now.Counts()
	return e.OnlyBuckets(now) && was.Now == is.Now && was.Next == is.Next &&
		len(is.Before) < len(was.Before) && slices.Equal(is.Before, was.Before[:len(is.Before)])
}

// after returns the earlier numbers of buckets of the release that switches: none
// for a random suffix, which documents keep.
func (e Entry) after() []int {
	if !e.Hashes() {
		return nil
	}
	c := e.Counts()
	return append([]int{c.Now}, c.Before...)
}

// Hashes reports whether the bucket of e is computed. A random one is kept by its
// document.
func (e Entry) Hashes() bool {
	k, _ := e.Key() // a text that is no layout has no buckets
	return !slices.ContainsFunc(k.Levels, pk.Level.Random)
}

// OnlyBuckets reports whether two entries differ in their numbers of buckets, and in
// nothing else that keys depend on.
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
	Before []int // of releases before, the oldest last
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

// Others returns entries of the layouts by other numbers of buckets, under which
// documents of e may be stored: those of releases before, and of the next one.
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

// falls reports whether the numbers of buckets of e fall from the next release to
// the oldest. Entries without numbers of other releases do.
func (e Entry) falls() bool {
	if e.Was == "" && e.Next == "" {
		return true
	}
	c := e.Counts()
	return c.Now > 0 && (c.Next == 0 || c.Next > c.Now) && (len(c.Before) == 0 || c.Before[0] < c.Now)
}

// bucket returns the key of the entry with its bucket, whose number may be changed there.
// The bucket is nil if the key has none, or several.
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

// numbers returns the numbers of a list, or nil if a word is not a number of buckets.
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

// isFalling reports whether a word is an Entry.Was.
func isFalling(word string) bool {
	list := numbers(word)
	for i, n := range list {
		if i > 0 && n >= list[i-1] {
			return false
		}
	}
	return list != nil
}
