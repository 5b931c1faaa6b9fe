package migrate

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// rekeyer converts documents of the source to the destination. It is immutable, and safe for
// concurrent use.
type rekeyer struct {
	types    []target
	from, to [][]string    // the names in the partition key paths
	expiry   system.Expiry // of the source
}

// target is a type with its lock entry.
type target struct {
	entry  lock.Entry
	layout *layout.Layout
	random *layout.Set // for a layout with a random suffix, or nil
}

// newRekeyer returns the rekeyer of documents from one container to another one.
func newRekeyer(from, to *account.Container, types []lock.Entry) (*rekeyer, error) {
	r := &rekeyer{from: namesOf(from), to: namesOf(to), expiry: system.ExpiryOf(from.DefaultTTL)}
	for _, e := range types {
		l, err := layout.New(e)
		if err != nil {
			return nil, err
		}
		t := target{entry: e, layout: l}
		if e.Counts().Now > 0 && !e.Hashes() {
			t.random = layout.NewSet([]*layout.Layout{l})
		}
		r.types = append(r.types, t)
	}
	return r, nil
}

// document is a document in its form in the destination.
type document struct {
	id      string
	source  string // its partition key in the source, a JSON array
	key     string // its partition key in the destination, a JSON array
	body    []byte // without system properties; in the order of names
	place   uint64 // the hash of key and id
	sum     [2]uint64
	expires int64 // the second in which it expires, or 0
	kept    bool  // the source has the key in the same properties
}

// Refusal says why a document has no key in the destination. Its text has no value of
// the document.
type Refusal struct {
	Type     string `json:"type,omitempty"`
	Property string `json:"property,omitempty"`
	Problem  string `json:"problem"`
	Reason   string `json:"reason"`
	// Documents is how many there are, and IDs are a few of their ids.
	Documents int      `json:"documents"`
	IDs       []string `json:"ids"`
}

// The problems of documents besides those of [layout.Problem].
const (
	NoType    = "no-type"   // of none of the types, or of several
	Moving    = "moving"    // a document that moves to another key or container, or a mark that such a move has left
	Collision = "collision" // two documents of the source have one id and one key in the destination
)

// rekey converts a document of the source, at a second by the service's clock. A document that
// expires gets its remaining time to live.
func (r *rekeyer) rekey(raw json.RawMessage, now int64) (document, *Refusal) {
	return r.make(raw, now, false)
}

// summed is rekey with the checksum.
func (r *rekeyer) summed(raw json.RawMessage, now int64) (document, *Refusal) {
	return r.make(raw, now, true)
}

func (r *rekeyer) make(raw json.RawMessage, now int64, sum bool) (document, *Refusal) {
	var d document
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(raw, &properties); err != nil {
		return d, &Refusal{Problem: layout.NotObject.String(), Reason: "is not a JSON object: correct it"}
	}
	_ = json.Unmarshal(properties["id"], &d.id)
	d.source = arrayAt(properties, r.from)
	d.expires = r.expiry.At(properties[system.TTL], properties[system.TS])
	t, refusal := r.typeOf(properties, d.id)
	if refusal == nil {
		refusal = t.unmark(properties)
	}
	if refusal == nil {
		refusal = r.place(&d, t, raw, properties)
	}
	if refusal != nil {
		refusal.Documents, refusal.IDs = 1, []string{d.id}
		return d, refusal
	}
	ttl, own := properties[system.TTL]
	left := r.expiry.Left(ttl, properties[system.TS], time.Unix(now, 0))
	for _, name := range system.Fed {
		delete(properties, name)
	}
	if r.expiry != 0 {
		delete(properties, system.TTL)
	}
	if sum {
		d.sum = sumOf(d.place, properties)
	}
	switch {
	case left != nil:
		properties[system.TTL] = left
	case own:
		properties[system.TTL] = ttl
	}
	d.body = encode(properties)
	return d, nil
}

// unmark removes the mark of a document that has moved to its place. An item with another mark is
// not a document, or about to be none.
func (t *target) unmark(properties map[string]json.RawMessage) *Refusal {
	if slices.ContainsFunc(t.entry.Properties, func(p lock.Property) bool { return p.Pointer == "/"+marks.Property }) {
		return nil // the type's own property
	}
	switch m, err := marks.Parse(properties[marks.Property]); {
	case err != nil || m.State == marks.Unmarked:
	case m.State == marks.Final:
		delete(properties, marks.Property)
	default:
		return &Refusal{Type: t.entry.Type, Problem: Moving, Reason: "is moving to another key or container, or is left of such a move: call Rekey, or MoveAll, until no document is left, and not while pkgen-data migrate copies"}
	}
	return nil
}

// place determines the key of a document in the destination, and sets it in the properties.
func (r *rekeyer) place(d *document, t *target, raw json.RawMessage, properties map[string]json.RawMessage) *Refusal {
	key, err := t.key(raw, d)
	if err != nil {
		refusal := &Refusal{Type: t.entry.Type, Problem: layout.Refused.String(), Reason: "has no key"}
		var problem *layout.Error
		if errors.As(err, &problem) {
			refusal.Property, refusal.Problem, refusal.Reason = problem.Property, problem.Problem.String(), problem.Reason
		}
		return refusal
	}
	before := arrayAt(properties, r.to)
	values := make([]any, key.Len())
	for i := range values {
		values[i] = key.Value(i)
	}
	for i := range values {
		if values[i] == (partition.Undefined{}) {
			continue
		}
		value := encode(values[i])
		if !set(properties, r.to[i], value) {
			return &Refusal{
				Type: t.entry.Type, Property: strings.Join(r.to[i], "."), Problem: layout.OtherType.String(),
				Reason: "must be within an object, but the document has another value there: correct the document",
			}
		}
	}
	d.key = arrayAt(properties, r.to)
	d.kept = d.key == before
	d.place = placeOf(d.key, d.id)
	return nil
}

// key returns the key of a document of the type. If the document has no stored random suffix, it is
// derived from its id and its key in the source, so that it is the same each time.
func (t *target) key(raw json.RawMessage, d *document) (layout.Key, error) {
	key, err := t.layout.Key(raw)
	var problem *layout.Error
	if t.random == nil || !errors.As(err, &problem) || problem.Problem != layout.NoSuffix {
		return key, err
	}
	var read layout.Document
	if err := t.random.Read(raw, &read); err != nil {
		return key, err
	}
	n := placeOf(d.source, d.id) % uint64(t.entry.Counts().Now)
	return read.Bucket(0, int(n)+1)
}

// typeOf returns the type of a document, by its discriminator or by the prefix of its id.
func (r *rekeyer) typeOf(properties map[string]json.RawMessage, id string) (*target, *Refusal) {
	var said string
	_ = json.Unmarshal(properties["type"], &said)
	fit := r.those(func(t *target) bool { return said != "" && t.entry.Discriminator == said })
	if len(fit) == 0 {
		fit = r.those(func(t *target) bool { return t.entry.Discriminator == "" })
	}
	longest := 0
	for _, t := range fit {
		if strings.HasPrefix(id, t.entry.Prefix) {
			longest = max(longest, len(t.entry.Prefix))
		}
	}
	fit = slices.DeleteFunc(fit, func(t *target) bool { return !strings.HasPrefix(id, t.entry.Prefix) || len(t.entry.Prefix) < longest })
	if len(fit) != 1 {
		return nil, &Refusal{Problem: NoType, Reason: "matches none of the types, or several: name the types by -type, or the packages of the other types"}
	}
	return fit[0], nil
}

// those returns the matching types.
func (r *rekeyer) those(fit func(*target) bool) []*target {
	var some []*target
	for i := range r.types {
		if fit(&r.types[i]) {
			some = append(some, &r.types[i])
		}
	}
	return some
}
