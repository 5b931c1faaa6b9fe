package verify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
)

// values matches documents with unique properties with the reservations of their values. Documents
// come in any order. A claim without a counterpart so far is kept, about 300 bytes each, usually
// for half of them.
type values struct {
	judge     *Judge
	container *account.Container
	open      map[string][]claim // by the id of the reservation
	hidden    []claim
	broken    []claim
}

// claim says that a document has a value, according to the document or to a reservation.
type claim struct {
	reservation bool
	typ         string
	property    string
	id, key     string // of the document; key is a JSON array
	problem     string // why the reservation is broken
}

// hasUnique reports whether a type of the container has unique properties.
func (j *Judge) hasUnique() bool {
	return slices.ContainsFunc(j.types, func(t judged) bool { return t.entry.Unique != "" })
}

// has reports whether a document has a property other than null.
func has(properties map[string]json.RawMessage, name string) bool {
	value := properties[name]
	return value != nil && string(value) != "null"
}

// system returns the property of package reservation that identifies a document of its protocol, or
// "" for a document of a type. A type without unique properties may have properties of these names;
// its documents are not mended.
func (j *Judge) system(properties map[string]json.RawMessage) string {
	switch {
	case !j.hasUnique():
	case has(properties, reservation.Property) && strings.HasPrefix(textOf(properties[idProperty]), reservation.IDPrefix):
		return reservation.Property
	case has(properties, reservation.PendingProperty) && slices.ContainsFunc(j.typesOf(properties), func(t *judged) bool { return t.entry.Unique != "" }):
		return reservation.PendingProperty
	}
	return ""
}

// take adds a stored document.
func (v *values) take(document json.RawMessage) {
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(document, &properties) // the service stores only objects
	c := claim{id: textOf(properties[idProperty]), key: v.container.KeyOf(document)}
	switch v.judge.system(properties) {
	case reservation.Property:
		holder, err := reservation.HolderOf(properties[reservation.Property])
		c.typ, c.property = v.judge.uniqueType(holder.Type), holder.Property
		if err != nil {
			c.problem = err.Error()
			v.broken = append(v.broken, c)
			return
		}
		id := c.id
		c.reservation, c.id, c.key = true, holder.ID, arrayOf(holder.Key)
		v.match(id, c)
	case reservation.PendingProperty:
		c.typ = v.judge.uniqueType("")
		if types := v.judge.typesOf(properties); len(types) > 0 {
			c.typ = types[0].entry.Type
		}
		v.hidden = append(v.hidden, c)
	default:
		for id, of := range v.judge.reservationsOf(properties) {
			c.typ, c.property = of.typ, of.property
			v.match(id, c)
		}
	}
}

// match stores a claim, or removes its counterpart.
func (v *values) match(id string, c claim) {
	known := v.open[id]
	i := slices.IndexFunc(known, func(k claim) bool {
		return k.reservation != c.reservation && k.id == c.id && sameKey(k.key, c.key)
	})
	switch {
	case i < 0:
		v.open[id] = append(known, c)
	case len(known) == 1:
		delete(v.open, id)
	default:
		v.open[id] = slices.Delete(known, i, i+1)
	}
}

// uniqueType returns the name of a type with unique properties: name, if it is one.
func (j *Judge) uniqueType(name string) string {
	first := ""
	for _, t := range j.types {
		switch {
		case t.entry.Unique == "":
		case t.entry.Type == name:
			return name
		case first == "":
			first = t.entry.Type
		}
	}
	return first
}

// ofType is the property of a type.
type ofType struct{ typ, property string }

// reservationsOf returns the ids of the reservations that a document requires.
func (j *Judge) reservationsOf(properties map[string]json.RawMessage) map[string]ofType {
	all := map[string]ofType{}
	for _, t := range j.typesOf(properties) {
		if t.entry.Unique == "" {
			continue
		}
		for name := range strings.SplitSeq(t.entry.Unique, ",") {
			if text, err := reservation.TextOf(properties[name]); err == nil && text != "" {
				all[reservation.IDOf(t.entry.Discriminator, name, text)] = ofType{t.entry.Type, name}
			}
		}
	}
	return all
}

// arrayOf returns the key in a reservation as a JSON array.
func arrayOf(key json.RawMessage) string {
	if len(key) > 0 && key[0] == '[' {
		return string(key)
	}
	return "[" + string(key) + "]"
}

// sameKey reports whether two keys, as JSON arrays, are equal to Cosmos DB.
func sameKey(a, b string) bool {
	if a == b {
		return true
	}
	var left, right []any
	return json.Unmarshal([]byte(a), &left) == nil && json.Unmarshal([]byte(b), &right) == nil && slices.Equal(left, right)
}

// ageOf returns the age of a stored document.
func ageOf(document json.RawMessage, now time.Time) time.Duration {
	var stamp struct {
		TS int64 `json:"_ts"`
	}
	if json.Unmarshal(document, &stamp) != nil || stamp.TS == 0 {
		return 0
	}
	return now.Sub(time.Unix(stamp.TS, 0))
}

// finding returns a finding about a claim.
func (c claim) finding(name, reason string) Finding {
	return Finding{Name: name, Property: c.property, Reason: reason, Documents: 1, Examples: []Example{{ID: c.id, Stored: json.RawMessage(c.key)}}}
}

// other describes the conflicting document.
func (c claim) other() string {
	return fmt.Sprintf("shares its value with id %q under %s", c.id, c.key)
}
