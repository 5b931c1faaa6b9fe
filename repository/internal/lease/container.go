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

// Container is the Store of a processor in a container with the partition key /id. It is
// safe for concurrent use once its fields are set.
type Container struct {
	Leases    *wire.Container
	Dialect   Dialect
	Processor string
	Prefix    Prefix // of the processor, in the dialect
	Monitored Monitored

	// Physical returns the physical partitions of the monitored container, for leases that
	// do not store their range.
	Physical func(ctx context.Context) (*route.Map, error)

	// Refresh reads them again, after a lease named one that Physical lacks.
	Refresh func(ctx context.Context) (*route.Map, error)

	// Versions says that the leases are for the feed of all versions and deletions.
	Versions bool

	// Documents are the sorted types that the processor handles, if the monitored container
	// has several types. Otherwise it is empty.
	Documents []string

	// Several says that the monitored container is one of several of a type.
	Several bool

	// Restored is called for each lease that was created again after it was lost. It may be
	// nil.
	Restored func(ctx context.Context, l Lease)

	clock               clock
	among               *clock        // the clock of all containers, used instead of clock; nil for one container
	lockFor, ownLockFor time.Duration // for tests; 0 means lockSeconds and ownLockSeconds
}

// Names of requests for leases in errors and events.
const (
	opList    = "list leases"
	opRead    = "read lease"
	opReplace = "write lease"
	opCreate  = "create lease"
	opDelete  = "delete lease"
)

// Relies is wire.Container.Relies for a container of leases: only writes rely on a single
// write region.
func Relies(op string) *writeregions.Use {
	if op == opReplace || op == opCreate || op == opDelete {
		return writeregions.Leases
	}
	return nil
}

func place(id string) wire.Place {
	return wire.Place{ID: id, Key: wire.NewPartitionKeyString(id), Name: `"` + id + `"`, Value: id}
}

// List implements Store. It costs one query of all partitions of the lease container.
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

// query reads the documents of all leases with a prefix.
func (c *Container) query(ctx context.Context, prefix Prefix) (documents [][]byte, err error) {
	return query(ctx, c.Leases, c.time(), prefix.leases())
}

func (c *Container) time() *clock {
	if c.among != nil {
		return c.among
	}
	return &c.clock
}

// query reads the documents whose ids begin with start.
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

// parse reads a lease and its range.
func (c *Container) parse(ctx context.Context, document []byte) (Lease, error) {
	l, err := c.Dialect.Parse(document)
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return c.Ranged(ctx, l)
}

// Ranged returns a lease of c with its range, which some leases do not store.
func (c *Container) Ranged(ctx context.Context, l Lease) (Lease, error) {
	if c.Several && l.Window.Container == "" { // created by another program
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
	if physical, err = c.Refresh(ctx); err != nil { // physical is from before a split
		return l, err
	}
	if l.Range, err = rangeOf(physical, l.Token); err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return l, nil
}

// Read implements Store. It costs one point read.
func (c *Container) Read(ctx context.Context, id string) (Lease, error) {
	response, err := c.Leases.ReadItem(ctx, opRead, place(id))
	if err != nil {
		return Lease{}, c.failure(opRead, id, err)
	}
	c.time().read(response.RawResponse)
	return c.parse(ctx, response.Value)
}

// Replace implements Store. It costs one write.
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

// Create implements Store. It costs one write.
func (c *Container) Create(ctx context.Context, l Lease) error {
	l.Time = c.time().now()
	document, err := c.Dialect.Encode(l, c.Monitored)
	if err != nil {
		return err
	}
	return c.createDocument(ctx, l.ID, document)
}

// createDocument stores a document, unless its id exists.
func (c *Container) createDocument(ctx context.Context, id string, document []byte) error {
	_, err := c.write(ctx, opCreate, id, c.creating(document))
	if errors.Is(err, wire.ErrAlreadyExists) {
		return nil
	}
	return err
}

// creating returns a function that sends a new document.
func (c *Container) creating(document []byte) func(context.Context, wire.Place) (wire.Answer, error) {
	return func(ctx context.Context, p wire.Place) (wire.Answer, error) {
		return c.Leases.CreateItem(ctx, p.Key, document, wire.WriteOptions(ctx))
	}
}

// Delete implements Store. It costs one write.
func (c *Container) Delete(ctx context.Context, l Lease) error {
	return c.deleteDocument(ctx, l.ID, l.ETag)
}

func (c *Container) deleteDocument(ctx context.Context, id string, unchanged azcore.ETag) error {
	_, err := c.write(ctx, opDelete, id, func(ctx context.Context, p wire.Place) (wire.Answer, error) {
		return c.Leases.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
	})
	return err
}

// write sends a write once. After a lost answer, the caller must determine the outcome by
// an ETag.
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

// failure returns the error of a request. It matches ErrChanged, ErrGone or ErrUnusable if
// that is the reason.
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

// Store has the leases of one processor.
type Store interface {
	// List reads all leases. It costs one query.
	List(ctx context.Context) ([]Lease, error)

	// Read reads the lease of an id. A missing lease is ErrGone.
	Read(ctx context.Context, id string) (Lease, error)

	// Replace writes a lease, with a new time, if its document still has l.ETag, and
	// returns it with its new ETag. It returns ErrChanged if the document has another ETag,
	// and ErrGone if it is missing. After any other error the lease may have been written.
	Replace(ctx context.Context, l Lease) (Lease, error)

	// Create writes a new lease. If the lease exists, Create does nothing.
	Create(ctx context.Context, l Lease) error

	// Delete removes a lease if its document still has l.ETag. Otherwise it returns
	// ErrChanged.
	Delete(ctx context.Context, l Lease) error
}

// Errors of a store.
var (
	ErrChanged = errors.New("another worker has written the lease")
	ErrGone    = errors.New("the lease was deleted")

	// ErrUnusable says that this processor cannot use the leases: they are of another
	// dialect, another container, or a physical partition that was merged, or writes go to
	// several regions.
	ErrUnusable = errors.New("the leases cannot be used")

	// ErrLost says that a worker has lost a lease, or cannot tell whether it has. The
	// worker must stop, and cannot save.
	ErrLost = errors.New("the lease was lost to another worker")
)

// The lifetime of the lock under which leases are created. In the SDKs for .NET and Java it
// is lockSeconds from its creation, which is also the lock's time to live. pkgen renews its
// lock while it works, and stores a shorter lifetime in nameLockSeconds, so that others see
// sooner that it crashed.
const (
	lockSeconds    = 30
	ownLockSeconds = 10
	keepLockEvery  = 2 * time.Second
)

// nameLockSeconds is a property of pkgen's locks: after so many seconds without a change,
// the process has crashed.
const nameLockSeconds = "pkgenSeconds"

// Pauses between looks at the lock of another process.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = time.Second
)

// errLockLost says that another process has removed the lock because it seemed abandoned.
var errLockLost = errors.New("the lock under which leases are created was lost")

type lock struct {
	container *Container
	document  []byte
	tag       azcore.ETag
	written   time.Time
}

// lock creates the lock. It returns nil if another process has it.
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

// keep renews the lock if the last write is some time ago.
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

// remove removes the lock if this process still has it, even after ctx has ended.
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

// lockSeen is the lock of another process, and when it was seen first.
type lockSeen sighting

// locked reports whether another process has the lock. It removes a lock that has not
// changed for its lifetime, because its process has crashed. The service does so only in a
// container with a default time to live.
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

// lockTime returns how long the lock of another process may stay unchanged.
func (c *Container) lockTime(document []byte) time.Duration {
	var own struct {
		Seconds int `json:"pkgenSeconds"`
	}
	if json.Unmarshal(document, &own) == nil && own.Seconds > 0 {
		return cmp.Or(c.ownLockFor, time.Duration(own.Seconds)*time.Second)
	}
	return cmp.Or(c.lockFor, lockSeconds*time.Second)
}

// All has the leases of a processor for all containers of a database, in the dialect
// DotNet: their ids have a common start, followed by the RID of the container. Only Now is
// safe for concurrent use.
type All struct {
	Leases    *wire.Container
	Processor string

	start string // of the ids
	clock clock
}

// Of returns the leases of one container. The caller must set Physical and Refresh.
func (a *All) Of(m Monitored) (*Container, error) {
	prefix, err := DotNet.Prefix(a.Processor, m)
	if err != nil {
		return nil, err
	}
	return &Container{Leases: a.Leases, Dialect: DotNet, Processor: a.Processor, Prefix: prefix, Monitored: m, Several: true, among: &a.clock}, nil
}

// In makes Find search the leases for the database of m. It reports whether that changes
// the search.
func (a *All) In(m Monitored) (bool, error) {
	prefix, err := DotNet.Prefix(a.Processor, m)
	start := strings.TrimSuffix(string(prefix), m.RID)
	news := err == nil && start != a.start
	if news {
		a.start = start
	}
	return news, err
}

// Found is the stored documents of one container.
type Found struct {
	Created bool    // all leases were created
	Leases  []Lease // some lack their ranges; see [Container.Ranged]
	Wrong   error   // why a document is not a lease of the dialect
}

// Find returns the stored leases of each container, by its RID. It costs one query. Before
// In it returns nothing.
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

// RID returns the RID of the container of a lease, from the lease's id.
func (a *All) RID(id string) string {
	rid, _, _ := strings.Cut(strings.TrimPrefix(id, a.start), ".")
	return rid
}

// Now returns the service's time.
func (a *All) Now() time.Time { return a.clock.now() }

// Forget removes the document which says that the leases of c were created. Call it after
// the container was dropped.
func (c *Container) Forget(ctx context.Context) error {
	err := c.deleteDocument(ctx, c.Prefix.info(), "")
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}

// Check returns an error if the container cannot have leases: its partition key is not /id,
// its time to live would remove leases, or it is the monitored container. It costs a
// request.
func (c *Container) Check(ctx context.Context) error {
	_, err := check(ctx, c.Leases, c.Monitored.RID)
	return err
}

// Check is Container.Check. It also returns the RID of the lease container.
func (a *All) Check(ctx context.Context) (string, error) { return check(ctx, a.Leases, "") }

// check returns the RID of the lease container, or an error if it cannot have leases.
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

// Monitors is the error if the lease container is the monitored one.
func Monitors(id string) error {
	return fmt.Errorf("the lease container is %q, whose changes are to be handled: leases need a container of their own, which EnsureLeases makes", id)
}

// Begin creates the leases of a processor, one for each physical partition, unless they
// exist. One process creates them, and others wait for it. Begin also creates leases that
// were lost since, for example by a forced failover or a deletion: their changes are read
// again from the beginning of the processor. If all leases exist, it costs a point read and
// a query.
//
// The feed of all versions has no beginning. If leases for it were lost, Begin returns an
// error that matches ErrUnusable, because changes would be skipped.
func (c *Container) Begin(ctx context.Context) error {
	losses := 0
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
		if errors.Is(err, errMissing) && losses < maxLosses {
			losses++ // a forced failover has just lost the created leases, which nobody has used yet
			continue
		}
		if err != nil || created {
			return err
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// lists is how often complete reads the leases. A query of several pages can miss a range
// that is divided meanwhile: it reads the place of the successors before they exist, and
// the place of the lease after it is removed. The next query finds them, unless they are
// divided again. A client whose PreferredRegions begin with a read region sees leases only
// after they have been replicated.
const lists = 4

// maxLosses is how often Begin creates leases again that it has just created and does not find.
const maxLosses = 3

// listPause is multiplied by the number of lists so far.
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

// create creates missing leases under the lock. Before says that leases were created before
// and lost. It returns false if another process has the lock.
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

// createAll creates missing leases, and then the document which says that all exist.
func (c *Container) createAll(ctx context.Context, lock *lock, before bool) error {
	if err := c.refuseOther(ctx); err != nil {
		return err
	}
	physical, err := c.Physical(ctx)
	if err != nil {
		return err
	}
	leases, err := c.List(ctx) // perhaps of a process that crashed, before physical partitions were split or merged
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

// refuseOther returns an error if the processor has leases of another dialect with another
// prefix: it would begin again next to them. Leases with the same prefix are refused when
// they are read.
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

// leftovers separates the leases that are left over after a division: leases of smaller
// ranges cover their range, or a lease by range replaced them after a merge. A worker that
// crashes may leave one before it removes the lease that it divided. A worker that was
// suspended may bring one back after another worker has divided the lease and its
// successors.
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

// prefix begins the ids of all leases of one container.
func (l Lease) prefix() Prefix {
	prefix, _, _ := strings.Cut(l.ID, "..")
	return Prefix(prefix)
}

// renamed reports whether a lease by range has replaced this lease of a physical partition,
// after a merge.
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

// uncovered returns the first part of r that no range covers, or nil.
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

// Wanted returns the properties of a new container for leases.
func Wanted(id string) wire.ContainerProperties {
	byDocument := int32(containers.LeasesTTL)
	return wire.ContainerProperties{
		ID:                     id,
		PartitionKeyDefinition: wire.PartitionKeyDefinition{Kind: wire.PartitionKeyKindHash, Paths: []string{containers.CompanionPath}, Version: 2},
		DefaultTimeToLive:      &byDocument,
	}
}
