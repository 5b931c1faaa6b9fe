package store

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// document returns a document from its record, and keeps raw. It decodes only the properties
// that the container needs: 100,000 documents take a second.
func (r *restoring) document(c *Container, seq uint64, lsn int64, raw []byte) (d *Document, err error) {
	reader := r.readers[c]
	if reader == nil {
		reader = &value.Reader{Names: map[string]bool{"id": true, "ttl": true, "_rid": true, "_ts": true}, Reuse: true}
		for _, path := range c.Paths {
			reader.Names[path[0]] = true
		}
		r.readers[c] = reader
	}
	defer func() {
		if recover() != nil { // the reader trusts the text, and panics if the store did not write it
			delete(r.readers, c)
			d, err = nil, errors.New("it is not a JSON object")
		}
	}()
	content := reader.Read(raw)
	if content.Kind() != value.Object {
		return nil, errors.New("it is not a JSON object")
	}
	id, rid, written, ttl := content.Get("id"), content.Get("_rid"), content.Get("_ts"), content.Get("ttl")
	d = &Document{Seq: seq, LSN: lsn, Raw: raw, id: id.Text(), TS: int64(written.Float())}
	if err := checkID(d.id, true); err != nil {
		return nil, err
	}
	if rid.Text() != ridText(childRID(c.rid, seq)) {
		return nil, fmt.Errorf("its resource id is %q", rid.Text())
	}
	if !bytes.Contains(raw, etagMember) {
		return nil, errors.New("it has no entity tag")
	}
	if ttl.Kind() != value.Undefined {
		if d.ttl, err = parseTTL(ttl.JSON()); err != nil {
			return nil, err
		}
	}
	d.Key, err = c.keyIn(content)
	return d, err
}

// keyIn reads the key out of a document.
func (c *Container) keyIn(document value.Value) (*Key, error) {
	components := make([]any, len(c.Paths))
	for i, path := range c.Paths {
		switch v := valueAt(document, path); v.Kind() {
		case value.Undefined:
			components[i] = partition.Undefined{}
		case value.Null:
		case value.Bool:
			components[i] = v.Bool()
		case value.Number:
			components[i] = v.Float()
		case value.String:
			components[i] = v.Text()
		default:
			return nil, fmt.Errorf("the value of %s in its partition key: %w", c.key.Paths[i], errNotScalar)
		}
	}
	k, err := newKey(components)
	if err != nil {
		return nil, err
	}
	if p := c.partitions[k.Text]; p != nil {
		return p.key, nil
	}
	return c.NewKey(components)
}
