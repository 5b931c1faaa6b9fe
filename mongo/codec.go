package mongo

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// codec encodes documents of type T as BSON and decodes them.
type codec[T any] struct {
	typ       string
	id        string // the name of the id in T
	shard     string // the shard key: a name, or a path such as "meta.site"
	shardPath []string
	synthetic bool   // whether the shard key is written by the codec
	version   string // the name of the version, "" if there is none
}

// unversioned is the version of a document without one: another program has written it, or it
// predates its type's versions. Writes never store it. A write on this condition finds the
// document while it has no version, so that of two such writes one is refused.
const unversioned = "unversioned"

func newCodec[T any, K generated.Key](m *generated.Model[T, K]) (codec[T], error) {
	c := codec[T]{typ: m.Type, id: "id", shard: api.PropertyOf(m.Path), synthetic: m.Synthetic}
	if p := m.Properties; p != nil {
		c.id, c.version = p.ID, p.ETag
	}
	if c.version == "" && m.Ambiguous {
		c.version = "_etag" // so that a write can be on condition
	}
	c.shard = c.name(c.shard)
	c.shardPath = strings.Split(c.shard, ".")
	switch {
	case c.shard == "":
		return c, fmt.Errorf("%s: the model has no partition key path", c.typ)
	case c.synthetic && strings.Contains(c.shard, "."):
		return c, fmt.Errorf("%s: the shard key %s is written by the run time, and cannot be in a nested document", c.typ, c.shard)
	}
	return c, nil
}

// name returns the stored name of a document's property.
func (c *codec[T]) name(property string) string {
	if property == c.id {
		return "_id"
	}
	return property
}

// encode returns the stored form of doc at a place, with a version unless that is "".
func (c *codec[T]) encode(at api.Place, doc *T, version string) (bson.Raw, error) {
	var b bytes.Buffer
	e := bson.NewEncoder(bson.NewDocumentWriter(&b))
	e.SetRegistry(registry)
	e.UseJSONStructTags()
	if err := e.Encode(doc); err != nil {
		return nil, c.refused(doc, err)
	}
	elements, err := bson.Raw(b.Bytes()).Elements()
	if err != nil {
		return nil, shown(&documents.FieldError{Type: c.typ, Reason: "it is not written as a BSON document", Err: err})
	}
	out := make([]byte, 4, b.Len()+len(at.ID)+len(at.Partition)+len(version)+len(c.shard)+len(c.version)+32)
	out = appendString(out, "_id", at.ID)
	for _, element := range elements {
		switch name := element.Key(); {
		case name == "_id", name == c.id, name == c.version, c.synthetic && name == c.shard:
		default:
			out = append(out, element...)
		}
	}
	if c.synthetic {
		out = appendString(out, c.shard, at.Partition)
	}
	if version != "" {
		out = appendString(out, c.version, version)
	}
	raw := end(out)
	if !c.synthetic {
		if text, ok := lookup(raw, c.shardPath...); !ok || text != at.Partition {
			return nil, shown(&documents.FieldError{Type: c.typ, Property: c.shard, Reason: "it is not stored as the text of the partition key: give the field's type a MarshalText that returns it"})
		}
	}
	return raw, nil
}

// shown returns an error whose text callers see: it contains no value.
func shown(e *documents.FieldError) error { return failure.Trusted(e) }

// lookup returns the text at a path of names.
func lookup(raw bson.Raw, path ...string) (string, bool) {
	v := raw.Lookup(path...)
	return v.StringValueOK()
}

// decode returns a stored document. The id of the document in BSON is "_id", whatever its name
// in T.
func (c *codec[T]) decode(raw bson.Raw) (s api.Stored[T], err error) {
	var ok bool
	if s.Place.ID, ok = lookup(raw, "_id"); !ok {
		return s, shown(&documents.FieldError{Type: c.typ, Property: "_id", Reason: "a stored document has no text as its _id: other programs must write the id there"})
	}
	if s.Place.Partition, ok = lookup(raw, c.shardPath...); !ok {
		return s, shown(&documents.FieldError{Type: c.typ, Property: c.shard, Reason: "a stored document has no text as its shard key: other programs must write the partition key there"})
	}
	if c.version != "" {
		if s.Version, _ = lookup(raw, c.version); s.Version == "" {
			s.Version = unversioned
		}
	}
	if c.id != "_id" {
		if raw, err = renamed(raw, c.id); err != nil {
			return s, shown(&documents.FieldError{Type: c.typ, Reason: "a stored document is damaged", Err: err})
		}
	}
	d := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(raw)))
	d.SetRegistry(registry)
	d.UseJSONStructTags()
	s.Doc = new(T)
	if err := d.Decode(s.Doc); err != nil {
		e := &documents.FieldError{Type: c.typ, Reason: "a stored value does not fit the field's Go type", Err: err}
		var at *bson.DecodeError
		if errors.As(err, &at) {
			e.Property = strings.Join(at.Keys(), ".")
		}
		return s, shown(e)
	}
	return s, nil
}

// first is the beginning of a document, after its length, whose first property is a text named
// _id. Servers put the _id there.
var first = append([]byte{byte(bson.TypeString)}, "_id\x00"...)

// renamed returns a document with another name for its _id.
func renamed(raw bson.Raw, id string) (bson.Raw, error) {
	if len(raw) > 4+len(first) && bytes.Equal(raw[4:4+len(first)], first) && raw.Lookup(id).IsZero() {
		out := make([]byte, 5, len(raw)+len(id))
		out[4] = raw[4]
		out = append(append(out, id...), raw[4+len("x_id"):len(raw)-1]...)
		return end(out), nil
	}
	elements, err := raw.Elements()
	if err != nil {
		return nil, err
	}
	out := make([]byte, 4, len(raw)+len(id))
	for _, element := range elements {
		switch element.Key() {
		case "_id":
			out = append(append(append(out, element[0]), id...), element[len("x_id"):]...)
		case id:
		default:
			out = append(out, element...)
		}
	}
	return end(out), nil
}

// appendString appends an element of a document: a BSON string (bsonspec.org).
func appendString(out []byte, name, value string) []byte {
	out = append(append(append(out, byte(bson.TypeString)), name...), 0)
	n := len(value) + 1
	out = append(out, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	return append(append(out, value...), 0)
}

// end ends a document whose first four bytes are free for its length.
func end(out []byte) bson.Raw {
	out = append(out, 0)
	n := len(out)
	out[0], out[1], out[2], out[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	return out
}

// same reports whether two documents are equal, in any order of their properties, since Go's
// maps are unordered.
func same(a, b bson.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	as, err := a.Elements()
	if err != nil {
		return false
	}
	bs, err := b.Elements()
	if err != nil || len(as) != len(bs) {
		return false
	}
	for _, element := range as {
		v, w := element.Value(), b.Lookup(element.Key())
		if v.Type != w.Type {
			return false
		}
		inner, document := v.DocumentOK()
		if v.Type == bson.TypeArray {
			inner, document = bson.Raw(v.Value), true // an array is a document with the names 0, 1, …
		}
		if document && !same(inner, bson.Raw(w.Value)) || !document && !bytes.Equal(v.Value, w.Value) {
			return false
		}
	}
	return true
}
