package lease

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
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
	tag, err := l.container.write(ctx, opReplace, l.container.Prefix.lock(), func(ctx context.Context, p wire.Place) (azcosmos.ItemResponse, error) {
		return l.container.Leases.Client.ReplaceItem(ctx, p.Key, p.ID, l.document, wire.IfMatch(ctx, l.tag))
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
