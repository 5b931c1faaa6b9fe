package store

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"
)

// versionHead is the length of the record of a version without its document: its kind,
// whether it has expired, LSN, Previous, TS, and the seq of the document.
const versionHead = 2 + 4*8

func (c *Container) versionKey(v Version) []byte {
	return binary.BigEndian.AppendUint64(c.rid[:len(c.rid):len(c.rid)], v.number)
}

// keptVersion returns the record of a version.
func (c *Container) keptVersion(v Version) Change {
	value := make([]byte, 2, versionHead+len(v.Document.Raw))
	value[0] = byte(v.Kind)
	if v.Expired {
		value[1] = 1
	}
	for _, n := range []uint64{uint64(v.LSN), uint64(v.Previous), uint64(v.TS), v.Document.Seq} {
		value = binary.BigEndian.AppendUint64(value, n)
	}
	return Change{tableVersions, c.versionKey(v), append(value, v.Document.Raw...)}
}

// readVersion reads a record that keptVersion made. Versions come in their order.
func (r *restoring) readVersion(key, value []byte) error {
	c, err := r.owner(key, value, versionHead)
	if c == nil || !c.logs() {
		return err
	}
	field := func(i int) uint64 { return binary.BigEndian.Uint64(value[2+8*i:]) }
	v := Version{
		Kind: ActionKind(value[0]), Expired: value[1] == 1, LSN: int64(field(0)), Previous: int64(field(1)), TS: int64(field(2)),
		number: binary.BigEndian.Uint64(key[8:]),
	}
	written := v.LSN
	if v.Kind == Delete {
		written = v.Previous
	}
	d, err := r.document(c, field(3), written, slices.Clone(value[versionHead:]))
	if err != nil {
		return err
	}
	if now := c.find(d.Key, d.id); now != nil && now.LSN == d.LSN && bytes.Equal(now.Raw, d.Raw) {
		d = now // shares the text; a batch may have written the item before, too
	}
	v.Document = d
	second := v.TS // the fraction is not stored: an index gets it earlier, by less than a second
	if v.Expired {
		second = min(second, c.expiry(d))
	}
	v.at = time.Unix(second, 0).UnixNano()
	in := c.rangeOf(d.Key.EPK)
	in.versions = append(in.versions, v)
	c.nextVersion = v.number
	return nil
}

// switchVersions handles an account whose option to keep all versions was turned on or off
// since the last start. The feed then begins anew, since the changes in between are unknown.
func (c *Container) switchVersions(before bool) {
	switch {
	case c.KeepsVersions() == before:
	case before && c.logs(): // the indexes need the versions
	case before:
		c.record(Change{Table: tableVersions, Key: c.rid})
	default:
		for _, r := range c.Ranges {
			r.forgotten = r.LSN
			c.record(c.keptRange(r))
		}
	}
}
