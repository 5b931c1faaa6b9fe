package stored

import (
	"bytes"
	"maps"
	"slices"

	"go.etcd.io/bbolt"
)

// fileName is the name of the file in the data folder of an emulator.
const fileName = "emulator.db"

// contents are the records of a data folder, as they are in its file: by table and key, each
// with its checksum. The file itself is a few of them in pages of 4 KB.
type contents map[string]map[string][]byte

// contentsOf reads the file of a folder that no emulator uses.
func contentsOf(file string) (c contents, err error) {
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it was only read
	c = contents{}
	return c, db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, table *bbolt.Bucket) error {
			c[string(name)] = map[string][]byte{}
			return table.ForEach(func(key, value []byte) error {
				c[string(name)][string(key)] = bytes.Clone(value)
				return nil
			})
		})
	})
}

// write makes the file.
func (c contents) write(file string) error {
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for name, records := range c {
			table, err := tx.CreateBucket([]byte(name))
			if err != nil {
				return err
			}
			for key, value := range records {
				if err := table.Put([]byte(key), value); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if failed := db.Close(); err == nil {
		err = failed
	}
	return err
}

// change is a record that was stored, or was removed if its value is nil.
type change struct {
	table, key string
	value      []byte
}

// since returns what was changed since before, in a fixed order.
func (c contents) since(before contents) []change {
	var list []change
	for _, table := range slices.Sorted(maps.Keys(c)) {
		for _, key := range slices.Sorted(maps.Keys(before[table])) {
			if c[table][key] == nil {
				list = append(list, change{table, key, nil})
			}
		}
		for _, key := range slices.Sorted(maps.Keys(c[table])) {
			if was, is := before[table][key], c[table][key]; was == nil || !bytes.Equal(was, is) {
				list = append(list, change{table, key, is})
			}
		}
	}
	return list
}

// with returns the contents after changes.
func (c contents) with(changes []change) contents {
	out := contents{}
	for table, records := range c {
		out[table] = maps.Clone(records)
	}
	for _, ch := range changes {
		switch {
		case ch.value == nil:
			delete(out[ch.table], ch.key)
		case out[ch.table] == nil:
			out[ch.table] = map[string][]byte{ch.key: ch.value}
		default:
			out[ch.table][ch.key] = ch.value
		}
	}
	return out
}
