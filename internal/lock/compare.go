package lock

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Change is a type whose stored documents would no longer be found.
type Change struct {
	Old, New Entry
}

// Renamed reports whether the type has another name in New.
func (c Change) Renamed() bool { return c.Old.Type != c.New.Type }

// What lists the differences, except the name of the type: "the layout and the partition key path".
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
	for _, k := range c.Places() {
		add("the place of "+k.Property, true)
	}
	for _, f := range facts {
		if f.word != "as" {
			add(f.what, f.what != "" && f.differs(c.Old, c.New))
		}
	}
	for _, name := range c.NoLongerUnique() {
		add("the unique property "+name, true)
	}
	container := "the container id"
	if c.Old.Placed() && c.New.Placed() {
		container = "the container template"
	}
	add(container, c.Old.Container != c.New.Container)
	add("the partition key path", c.Old.Path != c.New.Path)
	add("the kind of the key", c.Old.Kind != c.New.Kind)
	add("the version of the key", c.Old.Version != c.New.Version)
	add("the conflict resolution policy", c.Old.Conflict != c.New.Conflict)
	discriminator := "the discriminator"
	if c.New.API == "gremlin" {
		discriminator = "the label"
	}
	add(discriminator, c.Old.Discriminator != c.New.Discriminator)
	add("the kinds of components", words == nil && !c.Old.sameKinds(c.New)) // a kind is missing
	return plain.And(words)
}

// KindChange is a component whose text would be made differently.
type KindChange struct {
	Property string
	Old, New string // kinds; in the result of Places, places
}

// Kinds returns the components of both layouts whose kind differs, in the order of New.
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

// Places returns the components of both layouts whose place in documents differs, in the order of
// New. Old and New are places.
func (c Change) Places() []KindChange {
	var out []KindChange
	for _, now := range c.New.Kinds {
		for _, was := range c.Old.Kinds {
			if was.Property == now.Property && was.Stored != now.Stored && was.Stored != "" && now.Stored != "" {
				out = append(out, KindChange{now.Property, was.Stored, now.Stored})
			}
		}
	}
	return out
}

// NoLongerUnique returns the properties that are unique in Old only. The container still has their
// reservations, which New would read as documents.
func (c Change) NoLongerUnique() []string {
	now := strings.Split(c.New.Unique, ",")
	var lost []string
	for name := range strings.SplitSeq(c.Old.Unique, ",") {
		if name != "" && !slices.Contains(now, name) {
			lost = append(lost, name)
		}
	}
	return lost
}

// OnlyUnique reports whether the only difference is that properties are no longer unique.
func (c Change) OnlyUnique() bool {
	now := c.New
	now.Unique = c.Old.Unique
	return len(c.NoLongerUnique()) > 0 && c.Old.same(now)
}

// OnlyConflict reports whether only the conflict resolution policy differs.
func (c Change) OnlyConflict() bool {
	now := c.New
	now.Conflict = c.Old.Conflict
	return c.Old.Conflict != c.New.Conflict && c.Old.same(now)
}

// SameKey reports whether keys and containers are the same, so that at most the discriminator
// differs.
func (c Change) SameKey() bool {
	now := c.New
	now.Discriminator = c.Old.Discriminator
	return c.Old.SameKey(now) && c.Old.Container == now.Container
}

// OnlyAPI reports whether the API differs, and with it the places and names of documents.
func (c Change) OnlyAPI() bool { return c.Old.API != c.New.API }

// OnlyRow reports whether only the layout of row keys differs.
func (c Change) OnlyRow() bool {
	now := c.New
	now.Row = c.Old.Row
	return c.Old.Row != c.New.Row && c.Old.Container == now.Container && c.Old.Discriminator == now.Discriminator && onlyLayoutOf(c.Old, now)
}

// onlyLayoutOf reports whether two entries make the same partition keys. It ignores the components
// of row keys.
func onlyLayoutOf(was, now Entry) bool {
	was.Kinds, now.Kinds = nil, nil
	return was.SameKey(now)
}

// OnlyPrefix reports whether only the prefix of ids differs.
func (c Change) OnlyPrefix() bool {
	now := c.New
	now.Prefix = c.Old.Prefix
	return c.Old.same(now)
}

// SameKey reports whether two entries make the same keys. Their containers may differ. Other may
// have more unique properties, but not fewer.
func (e Entry) SameKey(other Entry) bool {
	if c := (Change{e, other}); len(c.NoLongerUnique()) > 0 {
		return false
	}
	return e.Definition == other.Definition && e.Layout == other.Layout && e.sameKinds(other) && len(Change{e, other}.Places()) == 0 &&
		!slices.ContainsFunc(facts, func(f fact) bool { return f.what != "" && f.differs(e, other) })
}

// same reports whether the documents of two entries are stored and found in the same way.
func (e Entry) same(other Entry) bool {
	return e.Container == other.Container && e.Conflict == other.Conflict && e.SameKey(other)
}

// Replaces reports whether e has the type or the discriminator of another entry, whose type is
// gone, so that it would read that entry's documents.
func (e Entry) Replaces(other Entry) bool {
	return e.Container == other.Container && (e.Type == other.Type || e.Discriminator == other.Discriminator)
}

// Compare compares the types of a run, now, with the types of the lock. If now lacks a type of the
// lock, gone reports whether the type is gone or only not part of the run. Changes are types whose
// stored documents would not be found. Renamed are new names of types that are gone. Added are the
// other types that are not in the lock, by name. A type whose number of buckets takes a [Step] has
// not changed.
//
// A new type is a renaming of a gone type if it makes the same keys in the same container. In
// another container it is a change, if the default id of the container has moved with the name. A
// new type with other keys in the container of a gone type is a change as well, since nothing would
// read the stored documents. If the type was already gone in the lock, it is a change only if the
// new type would read the old documents. A draft that is gone leaves no documents.
//
// A type that returns to a container that it has left has changed, if it now makes other keys
// there.
func Compare(old, now Lock, gone func(typ string) bool) (changes []Change, renamed []Change, added []Entry) {
	var lost Lock
	for _, e := range old.sorted() {
		used, _ := old.Find(e.Type)
		if (gone(e.Type) || e.Gone && !used.Gone) && !e.Draft {
			lost = append(lost, e)
		}
	}
	for _, e := range now.sorted() {
		was, ok := old.Find(e.Type)
		back, left := old.FindIn(e.Container, e.Type)
		if left && was.Gone {
			was = back
		}
		switch {
		case !ok:
			added = append(added, e)
		case left && back.Gone && !was.Gone && !back.same(e):
			changes = append(changes, Change{back, e})
		case !was.same(e) && was.StepTo(e) == NoStep:
			changes = append(changes, Change{was, e})
		}
	}
	// The best matches come first.
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

// Merge returns the lock after a run: the types of now, and the types of old that now lacks, marked
// as gone if they are. It omits drafts that are gone, and types for which drop returns true, whose
// documents belong to another type now. A type that moves to another container is gone in the
// earlier one, unless another type of now has its documents. The time to live and the conflict path
// of a container are those in now.
func Merge(old, now Lock, gone, drop func(typ string) bool) Lock {
	out := slices.Clone(now)
	for _, e := range old {
		n, has := now.Find(e.Type)
		if drop(e.Type) || e.Draft && (has || gone(e.Type)) || has && (n.Container == e.Container || now.stores(e)) {
			continue
		}
		e.Gone = e.Gone || has || gone(e.Type)
		if i := slices.IndexFunc(now, func(n Entry) bool { return n.Container == e.Container }); i >= 0 {
			e.TTL, e.Conflict = now[i].TTL, now[i].Conflict
		}
		out = append(out, e)
	}
	return out.sorted()
}

// stores reports whether a type of l makes the keys of e in its container.
func (l Lock) stores(e Entry) bool {
	return slices.ContainsFunc(l, func(n Entry) bool { return n.same(e) })
}
