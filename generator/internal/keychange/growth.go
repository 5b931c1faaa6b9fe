package keychange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// A number of buckets grows over two releases, because programs of adjacent releases run side by
// side. The first release reads both numbers and writes the old one; the second writes the new one.
// The lock refuses the second release without the first.

// growth notes the step of a type's number of buckets. It reports numbers of other releases for a
// layout without stored documents.
func (f *comparedFolder) growth(now lock.Entry, unsealed bool) {
	d := f.docs[now.Type]
	if unsealed && (now.Was != "" || now.Next != "") {
		f.run.Report.Errorf(d.Position(), "the layout of type %s is not sealed, so no document is stored under another bucket count: remove \"was\" and \"next\", and change only \"buckets\"", d.Name())
		return
	}
	old, known := f.old.Find(now.Type)
	if !known {
		return
	}
	was, is := old.Counts(), now.Counts()
	var note string
	switch old.StepTo(now) {
	case lock.Announced:
		note = fmt.Sprintf("from this release on, type %s reads %d buckets and still writes %d: when no program of an earlier release is running, write %q",
			d.Name(), is.Next, is.Now, tagAfter(now))
	case lock.Withdrawn:
		note = fmt.Sprintf("type %s no longer reads %d buckets: make sure that no program that writes them has ever run", d.Name(), was.Next)
	case lock.Switched:
		note = fmt.Sprintf("from this release on, type %s writes %d buckets: release it only when every running program reads them, as those with %q do",
			d.Name(), is.Now, "next="+old.Next)
	case lock.Tiered:
		note = fmt.Sprintf("from this release on, type %s finds tenants in their own containers, %s: move the first tenant only when no program of an earlier release is running",
			d.Name(), now.Own)
	case lock.Marked:
		note = fmt.Sprintf("from this release on, type %s marks documents as deleted, by the property %s: programs of earlier releases remove the documents that they delete, and show marked ones",
			d.Name(), now.Deleted)
		pointer := jsonpointer.Of(now.Deleted)
		if slices.ContainsFunc(old.Properties, func(p lock.Property) bool { return p.Pointer == pointer }) {
			note += "; stored documents in which this property is not null count as deleted"
		}
	default:
		return
	}
	f.run.Report.Add(d.Position(), diag.Note, note)
}

// rekeyed removes and notes the changes that Options.Rekeyed acknowledges.
func (f *comparedFolder) rekeyed() {
	f.changes = slices.DeleteFunc(f.changes, func(c lock.Change) bool {
		ok := f.run.Options.Rekeyed && !c.Renamed() && !c.Old.Gone && c.Old.Rekeyed(c.New)
		if ok {
			f.run.Report.Add(f.position(c.New.Type), diag.Note, fmt.Sprintf("type %s no longer reads earlier bucket counts: it had %q, and has %q", c.New.Type, tagOf(c.Old), tagOf(c.New)))
		}
		return ok
	})
}

// growthAdvice returns advice if only the numbers of buckets change, by a step that the lock does
// not allow. It returns false for a mere decrease, which is a change like others.
func growthAdvice(c lock.Change) (advice string, ok bool) {
	if c.Renamed() || !c.Old.OnlyBuckets(c.New) {
		return "", false
	}
	was, now := c.Old.Counts(), c.New.Counts()
	known := append([]int{was.Now}, was.Before...)
	unknown := slices.IndexFunc(now.Before, func(n int) bool { return !slices.Contains(known, n) })
	switch {
	case now.Now < was.Now && now.Before == nil && now.Next == 0 && c.Old.Was == "" && c.Old.Next == "":
		return "", false
	case now.Now < was.Now:
		advice = fmt.Sprintf("bucket counts only grow: write %q", tagOf(c.Old))
	case unknown >= 0:
		advice = fmt.Sprintf("%s records no release with %d buckets, so no document is stored under them: write %q", lock.FileName, now.Before[unknown], tagAllowed(c.Old, now.Now))
	case now.Now == was.Now:
		advice = "documents that have not moved are still stored under the earlier bucket counts: keep " + strconv.Quote(tagOf(c.Old)) +
			" until Rekey has moved them all, then remove \"was\" and run pkgen seal -rekeyed once"
	case now.Now == was.Next:
		advice = fmt.Sprintf("documents are stored under the earlier bucket counts: write %q", tagAfter(c.Old))
	default:
		advice = fmt.Sprintf("more buckets take two releases, because programs of the previous release would not find documents in the new buckets: first release %q, and then %q",
			tagAllowed(c.Old, now.Now), tagAfter(announcing(c.Old, now.Now)))
	}
	return "\n\t" + advice + ";", true
}

// announcing returns e with a next number of buckets.
func announcing(e lock.Entry, next int) lock.Entry {
	e.Next = strconv.Itoa(next)
	return e
}

// tagAllowed returns the words of a tag for the release after e on the way to a number of buckets.
func tagAllowed(e lock.Entry, n int) string {
	if n > e.Counts().Now {
		e = announcing(e, n)
	}
	return tagOf(e)
}

// tagAfter returns the words of a tag for the release that switches to the next number of buckets
// of e.
func tagAfter(e lock.Entry) string {
	c := e.Counts()
	if !e.Hashes() {
		return words(lock.Counts{Now: c.Next})
	}
	return words(lock.Counts{Now: c.Next, Before: append([]int{c.Now}, c.Before...)})
}

// tagOf returns the words of a tag for the numbers of buckets of e.
func tagOf(e lock.Entry) string { return words(e.Counts()) }

// words formats numbers of buckets for a tag: "buckets=400,was=200+100".
func words(c lock.Counts) string {
	text := "buckets=" + strconv.Itoa(c.Now)
	if len(c.Before) > 0 {
		before := make([]string, len(c.Before))
		for i, n := range c.Before {
			before[i] = strconv.Itoa(n)
		}
		text += ",was=" + strings.Join(before, "+")
	}
	if c.Next > 0 {
		text += ",next=" + strconv.Itoa(c.Next)
	}
	return text
}
