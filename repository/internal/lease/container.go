package lease

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Container is the Store of a processor in a Cosmos container with the partition key
// /id. It is safe for concurrent use once its fields are set.
type Container struct {
	Leases    *wire.Container
	Dialect   Dialect
	Processor string
	Prefix    Prefix // of the processor, in the dialect
	Monitored Monitored

	// Physical returns the physical partitions of the monitored container, whose
	// ranges some leases do not store.
	Physical func(ctx context.Context) (*route.Map, error)

	// Refresh reads them anew, after a lease has named one that Physical did not know.
	Refresh func(ctx context.Context) (*route.Map, error)

	// Versions says that the leases are of the feed of all versions and deletions.
	Versions bool

	// Documents are the types of documents that the processor handles, sorted, where the
	// monitored container has several types; empty if it has one.
	Documents []string

	// Several says that the container is one of several, which a type has.
	Several bool

	// Restored is told of each lease that was created again after it had been lost. It may
	// be nil.
	Restored func(ctx context.Context, l Lease)

	clock               clock
	among               *clock        // in place of clock, that of all containers; nil for one
	lockFor, ownLockFor time.Duration // of tests; 0 are lockSeconds and ownLockSeconds
}

// What requests for leases are called in errors and events.
const (
	opList    = "list leases"
	opRead    = "read lease"
	opReplace = "write lease"
	opCreate  = "create lease"
	opDelete  = "delete lease"
)

// Relies is wire.Container.Relies of a container of leases: who reads them does not.
func Relies(op string) *writeregions.Use {
	if op == opReplace || op == opCreate || op == opDelete {
		return writeregions.Leases
	}
	return nil
}

func place(id string) wire.Place {
	return wire.Place{ID: id, Key: wire.NewPartitionKeyString(id), Name: `"` + id + `"`, Value: id}
}

// List implements Store: one query of all partitions of the lease container.
func (c *Container) List(ctx context.Context) ([]Lease, error) {
	documents, err := c.query(ctx, c.Prefix)
	if err != nil {
		return nil, wire.NewError(opList, c.Leases.Type, "", "", err)
	}
	all := make([]Lease, len(documents))
	for i, document := range documents {
		if all[i], err = c.parse(ctx, document); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// query reads the documents of the leases that have a prefix.
func (c *Container) query(ctx context.Context, prefix Prefix) (documents [][]byte, err error) {
	return query(ctx, c.Leases, c.time(), prefix.leases())
}

// time is the clock of the service.
func (c *Container) time() *clock {
	if c.among != nil {
		return c.among
	}
	return &c.clock
}

// query reads the documents whose ids begin so.
func query(ctx context.Context, leases *wire.Container, k *clock, start string) (documents [][]byte, err error) {
	err = leases.List(ctx, wire.Listing{
		Event: wire.Event{Op: opList}, Key: wire.NewPartitionKey(),
		Statement: "SELECT * FROM c WHERE STARTSWITH(c.id, @prefix)", Parameters: []wire.Parameter{{Name: "@prefix", Value: start}},
	}, func(page wire.Page) error {
		k.read(page.RawResponse)
		documents = append(documents, page.Items...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return documents, nil
}

// parse reads a lease, with its range.
func (c *Container) parse(ctx context.Context, document []byte) (Lease, error) {
	l, err := c.Dialect.Parse(document)
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return c.Ranged(ctx, l)
}

// Ranged returns a lease of c that was read, with its range, which some do not store.
func (c *Container) Ranged(ctx context.Context, l Lease) (Lease, error) {
	if c.Several && l.Window.Container == "" { // another program has created it
		l.Window.Container = c.Monitored.Container
	}
	if l.container != "" && l.container != c.Monitored.RID {
		return l, fmt.Errorf("%w: the lease %.200q is of another container %q, which was deleted since: "+
			"give the processor another name, or delete all its documents, to begin anew", ErrUnusable, l.ID, c.Monitored.Container)
	}
	if l.versions != c.Versions {
		return l, fmt.Errorf("%w: the lease %.200q is of the other mode of the change feed, latest versions or all versions and deletes: "+
			"give the processor another name", ErrUnusable, l.ID)
	}
	if l.Range != nil {
		return l, nil
	}
	physical, err := c.Physical(ctx)
	if err != nil {
		return l, err
	}
	if l.Range, err = rangeOf(physical, l.Token); err == nil {
		return l, nil
	}
	if physical, err = c.Refresh(ctx); err != nil { // from before a split
		return l, err
	}
	if l.Range, err = rangeOf(physical, l.Token); err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return l, nil
}

// Read implements Store: one point read.
func (c *Container) Read(ctx context.Context, id string) (Lease, error) {
	response, err := c.Leases.ReadItem(ctx, opRead, place(id))
	if err != nil {
		return Lease{}, c.failure(opRead, id, err)
	}
	c.time().read(response.RawResponse)
	return c.parse(ctx, response.Value)
}

// Replace implements Store: one write.
func (c *Container) Replace(ctx context.Context, l Lease) (Lease, error) {
	l.Time = c.time().now()
	document, err := c.Dialect.Encode(l, c.Monitored)
	if err != nil {
		return l, err
	}
	tag, err := c.write(ctx, opReplace, l.ID, func(ctx context.Context, p wire.Place) (wire.Answer, error) {
		return c.Leases.ReplaceItem(ctx, p.Key, p.ID, document, wire.IfMatch(ctx, l.ETag))
	})
	if err != nil {
		return l, err
	}
	l.ETag, l.stored = tag, document
	return l, nil
}

// Create implements Store: one write.
func (c *Container) Create(ctx context.Context, l Lease) error {
	l.Time = c.time().now()
	document, err := c.Dialect.Encode(l, c.Monitored)
	if err != nil {
		return err
	}
	return c.createDocument(ctx, l.ID, document)
}

// createDocument stores a document, unless there is one of this id.
func (c *Container) createDocument(ctx context.Context, id string, document []byte) error {
	_, err := c.write(ctx, opCreate, id, c.creating(document))
	if errors.Is(err, wire.ErrAlreadyExists) {
		return nil
	}
	return err
}

// creating returns what sends a new document.
func (c *Container) creating(document []byte) func(context.Context, wire.Place) (wire.Answer, error) {
	return func(ctx context.Context, p wire.Place) (wire.Answer, error) {
		return c.Leases.CreateItem(ctx, p.Key, document, wire.WriteOptions(ctx))
	}
}

// Delete implements Store: one write.
func (c *Container) Delete(ctx context.Context, l Lease) error {
	return c.deleteDocument(ctx, l.ID, l.ETag)
}

func (c *Container) deleteDocument(ctx context.Context, id string, unchanged azcore.ETag) error {
	_, err := c.write(ctx, opDelete, id, func(ctx context.Context, p wire.Place) (wire.Answer, error) {
		return c.Leases.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
	})
	return err
}

// write sends a write once. Whoever calls it finds out by an ETag what became of one
// whose answer was lost.
func (c *Container) write(ctx context.Context, op, id string, send func(context.Context, wire.Place) (wire.Answer, error)) (azcore.ETag, error) {
	p := place(id)
	callCtx, done := c.Leases.Begin(ctx, p.Event(op))
	response, err := send(callCtx, p)
	if err == nil {
		err = wire.CheckWritten(response, id)
	}
	done(response.RequestCharge, err)
	if err != nil {
		return "", c.failure(op, id, err)
	}
	c.time().read(response.RawResponse)
	return response.ETag, nil
}

// failure returns the error of a request, which matches ErrChanged or ErrGone if it
// says so.
func (c *Container) failure(op, id string, err error) error {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		c.time().read(response.RawResponse)
	}
	failure := wire.NewError(op, c.Leases.Type, id, "", err)
	switch {
	case errors.Is(err, wire.ErrSeveralWriteRegions):
		return errors.Join(ErrUnusable, failure)
	case failure.Status == http.StatusPreconditionFailed:
		return errors.Join(ErrChanged, failure)
	case errors.Is(failure.Kind, wire.ErrNotFound):
		return errors.Join(ErrGone, failure)
	}
	return failure
}

// Store keeps the leases of one processor.
type Store interface {
	// List reads all leases: one query.
	List(ctx context.Context) ([]Lease, error)

	// Read reads the lease of this id, or returns ErrGone.
	Read(ctx context.Context, id string) (Lease, error)

	// Replace writes a lease whose document still has l.ETag, and returns it with
	// its new one. It returns ErrChanged if the document has another, and ErrGone if
	// there is none. After any other error the lease may have been written. It sets
	// the time of the lease.
	Replace(ctx context.Context, l Lease) (Lease, error)

	// Create writes a lease that is not there yet. If it is, Create leaves it.
	Create(ctx context.Context, l Lease) error

	// Delete removes a lease whose document still has l.ETag. It returns ErrChanged
	// if the document has another.
	Delete(ctx context.Context, l Lease) error
}

// What a store says of a lease.
var (
	ErrChanged = errors.New("another worker has written the lease")
	ErrGone    = errors.New("the lease was deleted")

	// ErrUnusable says that a lease is not of this processor, as it is: of another
	// dialect, another container, or a physical partition that was merged.
	ErrUnusable = errors.New("the leases cannot be used")

	// ErrLost says that a worker does not have a lease any more, or that it cannot
	// know whether it has: it must not go on, and cannot save.
	ErrLost = errors.New("the lease was lost to another worker")
)

// How long a process may have the lock under which leases are created. In the SDKs for
// .NET and Java it is lockSeconds from its creation on, which is also the time to live of
// the lock. A process of pkgen writes its lock again while it works, so that others see
// sooner that it has crashed: the lock says so by nameLockSeconds.
const (
	lockSeconds    = 30
	ownLockSeconds = 10
	keepLockEvery  = 2 * time.Second
)

// nameLockSeconds is a property of a lock of pkgen: after so many seconds without a
// change, its process has crashed.
const nameLockSeconds = "pkgenSeconds"

// Pauses of a process that waits for the lock of another.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = time.Second
)

// errLockLost says that another process has taken the lock for that of a crashed one.
var errLockLost = errors.New("the lock under which leases are created was lost")

// lock is the lock of this process.
type lock struct {
	container *Container
	document  []byte
	tag       azcore.ETag
	written   time.Time
}

// lock creates the lock, unless another process has it: then it returns nil.
func (c *Container) lock(ctx context.Context, seen *lockSeen) (*lock, error) {
	locked, err := c.locked(ctx, seen)
	if locked || err != nil {
		return nil, err
	}
	document, err := json.Marshal(map[string]any{nameID: c.Prefix.lock(), "ttl": lockSeconds, nameLockSeconds: ownLockSeconds})
	if err != nil {
		return nil, err
	}
	l := &lock{container: c, document: document, written: time.Now()}
	if l.tag, err = c.write(ctx, opCreate, c.Prefix.lock(), c.creating(document)); errors.Is(err, wire.ErrAlreadyExists) {
		return nil, nil
	}
	return l, err
}

// keep writes the lock again, if it was written some time ago.
func (l *lock) keep(ctx context.Context) error {
	if time.Since(l.written) < keepLockEvery {
		return nil
	}
	sent := time.Now()
	tag, err := l.container.write(ctx, opReplace, l.container.Prefix.lock(), func(ctx context.Context, p wire.Place) (wire.Answer, error) {
		return l.container.Leases.ReplaceItem(ctx, p.Key, p.ID, l.document, wire.IfMatch(ctx, l.tag))
	})
	if errors.Is(err, ErrGone) || errors.Is(err, ErrChanged) {
		return errLockLost
	}
	if err == nil {
		l.tag, l.written = tag, sent
	}
	return err
}

// remove removes the lock, unless it is no longer that of this process, also where ctx
// has ended.
func (l *lock) remove(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	return l.container.removeLock(ctx, l.tag)
}

func (c *Container) removeLock(ctx context.Context, tag azcore.ETag) error {
	err := c.deleteDocument(ctx, c.Prefix.lock(), tag)
	if errors.Is(err, ErrGone) || errors.Is(err, ErrChanged) {
		return nil
	}
	return err
}

// lockSeen is the lock of another process, and since when it has been there.
type lockSeen sighting

// locked reports whether another process has the lock. It removes one that has been seen
// for its whole time: its process has crashed. The service does so only in a container
// that has a default time to live.
func (c *Container) locked(ctx context.Context, l *lockSeen) (bool, error) {
	response, err := c.Leases.ReadItem(ctx, opRead, place(c.Prefix.lock()))
	if err != nil {
		if err = c.failure(opRead, c.Prefix.lock(), err); errors.Is(err, ErrGone) {
			return false, nil
		}
		return false, err
	}
	c.time().read(response.RawResponse)
	if l.tag != response.ETag {
		*l = lockSeen{response.ETag, time.Now()}
	}
	if time.Since(l.since) < c.lockTime(response.Value) {
		return true, nil
	}
	return false, c.removeLock(ctx, response.ETag)
}

// lockTime returns how long the lock of another process may stay as it is.
func (c *Container) lockTime(document []byte) time.Duration {
	var own struct {
		Seconds int `json:"pkgenSeconds"`
	}
	if json.Unmarshal(document, &own) == nil && own.Seconds > 0 {
		return cmp.Or(c.ownLockFor, time.Duration(own.Seconds)*time.Second)
	}
	return cmp.Or(c.lockFor, lockSeconds*time.Second)
}

// All are the leases of a processor for all containers of a database. They are of the
// dialect DotNet: the ids of their documents begin alike, and then have the RID of the
// container. It is used by one goroutine, except Now.
type All struct {
	Leases    *wire.Container
	Processor string

	start string // of the ids
	clock clock
}

// Of is the leases of one container among all. Its prefix, and what it reads, are set.
func (a *All) Of(m Monitored) (*Container, error) {
	prefix, err := DotNet.Prefix(a.Processor, m)
	if err != nil {
		return nil, err
	}
	return &Container{Leases: a.Leases, Dialect: DotNet, Processor: a.Processor, Prefix: prefix, Monitored: m, Several: true, among: &a.clock}, nil
}

// In has all leases found for the containers of the database that has this one. It
// reports whether that is news.
func (a *All) In(m Monitored) (bool, error) {
	prefix, err := DotNet.Prefix(a.Processor, m)
	start := strings.TrimSuffix(string(prefix), m.RID)
	news := err == nil && start != a.start
	if news {
		a.start = start
	}
	return news, err
}

// Found is what is stored for one container.
type Found struct {
	Created bool    // all leases were created
	Leases  []Lease // some may lack their ranges: see [Container.Ranged]
	Wrong   error   // why one of them is no lease of the dialect
}

// Find reads what is stored for each container, by its RID: one query. It finds nothing
// before In.
func (a *All) Find(ctx context.Context) (map[string]*Found, error) {
	if a.start == "" {
		return nil, nil
	}
	documents, err := query(ctx, a.Leases, &a.clock, a.start)
	if err != nil {
		return nil, wire.NewError(opList, a.Leases.Type, "", "", err)
	}
	all := map[string]*Found{}
	for _, document := range documents {
		fields, err := membersOf(document)
		if err != nil {
			return nil, err
		}
		rid, rest, _ := strings.Cut(strings.TrimPrefix(fields.ID, a.start), ".")
		of := all[rid]
		if of == nil {
			of = &Found{}
			all[rid] = of
		}
		switch {
		case rest == "info":
			of.Created = true
		case strings.HasPrefix(rest, "."):
			l, err := DotNet.Parse(document)
			if err != nil {
				of.Wrong = err
				continue
			}
			of.Leases = append(of.Leases, l)
		}
	}
	return all, nil
}

// RID returns which container a lease of this id is of.
func (a *All) RID(id string) string {
	rid, _, _ := strings.Cut(strings.TrimPrefix(id, a.start), ".")
	return rid
}

// Now is the time of the service.
func (a *All) Now() time.Time { return a.clock.now() }

// Forget removes the document that says that the leases of c were created, once its
// container is no more.
func (c *Container) Forget(ctx context.Context) error {
	err := c.deleteDocument(ctx, c.Prefix.info(), "")
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}

// Check returns why a container is no lease container, if it is not: its key is
// another one, it removes leases by a time to live, or it is the monitored one. It
// costs a request.
func (c *Container) Check(ctx context.Context) error {
	_, err := check(ctx, c.Leases, c.Monitored.RID)
	return err
}

// Check is Container.Check, and returns the RID of the lease container.
func (a *All) Check(ctx context.Context) (string, error) { return check(ctx, a.Leases, "") }

// check returns the RID of the lease container, or why it is not one.
func check(ctx context.Context, leases *wire.Container, monitored string) (string, error) {
	p, err := leases.Properties(ctx)
	if err != nil {
		return "", wire.NewError(opList, leases.Type, "", "", err)
	}
	if p.ResourceID == monitored {
		return "", Monitors(p.ID)
	}
	if paths := p.PartitionKeyDefinition.Paths; !slices.Equal(paths, []string{"/id"}) {
		return "", fmt.Errorf("the lease container %q has the partition key %q: leases need a container with the key /id, which EnsureLeases makes", p.ID, paths)
	}
	if ttl := p.DefaultTimeToLive; ttl != nil && *ttl > 0 {
		return "", fmt.Errorf("the lease container %q has a time to live of %d seconds, after which progress would be lost: set it to -1, as EnsureLeases does with FixDifferences", p.ID, *ttl)
	}
	return p.ResourceID, nil
}

// Monitors is the error of a lease container whose own changes are to be handled.
func Monitors(id string) error {
	return fmt.Errorf("the lease container is %q, whose changes are to be handled: leases need a container of their own, which EnsureLeases makes", id)
}

// Begin creates the leases of a processor, one for each physical partition, unless
// they were created before. One process creates them; others wait for it. Leases that
// were lost since, by a forced failover or because somebody deleted them, are created
// again: their changes come from the beginning of the processor. Where there are leases
// it costs a point read and a query.
//
// The feed of all versions cannot be read from its beginning: there Begin returns an error
// that matches ErrUnusable, since changes would be skipped.
func (c *Container) Begin(ctx context.Context) error {
	for seen, wait := (lockSeen{}), firstLook; ; wait = min(2*wait, lastLook) {
		before, err := c.created(ctx)
		if err != nil {
			return err
		}
		if before {
			if err := c.complete(ctx); !errors.Is(err, errMissing) {
				return err
			} else if c.Versions {
				return errors.Join(ErrUnusable, err)
			}
		}
		created, err := c.create(ctx, &seen, before)
		if err != nil || created {
			return err
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// lists is how often complete reads the leases. A query of several pages can miss a
// range that is divided meanwhile: it reads where the successors are to be before they
// are, and where the lease was when it is no more. The next query finds them, unless
// they are divided again. A client whose PreferredRegions begin with a region that does
// not write finds leases there only after they have been replicated.
const lists = 4

// listPause grows by itself before each further list of complete.
const listPause = time.Second

// complete returns an error unless leases cover the key space.
func (c *Container) complete(ctx context.Context) (err error) {
	for n := range lists {
		if n > 0 {
			if failure := backoff.Sleep(ctx, time.Duration(n)*listPause); failure != nil {
				return failure
			}
		}
		leases, failure := c.List(ctx)
		if failure != nil {
			return failure
		}
		if err = c.Whole(leases); err == nil {
			return nil
		}
	}
	return err
}

func rangesOf(leases []Lease) []Range {
	ranges := make([]Range, 0, len(leases))
	for _, l := range leases {
		ranges = append(ranges, *l.Range)
	}
	return ranges
}

// Whole returns an error unless leases cover the key space.
func (c *Container) Whole(leases []Lease) error {
	gap := uncovered(rangesOf(leases), Range{route.FirstKey, route.LastKey})
	if gap == nil {
		return nil
	}
	return fmt.Errorf("%w: %q cover no key from %q to below %q, so changes would be skipped: "+
		"give the processor another name, or delete all its documents, to begin anew", errMissing, c.Prefix.leases()+"*", gap.Min, gap.Max)
}

// errMissing says that leases do not cover the key space.
var errMissing = errors.New("leases are missing")

// create creates leases under the lock, also those that were lost since they were created
// before. It returns false if another process has the lock.
func (c *Container) create(ctx context.Context, seen *lockSeen, before bool) (bool, error) {
	l, err := c.lock(ctx, seen)
	if l == nil || err != nil {
		return false, err
	}
	err = c.createAll(ctx, l, before)
	if errors.Is(err, errLockLost) {
		return false, nil
	}
	return err == nil, errors.Join(err, l.remove(ctx))
}

// createAll creates the leases that are missing, and then the document that says
// that they are there.
func (c *Container) createAll(ctx context.Context, lock *lock, before bool) error {
	if err := c.refuseOther(ctx); err != nil {
		return err
	}
	physical, err := c.Physical(ctx)
	if err != nil {
		return err
	}
	leases, err := c.List(ctx) // of a process that crashed, after which physical partitions may have been split or merged
	if err != nil {
		return err
	}
	covered := rangesOf(leases)
	for _, p := range physical.Ranges {
		all := Range{p.Min, p.Max}
		for gap := uncovered(covered, all); gap != nil; gap = uncovered(covered, all) {
			successors, err := c.Successors(physical, []Part{{Range: *gap}})
			if err != nil {
				return err
			}
			if err := lock.keep(ctx); err != nil {
				return err
			}
			if err := c.Create(ctx, successors[0]); err != nil {
				return err
			}
			if before && c.Restored != nil {
				c.Restored(ctx, successors[0])
			}
			covered = append(covered, *gap)
		}
	}
	if err := c.complete(ctx); err != nil {
		return err
	}
	if err := lock.keep(ctx); err != nil {
		return err
	}
	info, err := c.info()
	if err != nil {
		return err
	}
	return c.createDocument(ctx, c.Prefix.info(), info)
}

// refuseOther returns an error if the processor has leases of another dialect whose
// ids begin otherwise: it would begin anew next to them. Leases whose ids begin alike
// are refused when they are read.
func (c *Container) refuseOther(ctx context.Context) error {
	for _, d := range []Dialect{DotNet, JavaRange, JavaEPK} {
		other, err := d.Prefix(c.Processor, c.Monitored)
		if err != nil {
			return err
		}
		if other == c.Prefix {
			continue
		}
		documents, err := c.query(ctx, other)
		if err != nil {
			return wire.NewError(opList, c.Leases.Type, "", "", err)
		}
		if len(documents) == 0 {
			continue
		}
		for _, found := range []Dialect{d, DotNet, JavaEPK} {
			if _, err := found.Parse(documents[0]); err == nil {
				return fmt.Errorf("the processor %q has leases of the dialect %s, not %s: use that dialect, or another name", c.Processor, found, c.Dialect)
			}
		}
	}
	return nil
}

// leftovers divides leases in those that are needed and those that are left over
// after a division: other leases, of smaller ranges, cover their range, or one by range
// has taken its place after a merge. A worker that
// crashes leaves one before it removes what it has divided. A worker that was stopped
// in the middle, and goes on after another has divided the same lease and its
// successors, brings one back.
func leftovers(all []Seen) (needed, left []Seen) {
	of := map[Prefix][]Seen{} // leases of one container, by how their ids begin
	for _, s := range all {
		of[s.Lease.prefix()] = append(of[s.Lease.prefix()], s)
	}
	for _, s := range all {
		all := of[s.Lease.prefix()]
		if s.Lease.Range != nil && (coveredBySmaller(all, *s.Lease.Range) || renamed(all, s.Lease)) {
			left = append(left, s)
		} else {
			needed = append(needed, s)
		}
	}
	return needed, left
}

// prefix is what the ids of all leases of one container begin with.
func (l Lease) prefix() Prefix {
	prefix, _, _ := strings.Cut(l.ID, "..")
	return Prefix(prefix)
}

// renamed reports whether there is a lease by range in place of one by the id of a
// physical partition, which was merged.
func renamed(all []Seen, l Lease) bool {
	return !l.byRange && slices.ContainsFunc(all, func(s Seen) bool {
		return s.Lease.byRange && s.Lease.Range != nil && l.Range.within(*s.Lease.Range) && s.Lease.Range.within(*l.Range)
	})
}

// coveredBySmaller reports whether leases of smaller ranges cover r.
func coveredBySmaller(all []Seen, r Range) bool {
	var smaller []Range
	for _, s := range all {
		if other := s.Lease.Range; other != nil && other.within(r) && !r.within(*other) {
			smaller = append(smaller, *other)
		}
	}
	return uncovered(smaller, r) == nil
}

// uncovered returns the first part of r that no range covers, nil if there is none.
func uncovered(ranges []Range, r Range) *Range {
	ranges = slices.SortedFunc(slices.Values(ranges), func(a, b Range) int { return partition.CompareEPK(a.Min, b.Min) })
	next := r.Min
	for _, other := range ranges {
		if partition.CompareEPK(other.Min, next) > 0 {
			if partition.CompareEPK(other.Min, r.Max) > 0 {
				break
			}
			return &Range{next, other.Min}
		}
		if partition.CompareEPK(other.Max, next) > 0 {
			next = other.Max
		}
		if partition.CompareEPK(next, r.Max) >= 0 {
			return nil
		}
	}
	return &Range{next, r.Max}
}

// Wanted returns what a new container for leases is like.
func Wanted(id string) wire.ContainerProperties {
	byDocument := int32(containers.LeasesTTL)
	return wire.ContainerProperties{
		ID:                     id,
		PartitionKeyDefinition: wire.PartitionKeyDefinition{Kind: wire.PartitionKeyKindHash, Paths: []string{containers.CompanionPath}, Version: 2},
		DefaultTimeToLive:      &byDocument,
	}
}
