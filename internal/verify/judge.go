package verify

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
)

// Judge judges the documents of a container's types. It is safe for concurrent use.
type Judge struct {
	// Mend makes Container mend reservations of unique values, documents that were never shown, and
	// properties for indexes.
	Mend bool

	types []judged
}

// judged is a type to judge.
type judged struct {
	entry  lock.Entry
	layout *layout.Layout
	keys   *layout.Layout   // does not check ids
	others []*layout.Layout // layouts of other numbers of buckets, under which documents may be stored; without ids
	// elsewhere is set if the container's partition key path differs from the layout's, so that
	// keys cannot be compared.
	elsewhere bool
	// containers says which container a document belongs to, if that depends on the document, and
	// in is the judged container; otherwise containers is nil. own are the tenants' own containers,
	// or nil.
	containers *layout.Containers
	own        *layout.Containers
	in         string
	// indexed are the properties that the run time writes for indexes.
	indexed []indexed
}

// New returns the judge of the types of one container. It returns an error if pkgen cannot have
// written the entries.
func New(entries []lock.Entry) (*Judge, error) {
	j := &Judge{}
	for _, e := range entries {
		l, err := layout.New(e)
		if err != nil {
			return nil, err
		}
		t := judged{entry: e, layout: l, keys: l.WithoutID()}
		if e.Placed() {
			if t.containers, err = layout.ContainersOf(e); err != nil {
				return nil, err
			}
		}
		if t.own, err = layout.OwnContainersOf(e); err != nil {
			return nil, err
		}
		if t.indexed, err = indexedOf(e); err != nil {
			return nil, err
		}
		for _, other := range e.Others() {
			l, err := layout.New(other)
			if err != nil {
				return nil, err
			}
			t.others = append(t.others, l.WithoutID())
		}
		j.types = append(j.types, t)
	}
	return j, nil
}

// Settings returns the differences between a container and the one that its types need.
func (j *Judge) Settings(c *account.Container) []Setting {
	e := j.types[0].entry
	all := []Setting{}
	compare := func(name, want, have string) {
		if want != have {
			all = append(all, Setting{name, want, have})
		}
	}
	compare("path", e.Path, orNone(strings.Join(c.PartitionKey.Paths, ",")))
	compare("kind", e.Kind, cmp.Or(c.PartitionKey.Kind, "Hash")) // old containers omit it
	compare("version", fmt.Sprint(e.Version), fmt.Sprint(max(c.PartitionKey.Version, 1)))
	ttl := ""
	if c.DefaultTTL != nil {
		ttl = fmt.Sprint(*c.DefaultTTL)
	}
	compare("ttl", orNone(e.TTL), orNone(ttl))
	return all
}

// of returns a judge for a container, which does not compare keys if the container has another
// path.
func (j *Judge) of(c *account.Container) *Judge {
	other := &Judge{types: slices.Clone(j.types)}
	for i := range other.types {
		t := &other.types[i]
		t.elsewhere = t.entry.Path != strings.Join(c.PartitionKey.Paths, ",")
		t.in = c.ID
		if t.own != nil && c.ID != t.entry.Container {
			t.containers = t.own
		}
	}
	return other
}

// orNone returns the text of an optional setting.
func orNone(setting string) string {
	if setting == "" {
		return "none"
	}
	return setting
}

// Documents judges documents.
func (j *Judge) Documents(documents []json.RawMessage) *Report {
	r := &Report{}
	for _, d := range documents {
		found, _ := j.document(d)
		r.Add(found)
	}
	return r
}

// moveProperty is the property of fences and tombstones of moved tenants, which are documents of no
// type (see repository/internal/tenancy).
const moveProperty = "_pkgenMove"

// typeProperty distinguishes the types of documents in a shared container.
const typeProperty = "type"

// document judges one document. The verdict is nil if the document belongs to no type.
func (j *Judge) document(document json.RawMessage) (*Report, *verdict) {
	r := &Report{Documents: 1}
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(document, &properties) // the service stores only objects
	switch j.system(properties) {
	case reservation.Property:
		r.Reservations++
		return r, nil
	case reservation.PendingProperty:
		r.Hidden++
		return r, nil
	}
	if _, moves := properties[moveProperty]; moves {
		return &Report{Moves: 1}, nil
	}
	best := j.best(document, properties)
	if best == nil {
		r.Others++
		return r, nil
	}
	r.Types = []OfType{best.OfType}
	return r, best
}

// best judges a document by its best-fitting type; nil if it belongs to none.
func (j *Judge) best(document json.RawMessage, properties map[string]json.RawMessage) *verdict {
	types := j.typesOf(properties)
	var best *verdict
	for _, t := range types {
		if found := t.judge(document, properties, len(types)-1); best == nil || found.fits(best.OfType) {
			best = found
		}
	}
	return best
}

// judge judges a document of the type. Others is the number of other types that it may have.
func (t *judged) judge(document json.RawMessage, properties map[string]json.RawMessage, others int) *verdict {
	found := &verdict{OfType: OfType{Type: t.entry.Type, Layout: t.layout.String(), Documents: 1}}
	id := textOf(properties[idProperty])
	t.key(document, id, &found.OfType)
	t.container(document, id, &found.OfType)
	t.properties(properties, id, &found.OfType)
	if len(t.indexed) > 0 {
		t.indexes(document, properties, t.leaves(document, properties, others), found)
	}
	return found
}

// typesOf returns the types that a document may have. There are several if neither a property nor
// the prefix of the id distinguishes them, which is possible across packages.
func (j *Judge) typesOf(properties map[string]json.RawMessage) []*judged {
	said := textOf(properties[typeProperty])
	var fit []*judged
	for i := range j.types {
		if t := &j.types[i]; t.entry.Discriminator == said && said != "" {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 {
		for i := range j.types {
			if t := &j.types[i]; t.entry.Discriminator == "" {
				fit = append(fit, t)
			}
		}
	}
	id := textOf(properties[idProperty])
	longest := 0
	for _, t := range fit {
		if strings.HasPrefix(id, t.entry.Prefix) {
			longest = max(longest, len(t.entry.Prefix))
		}
	}
	if longest == 0 {
		return fit
	}
	return slices.DeleteFunc(fit, func(t *judged) bool { return len(t.entry.Prefix) != longest || !strings.HasPrefix(id, t.entry.Prefix) })
}

// textOf returns the text of a JSON string, or "".
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// findingOf converts a problem of a document to a finding.
func findingOf(name string, problem *layout.Error, example Example) Finding {
	return Finding{Name: name, Property: problem.Property, Problem: problem.Problem.String(), Reason: problem.Reason, Documents: 1, Examples: []Example{example}}
}

// idProperty is the item id.
const idProperty = "id"

// key checks the id of a document, and compares its key with the stored one.
func (t *judged) key(document json.RawMessage, id string, found *OfType) {
	example := Example{ID: id}
	stored, storedErr := t.layout.Stored(document)
	if storedErr == nil && !t.elsewhere {
		example.Stored = stored.JSON()
	}
	var problem *layout.Error
	made, err := t.layout.Key(document)
	if errors.As(err, &problem) && problem.Property == idProperty {
		found.find(findingOf(BadID, problem, example))
		made, err = t.keys.Key(document)
	}
	switch {
	case err == nil && (t.elsewhere || storedErr == nil && made == stored):
	case !t.elsewhere && storedErr == nil && t.moves(document, stored):
		found.Moving++
	case err == nil:
		example.Made = made.JSON()
		f := Finding{Name: WrongKey, Documents: 1, Examples: []Example{example}}
		if errors.As(storedErr, &problem) {
			f = findingOf(WrongKey, problem, example)
		}
		found.find(f)
	case !errors.As(err, &problem) || problem.Property == idProperty: // reported before
	case problem.Problem == layout.OnlyInGo:
		found.Unchecked++
	default:
		found.find(findingOf(NoKey, problem, example))
	}
}

// container compares a document's container with the one that its properties name.
func (t *judged) container(document json.RawMessage, id string, found *OfType) {
	if t.containers == nil {
		return
	}
	made, err := t.containers.ID(document)
	var problem *layout.Error
	switch {
	case err == nil && made == t.in:
	case err == nil:
		name, _ := json.Marshal(made) // a string always marshals
		found.find(Finding{Name: WrongContainer, Documents: 1, Examples: []Example{{ID: id, Made: name}}})
	case errors.As(err, &problem) && problem.Problem == layout.OnlyInGo:
		found.Unchecked++
	case errors.As(err, &problem):
		found.find(findingOf(WrongContainer, problem, Example{ID: id}))
	}
}

// moves reports whether a document is stored under another number of buckets than new documents
// are.
func (t *judged) moves(document json.RawMessage, stored layout.Key) bool {
	return slices.ContainsFunc(t.others, func(l *layout.Layout) bool {
		key, err := l.Key(document)
		return err == nil && key == stored
	})
}

// properties compares the types of a document's properties with those that Go writes.
func (t *judged) properties(properties map[string]json.RawMessage, id string, found *OfType) {
	objects := map[string]map[string]json.RawMessage{"": properties}
	for _, p := range t.entry.Properties {
		parent := jsonpointer.Parent(p.Pointer)
		object, known := objects[parent]
		if !known {
			continue // the outer object is absent, or has another type
		}
		names := jsonpointer.Names(p.Pointer)
		if len(names) == 1 && t.writes(names[0]) {
			continue // it has findings of its own
		}
		value, there := object[names[len(names)-1]]
		if !there {
			found.lacks(p.Pointer, 1)
			continue
		}
		switch have := layout.JSONType(value); {
		case have == "null" || p.JSON == "any": // a nil pointer, slice or map is null
		case have != p.JSON:
			found.find(Finding{
				Name: PropertyType, Property: p.Pointer, Problem: have, Reason: fmt.Sprintf("is of JSON type %s, but Go writes %s", have, articled[p.JSON]),
				Documents: 1, Examples: []Example{{ID: id}},
			})
		case have == "number" && !p.Holds(string(value)):
			found.find(Finding{
				Name: PropertyType, Property: p.Pointer, Problem: have, Reason: fmt.Sprintf("is a number that does not fit the Go type %s", p.Number),
				Documents: 1, Examples: []Example{{ID: id}},
			})
		case have == "object":
			var inner map[string]json.RawMessage
			_ = json.Unmarshal(value, &inner) // p is within an object
			objects[p.Pointer] = inner
		}
	}
}

// articled are the JSON types of a lock, in sentences.
var articled = map[string]string{"string": "a string", "number": "a number", "boolean": "a boolean", "object": "an object", "array": "an array"}
