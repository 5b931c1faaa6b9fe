package store

import (
	"encoding/binary"
	"encoding/json"
	"time"
)

// Records store an account, so that it survives the process. They are safe for concurrent use.
type Records interface {
	// Each calls visit with each record of a table, in the order of the keys, and damaged for
	// each part that cannot be read. Neither may keep its arguments.
	Each(table string, visit func(key, value []byte), damaged func(error))
	// Record stores a group of changes: a later read sees all of them or none. Groups take
	// effect in the order of the calls. Record does not wait.
	Record(changes []Change)
	// Settle waits until all changes recorded before the call are stored.
	Settle() error
	// File is the name of the file, for messages.
	File() string
}

// Tables of records. Keys are resource ids as bytes. The key of a database is a prefix of the
// keys of all its resources.
const (
	tableAccount   = "account"   // one record
	tableDatabases = "databases" // by database
	tableOffers    = "offers"    // by offer
	tableContainer = "containers"
	tableRanges    = "ranges"    // by container and number of the range
	tableNext      = "next"      // by container: the highest seq of a document so far; of an index also its position
	tableDocuments = "documents" // by container and seq
	tableVersions  = "versions"  // by container, in the order of the changes

	tableUnfinished = "unfinished" // by container: documents of a container that is being imported
)

// Tables returns the names of all tables, owners first.
func Tables() []string {
	return []string{tableAccount, tableDatabases, tableOffers, tableContainer, tableRanges, tableNext, tableDocuments, tableVersions, tableUnfinished}
}

// Change stores a record, and replaces an earlier one with its key. If Value is nil, it
// removes all records whose keys begin with Key.
type Change struct {
	Table      string
	Key, Value []byte
}

type accountRecord struct {
	Serverless bool `json:"serverless"`
	// AllVersions says that containers keep all versions.
	AllVersions bool `json:"allVersions,omitempty"`
}

type databaseRecord struct {
	Order int             `json:"order"` // of the creation
	ID    string          `json:"id"`
	ETag  string          `json:"etag"`
	Offer string          `json:"offer,omitempty"`
	Text  json.RawMessage `json:"text"`
}

type containerRecord struct {
	Order        int             `json:"order"`
	ID           string          `json:"id"`
	ETag         string          `json:"etag"`
	Key          KeyDefinition   `json:"key"`
	Unique       json.RawMessage `json:"unique,omitempty"`
	Offer        string          `json:"offer,omitempty"`
	NextRange    int             `json:"nextRange"`
	RangeVersion int             `json:"rangeVersion"`
	Text         json.RawMessage `json:"text"`
	Index        *indexRecord    `json:"index,omitempty"`
}

// indexRecord is the record of the derivation of an index.
type indexRecord struct {
	Source  []byte    `json:"source"` // resource id of the container
	ID      string    `json:"id"`     // of the source, as the client sent it
	Query   string    `json:"query"`  // the definition
	Created time.Time `json:"created"`
	Built   bool      `json:"built"`
}

type offerRecord struct {
	Order    int        `json:"order"`
	Owner    string     `json:"owner"`
	Resource string     `json:"resource"`
	Settings Throughput `json:"settings"`
	Highest  int        `json:"highest"`
	ETag     string     `json:"etag"`
	TS       time.Time  `json:"ts"`
}

type rangeRecord struct {
	ID        string   `json:"id"`
	Min       string   `json:"min"`
	Max       string   `json:"max"`
	Parents   []string `json:"parents,omitempty"`
	Created   int      `json:"created"`
	LSN       int64    `json:"lsn"`
	Forgotten int64    `json:"forgotten,omitempty"`
}

// record passes changes on, if records are kept.
func (a *Account) record(changes ...Change) {
	if a.records != nil && len(changes) > 0 {
		a.records.Record(changes)
	}
}

// Settle waits until all earlier changes are stored. It fails if that is impossible, such as
// on a full disk. Without records it does nothing.
func (a *Account) Settle() error {
	if a.records == nil {
		return nil
	}
	return a.records.Settle()
}

// offerID returns the id of an offer. o may be nil.
func offerID(o *offer) string {
	if o == nil {
		return ""
	}
	return o.id
}

// kept returns the records of a database without its containers.
func (d *Database) kept() []Change {
	return append(d.offer.kept(), Change{tableDatabases, d.rid, MustJSON(databaseRecord{d.order, d.id, d.etag, offerID(d.offer), d.raw})})
}

// dropped returns the changes that remove a database and its containers from the records.
func (d *Database) dropped() []Change {
	return append(d.offer.dropped(), removal(d.rid)...)
}

// removal removes the records whose keys begin with a resource id.
func removal(rid []byte) []Change {
	var list []Change
	for _, table := range []string{tableDatabases, tableContainer, tableRanges, tableNext, tableDocuments, tableVersions, tableUnfinished} {
		list = append(list, Change{Table: table, Key: rid})
	}
	return list
}

// kept returns the record of an offer. o may be nil.
func (o *offer) kept() []Change {
	if o == nil {
		return nil
	}
	return []Change{{tableOffers, []byte(o.id), MustJSON(offerRecord{o.order, o.owner, o.resource, o.settings, o.highest, o.etag, o.ts})}}
}

// dropped returns the changes that remove an offer from the records. o may be nil.
func (o *offer) dropped() []Change {
	if o == nil {
		return nil
	}
	return []Change{{Table: tableOffers, Key: []byte(o.id)}}
}

// record passes changes on, if records are kept and the container has not been deleted.
// The caller holds the lock for writing.
func (c *Container) record(changes ...Change) {
	if c.records != nil && !c.gone && len(changes) > 0 {
		c.records.Record(changes)
	}
}

// kept returns the record of a container without its throughput, its documents and their
// versions. The caller holds the lock if other goroutines can reach the container.
func (c *Container) kept() []Change {
	list := []Change{
		{tableContainer, c.rid, MustJSON(containerRecord{
			c.order, c.id, c.etag, c.key, c.uniquePolicy, offerID(c.offer), c.nextRange, c.rangeVersion, c.raw, c.derived.kept(),
		})},
		{Table: tableRanges, Key: c.rid}, // the ranges from before a split or merge
	}
	for _, r := range c.Ranges {
		list = append(list, c.keptRange(r))
	}
	return append(list, c.keptNext())
}

func (c *Container) keptRange(r *Range) Change {
	key := binary.BigEndian.AppendUint32(c.rid[:len(c.rid):len(c.rid)], uint32(r.number))
	return Change{tableRanges, key, MustJSON(rangeRecord{r.ID, r.Min, r.Max, r.Parents, r.created, r.LSN, r.forgotten})}
}

// keptNext returns the record of the highest seq, and for an index of how far it has read the
// versions of its source.
func (c *Container) keptNext() Change {
	value := binary.BigEndian.AppendUint64(nil, c.nextDoc)
	if c.derived != nil {
		value = binary.BigEndian.AppendUint64(value, c.derived.position)
	}
	return Change{tableNext, c.rid, value}
}

// keptDocument returns the record of a document: its LSN and its text. Its other fields are
// read from the text.
func (c *Container) keptDocument(d *Document) Change {
	value := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(d.Raw)), uint64(d.LSN))
	return Change{tableDocuments, c.documentKey(d), append(value, d.Raw...)}
}

// droppedDocument returns the change that removes a document from the records.
func (c *Container) droppedDocument(d *Document) Change {
	return Change{Table: tableDocuments, Key: c.documentKey(d)}
}

func (c *Container) documentKey(d *Document) []byte {
	return binary.BigEndian.AppendUint64(c.rid[:len(c.rid):len(c.rid)], d.Seq)
}

// record passes the writes of a transaction on to the records. The caller holds the lock
// for writing.
func (t *Transaction) record() { t.Container.record(t.kept()...) }

// kept returns the records of the writes of a transaction, or none if nothing is recorded.
func (t *Transaction) kept() []Change {
	c := t.Container
	if c.records == nil || len(t.undo) == 0 {
		return nil
	}
	list := make([]Change, 0, 2*len(t.undo)+2)
	for _, ch := range t.undo {
		if ch.new == nil {
			list = append(list, c.droppedDocument(ch.old))
		} else {
			list = append(list, c.keptDocument(ch.new))
		}
	}
	for _, v := range t.Range.versionsFrom(t.lsn) {
		list = append(list, c.keptVersion(v))
	}
	return append(list, c.keptRange(t.Range), c.keptNext())
}
