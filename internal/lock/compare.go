package lock

import (
	"slices"
	"strings"
)

// Change is a type whose stored documents would not be found any more.
type Change struct {
	Old, New Entry
}

// Renamed reports whether the type has another name in New.
func (c Change) Renamed() bool { return c.Old.Type != c.New.Type }

// What names what differs, the name of the type aside: "the layout and the
// partition key path".
func (c Change) What() string {
	var words []string
	for _, d := range []struct {
		word   string
		differ bool
	}{
		{"the layout", c.Old.Layout != c.New.Layout},
		{"the JSON type of the key", c.Old.Values != c.New.Values},
		{"the escaping", c.Old.Escape != c.New.Escape},
		{"the container id", c.Old.Container != c.New.Container},
		{"the partition key path", c.Old.Path != c.New.Path},
		{"the kind of the key", c.Old.Kind != c.New.Kind},
		{"the version of the key", c.Old.Version != c.New.Version},
		{"the discriminator", c.Old.Discriminator != c.New.Discriminator},
	} {
		if d.differ {
			words = append(words, d.word)
		}
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// SameKey reports whether keys are made alike and documents are kept in one
// container, so that the discriminator alone differs, if anything does.
func (c Change) SameKey() bool {
	was, now := c.Old.key(), c.New.key()
	was.Discriminator, now.Discriminator = "", ""
	return was == now && c.Old.Container == c.New.Container
}

// key is all that decides where a document is stored and found, but its
// container.
func (e Entry) key() Entry {
	e.Type, e.Container = "", ""
	return e
}

// Compare compares the types of a run, now, with those that the lock holds. Of
// those that now lacks, gone says which are no more; the others are not part of
// the run. Added are the types that the lock has not had, by name, those aside
// that are changed or but another name for a type that is gone.
//
// A type is another name for one that is gone if its key is made alike in the
// same container, which is no change. It is one in another container, too, where
// the default id of the container has moved with the name. A type that is gone
// and another key in its container are a change: documents are left that nothing
// reads.
func Compare(old, now Lock, gone func(typ string) bool) (changes []Change, added []Entry) {
	before := make(map[string]Entry)
	var lost Lock
	for _, e := range old.sorted() {
		before[e.Type] = e
		if gone(e.Type) {
			lost = append(lost, e)
		}
	}
	for _, e := range now.sorted() {
		was, ok := before[e.Type]
		switch {
		case !ok:
			added = append(added, e)
		case was != e:
			changes = append(changes, Change{was, e})
		}
	}
	// The surest pairs are made first.
	for _, pair := range []struct {
		of      func(lost, added Entry) bool
		changed bool
	}{
		{func(l, a Entry) bool { return l.Container == a.Container && l.key() == a.key() }, false},
		{func(l, a Entry) bool { return l.key() == a.key() }, true},
		{func(l, a Entry) bool { return l.Container == a.Container }, true},
	} {
		added = slices.DeleteFunc(added, func(a Entry) bool {
			i := slices.IndexFunc(lost, func(l Entry) bool { return pair.of(l, a) })
			if i < 0 {
				return false
			}
			if pair.changed {
				changes = append(changes, Change{lost[i], a})
			}
			lost = slices.Delete(lost, i, i+1)
			return true
		})
	}
	return changes, added
}

// Merge returns the lock after a run: the types of now, and those of old that
// now lacks and drop does not ask to leave out.
func Merge(old, now Lock, drop func(typ string) bool) Lock {
	out := slices.Clone(now)
	for _, e := range old {
		has := slices.ContainsFunc(now, func(n Entry) bool { return n.Type == e.Type })
		if !has && !drop(e.Type) {
			out = append(out, e)
		}
	}
	return out.sorted()
}
