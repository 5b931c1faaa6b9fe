package store

import (
	"errors"
	"io"
	"time"
)

// importing is a container that is being read from a file. The account does not have it yet,
// and records its documents in groups. Until the last group, a mark says that the container is
// incomplete, and Restore ignores its documents.
type importing struct {
	account   *Account
	container *Container // nil for a database without containers
	changes   []Change   // not recorded yet
	bytes     int        // of changes
	marked    bool
	ends      bool // whether the file must have a last line
}

// groupBytes is the size of a group of records. It bounds the memory that they take.
const groupBytes = 4 << 20

// read creates the documents of a file, and returns their number.
func (i *importing) read(lines *lineReader, now time.Time) (documents int, err error) {
	for {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF) && i.ends:
			return documents, errCut
		case errors.Is(err, io.EOF):
			return documents, nil
		case err == nil && isTail(line):
			i.ends = false
			continue
		case err == nil && i.container == nil:
			err = errors.New("the first line has no container for documents")
		case err == nil:
			err = i.create(line, now)
		}
		if err != nil {
			return documents, err
		}
		documents++
	}
}

// create creates one document.
func (i *importing) create(line []byte, now time.Time) error {
	c := i.container
	k, in, err := c.readLine(line)
	if err != nil {
		return err
	}
	err = c.Transact(k, now, false, func(t *Transaction) error {
		done, err := t.Perform(&Action{Kind: Create, Key: k, ID: in.ID, Incoming: in})
		if err == nil && i.account.records != nil {
			i.add(c.keptDocument(done.Document))
			for _, v := range t.Range.versionsFrom(t.lsn) {
				i.add(c.keptVersion(v))
			}
		}
		return err
	})
	if err == nil && i.bytes >= groupBytes {
		err = i.record()
	}
	return err
}

func (i *importing) add(change Change) {
	i.changes = append(i.changes, change)
	i.bytes += len(change.Key) + len(change.Value)
}

// record records a group that is not the last, and waits until it is stored.
func (i *importing) record() error {
	if !i.marked {
		i.marked = true
		i.changes = append(i.changes, Change{tableUnfinished, i.container.rid, []byte{}})
	}
	i.account.record(i.changes...)
	i.changes, i.bytes = nil, 0
	return i.account.Settle()
}

// end records the last group.
func (i *importing) end() {
	if i.marked {
		i.changes = append(i.changes, Change{Table: tableUnfinished, Key: i.container.rid})
	}
	i.account.record(i.changes...)
}

// undo removes the records of an import that failed.
func (i *importing) undo() {
	if i.marked {
		i.account.record(removal(i.container.rid)...)
	}
}
