package store

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
)

// Links name a resource by its id or, as the property _self does, by its resource id. If a
// name is the id of one resource and the resource id of another, the id wins.

// databaseOf returns the database that a link names, or nil. The caller holds the lock of
// the account.
func (a *Account) databaseOf(name string) *Database {
	if d, ok := a.databases.get(name); ok {
		return d
	}
	for _, d := range a.databases.byID {
		if d.RID() == name {
			return d
		}
	}
	return nil
}

// containerOf returns the container that a link names, or nil.
func (d *Database) containerOf(name string) *Container {
	if c, ok := d.containers.get(name); ok {
		return c
	}
	for _, c := range d.containers.byID {
		if c.RID() == name {
			return c
		}
	}
	return nil
}

// ItemID returns the id of the item that a link names. If no item with the key has that
// resource id, the name is the id.
func (c *Container) ItemID(k *Key, name string) string {
	seq, ok := c.Seq(name)
	if !ok {
		return name
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	for d := range c.DocumentsOf(k).After(seq - 1) {
		if d.Seq == seq {
			return d.id
		}
		if d.Seq > seq {
			break
		}
	}
	return name
}

// Seq returns the seq of the document with a resource id, whether it exists or not. It returns
// false for any other text.
func (c *Container) Seq(rid string) (uint64, bool) {
	b, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(rid, "-", "/"))
	if err != nil || len(b) != len(c.rid)+8 || !slices.Equal(b[:len(c.rid)], c.rid) {
		return 0, false
	}
	seq := binary.LittleEndian.Uint64(b[len(c.rid):])
	return seq, seq > 0 && seq>>56 == 0 // see rangeRID
}

// Owner returns the path, by escaped ids, and the resource id of the container that the links
// name, or of the database if containerName is empty. Both results are empty if there is no
// such owner.
func (a *Account) Owner(databaseName, containerName string) (path, rid string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	d := a.databaseOf(databaseName)
	if d == nil {
		return "", ""
	}
	if containerName == "" {
		return d.address, d.ridText
	}
	c := d.containerOf(containerName)
	if c == nil {
		return "", ""
	}
	return c.address, c.ridText
}
