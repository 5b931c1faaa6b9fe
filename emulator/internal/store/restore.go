package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// DamageError is the error for records that cannot be read, or that contradict each other.
type DamageError struct {
	File string
	// Parts are the first parts that cannot be read, and Count is the number of all of them.
	Parts []error
	Count int
	// Databases, Containers and Documents count the undamaged ones.
	Databases, Containers, Documents int
}

// maxParts is how many damaged parts an error names.
const maxParts = 3

func (e *DamageError) add(err error) {
	if e.Count++; e.Count <= maxParts {
		e.Parts = append(e.Parts, err)
	}
}

// Error names the file and the first damaged parts, and counts the undamaged
// databases, containers and documents.
func (e *DamageError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is damaged: ", e.File)
	for i, part := range e.Parts {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(part.Error())
	}
	if more := e.Count - len(e.Parts); more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	fmt.Fprintf(&b, ". %d databases, %d containers and %d documents are whole: save them with pkgen-emulator dump, and start with an empty folder", e.Databases, e.Containers, e.Documents)
	return b.String()
}

// restoring is an account while its records are read.
type restoring struct {
	account    *Account
	damage     DamageError
	databases  map[string]*Database  // by resource id
	containers map[string]*Container // by resource id
	ranges     map[string][]*Range   // by resource id of the container
	known      bool                  // whether there is a record of the account
	was        accountRecord
	indexes    map[*Container][]byte        // resource ids of sources
	unfinished map[string]bool              // resource ids of containers whose import did not end
	readers    map[*Container]*value.Reader // of documents
}

// Restore returns an account with the content of the records, and records its changes. If some
// records are damaged, it returns a [DamageError] and an account with the undamaged ones. That
// account records nothing.
func Restore(l Limits, records Records) (*Account, error) {
	if len(l.Regions) > 1 {
		return New(l), errors.New("an account with several regions is in memory only: start it without a folder, or with one region")
	}
	r := &restoring{
		account:    New(l),
		damage:     DamageError{File: records.File()},
		databases:  map[string]*Database{},
		containers: map[string]*Container{},
		ranges:     map[string][]*Range{},
		indexes:    map[*Container][]byte{},
		unfinished: map[string]bool{},
		readers:    map[*Container]*value.Reader{},
	}
	r.each(records, tableAccount, r.readAccount)
	r.each(records, tableUnfinished, r.readUnfinished)
	r.each(records, tableDatabases, r.readDatabase)
	r.each(records, tableOffers, r.readOffer)
	r.each(records, tableRanges, r.readRange)
	r.each(records, tableContainer, r.readContainer)
	r.link()
	r.each(records, tableNext, r.readNext)
	r.each(records, tableDocuments, r.readDocument)
	r.each(records, tableVersions, r.readVersion)
	r.register()
	if r.damage.Count > 0 {
		return r.account, &r.damage
	}
	if r.known && r.was.Serverless != l.Serverless {
		return r.account, fmt.Errorf("%s holds an account with serverless=%t, and this one has serverless=%t: start it in the same way", records.File(), r.was.Serverless, l.Serverless)
	}
	r.keepIn(records)
	return r.account, nil
}

// each reads a table. It counts a record that read refuses as damaged.
func (r *restoring) each(records Records, table string, read func(key, value []byte) error) {
	records.Each(table, func(key, value []byte) {
		if err := read(key, value); err != nil {
			r.damage.add(fmt.Errorf("record %x of table %s: %w", key, table, err))
		}
	}, r.damage.add)
}

var (
	errSize  = errors.New("its size is wrong")
	errOwner = errors.New("its owner is missing")
)

func (r *restoring) readAccount(_, value []byte) error {
	r.known = true
	return json.Unmarshal(value, &r.was)
}

func (r *restoring) readUnfinished(key, _ []byte) error {
	r.unfinished[string(key)] = true
	return nil
}

func (r *restoring) readDatabase(key, value []byte) error {
	var record databaseRecord
	if err := json.Unmarshal(value, &record); err != nil {
		return err
	}
	if len(key) != 4 {
		return errSize
	}
	r.databases[string(key)] = &Database{
		identity: newIdentity(identity{}, "dbs", record.ID, slices.Clone(key)),
		order:    record.Order, etag: record.ETag, raw: record.Text, offer: r.offer(record.Offer),
	}
	return nil
}

// offer returns the offer with an id, or nil without an id. The offer itself is read after its
// owner.
func (r *restoring) offer(id string) *offer {
	if id == "" {
		return nil
	}
	o, ok := r.account.offers.get(id)
	if !ok {
		o = &offer{id: id}
		r.account.offers.add(id, o)
	}
	return o
}

func (r *restoring) readOffer(key, value []byte) error {
	var record offerRecord
	if err := json.Unmarshal(value, &record); err != nil {
		return err
	}
	o := r.offer(string(key))
	o.order, o.owner, o.resource = record.Order, record.Owner, record.Resource
	o.settings, o.highest, o.etag, o.ts = record.Settings, record.Highest, record.ETag, record.TS
	o.throughput.Store(int64(record.Settings.most()))
	return nil
}

func (r *restoring) readRange(key, value []byte) error {
	var record rangeRecord
	if err := json.Unmarshal(value, &record); err != nil {
		return err
	}
	if len(key) != 12 {
		return errSize
	}
	owner := string(key[:8])
	r.ranges[owner] = append(r.ranges[owner], &Range{
		ID: record.ID, number: int(binary.BigEndian.Uint32(key[8:])), Min: record.Min, Max: record.Max,
		Parents: record.Parents, created: record.Created, LSN: record.LSN,
		forgotten: record.Forgotten,
	})
	return nil
}

func (r *restoring) readContainer(key, value []byte) error {
	var record containerRecord
	if err := json.Unmarshal(value, &record); err != nil {
		return err
	}
	if len(key) != 8 {
		return errSize
	}
	d := r.databases[string(key[:4])]
	if d == nil {
		return errOwner
	}
	unique, err := uniqueKeys(record.Unique)
	if err != nil {
		return err
	}
	ranges, err := inOrder(r.ranges[string(key)])
	if err != nil {
		return err
	}
	properties := map[string]json.RawMessage{}
	if err := json.Unmarshal(record.Text, &properties); err != nil {
		return err
	}
	ttl, err := parseTTL(properties["defaultTtl"])
	if err != nil {
		return err
	}
	policies, _, err := readPolicies(properties, record.Key.names())
	if err != nil {
		return err
	}
	a := r.account
	c := &Container{
		identity: newIdentity(d.identity, "colls", record.ID, slices.Clone(key)), order: record.Order, database: d,
		limits: &a.limits, world: a.world, throttles: &a.throttles, offer: r.offer(record.Offer),
		key: record.Key, Paths: record.Key.names(), unique: unique, uniquePolicy: record.Unique,
		raw: record.Text, etag: record.ETag, policies: policies, defaultTTL: ttl,
		partitions: map[string]*logicalPartition{},
		Ranges:     ranges, nextRange: record.NextRange, rangeVersion: record.RangeVersion,
	}
	r.containers[string(key)] = c
	if x := record.Index; x != nil {
		properties, err := projection(x.Query)
		if err != nil {
			return err
		}
		c.derived = &derivation{definition: indexDefinition{Source: x.ID, Query: x.Query}, properties: properties, created: x.Created, built: x.Built, pace: &a.pace}
		r.indexes[c] = x.Source
	}
	return nil
}

// link connects each index with its source, whose record may come after it.
func (r *restoring) link() {
	for c, source := range r.indexes {
		s := r.containers[string(source)]
		if s == nil {
			c.derived = nil
			r.damage.add(fmt.Errorf("the source of the global secondary index %q is missing", c.id))
			continue
		}
		c.derived.source = s
		s.indexes = append(s.indexes, c)
		slices.SortFunc(s.indexes, func(x, y *Container) int { return x.order - y.order })
	}
}

// inOrder sorts ranges by their bounds. It fails unless they cover the whole key space
// once.
func inOrder(ranges []*Range) ([]*Range, error) {
	slices.SortFunc(ranges, func(a, b *Range) int { return partition.CompareEPK(a.Min, b.Min) })
	end := MinEPK
	for i, r := range ranges {
		if r.Min != end || i > 0 && end == MinEPK {
			return nil, fmt.Errorf("its partition key ranges do not cover all keys once: one begins at %q, and the one before it ends at %q", r.Min, end)
		}
		end = r.Max
	}
	if end != MaxEPK {
		return nil, fmt.Errorf("its partition key ranges end at %q and not at %q", end, MaxEPK)
	}
	return ranges, nil
}

func (r *restoring) readNext(key, value []byte) error {
	c := r.containers[string(key)]
	switch {
	case c == nil:
		return errOwner
	case len(value) != 8 && (len(value) != 16 || c.derived == nil):
		return errSize
	case len(value) == 16:
		c.derived.position = binary.BigEndian.Uint64(value[8:])
	}
	c.nextDoc = binary.BigEndian.Uint64(value)
	return nil
}

// owner returns the container of a document or a version. It fails if the value of the record
// is shorter than least bytes. It returns nil without an error if the import of the container
// never ended.
func (r *restoring) owner(key, value []byte, least int) (*Container, error) {
	if len(key) != 16 || len(value) < least {
		return nil, errSize
	}
	c := r.containers[string(key[:8])]
	switch {
	case r.unfinished[string(key[:8])]:
		return nil, nil
	case c == nil:
		return nil, errOwner
	}
	return c, nil
}

func (r *restoring) readDocument(key, value []byte) error {
	c, err := r.owner(key, value, 8)
	if c == nil {
		return err
	}
	d, err := r.document(c, binary.BigEndian.Uint64(key[8:]), int64(binary.BigEndian.Uint64(value)), slices.Clone(value[8:]))
	if err != nil {
		return err
	}
	if c.find(d.Key, d.id) != nil {
		return errors.New("it has the id of another document in its logical partition")
	}
	c.put(d)
	r.account.written = max(r.account.written, d.TS)
	r.damage.Documents++
	return nil
}

// register adds the restored resources to the account, in the order of their creation.
func (r *restoring) register() {
	a := r.account
	databases := make([]*Database, 0, len(r.databases))
	for _, d := range r.databases {
		databases = append(databases, d)
	}
	slices.SortFunc(databases, func(x, y *Database) int { return x.order - y.order })
	for _, d := range databases {
		a.databases.add(d.id, d)
		a.created = max(a.created, d.order)
	}
	containers := make([]*Container, 0, len(r.containers))
	for _, c := range r.containers {
		containers = append(containers, c)
	}
	slices.SortFunc(containers, func(x, y *Container) int { return x.order - y.order })
	for _, c := range containers {
		for _, x := range c.indexes { // the versions from before may be gone
			c.nextVersion = max(c.nextVersion, x.derived.position)
		}
		c.database.containers.add(c.id, c)
		a.created = max(a.created, c.order)
	}
	offers := a.offers.all()
	slices.SortFunc(offers, func(x, y *offer) int { return x.order - y.order })
	a.offers = registry[*offer]{}
	for _, o := range offers {
		if o.etag == "" {
			r.damage.add(fmt.Errorf("record %x of table %s is missing", o.id, tableOffers))
		}
		a.offers.add(o.id, o)
		a.created = max(a.created, o.order)
	}
	r.damage.Databases, r.damage.Containers = len(databases), len(containers)
}

// keepIn records what changes from now on.
func (r *restoring) keepIn(records Records) {
	a := r.account
	a.records = records
	for rid := range r.unfinished {
		a.record(removal([]byte(rid))...)
	}
	for _, d := range a.databases.all() {
		for _, c := range d.containers.all() {
			c.records = records
			c.switchVersions(r.was.AllVersions)
		}
	}
	// Last: after a kill before this point, the next start switches versions again.
	if is := (accountRecord{a.limits.Serverless, a.limits.AllVersions > 0}); !r.known || is != r.was {
		a.record(Change{tableAccount, []byte("account"), MustJSON(is)})
	}
}
