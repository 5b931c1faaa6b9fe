package reads

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// kind is a sort of method.
type kind int

const (
	query    kind = iota
	get           // by the fields of the key
	write         // of a document
	change        // of a document by its key, or after a look at whose it is
	update        // a read and a write
	move          // a read and two writes
	many          // one query for several keys
	feed          // of every physical partition
	writes        // one for each of several documents
	changes       // the same, by key
	buckets       // a query under all suffixes
	replace       // a write of a document that may look whose is there
	replaces      // the same, for each of several documents
)

// deleteMethod is the one change that looks whose document is there: the condition of a
// patch has the type.
const deleteMethod = "Delete"

// methods are those that every repository has.
var methods = map[string]kind{
	"Get": get, "Create": write, "Upsert": replace, "Replace": replace, deleteMethod: change,
	"Update": update, "UpdateAndGet": update, "Patch": change, "PatchAndGet": change, "PatchIf": change, "PatchIfAndGet": change,
	"DeleteIfMatch": write, "Move": move, "GetMany": many, "Scan": feed, "Changes": feed, "FindInBuckets": buckets,
	"CreateAll": writes, "CreateAllFrom": writes, "CreateEach": writes,
	"UpsertAll": replaces, "UpsertAllFrom": replaces, "UpsertEach": replaces,
	"DeleteAll": changes, "DeleteAllFrom": changes, "DeleteEach": changes,
}

// Program is what a program calls.
type Program struct {
	calls []known
	looks bool // some writes read first, since ids may be those of other types
}

// known is a call, and what it knows.
type known struct {
	Call

	kind  kind
	knows []string
}

// New returns the program that makes calls of a type, which its lock describes. Its
// layout may be that of nobody: then methods are named by the properties of others, or
// say what they know. Others are templates of layouts.
//
// The error is that of a method that nobody has, or of a property that no layout and no
// lock has.
func New(entry lock.Entry, calls []Call, others ...string) (*Program, error) {
	p := &Program{looks: entry.Discriminator != "" && entry.Prefix == ""}
	key, instants := propertiesOf(entry.Layout)
	properties := slices.Clone(key)
	for _, template := range others {
		more, times := propertiesOf(template)
		properties = append(properties, more...)
		if entry.Layout == "" {
			key, instants = append(key, more...), append(instants, times...)
		}
	}
	for _, property := range entry.Properties {
		properties = append(properties, strings.ReplaceAll(strings.TrimPrefix(property.Pointer, "/"), "/", "."))
	}
	properties = append(properties, idProperty)
	for _, c := range calls {
		k := known{Call: c, kind: query}
		var err error
		switch kind, ok := methods[c.Method]; {
		case ok:
			k.kind = kind
			k.knows = append(slices.Clone(key), idProperty)
		case c.Knows == nil:
			k.knows, err = byName(c.Method, properties, instants)
		}
		if c.Knows != nil {
			k.knows, err = c.Knows, checkKnown(c, properties)
		}
		if err != nil {
			return nil, err
		}
		p.calls = append(p.calls, k)
	}
	return p, nil
}

// idProperty is the item id.
const idProperty = "id"

// propertiesOf returns the properties of a template, and those of them that are times.
func propertiesOf(template string) (all, instants []string) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return nil, nil
	}
	for _, level := range t.Levels {
		for _, part := range level {
			if part.Component == nil {
				continue
			}
			all = append(all, part.Component.Fields...)
			if part.Component.Format != "" {
				instants = append(instants, part.Component.Fields...)
			}
		}
	}
	return all, instants
}

// checkKnown refuses properties that nobody has.
func checkKnown(c Call, properties []string) error {
	for _, property := range c.Knows {
		if slices.Contains(properties, property) {
			continue
		}
		advice := "use one of " + strings.Join(sorted(properties), ", ")
		if meant := spelling.Nearest(property, properties); meant != "" {
			advice = "write " + meant
		}
		return fmt.Errorf("method %s knows %s, which is no property of the type or its layouts: %s", plain.Word(c.Method), plain.Word(property), advice)
	}
	return nil
}

// sorted returns words in order, each once.
func sorted(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }

// between are the ends of the names of queries for several periods.
var between = []string{"BetweenYears", "BetweenMonths", "BetweenDays", "BetweenHours", "Between"}

// byName returns the properties that a query knows by its name, as generated code names
// queries: ByDateAndVIN. A query for several periods knows the times of the key too.
func byName(method string, properties, instants []string) ([]string, error) {
	name, ok := strings.CutPrefix(method, "By")
	ranged := false
	for _, end := range between {
		if name, ranged = strings.CutSuffix(name, end); ranged {
			break
		}
	}
	found, whole := split(name, sorted(properties))
	switch {
	case !ok || !whole:
		return nil, unknown(method, properties)
	case ranged:
		found = append(found, instants...)
	}
	return found, nil
}

// split returns the properties whose names a text is, with And between them.
func split(text string, properties []string) (found []string, whole bool) {
	for _, p := range properties {
		for _, name := range names(p) {
			if len(text) < len(name) || !strings.EqualFold(text[:len(name)], name) {
				continue
			}
			if len(text) == len(name) {
				return []string{p}, true
			}
			if rest, ok := strings.CutPrefix(text[len(name):], "And"); ok {
				if more, whole := split(rest, properties); whole {
					return append([]string{p}, more...), true
				}
			}
		}
	}
	return nil, false
}

// names returns the Go names that a property probably has: that of its path, and that of
// its last name.
func names(property string) []string {
	all := []string{camel(property)}
	if i := strings.LastIndex(property, "."); i >= 0 {
		all = append(all, camel(property[i+1:]))
	}
	return all
}

// camel returns the words of a name, each with a capital.
func camel(name string) string {
	var b strings.Builder
	for _, word := range goname.Words(name) {
		b.WriteString(goname.UpperFirst(word))
	}
	return b.String()
}

// unknown is the error of a method that nobody has.
func unknown(method string, properties []string) error {
	var all []string
	for name := range methods {
		all = append(all, name)
	}
	for _, a := range sorted(properties) {
		all = append(all, "By"+camel(a))
		for _, b := range sorted(properties) {
			if a != b {
				all = append(all, "By"+camel(a)+"And"+camel(b))
			}
		}
	}
	advice := "name the properties that a call knows: {\"method\": …, \"perSecond\": …, \"knows\": [\"vin\"]}"
	slices.Sort(all)
	if meant := spelling.Nearest(method, all); meant != "" {
		advice = "write " + meant + ", or " + advice
	}
	return fmt.Errorf("the type has no method %s, and the name is not made of its properties: %s", plain.Word(method), advice)
}
