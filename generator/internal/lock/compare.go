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
	add := func(word string, differ bool) {
		if differ {
			words = append(words, word)
		}
	}
	add("the layout", c.Old.Layout != c.New.Layout)
	for _, k := range c.Kinds() {
		add("the text of "+k.Property, true)
	}
	for _, f := range facts {
		if f.word != "as" {
			add(f.what, f.what != "" && f.differs(c.Old, c.New))
		}
	}
	add("the container id", c.Old.Container != c.New.Container)
	add("the partition key path", c.Old.Path != c.New.Path)
	add("the kind of the key", c.Old.Kind != c.New.Kind)
	add("the version of the key", c.Old.Version != c.New.Version)
	add("the discriminator", c.Old.Discriminator != c.New.Discriminator)
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// KindChange is a component whose text would be made in another way.
type KindChange struct {
	Property string
	Old, New string // kinds
}

// Kinds returns the components that are in both layouts and of another kind in
// New, in its order.
func (c Change) Kinds() []KindChange {
	var out []KindChange
	was := c.Old.kinds()
	for _, now := range c.New.Kinds {
		if old, ok := was[now.Property]; ok && !sameKind(old, now.Kind) {
			out = append(out, KindChange{now.Property, old, now.Kind})
		}
	}
	return out
}

// SameKey reports whether keys are made alike and documents are kept in one
// container, so that the discriminator alone differs, if anything does.
func (c Change) SameKey() bool {
	now := c.New
	now.Discriminator = c.Old.Discriminator
	return c.Old.SameKey(now) && c.Old.Container == now.Container
}

// OnlyPrefix reports whether all that differs is what ids begin with.
func (c Change) OnlyPrefix() bool {
	now := c.New
	now.Prefix = c.Old.Prefix
	return c.Old.same(now)
}

// SameKey reports whether all is equal that decides where a document is stored
// and found, but its container.
func (e Entry) SameKey(other Entry) bool {
	return e.Definition == other.Definition && e.Layout == other.Layout && e.sameKinds(other) &&
		!slices.ContainsFunc(facts, func(f fact) bool { return f.what != "" && f.differs(e, other) })
}

// same reports whether the documents of two entries are stored and found alike.
func (e Entry) same(other Entry) bool { return e.Container == other.Container && e.SameKey(other) }

// Replaces reports whether documents of e, whose type is gone, are what another
// type's would be taken for: they have its name, or say the same of their type.
func (e Entry) Replaces(other Entry) bool {
	return e.Container == other.Container && (e.Type == other.Type || e.Discriminator == other.Discriminator)
}

// Compare compares the types of a run, now, with those that the lock holds. Of
// those that now lacks, gone says which are no more; the others are not part of
// the run. Added are the types that the lock has not had, by name, those aside
// that are changed or but another name for a type that is gone, which are
// renamed.
//
// A type is another name for one that is gone if its key is made alike in the
// same container, which is no change. It is one in another container, too, where
// the default id of the container has moved with the name. A type that is gone
// and another key in its container are a change: documents are left that nothing
// reads. Of types that have been gone for longer that holds only where the new
// documents would be taken for theirs. A draft that is gone leaves nothing.
func Compare(old, now Lock, gone func(typ string) bool) (changes []Change, renamed []Change, added []Entry) {
	before := make(map[string]Entry)
	var lost Lock
	for _, e := range old.sorted() {
		before[e.Type] = e
		if gone(e.Type) && !e.Draft {
			lost = append(lost, e)
		}
	}
	for _, e := range now.sorted() {
		was, ok := before[e.Type]
		switch {
		case !ok:
			added = append(added, e)
		case !was.same(e):
			changes = append(changes, Change{was, e})
		}
	}
	// The surest pairs are made first.
	for _, pair := range []struct {
		of      func(lost, added Entry) bool
		changed bool
	}{
		{func(l, a Entry) bool { return l.same(a) }, false},
		{func(l, a Entry) bool { return !l.Gone && l.SameKey(a) }, true},
		{func(l, a Entry) bool { return !l.Gone && l.Container == a.Container || l.Replaces(a) }, true},
	} {
		added = slices.DeleteFunc(added, func(a Entry) bool {
			i := slices.IndexFunc(lost, func(l Entry) bool { return pair.of(l, a) })
			if i < 0 {
				return false
			}
			if pair.changed {
				changes = append(changes, Change{lost[i], a})
			} else {
				renamed = append(renamed, Change{lost[i], a})
			}
			lost = slices.Delete(lost, i, i+1)
			return true
		})
	}
	return changes, renamed, added
}

// Merge returns the lock after a run: the types of now, and those of old that
// now lacks. Of these the ones that are gone say so; drafts are left out then,
// and so are those that drop names, whose documents have another type now. The
// time to live of a container is what now says of it.
func Merge(old, now Lock, gone, drop func(typ string) bool) Lock {
	out := slices.Clone(now)
	for _, e := range old {
		if _, has := now.Find(e.Type); has || drop(e.Type) || e.Draft && gone(e.Type) {
			continue
		}
		e.Gone = e.Gone || gone(e.Type)
		if i := slices.IndexFunc(now, func(n Entry) bool { return n.Container == e.Container }); i >= 0 {
			e.TTL = now[i].TTL
		}
		out = append(out, e)
	}
	return out.sorted()
}
