package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// fileName is the name of the file in the folder. A new file has the second name until it is
// complete.
const (
	fileName    = "emulator.db"
	newFileName = "emulator.db.new"
)

// lockTime is how long Open waits for another process to end.
const lockTime = time.Second

// Open opens a folder for a server, and creates it if it does not exist. It fails if another
// process uses the folder, or if the folder has files but no databases. If the file is damaged,
// making a server with the folder fails. The caller closes the folder after the server has
// ended.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	file := filepath.Join(dir, fileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := create(dir); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	return open(file)
}

// options of the file. The list of free pages is not stored, but computed when the file is
// opened.
func options(readOnly bool) *bbolt.Options {
	return &bbolt.Options{Timeout: lockTime, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, ReadOnly: readOnly}
}

// create makes the file of a folder, which must be empty.
func create(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() != newFileName {
			return fmt.Errorf("%s has no %s, and it is not empty: it holds %s; name an empty folder", dir, fileName, entry.Name())
		}
	}
	unfinished := filepath.Join(dir, newFileName)
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	db, err := bbolt.Open(unfinished, 0o600, options(false))
	if err != nil {
		return err
	}
	if err := errors.Join(db.Update(createTables), db.Close()); err != nil {
		return err
	}
	if err := os.Rename(unfinished, filepath.Join(dir, fileName)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// createTables makes the tables of a new file.
func createTables(tx *bbolt.Tx) error {
	for _, name := range append(store.Tables(), tableFormat, tableSums) {
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	for _, table := range store.Tables() {
		if err := setTally(tx, table, tally{}); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(tableFormat)).Put([]byte(keyVersion), seal(tableFormat, []byte(keyVersion), []byte(version)))
}

// syncFolder makes the names in a folder durable, if the system can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // not every system can synchronize a folder
	return d.Close()
}

// open opens an existing file, after reading all of it. If the file is damaged, it is never
// written, and Each reports the damage.
func open(file string) (*Folder, error) {
	f := &Folder{file: file, failed: make(chan struct{})}
	f.changed.L = &f.mu
	if err := f.openFile(true); err != nil { // which locks it
		if errors.Is(err, bolterrors.ErrTimeout) || errors.Is(err, fs.ErrPermission) {
			return nil, f.inUse(err)
		}
		f.damaged = append(f.damaged, err)
	}
	transaction := f.check()
	if f.db != nil {
		if err := f.db.Close(); err != nil {
			return nil, err
		}
		f.db = nil
	}
	if len(f.damaged) > 0 {
		return f, nil
	}
	if err := f.openFile(false); err != nil {
		return nil, f.inUse(err)
	}
	// In between, another process may have locked it.
	if now, err := f.lastMeta(); err != nil || now.transaction != transaction {
		return nil, errors.Join(f.inUse(bolterrors.ErrTimeout), err, f.db.Close())
	}
	f.ended = make(chan struct{})
	go f.write()
	return f, nil
}

// openFile opens the file with bbolt.
func (f *Folder) openFile(readOnly bool) error {
	return guard(func() error {
		db, err := bbolt.Open(f.file, 0o600, options(readOnly))
		if err == nil {
			f.db = db
		}
		return err
	})
}

// inUse explains why bbolt cannot open a file for this process.
func (f *Folder) inUse(err error) error {
	if errors.Is(err, bolterrors.ErrTimeout) {
		return fmt.Errorf("%s is in use by another process: stop that one, or name another folder", f.file)
	}
	return err
}

// lastMeta reads the newer of the first two pages.
func (f *Folder) lastMeta() (meta, error) {
	file, err := os.Open(f.file)
	if err != nil {
		return meta{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return readMetas(file)
}

// check finds the damage of a file, and returns the number of its last transaction.
func (f *Folder) check() (transaction uint64) {
	tallies := map[string]*tally{}
	for _, table := range store.Tables() {
		tallies[table] = &tally{}
	}
	wanted := map[string]tally{}
	format := ""
	last := f.scan("", func(table string, key, sealed, value []byte) {
		switch {
		case table == tableFormat && string(key) == keyVersion:
			format = string(value)
		case table == tableSums && len(value) == tallyLength:
			wanted[string(key)] = tallyFrom(value)
		case tallies[table] != nil:
			tallies[table].add(sealed)
		default:
			f.damaged = append(f.damaged, fmt.Errorf("table %s is unknown", table))
		}
	}, func(err error) { f.damaged = append(f.damaged, err) })
	if format != version && len(f.damaged) == 0 {
		f.damaged = append(f.damaged, fmt.Errorf("its format is %q, and this program reads %q", format, version))
	}
	for _, table := range store.Tables() {
		if want, ok := wanted[table]; !ok || want != *tallies[table] {
			f.damaged = append(f.damaged, fmt.Errorf("table %s has %d whole records, and had %d when it was written", table, tallies[table].count, want.count))
		}
	}
	return last.transaction
}

// scan reads the undamaged records of a table, or of all tables if only is empty, without
// bbolt.
func (f *Folder) scan(only string, visit func(table string, key, sealed, value []byte), damaged func(error)) meta {
	file, err := os.Open(f.file)
	if err != nil {
		damaged(err)
		return meta{}
	}
	defer func() { _ = file.Close() }() // it was only read
	last, err := readMetas(file)
	if err != nil {
		damaged(err)
	}
	if last.pages == 0 {
		return last
	}
	p := &pages{file: file, meta: last, only: only, used: map[uint64]bool{}, damaged: damaged}
	p.visit = func(table string, key, sealed []byte) {
		value, ok := unseal(table, key, sealed)
		if !ok {
			damaged(fmt.Errorf("record %x of table %s does not match its checksum", key, table))
			return
		}
		visit(table, key, sealed, value)
	}
	p.read("", last.root, bounds{})
	return last
}
