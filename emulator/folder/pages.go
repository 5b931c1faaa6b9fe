package folder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// Offsets in a file of bbolt 1 (its internal/common: meta.go, page.go, inode.go, bucket.go).
// All numbers are in the byte order of the machine. A page is a header, elements, and the keys
// and values to which these point.
const (
	pageHeader    = 16
	elementLength = 16
	bucketLength  = 16
	metaMagic     = 0xED0CDAED
	metaLength    = 64
	maxPageSize   = 64 << 10

	branchPage = 0x01
	leafPage   = 0x02
	isBucket   = 0x01
)

var order = binary.NativeEndian

// meta is the content of one of the first two pages.
type meta struct {
	pageSize                 uint32
	root, pages, transaction uint64
}

// readMetas reads the first two pages and returns the newer one. It fails unless both are
// valid, and the file is as long as the newer one says. bbolt accepts one invalid page, and
// resumes with the transaction before the last.
func readMetas(file *os.File) (meta, error) {
	first, err := readMeta(file, 0)
	if err != nil {
		return first, fmt.Errorf("its first page is damaged: %w", err)
	}
	second, err := readMeta(file, int64(first.pageSize))
	if err != nil {
		return first, fmt.Errorf("its second page is damaged: %w", err)
	}
	if second.transaction > first.transaction {
		first = second
	}
	info, err := file.Stat()
	if err != nil {
		return first, err
	}
	if need := int64(first.pages) * int64(first.pageSize); info.Size() < need {
		return first, fmt.Errorf("it ends after %d bytes, and had at least %d", info.Size(), need)
	}
	return first, nil
}

func readMeta(file io.ReaderAt, at int64) (meta, error) {
	var m meta
	b := make([]byte, metaLength)
	if _, err := file.ReadAt(b, at+pageHeader); err != nil {
		return m, err
	}
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaLength-8]) // it never fails
	if order.Uint32(b) != metaMagic || order.Uint64(b[metaLength-8:]) != sum.Sum64() {
		return m, errors.New("its checksum is wrong")
	}
	m = meta{order.Uint32(b[8:]), order.Uint64(b[16:]), order.Uint64(b[40:]), order.Uint64(b[48:])}
	if m.pageSize < pageHeader+metaLength || m.pageSize > maxPageSize || m.pages > 1<<40 {
		return m, errors.New("its sizes are wrong")
	}
	return m, nil
}

// pages reads all used pages, without bbolt, which trusts them: a damaged page can end the
// process, or make it loop.
type pages struct {
	file    io.ReaderAt
	meta    meta
	only    string // the table to read, or all
	used    map[uint64]bool
	visit   func(table string, key, sealed []byte)
	damaged func(error)
}

// bounds are the keys that a page may have: at least low, and below high unless it is nil.
type bounds struct{ low, high []byte }

func (b bounds) hold(key []byte) bool {
	return bytes.Compare(key, b.low) >= 0 && (b.high == nil || bytes.Compare(key, b.high) < 0)
}

// read reads a page and those below it. The table is empty for the page of tables.
func (p *pages) read(table string, id uint64, within bounds) {
	if err := p.readPage(table, id, within); err != nil {
		p.damaged(fmt.Errorf("page %d: %w", id, err))
	}
}

var errPage = errors.New("its header is damaged")

func (p *pages) readPage(table string, id uint64, within bounds) error {
	if id < 2 || id >= p.meta.pages || p.used[id] {
		return errors.New("it does not exist, or is used twice")
	}
	size := int64(p.meta.pageSize)
	header := make([]byte, pageHeader)
	if _, err := p.file.ReadAt(header, int64(id)*size); err != nil {
		return err
	}
	more := uint64(order.Uint32(header[12:]))
	if order.Uint64(header) != id || more >= p.meta.pages-id {
		return errPage
	}
	for i := range more + 1 {
		if p.used[id+i] {
			return errors.New("it is used twice")
		}
		p.used[id+i] = true
	}
	b := make([]byte, int64(more+1)*size)
	if _, err := p.file.ReadAt(b, int64(id)*size); err != nil {
		return err
	}
	end, err := p.readElements(table, b, within)
	if err == nil && (int64(end)+size-1)/size != int64(more+1) {
		return errPage
	}
	return err
}

// readElements reads the elements of a page, and returns where the last one ends.
func (p *pages) readElements(table string, b []byte, within bounds) (end int, err error) {
	count, kind := int(order.Uint16(b[10:])), order.Uint16(b[8:])
	if kind != branchPage && kind != leafPage || kind == branchPage && count == 0 || pageHeader+count*elementLength > len(b) {
		return 0, errPage
	}
	end = pageHeader + count*elementLength
	var keys [][]byte
	for i := range count {
		at := pageHeader + i*elementLength
		e := b[at : at+elementLength]
		// pos and ksize come first in a branch page, after the flags in a leaf page.
		from, keySize, valueSize := uint64(order.Uint32(e)), uint64(order.Uint32(e[4:])), uint64(0)
		if kind == leafPage {
			from, keySize, valueSize = keySize, uint64(order.Uint32(e[8:])), uint64(order.Uint32(e[12:]))
		}
		from += uint64(at)
		if from != uint64(end) || from+keySize+valueSize > uint64(len(b)) {
			return 0, errPage
		}
		end = int(from + keySize + valueSize)
		key := b[from : from+keySize]
		if !within.hold(key) || i > 0 && bytes.Compare(keys[i-1], key) >= 0 {
			return 0, errors.New("its keys are not in order")
		}
		keys = append(keys, key)
		if kind == leafPage {
			p.readLeaf(table, order.Uint32(e), key, b[from+keySize:end])
		}
	}
	if kind == branchPage {
		for i, key := range keys {
			below := bounds{key, within.high}
			if i+1 < count {
				below.high = keys[i+1]
			}
			p.read(table, order.Uint64(b[pageHeader+i*elementLength+8:]), below)
		}
	}
	return end, nil
}

// readLeaf reads one element of a leaf page: a record or, in the page of tables, a table.
func (p *pages) readLeaf(table string, flags uint32, key, value []byte) {
	switch {
	case flags&^isBucket != 0 || (flags&isBucket != 0) != (table == "") || table == "" && len(value) < bucketLength:
		p.damaged(fmt.Errorf("element %x of table %q is damaged", key, table))
	case table != "":
		p.visit(table, key, value)
	case p.only == "" || p.only == string(key):
		if root := order.Uint64(value); root != 0 {
			p.read(string(key), root, bounds{})
			return
		}
		inline := value[bucketLength:] // a small table is a page without a number
		if len(inline) < pageHeader {
			p.damaged(fmt.Errorf("table %q is damaged", key))
			return
		}
		if _, err := p.readElements(string(key), inline, bounds{}); err != nil {
			p.damaged(fmt.Errorf("table %q: %w", key, err))
		}
	}
}
