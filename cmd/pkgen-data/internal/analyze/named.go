package analyze

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

const (
	mostNamed   = 1000 // documents whose properties are listed
	mostNames   = 1000 // properties
	deepestName = 4    // levels of objects
	// sinceYear is the number from which a number is probably a time: the year 2000.
	sinceYear = 946_684_800
)

// named lists the properties of the first documents of a sample, to correct misspelt names. The
// value tells whether the first value looks like a time.
type named struct {
	documents int
	all       map[string]bool
}

// add adds the properties of a document.
func (n *named) add(document []byte) {
	if n.documents++; n.documents > mostNamed {
		return
	}
	if n.all == nil {
		n.all = map[string]bool{}
	}
	n.object(document, "", deepestName)
}

func (n *named) object(text json.RawMessage, within string, depth int) {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return
	}
	for name, value := range object {
		path := within + name
		if _, known := n.all[path]; known || len(n.all) == mostNames || strings.Contains(name, ".") {
			continue
		}
		if value[0] == '{' && depth > 1 {
			n.object(value, path+".", depth-1)
			continue
		}
		seconds, ok := parseTime(value)
		n.all[path] = ok && (value[0] == '"' || seconds >= sinceYear)
	}
}

// Properties returns the properties of the first documents, with their names in layouts and without
// system properties. Times are the properties whose values look like times.
func (r *Report) Properties() (all, times []string) {
	for _, name := range slices.Sorted(maps.Keys(r.named.all)) {
		if !strings.HasPrefix(name, "_") {
			all = append(all, name)
		}
		if r.named.all[name] {
			times = append(times, name)
		}
	}
	return all, times
}

// Absent returns a property of the layout that no document has, so that none has a key, or "".
func (r *Report) Absent(l *Layout) string {
	for _, k := range l.Keyless {
		if _, known := r.named.all[k.Property]; l.Documents == 0 && k.Problem == layout.Missing.String() && !known {
			return k.Property
		}
	}
	return ""
}
