package verify

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Report is what was found in a container. It is what pkgen-data verify -format json prints.
type Report struct {
	Database  string  `json:"database"`
	Container string  `json:"container"`
	Documents int     `json:"documents"`    // that were read, without the marks of moves
	Charge    float64 `json:"requestUnits"` // that reading cost
	// Share is how much of the key space was read, from 0 to 1: 1 is everything.
	Share float64 `json:"share"`
	// Stopped says that the budget ended the reading early.
	Stopped bool `json:"stopped"`
	// Settings are differences between the container and the lock.
	Settings []Setting `json:"settings"`
	Types    []OfType  `json:"types"` // by name
	// Others is how many documents belong to none of the types.
	Others int `json:"others"`
	// Moves is how many marks of moves there are, which are no documents: of documents and of
	// tenants that have moved to another key or container, and copies that do not count yet.
	Moves int `json:"moves,omitempty"`
	// Reservations is how many reservations of unique values there are, and Hidden how many
	// documents wait for theirs. Uncompared says that the budget was spent before the
	// reservations were compared with documents.
	Reservations int  `json:"reservations,omitempty"`
	Hidden       int  `json:"hidden,omitempty"`
	Uncompared   bool `json:"uncompared,omitempty"`
}

// Setting is a setting of a container that differs.
type Setting struct {
	Name string `json:"name"` // "path", "kind", "version" or "ttl"
	Want string `json:"want"` // by the lock
	Have string `json:"have"`
}

// OfType is what was found in the documents of a type.
type OfType struct {
	Type      string    `json:"type"`
	Layout    string    `json:"layout"`
	Documents int       `json:"documents"`
	Findings  []Finding `json:"findings"`
	// Absent counts the documents that lack a property that the type has, by its JSON
	// pointer. Go leaves out a property with omitempty, so that is no finding.
	Absent map[string]int `json:"absent,omitempty"`
	// Moving counts the documents that are stored under another number of buckets than
	// new ones are, which the lock knows.
	Moving int `json:"moving,omitempty"`
	// Unchecked counts the documents whose key only Go can make.
	Unchecked int `json:"unchecked"`
	// Unwritten counts documents without the property of an index that is "later": writing it
	// is what is left to do before there is the index.
	Unwritten []Unwritten `json:"unwritten,omitempty"`
}

// Unwritten is the property of an index that documents lack.
type Unwritten struct {
	Index     string `json:"index"`
	Property  string `json:"property"`
	Documents int    `json:"documents"`
	Mended    int    `json:"mended,omitempty"` // of these documents
}

// The names of findings.
const (
	WrongKey     = "wrong-key"     // stored under another key than the properties make
	NoKey        = "no-key"        // the properties make no key
	BadID        = "bad-id"        // an id that generated code refuses, perhaps by its prefix
	PropertyType = "property-type" // a property of another JSON type than Go writes, or a number that Go cannot read

	// WrongContainer is of a document that is in another container than its properties
	// name, or whose properties name none.
	WrongContainer = "wrong-container"

	// The following are of types with indexes.

	StaleIndex = "stale-index"  // the property for an index is not what its components make
	NoIndexKey = "no-index-key" // the properties make no key in an index

	// The following are of types with unique properties.

	NotUnique       = "not-unique"       // another document has the value
	NoReservation   = "no-reservation"   // a value that nothing keeps others from
	LeftReservation = "left-reservation" // of a value that its document does not have, longer than writes take
	LeftHidden      = "left-hidden"      // a document that was never shown, for longer than writes take
	BadReservation  = "bad-reservation"  // one that names no document
)

// Finding is something that is wrong with documents.
type Finding struct {
	Name      string    `json:"name"`
	Index     string    `json:"index,omitempty"`    // that it is about
	Property  string    `json:"property,omitempty"` // as layouts name it, or a JSON pointer
	Problem   string    `json:"problem,omitempty"`  // a [layout.Problem], or the JSON type that the property has; of an index also "stale" or "null"
	Reason    string    `json:"reason,omitempty"`   // of the first document
	Documents int       `json:"documents"`
	Mended    int       `json:"mended,omitempty"` // of these documents
	Examples  []Example `json:"examples"`         // a few
}

// Example is a document with something wrong.
type Example struct {
	ID     string          `json:"id"`
	Stored json.RawMessage `json:"stored,omitempty"` // the key that the document lies under, or its property for an index
	Made   json.RawMessage `json:"made,omitempty"`   // the key that its properties make, the id of the container that they name, or the text for an index
	Reason string          `json:"reason,omitempty"` // unless it is that of the finding
}

// mostExamples is the maximum number of examples of a finding.
const mostExamples = 5

// Findings counts the findings that are not mended, and the differing settings.
func (r *Report) Findings() int {
	n := len(r.Settings)
	for _, t := range r.Types {
		for _, f := range t.Findings {
			if f.Mended < f.Documents {
				n++
			}
		}
	}
	return n
}

// Add adds the findings of other documents of the same container.
func (r *Report) Add(other *Report) {
	r.Documents += other.Documents
	r.Others += other.Others
	r.Moves += other.Moves
	r.Reservations += other.Reservations
	r.Hidden += other.Hidden
	for _, t := range other.Types {
		i := slices.IndexFunc(r.Types, func(known OfType) bool { return known.Type == t.Type })
		if i < 0 {
			r.Types = append(r.Types, OfType{Type: t.Type, Layout: t.Layout, Findings: []Finding{}})
			i = len(r.Types) - 1
		}
		r.Types[i].add(t)
	}
	slices.SortFunc(r.Types, func(a, b OfType) int { return strings.Compare(a.Type, b.Type) })
}

// add adds the findings of other documents of the same type.
func (t *OfType) add(other OfType) {
	t.Documents += other.Documents
	t.Moving += other.Moving
	t.Unchecked += other.Unchecked
	for pointer, n := range other.Absent {
		t.lacks(pointer, n)
	}
	for _, u := range other.Unwritten {
		t.lacksIndexed(u)
	}
	for _, f := range other.Findings {
		t.find(f)
	}
	slices.SortFunc(t.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Index, b.Index), strings.Compare(a.Property, b.Property), strings.Compare(a.Problem, b.Problem))
	})
}

// fits reports whether a document fits this type better than another: fewer findings, or fewer
// missing properties.
func (t *OfType) fits(other OfType) bool {
	if n, m := len(t.Findings), len(other.Findings); n != m {
		return n < m
	}
	return len(t.Absent) < len(other.Absent)
}

// lacks counts documents without a property.
func (t *OfType) lacks(pointer string, n int) {
	if t.Absent == nil {
		t.Absent = map[string]int{}
	}
	t.Absent[pointer] += n
}

// lacksIndexed counts documents without the property of an index.
func (t *OfType) lacksIndexed(u Unwritten) {
	i := slices.IndexFunc(t.Unwritten, func(known Unwritten) bool { return known.Index == u.Index })
	if i < 0 {
		i, _ = slices.BinarySearchFunc(t.Unwritten, u.Index, func(known Unwritten, index string) int { return strings.Compare(known.Index, index) })
		t.Unwritten = slices.Insert(t.Unwritten, i, u)
		return
	}
	t.Unwritten[i].Documents += u.Documents
	t.Unwritten[i].Mended += u.Mended
}

// find counts a finding.
func (t *OfType) find(f Finding) {
	i := slices.IndexFunc(t.Findings, func(known Finding) bool {
		return known.Name == f.Name && known.Index == f.Index && known.Property == f.Property && known.Problem == f.Problem
	})
	if i < 0 {
		f.Examples = slices.Clone(f.Examples)
		t.Findings = append(t.Findings, f)
		return
	}
	known := &t.Findings[i]
	known.Documents += f.Documents
	known.Mended += f.Mended
	for _, e := range f.Examples {
		if len(known.Examples) == mostExamples {
			return
		}
		if e.Reason == "" {
			e.Reason = f.Reason
		}
		if e.Reason == known.Reason {
			e.Reason = ""
		}
		known.Examples = append(known.Examples, e)
	}
}
