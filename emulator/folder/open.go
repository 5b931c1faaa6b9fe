package folder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// fileName is the name of the file in the folder. A new file has the second name until it
// is whole.
const (
	fileName    = "emulator.db"
	newFileName = "emulator.db.new"
)

// lockTime is how long Open waits for another process to end.
const lockTime = time.Second

// Open opens a folder for a server, and creates it if it does not exist. It fails if another
// process uses the folder, or if the folder holds files but no databases. A damaged file is
// an error of the server that is made with the folder. The caller closes the folder after
// the server has ended.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
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

// options of the file. The list of free pages is not stored: it is made from the pages that
// are in use, when the file is opened.
func options() *bbolt.Options {
	return &bbolt.Options{Timeout: lockTime, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType}
}

// create makes the file of a folder, in which there must be nothing else.
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
	db, err := bbolt.Open(unfinished, 0o644, options())
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		format, err := tx.CreateBucket(bucketFormat)
		if err != nil {
			return err
		}
		if err := format.Put(keyVersion, []byte(version)); err != nil {
			return err
		}
		if _, err := tx.CreateBucket(bucketSums); err != nil {
			return err
		}
		for _, table := range store.Tables() {
			if _, err := tx.CreateBucket([]byte(table)); err != nil {
				return err
			}
			if err := setTally(tx, table, tally{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(unfinished, filepath.Join(dir, fileName)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes the names in a folder durable, where the system can do that.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // not every system can synchronize a folder
	return d.Close()
}

// open opens a file that exists. It reads all of it first, without the means to write. If
// the file is damaged, the folder stays so, and Each tells the damage.
func open(file string) (*Folder, error) {
	f := &Folder{file: file}
	f.changed.L = &f.mu
	err := f.openFile(true)
	if err != nil {
		f.damaged = append(f.damaged, err)
		return f, notDamage(file, err)
	}
	transaction := f.check()
	if len(f.damaged) > 0 {
		return f, nil
	}
	// bbolt looks for free pages when it opens a file for writing, and a damaged page ends
	// the process there.
	if err := f.db.Close(); err != nil {
		return nil, err
	}
	if err := f.openFile(false); err != nil {
		return nil, errors.Join(notDamage(file, err), err)
	}
	if f.check() != transaction {
		return nil, errors.Join(inUse(file), f.db.Close())
	}
	f.ended = make(chan struct{})
	go f.write()
	return f, nil
}

// openFile opens the file. bbolt keeps another one that is damaged open.
func (f *Folder) openFile(readOnly bool) error {
	o := options()
	o.ReadOnly = readOnly
	return guard(func() error {
		db, err := bbolt.Open(f.file, 0o644, o)
		if err == nil {
			f.db = db
		}
		return err
	})
}

// notDamage returns an error if the reason for which a file cannot be opened is not the file.
func notDamage(file string, err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return inUse(file)
	case errors.Is(err, fs.ErrPermission):
		return err
	}
	return nil
}

func inUse(file string) error {
	return fmt.Errorf("%s is in use by another process: stop that one, or name another folder", file)
}

// check finds the damage of a file, and returns the number of its last transaction.
func (f *Folder) check() int {
	transaction := 0
	damaged := func(err error) {
		if err != nil {
			f.damaged = append(f.damaged, err)
		}
	}
	damaged(f.checkMeta())
	damaged(f.checkVersion())
	for _, table := range store.Tables() {
		f.read(table, func(_, _ []byte) {}, damaged)
	}
	damaged(guard(func() error {
		return f.db.View(func(tx *bbolt.Tx) error {
			transaction = tx.ID()
			return nil
		})
	}))
	return transaction
}

// checkVersion fails unless the file is of this format.
func (f *Folder) checkVersion() error {
	return guard(func() error {
		return f.db.View(func(tx *bbolt.Tx) error {
			format := tx.Bucket(bucketFormat)
			if format == nil {
				return errors.New("it is not a file of pkgen emulator")
			}
			if got := string(format.Get(keyVersion)); got != version {
				return fmt.Errorf("its format is %q, and this program reads %q", got, version)
			}
			return nil
		})
	})
}

// Places in the two meta pages of a file of bbolt (internal/common/meta.go there). A page
// has a header; all numbers are in the byte order of the machine.
const (
	pageHeader  = 16
	metaMagic   = 0xED0CDAED
	metaLength  = 64
	maxPageSize = 64 << 10
)

// checkMeta fails unless both meta pages are whole, and the file as long as the newer one
// says. bbolt is content with one of them: it goes on with the transaction before the last.
func (f *Folder) checkMeta() error {
	file, err := os.Open(f.file)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	first, err := readMeta(file, 0)
	if err != nil {
		return fmt.Errorf("its first page is damaged: %w", err)
	}
	second, err := readMeta(file, int64(first.pageSize))
	if err != nil {
		return fmt.Errorf("its second page is damaged: %w", err)
	}
	if need := int64(max(first.pages, second.pages)) * int64(first.pageSize); info.Size() < need {
		return fmt.Errorf("it ends after %d bytes, and had at least %d", info.Size(), need)
	}
	return nil
}

type meta struct {
	pageSize uint32
	pages    uint64
}

func readMeta(f *os.File, at int64) (meta, error) {
	var m meta
	b := make([]byte, metaLength)
	if _, err := f.ReadAt(b, at+pageHeader); err != nil {
		return m, err
	}
	order := binary.NativeEndian
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaLength-8]) // it never fails
	if order.Uint32(b) != metaMagic || order.Uint64(b[metaLength-8:]) != sum.Sum64() {
		return m, errors.New("its checksum is wrong")
	}
	m.pageSize, m.pages = order.Uint32(b[8:]), order.Uint64(b[40:])
	if m.pageSize == 0 || m.pageSize > maxPageSize || m.pages > 1<<40 {
		return m, errors.New("its sizes are wrong")
	}
	return m, nil
}
