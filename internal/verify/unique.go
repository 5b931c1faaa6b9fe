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

// values compares documents of types with unique properties with the reservations of
// their values. Documents come in any order: what has no counterpart yet is kept, about
// 300 bytes for each, which is half of all at most times.
type values struct {
	judge     *Judge
	container *account.Container
	open      map[string][]claim // by ids of reservations
	hidden    []claim
	broken    []claim
}

// claim says that a document has a value: the document itself, or a reservation.
type claim struct {
	reservation bool
	typ         string
	property    string
	id, key     string // of the document; the key is a JSON array
	problem     string // of a broken reservation
}

// hasUnique reports whether a type of the container has unique properties.
func (j *Judge) hasUnique() bool {
	return slices.ContainsFunc(j.types, func(t judged) bool { return t.entry.Unique != "" })
}

// has reports whether a document has a property that is not null.
func has(properties map[string]json.RawMessage, name string) bool {
	value := properties[name]
	return value != nil && string(value) != "null"
}

// system returns which document of the protocol of unique values a document is: one of
// the properties of package reservation, or "" for one of a type. Documents of other types
// may have properties of these names, and are not mended.
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

// take takes a document as it is stored.
func (v *values) take(document json.RawMessage) {
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(document, &properties) // the service stores objects alone
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

// match keeps a claim, or removes its counterpart.
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

// uniqueType returns the name of a type with unique properties: this one, if it is one.
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

// reservationsOf returns the ids of the reservations that a document must have.
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

// sameKey reports whether two keys, as JSON arrays, are one to Cosmos DB.
func sameKey(a, b string) bool {
	if a == b {
		return true
	}
	var left, right []any
	return json.Unmarshal([]byte(a), &left) == nil && json.Unmarshal([]byte(b), &right) == nil && slices.Equal(left, right)
}

// ageOf returns how old a stored document is.
func ageOf(document json.RawMessage, now time.Time) time.Duration {
	var stamp struct {
		TS int64 `json:"_ts"`
	}
	if json.Unmarshal(document, &stamp) != nil || stamp.TS == 0 {
		return 0
	}
	return now.Sub(time.Unix(stamp.TS, 0))
}

// finding returns what is wrong with a claim.
func (c claim) finding(name, reason string) Finding {
	return Finding{Name: name, Property: c.property, Reason: reason, Documents: 1, Examples: []Example{{ID: c.id, Stored: json.RawMessage(c.key)}}}
}

// other says which document is in the way of one.
func (c claim) other() string {
	return fmt.Sprintf("shares its value with id %q under %s", c.id, c.key)
}
