package keychange

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// boundElsewhere reports whether another package has a layout that is no draft, with the same keys
// in the container of e, so that documents may be stored with it.
func (f *folder) boundElsewhere(e lock.Entry, others []other) bool {
	return f.elsewhere(others, func(x lock.Entry) bool {
		return !x.Draft && x.Container == e.Container && x.SameKey(e) && !x.Elsewhere && !e.Elsewhere
	})
}

// livesOn reports whether a type that is gone here was moved to another package, whose lock has its
// layout.
func (f *folder) livesOn(e lock.Entry, others []other) bool {
	return f.elsewhere(others, func(x lock.Entry) bool {
		return !x.Draft && x.Replaces(e) && x.SameKey(e) && !x.Elsewhere && !e.Elsewhere
	})
}

// elsewhere reports whether another package has a matching entry.
func (f *folder) elsewhere(others []other, is func(lock.Entry) bool) bool {
	for _, n := range others {
		if n.dir != f.dir && slices.ContainsFunc(n.entries, is) {
			return true
		}
	}
	return false
}

// judge compares the next lock with the locks of the other packages of the module.
func (f *mergedFolder) judge(others []other) {
	if f.refused {
		return
	}
	told := make(map[string]bool) // containers of other packages
	places := placesOf(f.next)
	for _, n := range others {
		if n.dir == f.dir {
			continue
		}
		there := placesOf(n.entries)
		for j, x := range n.entries {
			for i, e := range f.next {
				if e.Elsewhere || x.Elsewhere || e.API != x.API {
					continue // each API has accounts of its own
				}
				if e.Container != x.Container {
					f.judgeMeeting(e, places[i], n, x, there[j], told)
					continue
				}
				if f.judgeMove(e, n, x) || n.folder != nil && n.folder.moves(x, e) {
					continue
				}
				if key := n.dir + "\x00" + e.Container; !told[key] {
					told[key] = f.judgeContainer(e, n, x)
				}
			}
		}
	}
}

// judgeContainer compares the container of e with the same container of another package. It returns
// true if it has reported something. Of two packages of the run, the first reports.
func (f *mergedFolder) judgeContainer(e lock.Entry, n other, x lock.Entry) bool {
	if n.folder != nil && n.dir < f.dir {
		return false
	}
	pos := f.position(e.Type)
	where := filepath.ToSlash(diag.Relative(f.run.Report.Dir, filepath.Join(n.dir, lock.FileName)))
	const apart = "; if they are in different databases, put note=elsewhere on the blank field of one type"
	report := f.run.Report.Errorf
	if n.folder == nil && x.Draft {
		report = f.run.Report.Notef
	}
	switch {
	case e.Gone && x.Gone:
	case e.Definition != x.Definition:
		report(pos, "container %q has one partition key path, kind and version, and type %s says %s (%s, version %d), while type %s in %s says %s (%s, version %d): give one a different container, or change both in one run over both packages%s",
			e.Container, e.Type, e.Path, e.Kind, e.Version, x.Type, where, x.Path, x.Kind, x.Version, apart)
		return true
	case !oneOwn(e, x):
		report(pos, "types %s and %s of %s share the container %q, and a tenant that moves takes the documents of both with it, but the first has %s and the second %s: give both the same \"own\", in one run over both packages%s",
			e.Type, x.Type, where, e.Container, ownText(e), ownText(x), apart)
		return true
	case !e.Gone && !x.Gone && prefixesMeet(e.Prefix, x.Prefix):
		report(pos, "types %s and %s of %s share the container %q, and an id could belong to both: their ids begin with %q and %q; in one run over both packages, give all types of a container prefixes that do not begin with each other, or give none a prefix%s",
			e.Type, x.Type, where, e.Container, e.Prefix, x.Prefix, apart)
		return true
	case !e.Gone && !x.Gone && f.judgeTypes(e, n, x, where, apart):
		return true
	case e.Conflict != x.Conflict && !e.Gone && !x.Gone:
		report(pos, "container %q has one conflict resolution policy, but in type %s the greater %s wins, and in type %s in %s the greater %s does: write the same \"conflict\" in both packages%s",
			e.Container, e.Type, conflictPath(e), x.Type, where, conflictPath(x), apart)
		return true
	case !e.Gone && !x.Gone && e.OtherComputed(x) != "":
		report(pos, "types %s and %s of %s share the container %q, and define the property %q differently, which the service computes for one of them: write the same expression in both, or give one a different JSON name%s",
			e.Type, x.Type, where, e.Container, e.OtherComputed(x), apart)
		return true
	case e.TTL != x.TTL && !e.Gone && !x.Gone:
		report := f.run.Report.Notef // packages can be changed one after the other
		if n.folder != nil {
			report = f.run.Report.Errorf
		}
		report(pos, "container %q has one default time to live, and type %s says %s, while type %s in %s says %s: write the same \"ttl\" in both packages%s",
			e.Container, e.Type, cmp.Or(e.TTL, "none"), x.Type, where, cmp.Or(x.TTL, "none"), apart)
		return true
	}
	return false
}

// judgeTypes compares two types that share a container. It reports one type with two layouts, and
// two types whose documents cannot be told apart. It returns false if there is nothing to report.
func (f *mergedFolder) judgeTypes(e lock.Entry, n other, x lock.Entry, where, apart string) bool {
	report := f.run.Report.Errorf
	if n.folder == nil && (e.Draft || x.Draft) {
		report = f.run.Report.Notef // it may be about to move
	}
	one := unqualified(e.Type) == unqualified(x.Type)
	share := fmt.Sprintf("types %s and %s of %s share the container %q, and ", e.Type, x.Type, where, e.Container)
	switch {
	case e.Discriminator != x.Discriminator:
		return false
	case one && !e.FindsEach(x):
		report(f.position(e.Type), "%sneither finds all documents of the other, because they differ in %s: the first has %s, and the second %s; give both the layout of the stored documents, or give one a different container%s",
			share, lock.Change{Old: x, New: e}.What(), e.Summary(), x.Summary(), apart)
	case one || e.Describes(x):
		return false
	case e.API == string(annotations.Gremlin):
		report(f.position(e.Type), "%sthe vertices of both have the label %q: give each a \"type\" of its own%s", share, e.Discriminator, apart)
	case e.Discriminator != "":
		report(f.position(e.Type), "%sthe documents of both have the type %q: give each its own%s", share, e.Discriminator, apart)
	default:
		report(f.position(e.Type), "%sno property tells their documents apart: put \"type\" on the blank field of one%s", share, apart)
	}
	return true
}

// unqualified returns the name of a type of the lock without that of an external test
// package.
func unqualified(typ string) string { return typ[strings.LastIndexByte(typ, '.')+1:] }

// prefixesMeet reports whether an id can begin with both prefixes, at least one of which is not
// empty.
func prefixesMeet(a, b string) bool {
	return a+b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// moves reports whether e is a type that was moved from x, a sealed type of another package, and
// has an unsealed layout that would change the keys of x's documents.
func (f *comparedFolder) moves(e, x lock.Entry) bool {
	was, _ := f.old.Find(e.Type)
	return (e.Draft || was.Draft || f.isNew(e)) && replacesBound(e, x)
}

// replacesBound reports whether e is the type of x with another layout, and x is sealed.
func replacesBound(e, x lock.Entry) bool {
	if e.Gone || x.Draft || e.SameKey(x) {
		return false
	}
	if x.Gone {
		return x.Replaces(e)
	}
	told := x.Discriminator != "" && e.Discriminator != "" && x.Discriminator != e.Discriminator
	return x.Type == e.Type && !told
}

// judgeMove refuses a type that was moved and changed, here or in a package outside of the run. It
// returns false if there is none.
func (f *mergedFolder) judgeMove(e lock.Entry, n other, x lock.Entry) bool {
	switch {
	case f.moves(e, x):
		f.refuseMove(e.Type, n.dir, x, e)
		return true
	case n.folder == nil && e.Gone && x.Draft && replacesBound(x, e):
		f.refuseMove("", f.dir, e, x)
		return true
	}
	return false
}

// refuseMove reports that a move would change the layout of x, which the lock in a folder has
// sealed.
func (f *folder) refuseMove(typ, dir string, x, e lock.Entry) {
	where := filepath.ToSlash(diag.Relative(f.run.Report.Dir, filepath.Join(dir, lock.FileName)))
	change := lock.Change{Old: x, New: e}
	was, now := "", ""
	if d := f.docs[typ]; d != nil {
		was, now = examples(d.Document, change)
	}
	state := "in use"
	if x.Gone {
		state = "gone"
	}
	f.refuse(f.position(typ), fmt.Sprintf("type %s stores documents in container %s as type %s of %s did, which is %s, but %s would change, and stored documents would not be found\n\twas %s\n\tnow %s%s",
		e.Type, e.Container, x.Type, where, state, change.What(), describeKey(x, was), describeKey(e, now), kindLines(change)),
		"\n\tif it is the same type, keep its layout;"+
			"\n\tif it is another one, give it another container, or a type= of its own, or write note=elsewhere on its blank field if it is in another database;"+
			"\n\tif no document of "+x.Type+" is stored, "+f.run.forgetting(dir, x.Type)+" drops its layout once it is gone")
}
