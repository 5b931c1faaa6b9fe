package reads

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Program is a set of calls.
type Program struct {
	calls []known
	looks bool // some writes read first, since ids may belong to other types
}

// known is a call and the properties that it knows.
type known struct {
	Call

	does  operations.Cost // named for a query
	knows []string
	finds bool // it only returns documents, which an index can return too
}

// named is the cost of queries named by properties.
const named operations.Cost = -1

// New returns the program that makes calls on a type with a lock entry. The entry may have no
// layout: methods are then named by the properties of layouts, or list what they know. Layouts are
// templates of further layouts, and indexes are templates of the keys of global secondary indexes.
// Calls can know the properties of all of them.
//
// New returns an error for an unknown method, and for a property that no layout, index or lock has.
func New(entry lock.Entry, calls []Call, layouts []string, indexes ...string) (*Program, error) {
	p := &Program{looks: entry.Discriminator != "" && entry.Prefix == ""}
	key, instants := propertiesOf(entry)
	properties := slices.Clone(key)
	for _, template := range layouts {
		more, times := propertiesOf(lock.Entry{Layout: template})
		properties = append(properties, more...)
		if entry.Layout == "" {
			key, instants = append(key, more...), append(instants, times...)
		}
	}
	for _, template := range indexes { // their properties are in no current key
		more, _ := propertiesOf(lock.Entry{Layout: template})
		properties = append(properties, more...)
	}
	for _, property := range entry.Properties {
		properties = append(properties, strings.ReplaceAll(strings.TrimPrefix(property.Pointer, "/"), "/", "."))
	}
	properties = append(properties, idProperty)
	for _, c := range calls {
		k := known{Call: c, does: named, finds: true}
		var err error
		switch o := operations.Named(c.Method); {
		case o != nil:
			k.does = o.Cost
			k.finds = o.Does == operations.Nothing && slices.Contains([]operations.Cost{operations.Read, operations.ReadMany, operations.Find}, o.Cost)
			k.knows = append(slices.Clone(key), idProperty)
		case c.Knows == nil:
			k.knows, err = byName(c.Method, properties, instants)
		}
		if c.Knows != nil {
			k.knows, err = c.Knows, check(c, "knows", c.Knows, properties)
		}
		if err == nil && c.Changes != nil {
			err = k.checkChanges(properties)
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

// propertiesOf returns the properties of a key, and the times among them. It returns none for a
// layout that does not parse.
func propertiesOf(entry lock.Entry) (all, instants []string) {
	key, _ := entry.Key()
	for _, c := range key.Components() {
		all = append(all, c.Property)
		if c.Layout != "" {
			instants = append(instants, c.Property)
		}
	}
	return all, instants
}

// check refuses unknown properties of a call. Field is their role.
func check(c Call, field string, named, properties []string) error {
	for _, property := range named {
		if slices.Contains(properties, property) {
			continue
		}
		advice := "use one of " + strings.Join(sorted(properties), ", ")
		if meant := spelling.Nearest(property, properties); meant != "" {
			advice = "write " + meant
		}
		return fmt.Errorf("method %s %s %s, which is no property of the type, its layouts or indexes: %s", plain.Word(c.Method), field, plain.Word(property), advice)
	}
	return nil
}

// checkChanges refuses unknown properties, and those of a method that changes no stored document.
func (k known) checkChanges(properties []string) error {
	switch k.does {
	case operations.Upsert, operations.UpsertEach, operations.Replace, operations.Update, operations.Patch, operations.Move:
		return check(k.Call, "changes", k.Changes, properties)
	}
	return fmt.Errorf("method %s changes no stored document: leave changes out, or name a method such as Update or Patch", plain.Word(k.Method))
}

// sorted returns words in order, without duplicates.
func sorted(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }

// between are the endings of query names for several periods.
var between = []string{"BetweenYears", "BetweenMonths", "BetweenDays", "BetweenHours", "Between"}

// byName returns the properties in the name of a query, such as ByDateAndVIN. A query for several
// periods also knows the times of the key.
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

// split splits a text into names of properties, with And between them.
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

// names returns the probable Go names of a property: of its path, and of its last name.
func names(property string) []string {
	all := []string{camel(property)}
	if i := strings.LastIndex(property, "."); i >= 0 {
		all = append(all, camel(property[i+1:]))
	}
	return all
}

// camel returns a name in camel case, with a capital first letter.
func camel(name string) string {
	var b strings.Builder
	for _, word := range goname.Words(name) {
		b.WriteString(goname.UpperFirst(word))
	}
	return b.String()
}

// unknown returns the error for an unknown method.
func unknown(method string, properties []string) error {
	var all []string
	for _, o := range operations.Operations {
		all = append(all, o.Name)
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
