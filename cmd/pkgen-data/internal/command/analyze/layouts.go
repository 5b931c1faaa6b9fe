package analyze

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/target"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// entry returns the entry of the type in the packages' locks, or the zero value if there are only
// candidates.
func (a *analyzing) entry(ctx context.Context, patterns []string) (lock.Entry, error) {
	folders, err := target.PackageFolders(ctx, patterns)
	if err != nil {
		if len(patterns) == 0 && *a.typ == "" && len(a.layouts) > 0 {
			return lock.Entry{}, nil // outside of a module, only candidates are compared
		}
		return lock.Entry{}, err
	}
	var fit []lock.Entry
	for _, folder := range folders {
		entries, err := target.ReadLock(filepath.Join(folder, lock.FileName))
		if err != nil {
			return lock.Entry{}, err
		}
		if *a.Container != "" {
			if entries, err = layout.InContainer(entries, *a.Container); err != nil {
				return lock.Entry{}, err
			}
		}
		for _, e := range entries {
			if (*a.typ == "" || e.Type == *a.typ) && !e.Gone {
				fit = append(fit, e)
			}
		}
	}
	if *a.Container != "" {
		kept := slices.DeleteFunc(slices.Clone(fit), func(e lock.Entry) bool { return e.API != "" })
		if len(fit) > 0 && len(kept) == 0 {
			return lock.Entry{}, target.AnalyzeSpeaks.Refuse(fit[0])
		}
		fit = kept
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1 && *a.typ != "":
		return lock.Entry{}, fmt.Errorf("type %s is in several packages: name one of them", *a.typ)
	case len(fit) > 1 && len(a.layouts) == 0:
		return lock.Entry{}, fmt.Errorf("the packages have types %s: name one of them by -type", typeNames(fit))
	case *a.typ != "":
		return lock.Entry{}, fmt.Errorf("no %s of the packages has type %s%s: check -type, or generate first", lock.FileName, *a.typ, a.inContainer())
	case len(a.layouts) == 0 && a.log == "":
		return lock.Entry{}, fmt.Errorf("no %s of the packages has a type%s: name the package, or a candidate by -layout", lock.FileName, a.inContainer())
	}
	return lock.Entry{}, nil
}

// inContainer returns the container in the flags.
func (a *analyzing) inContainer() string {
	if *a.Container == "" {
		return ""
	}
	return " in container " + *a.Container
}

// typeNames lists the types of entries.
func typeNames(entries []lock.Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Type)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// options returns the layouts to compare: the type's own, the candidates, and each of them that has
// buckets with other numbers of them.
func (a *analyzing) options(entry lock.Entry) ([]analyze.Option, error) {
	var all []analyze.Option
	add := func(l *layout.Layout, current bool) {
		if !slices.ContainsFunc(all, func(o analyze.Option) bool { return o.String() == l.String() }) {
			all = append(all, analyze.Option{Layout: l, Current: current})
		}
	}
	if entry.Layout != "" {
		own, err := a.own(entry)
		if err != nil {
			return nil, err
		}
		add(own, true)
	}
	for _, template := range a.layouts {
		l, err := layout.Candidate(template, entry.Escape, entry)
		if err != nil {
			return nil, err
		}
		add(l, false)
	}
	bucketed := len(a.buckets) == 0
	for _, o := range slices.Clone(all) {
		for _, n := range a.buckets {
			template := withBuckets(o.String(), n)
			if template == "" {
				continue
			}
			bucketed = true
			l, err := layout.Candidate(template, entry.Escape, entry)
			if err != nil {
				return nil, err
			}
			add(l, false)
		}
	}
	if !bucketed {
		return nil, fmt.Errorf("-buckets %s: no layout has buckets: add one that has by -layout, such as {tenant}.{id%%%d}", &a.buckets, a.buckets[0])
	}
	if len(all) > mostLayouts {
		return nil, fmt.Errorf("%d layouts are too many: name at most %d by -layout and -buckets", len(all), mostLayouts)
	}
	return all, nil
}

// keysOfIndexes returns the keys of the indexes to examine, in a container of one of the layouts.
func (a *analyzing) keysOfIndexes(entry lock.Entry, layouts []analyze.Option) ([]*layout.Layout, error) {
	var all []*layout.Layout
	for _, template := range a.indexes {
		given := plain.Word(template)
		if key, _ := (lock.Entry{Layout: template}).Key(); slices.ContainsFunc(key.Levels, pk.Level.Random) {
			return nil, fmt.Errorf("-index %s: a random bucket cannot be recomputed, so each write would move the document to another key of the index: hash a property, as in {vin%%400}, or leave the bucket out", given)
		}
		keys, err := layout.Candidate(template, entry.Escape, entry)
		if err != nil {
			return nil, fmt.Errorf("-index: %w", err)
		}
		if slices.ContainsFunc(layouts, func(o analyze.Option) bool { return o.String() == keys.String() }) {
			return nil, fmt.Errorf("-index %s: a container of this layout answers the same queries as the index: leave out the index, or -layout %s", given, given)
		}
		if !slices.ContainsFunc(all, func(l *layout.Layout) bool { return l.String() == keys.String() }) {
			all = append(all, keys)
		}
	}
	if len(all) > containers.MaxIndexes {
		return nil, fmt.Errorf("-index names %d indexes, and a container has %d at most: leave out %d", len(all), containers.MaxIndexes, len(all)-containers.MaxIndexes)
	}
	return all, nil
}

// checkSeries refuses numbers of physical partitions whose counts would take too much memory.
func (a *analyzing) checkSeries(o analyze.Options) error {
	sum := 0
	for _, n := range a.partitions {
		sum += n
	}
	of := len(o.Layouts) + len(o.Indexes)
	if sum*of <= mostSeries {
		return nil
	}
	what := "layouts"
	if len(o.Indexes) > 0 {
		what = "layouts and indexes"
	}
	return fmt.Errorf("%d physical partitions are too many for %d %s: choose -partitions that add up to at most %d", sum, of, what, mostSeries/of)
}

// Limits on memory: the number of layouts, and the number of physical partitions of all layouts and
// indexes together. A physical partition has a count for each interval of time, at most 6 KB.
const (
	mostLayouts = 20
	mostSeries  = 10_000
)

// own returns the type's own layout. Documents of a file may have no stored partition key; their
// random suffixes are then drawn.
func (a *analyzing) own(entry lock.Entry) (*layout.Layout, error) {
	if *a.Container == "" && !entry.Hashes() {
		return layout.Candidate(entry.Layout, entry.Escape, entry)
	}
	return layout.New(entry)
}

// withBuckets returns a template with another number of buckets, or "" for one without buckets.
func withBuckets(template string, n int) string {
	key, _ := lock.Entry{Layout: template}.Key()
	found := false
	for _, level := range key.Levels {
		if bucket := level.Bucket(); bucket != nil {
			bucket.Count, found = n, true
		}
	}
	if !found {
		return ""
	}
	return key.Layout()
}

// times returns the JSON pointers of properties that may have the time of a document: times in the
// key, the last write, and texts, if they are times in RFC 3339.
func (a *analyzing) times(entry lock.Entry) ([]string, error) {
	if *a.time != "" {
		if strings.HasPrefix(*a.time, "/") {
			return []string{*a.time}, nil
		}
		if strings.ContainsAny(*a.time, "{}|%+,") {
			return nil, fmt.Errorf("-time %s is no property: name it as layouts do, such as at or meta.at", strconv.Quote(*a.time))
		}
		return []string{analyze.Pointer(*a.time)}, nil
	}
	var all []string
	for _, k := range entry.Kinds {
		if k.Kind == lock.Time {
			all = append(all, analyze.Pointer(k.Property))
		}
	}
	all = append(all, "/_ts")
	for _, p := range entry.Properties {
		if p.JSON == "string" {
			all = append(all, p.Pointer)
		}
	}
	return all, nil
}

// misnamed returns the error of a flag whose property does not occur in the sample, or is not a
// time, with the name that was probably meant.
func (a *analyzing) misnamed(r *analyze.Report) error {
	if r.Documents == 0 {
		return nil
	}
	all, times := r.Properties()
	for _, l := range r.Layouts {
		if name := r.Absent(l); name != "" && !l.Current {
			return absent("-layout "+a.given(l.Layout), name, all)
		}
	}
	for _, x := range r.Indexes {
		if name := r.Absent(x.Keys); name != "" {
			return absent("-index "+plain.Word(x.Keys.Layout), name, all)
		}
	}
	if *a.time == "" || r.Times != nil {
		return nil
	}
	others := "and none has another property with times: leave the flag out"
	if len(times) > 0 {
		others = "name one with times, such as " + some(times, "or")
	}
	if name := strings.ReplaceAll(strings.TrimPrefix(*a.time, "/"), "/", "."); !slices.Contains(all, name) {
		return fmt.Errorf("-time %s: no document of the sample has this property: %s", plain.Word(*a.time), nearestOr(name, times, others))
	}
	return fmt.Errorf("-time %s: no document of the sample has a time in it: %s; a time is a number since 1970, or a text in RFC 3339, until 2106", plain.Word(*a.time), others)
}

// absent returns the error of a flag with a property that no document has.
func absent(flag, name string, all []string) error {
	return fmt.Errorf("%s: no document of the sample has a property %s: %s", flag, plain.Word(name), nearestOr(name, all, "they have "+some(all, "and")))
}

// given returns the layout in a flag from which one with another number of buckets was made.
func (a *analyzing) given(template string) string {
	for _, given := range a.layouts {
		if given == template || withBuckets(given, 1) == withBuckets(template, 1) && withBuckets(given, 1) != "" {
			return plain.Word(given)
		}
	}
	return plain.Word(template)
}

// nearestOr suggests a correction of a misspelt name, or lists the existing ones.
func nearestOr(name string, all []string, others string) string {
	if near := spelling.Nearest(name, all); near != "" {
		return fmt.Sprintf("did you mean %q?", plain.Word(near))
	}
	return others
}

// mostShown is the maximum number of names in a message.
const mostShown = 12

// some lists names.
func some(names []string, word string) string {
	shown := make([]string, 0, mostShown)
	for _, name := range names[:min(len(names), mostShown)] {
		shown = append(shown, plain.Word(name))
	}
	switch more := len(names) - len(shown); {
	case more > 0:
		return fmt.Sprintf("%s %s %d more", strings.Join(shown, ", "), word, more)
	case len(shown) > 1 && word == "or":
		return strings.Join(shown[:len(shown)-1], ", ") + " or " + shown[len(shown)-1]
	}
	return strings.Join(shown, ", ")
}
