package tenancy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrChanged is the error of a write of the directory whose document has changed, or was
// created, since it was read.
var ErrChanged = errors.New("the directory's document of the tenant has changed meanwhile")

// Records are the documents of a directory in its container, whose partition key path is
// /id. It is safe for concurrent use.
type Records struct{ c *wire.Container }

// opWrite is the name of a write of the directory in errors.
const opWrite = "write"

// typeName is the name of the documents of a directory in errors.
const typeName = "tenant directory"

// NewRecords returns the documents of a directory in a container.
func NewRecords(client *wire.Client) *Records {
	c := &wire.Container{Client: client, Type: typeName, Paths: []string{"/id"}, Moving: true, Relies: func(op string) *writeregions.Use {
		if op == opWrite {
			return writeregions.Tenancy
		}
		return nil
	}}
	if client == nil {
		c.Unusable = errors.New("the container of the directory is nil: make it with an *azcosmos.ContainerClient")
	}
	return &Records{c}
}

// place returns the place of the document with an id.
func place(id string) wire.Place {
	key, name := wire.PartitionKeyOf(id)
	return wire.Place{ID: id, Key: key, Name: name, Value: id}
}

// fetch returns the stored document with an id, or nil if there is none, by one point read.
func (r *Records) fetch(ctx context.Context, id string) ([]byte, error) {
	const op = "look up"
	if err := r.c.Unusable; err != nil {
		return nil, &documents.Error{Op: op, Type: typeName, Err: err}
	}
	p := place(id)
	response, err := r.c.ReadItem(ctx, op, p)
	if err != nil {
		failure := r.c.Failed(op, id, "", false, err)
		if errors.Is(failure, wire.ErrNotFound) {
			return nil, nil
		}
		failure.Kind = nil // no operation of the tenant may mistake it for its own
		return nil, failure
	}
	return response.Value, nil
}

// Read returns the directory's document of a tenant: one point read, 1 request unit.
func (r *Records) Read(ctx context.Context, shared, tenant string) (Document, error) {
	raw, err := r.fetch(ctx, DocumentID(shared, tenant))
	if err != nil || raw == nil {
		return NewDocument(shared, tenant), err
	}
	return ParseDocument(raw)
}

// HasRegions reports whether the directory is in several regions: see [wire.Container].
func (r *Records) HasRegions() bool { return r.c.HasRegions() }

// EachRegion calls check with the document of a tenant in each region: see [wire.Container].
func (r *Records) EachRegion(ctx context.Context, shared, tenant string, check func(Document) error) error {
	return r.c.EachRegion(ctx, func(ctx context.Context) error {
		d, err := r.Read(ctx, shared, tenant)
		if err != nil {
			return err
		}
		return check(d)
	})
}

// Write stores d if the document has not changed since it was read, and returns it with its
// new ETag: one write. Otherwise the error matches ErrChanged. After an unclear failure it
// does not send the write again; the caller reads the stored document.
func (r *Records) Write(ctx context.Context, d Document) (Document, error) {
	unchanged := d.ETag
	d.ETag = ""
	body, err := json.Marshal(d)
	if err != nil {
		return d, err
	}
	tag, err := r.store(ctx, d.ID, body, unchanged)
	d.ETag = tag
	return d, err
}

// store creates a document, or replaces the one with an ETag.
func (r *Records) store(ctx context.Context, id string, body []byte, unchanged azcore.ETag) (azcore.ETag, error) {
	const op = opWrite
	if err := r.c.Unusable; err != nil {
		return "", &documents.Error{Op: op, Type: typeName, Err: err}
	}
	p := place(id)
	callCtx, done := r.c.Begin(ctx, p.Event(op))
	callCtx, watch := wire.Watch(callCtx)
	var response wire.Answer
	var err error
	if unchanged == "" {
		response, err = r.c.CreateItem(callCtx, p.Key, body, wire.WriteOptions(ctx))
	} else {
		response, err = r.c.ReplaceItem(callCtx, p.Key, id, body, wire.IfMatch(ctx, unchanged))
	}
	if err == nil {
		err = wire.CheckWritten(response, id)
	}
	done(response.RequestCharge, err)
	if err == nil {
		return response.ETag, nil
	}
	failure := r.c.Failed(op, id, "", true, err)
	failure.Unclear = wire.IsUnclear(err) || watch.Unclear()
	if status := failure.Status; status == http.StatusConflict || status == http.StatusPreconditionFailed || status == http.StatusNotFound && failure.Substatus == 0 {
		failure.Kind = ErrChanged
	}
	return "", failure
}

// Times returns the times of the directory. If it has none, Times stores the defaults. It
// costs one point read, and one write the first time.
func (r *Records) Times(ctx context.Context) (Times, error) {
	return r.SetTimes(ctx, DefaultTimes(), false)
}

// SetTimes is Times with the times to store if the directory has none. If strictly is true,
// different stored times are an error.
func (r *Records) SetTimes(ctx context.Context, want Times, strictly bool) (Times, error) {
	for {
		raw, err := r.fetch(ctx, settingsID)
		if err != nil {
			return Times{}, err
		}
		if raw != nil {
			var s settings
			if err := json.Unmarshal(raw, &s); err != nil {
				return Times{}, err
			}
			t, err := s.times()
			if err == nil && strictly && t != want {
				err = fmt.Errorf("the directory lets processes keep a residence for %v, and writes run for %v after that, not %v and %v: stop all processes before you remove its document %q", t.TTL, t.Grace, want.TTL, want.Grace, settingsID)
			}
			return t, err
		}
		body, err := json.Marshal(newSettings(want))
		if err != nil {
			return Times{}, err
		}
		if _, err := r.store(ctx, settingsID, body, ""); err != nil && !errors.Is(err, ErrChanged) {
			return Times{}, err
		}
	}
}

// List returns the documents of the tenants of a shared container, or of all if shared is
// empty, in no order. It queries the whole directory.
func (r *Records) List(ctx context.Context, shared string) ([]Document, error) {
	const op = "list"
	if err := r.c.Unusable; err != nil {
		return nil, &documents.Error{Op: op, Type: typeName, Err: err}
	}
	list := wire.Listing{Event: wire.Event{Op: op}, Key: wire.NewPartitionKey(), Statement: "SELECT * FROM c"}
	if shared != "" {
		list.Statement += " WHERE c.shared = @shared"
		list.Parameters = []wire.Parameter{{Name: "@shared", Value: shared}}
	}
	var items [][]byte
	err := r.c.List(ctx, list, func(page wire.Page) error {
		items = append(items, page.Items...)
		return nil
	})
	if err != nil {
		return nil, r.c.Failed(op, "", "", false, err)
	}
	var all []Document
	for _, raw := range items {
		if jsonscan.Spells(text.Member(raw, "id"), settingsID) {
			continue
		}
		d, err := ParseDocument(raw)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// Document is the directory's document of a tenant: an item of a container whose partition key
// is the id. A tenant without a document is settled in the shared container.
type Document struct {
	ID        string          `json:"id"`
	Shared    string          `json:"shared"`              // the id of the shared container
	Tenant    string          `json:"tenant"`              // as in its partition key
	Container string          `json:"container,omitempty"` // where it lives; empty means the shared one
	State     State           `json:"state"`
	Version   int64           `json:"version"`        // grows with each change
	Switches  int64           `json:"switches"`       // grows when Container changes
	Move      json.RawMessage `json:"move,omitempty"` // the state of a move, for a process that continues it
	ETag      azcore.ETag     `json:"_etag,omitempty"`
}

// maxID is the maximum number of characters in the id of a document, which all versions of the
// service accept.
const maxID = 255

// DocumentID returns the id of a tenant's document. It is unique for a tenant and a shared
// container: the text after the last dot is the tenant, encoded without dots. If the tenant's
// text is too long, it is a hash.
func DocumentID(shared, tenant string) string {
	id := partition.AppendContainerText([]byte(shared+"."), tenant, "")
	if len(id) <= maxID {
		return string(id)
	}
	sum := sha256.Sum256([]byte(tenant))
	return shared + ".~" + hex.EncodeToString(sum[:])
}

// NewDocument returns the state of a tenant that has no document.
func NewDocument(shared, tenant string) Document {
	return Document{ID: DocumentID(shared, tenant), Shared: shared, Tenant: tenant, State: Settled}
}

// ParseDocument decodes a stored document of the directory.
func ParseDocument(raw []byte) (Document, error) {
	var d Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, fmt.Errorf("the directory has a document of another program: %w", err)
	}
	switch {
	case d.ID != DocumentID(d.Shared, d.Tenant):
		return d, fmt.Errorf("the directory's document %q is not for the tenant in it: remove documents of other programs from the directory", d.ID)
	case d.State != Settled && d.State != Moving && d.State != Closed:
		return d, fmt.Errorf("the directory's document %q has a state that this version does not know: update the program", d.ID)
	}
	return d, nil
}

// Residence returns the residence in the document, for a process that began to read it at a
// time of the monotonic clock.
func (d *Document) Residence(began time.Time, t Times) Residence {
	return Residence{
		Container: d.Container, State: d.State, Version: d.Version, Switches: d.Switches,
		Until: began.Add(t.TTL), Grace: t.Grace,
	}
}

// settings is the document with the times of a directory. Its id has no dot, so it is not the
// id of a tenant's document.
type settings struct {
	ID    string `json:"id"`
	TTL   int64  `json:"ttlMilliseconds"`
	Grace int64  `json:"graceMilliseconds"`
}

const settingsID = "settings"

func newSettings(t Times) settings {
	return settings{settingsID, t.TTL.Milliseconds(), t.Grace.Milliseconds()}
}

func (s settings) times() (Times, error) {
	t := Times{time.Duration(s.TTL) * time.Millisecond, time.Duration(s.Grace) * time.Millisecond}
	if s.ID != settingsID || t.TTL <= 0 || t.TTL > MaxTTL || t.Grace <= 0 {
		return t, fmt.Errorf("the directory's document %q does not have the times of a directory: remove documents of other programs from the directory", settingsID)
	}
	return t, nil
}

// Cache returns where tenants live, from memory as long as the times of its directory allow.
// It is safe for concurrent use.
type Cache struct {
	Records *Records

	mu    sync.Mutex
	times Times // zero until they have been read
	known map[tenantOf]*entry
}

// tenantOf identifies a tenant of the types of a shared container.
type tenantOf struct{ shared, tenant string }

// entry is the residence of a tenant, and the lookups in progress.
type entry struct {
	residence Residence
	now, next *lookup // next begins when now has ended
}

// lookup is a read of the directory, shared by all goroutines that wait for it.
type lookup struct {
	done      chan struct{}
	residence Residence
	err       error
	canceled  bool // whether the sender's context cancelled it: the others must send it again
}

// maxEntries is the maximum number of tenants in a cache: about 20 MB. Beyond it, the cache
// removes expired entries and, if that is not enough, all entries.
const maxEntries = 100_000

// NewCache returns a cache of a directory.
func NewCache(r *Records) *Cache {
	return &Cache{Records: r, known: map[tenantOf]*entry{}}
}

// Times returns the times of the directory. The first call reads them.
func (c *Cache) Times(ctx context.Context) (Times, error) {
	c.mu.Lock()
	t := c.times
	c.mu.Unlock()
	if t != (Times{}) {
		return t, nil
	}
	t, err := c.Records.Times(ctx)
	if err == nil {
		c.mu.Lock()
		c.times = t
		c.mu.Unlock()
	}
	return t, err
}

// Residence returns where a tenant lives. It answers from memory while the residence is valid
// for at least another quarter of its time, so that few requests are in progress when it ends.
// Otherwise it sends a point read.
func (c *Cache) Residence(ctx context.Context, shared, tenant string) (Residence, error) {
	c.mu.Lock()
	if e := c.known[tenantOf{shared, tenant}]; e != nil && time.Until(e.residence.Until) > c.times.TTL/4 {
		r := e.residence
		c.mu.Unlock()
		return r, nil
	}
	c.mu.Unlock()
	return c.lookUp(ctx, tenantOf{shared, tenant}, false)
}

// Refresh returns where a tenant lives, by a point read that begins after the call. Concurrent
// calls share it.
func (c *Cache) Refresh(ctx context.Context, shared, tenant string) (Residence, error) {
	return c.lookUp(ctx, tenantOf{shared, tenant}, true)
}

// lookUp reads the directory, or waits for a read in progress. With after, it waits only for a
// read that begins after the call.
func (c *Cache) lookUp(ctx context.Context, of tenantOf, after bool) (Residence, error) {
	times, err := c.Times(ctx)
	if err != nil {
		return Residence{}, err
	}
	for {
		l, mine, before := c.join(of, after)
		if before != nil { // the read that was in progress at the time of the call
			select {
			case <-before.done:
			case <-ctx.Done():
				if mine {
					c.finish(of, l, Residence{}, ctx.Err(), true)
				}
				return Residence{}, ctx.Err()
			}
		}
		if mine {
			c.begin(of, l)
			began := time.Now()
			document, err := c.Records.Read(ctx, of.shared, of.tenant)
			c.finish(of, l, document.Residence(began, times), err, ctx.Err() != nil)
			return l.residence, l.err
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return Residence{}, ctx.Err()
		}
		if !l.canceled {
			return l.residence, l.err
		}
	}
}

// join returns the lookup to wait for. If mine is true, the caller must send it, after before
// has ended.
func (c *Cache) join(of tenantOf, after bool) (l *lookup, mine bool, before *lookup) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[of]
	if e == nil {
		c.makeRoom()
		e = &entry{}
		c.known[of] = e
	}
	switch {
	case e.now == nil && e.next == nil:
		e.now = &lookup{done: make(chan struct{})}
		return e.now, true, nil
	case e.now != nil && !after:
		return e.now, false, nil
	case e.next != nil:
		return e.next, false, nil
	}
	e.next = &lookup{done: make(chan struct{})}
	return e.next, true, e.now
}

// begin makes the next lookup the current one.
func (c *Cache) begin(of tenantOf, l *lookup) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.known[of]; e != nil && e.next == l {
		e.now, e.next = l, nil
	}
}

// finish ends a lookup, and stores its result.
func (c *Cache) finish(of tenantOf, l *lookup, r Residence, err error, canceled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[of]
	if e != nil && r.Version < e.residence.Version { // the replica that was read lags
		r = e.residence.until(r)
	}
	if l.err, l.canceled = err, err != nil && canceled; err == nil {
		l.residence = r
	}
	if e != nil {
		if e.now == l {
			e.now = nil
		}
		if e.next == l {
			e.next = nil
		}
		if err == nil && r.Until.After(e.residence.Until) {
			e.residence = r
		}
	}
	close(l.done)
}

// makeRoom removes tenants if there are too many.
func (c *Cache) makeRoom() {
	if len(c.known) < maxEntries {
		return
	}
	now := time.Now()
	for of, e := range c.known {
		if e.now == nil && e.next == nil && now.After(e.residence.Until) {
			delete(c.known, of)
		}
	}
	if len(c.known) >= maxEntries {
		clear(c.known)
	}
}

// until returns r with the end of a later lookup, which has read an older version.
func (r Residence) until(later Residence) Residence {
	r.Until, r.Grace = later.Until, later.Grace
	return r
}
