package folder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime/debug"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Folder is an open folder. It is safe for concurrent use.
type Folder struct {
	file    string
	db      *bbolt.DB
	damaged []error // found when the file was opened
	ended   chan struct{}
	failed  chan struct{} // closed with the first failure

	mu       sync.Mutex
	changed  sync.Cond // with mu: queue, kept, err or closing have changed
	queue    []store.Change
	recorded uint64 // number of calls of Record
	kept     uint64 // number of these on disk
	err      error  // the first failure; nothing is stored after it
	closing  bool
}

// Other names in the file than those of tables.
const (
	tableFormat = "format"
	keyVersion  = "version"
	tableSums   = "sums"
)

// version is the version of the file format. The text also identifies our files.
const version = "pkgen emulator 1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is the checksum of a record.
func checksum(table string, key, value []byte) uint32 {
	sum := crc32.Update(0, castagnoli, []byte(table))
	sum = crc32.Update(sum, castagnoli, binary.BigEndian.AppendUint32(nil, uint32(len(key))))
	return crc32.Update(crc32.Update(sum, castagnoli, key), castagnoli, value)
}

// seal returns a value as stored: after its checksum.
func seal(table string, key, value []byte) []byte {
	sealed := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(value)), checksum(table, key, value))
	return append(sealed, value...)
}

// unseal returns the value of a stored record, and false if it is damaged.
func unseal(table string, key, sealed []byte) ([]byte, bool) {
	if len(sealed) < 4 {
		return nil, false
	}
	value := sealed[4:]
	return value, binary.BigEndian.Uint32(sealed) == checksum(table, key, value)
}

// tally is the number of a table's records, and the sum of their checksums.
type tally struct{ count, sum uint64 }

func (t *tally) add(sealed []byte) {
	t.count++
	t.sum += uint64(binary.BigEndian.Uint32(sealed))
}

func (t *tally) subtract(sealed []byte) {
	t.count--
	t.sum -= uint64(binary.BigEndian.Uint32(sealed))
}

func (t *tally) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, t.count), t.sum)
}

const tallyLength = 16

func tallyFrom(value []byte) tally {
	return tally{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])}
}

// tallyOf reads the tally of a table; false if it is damaged.
func tallyOf(tx *bbolt.Tx, table string) (t tally, ok bool) {
	value, ok := unseal(tableSums, []byte(table), tx.Bucket([]byte(tableSums)).Get([]byte(table)))
	if !ok || len(value) != tallyLength {
		return t, false
	}
	return tallyFrom(value), true
}

func setTally(tx *bbolt.Tx, table string, t tally) error {
	return tx.Bucket([]byte(tableSums)).Put([]byte(table), seal(tableSums, []byte(table), t.bytes()))
}

// File returns the path of the file.
func (f *Folder) File() string { return f.file }

// Each implements [store.Records].
func (f *Folder) Each(table string, visit func(key, value []byte), damaged func(error)) {
	for _, err := range f.damaged {
		damaged(err)
	}
	f.damaged = nil
	f.scan(table, func(_ string, key, _, value []byte) { visit(key, value) }, func(error) {}) // check has found it
}

// guard runs f. It turns a panic, by which bbolt reports a damaged page, and an access beyond
// the end of the mapped file, into an error.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a page cannot be read: %v", p)
		}
	}()
	return f()
}

// Record implements [store.Records].
func (f *Folder) Record(changes []store.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.recorded++
	if f.err == nil {
		f.queue = append(f.queue, changes...)
	}
	f.changed.Broadcast()
}

// errClosed is the failure of writes after Close.
var errClosed = errors.New("the data folder is closed")

// Settle implements [store.Records].
func (f *Folder) Settle() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for want := f.recorded; f.kept < want && f.err == nil; {
		f.changed.Wait()
	}
	return f.err
}

// Failed returns a channel that is closed when a change cannot be stored, for example because
// the disk is full. Nothing is stored from then on, and Settle returns the error.
func (f *Folder) Failed() <-chan struct{} { return f.failed }

// write stores the queue, one group after another, until Close.
func (f *Folder) write() {
	defer close(f.ended)
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		for f.kept == f.recorded && !f.closing {
			f.changed.Wait()
		}
		if f.err != nil {
			return
		}
		if f.kept == f.recorded {
			f.err = errClosed
			f.changed.Broadcast()
			return
		}
		group, upTo := f.queue, f.recorded
		f.queue = nil
		f.mu.Unlock()
		err := f.store(group)
		f.mu.Lock()
		if err != nil {
			f.err = fmt.Errorf("%s cannot be written: %w", f.file, err)
			close(f.failed)
		} else {
			f.kept = upTo
		}
		f.changed.Broadcast()
	}
}

// store makes the changes of a group in one transaction.
func (f *Folder) store(group []store.Change) error {
	return guard(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			tallies := map[string]*tally{}
			for _, change := range group {
				t := tallies[change.Table]
				if t == nil {
					was, ok := tallyOf(tx, change.Table)
					if !ok {
						return fmt.Errorf("the sum of table %s does not match its checksum", change.Table)
					}
					t = &was
					tallies[change.Table] = t
				}
				if err := apply(tx.Bucket([]byte(change.Table)), change, t); err != nil {
					return err
				}
			}
			for table, t := range tallies {
				if err := setTally(tx, table, *t); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// apply makes one change in the bucket of its table.
func apply(bucket *bbolt.Bucket, change store.Change, t *tally) error {
	if change.Value == nil {
		return removeAll(bucket, change.Key, t)
	}
	if old := bucket.Get(change.Key); old != nil {
		t.subtract(old)
	}
	sealed := seal(change.Table, change.Key, change.Value)
	t.add(sealed)
	return bucket.Put(change.Key, sealed)
}

// removeAll removes the records whose keys begin with prefix.
func removeAll(bucket *bbolt.Bucket, prefix []byte, t *tally) error {
	cursor := bucket.Cursor()
	for key, sealed := cursor.Seek(prefix); key != nil && bytes.HasPrefix(key, prefix); key, sealed = cursor.Seek(prefix) {
		t.subtract(sealed)
		if err := cursor.Delete(); err != nil {
			return err
		}
	}
	return nil
}

// Close stores the queue, and closes the file.
func (f *Folder) Close() error {
	if f.db == nil {
		return nil
	}
	f.mu.Lock()
	f.closing = true
	f.changed.Broadcast()
	f.mu.Unlock()
	if f.ended != nil {
		<-f.ended
	}
	return f.db.Close()
}
