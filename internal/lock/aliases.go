package lock

import (
	"slices"
	"strings"
)

// Aliased is a property with its other names in documents of other releases, newest first.
type Aliased struct {
	Name    string
	Aliases []string
}

// AliasedProperties returns the properties with other names in documents of other releases: names
// of the next release before earlier ones.
func (e Entry) AliasedProperties() []Aliased {
	all := aliased(e.Aliases)
	for _, next := range aliased(e.NextNames) {
		i := slices.IndexFunc(all, func(a Aliased) bool { return a.Name == next.Name })
		if i < 0 {
			all = append(all, next)
			continue
		}
		all[i].Aliases = slices.Concat(next.Aliases, all[i].Aliases)
	}
	return all
}

// FormerProperties returns the properties that had other names in earlier releases.
func (e Entry) FormerProperties() []Aliased { return aliased(e.Aliases) }

// NextProperties returns the properties with another name in the next release.
func (e Entry) NextProperties() []Aliased { return aliased(e.NextNames) }

// aliased parses an Entry.Aliases.
func aliased(word string) []Aliased {
	if word == "" {
		return nil
	}
	var all []Aliased
	for item := range strings.SplitSeq(word, ",") {
		aliases, name, _ := strings.Cut(item, "=") // an alias has no equals sign, and a name no comma
		all = append(all, Aliased{Name: name, Aliases: strings.Split(aliases, "+")})
	}
	return all
}

// AliasesOf returns the Entry.Aliases for properties.
func AliasesOf(all []Aliased) string {
	items := make([]string, len(all))
	for i, p := range all {
		items[i] = strings.Join(p.Aliases, "+") + "=" + p.Name
	}
	return strings.Join(items, ",")
}

// isAliases reports whether a word is a legal Entry.Aliases.
func isAliases(word string) bool {
	for item := range strings.SplitSeq(word, ",") {
		aliases, name, found := strings.Cut(item, "=")
		if !found || name == "" || slices.Contains(strings.Split(aliases, "+"), "") {
			return false
		}
	}
	return true
}
