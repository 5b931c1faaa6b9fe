package lock

import (
	"slices"
	"strings"
)

// FormerName is a property that old documents have under other names, the newest first.
type FormerName struct {
	Name   string
	Former []string
}

// FormerNames returns the properties that old documents have under other names.
func (e Entry) FormerNames() []FormerName {
	if e.Former == "" {
		return nil
	}
	var all []FormerName
	for item := range strings.SplitSeq(e.Former, ",") {
		former, name, _ := strings.Cut(item, "=") // a former name has no equals sign, and no name a comma
		all = append(all, FormerName{Name: name, Former: strings.Split(former, "+")})
	}
	return all
}

// FormerOf returns the Former of an entry.
func FormerOf(all []FormerName) string {
	items := make([]string, len(all))
	for i, p := range all {
		items[i] = strings.Join(p.Former, "+") + "=" + p.Name
	}
	return strings.Join(items, ",")
}

// isFormer reports whether a word is an Entry.Former.
func isFormer(word string) bool {
	for item := range strings.SplitSeq(word, ",") {
		former, name, found := strings.Cut(item, "=")
		if !found || name == "" || slices.Contains(strings.Split(former, "+"), "") {
			return false
		}
	}
	return true
}
