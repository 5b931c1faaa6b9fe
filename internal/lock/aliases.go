package lock

import (
	"slices"
	"strings"
)

// Aliased is a property that old documents have under other names, the newest first.
type Aliased struct {
	Name    string
	Aliases []string
}

// AliasedProperties returns the properties that old documents have under other names.
func (e Entry) AliasedProperties() []Aliased {
	if e.Aliases == "" {
		return nil
	}
	var all []Aliased
	for item := range strings.SplitSeq(e.Aliases, ",") {
		aliases, name, _ := strings.Cut(item, "=") // an alias has no equals sign, and no name a comma
		all = append(all, Aliased{Name: name, Aliases: strings.Split(aliases, "+")})
	}
	return all
}

// AliasesOf returns the Aliases of an entry.
func AliasesOf(all []Aliased) string {
	items := make([]string, len(all))
	for i, p := range all {
		items[i] = strings.Join(p.Aliases, "+") + "=" + p.Name
	}
	return strings.Join(items, ",")
}

// isAliases reports whether a word is an Entry.Aliases.
func isAliases(word string) bool {
	for item := range strings.SplitSeq(word, ",") {
		aliases, name, found := strings.Cut(item, "=")
		if !found || name == "" || slices.Contains(strings.Split(aliases, "+"), "") {
			return false
		}
	}
	return true
}
