package route

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
)

// Why the physical partitions of a container are of no use here.
var (
	// ErrNotConfigured says that the client was not made with Configure.
	ErrNotConfigured = errors.New("the client was made without repository.Configure")

	// ErrKeyVersion says that the effective partition keys of a container are not
	// those that package partition computes.
	ErrKeyVersion = errors.New("the container's partition key is not of version 2")
)

// Partitions gives one repository the physical partitions of its container. The
// zero value is ready. Partitions is safe for concurrent use.
type Partitions struct {
	cache  atomic.Pointer[Cache] // nil until the first Read
	reason atomic.Pointer[error] // why they are of no use, once that is certain
}

// Read returns the physical partitions of the container and the version of that
// map, or why queries cannot be scoped to them: ErrNotConfigured, ErrKeyVersion, or
// the error of a request. The first call for a container sends up to three requests
// for metadata, later ones none.
func (p *Partitions) Read(ctx context.Context, container *azcosmos.ContainerClient) (m *Map, version int, err error) {
	if reason := p.reason.Load(); reason != nil {
		return nil, 0, *reason
	}
	c := p.cache.Load()
	if c != nil {
		if err := c.usable(); err != nil {
			return nil, 0, err
		}
		if m, version := c.Known(); m != nil {
			return m, version, nil
		}
	}
	c, m, version, err = newer(ctx, container, 0)
	if err != nil {
		if errors.Is(err, ErrNotConfigured) || errors.Is(err, ErrKeyVersion) {
			p.reason.Store(&err)
		}
		return nil, 0, err
	}
	p.cache.Store(c)
	return m, version, nil
}

// Refresh returns the physical partitions after a request has shown that those of
// this version are gone. Of several callers at once, one sends requests: up to three
// for metadata. It is called after a Read that succeeded.
func (p *Partitions) Refresh(ctx context.Context, container *azcosmos.ContainerClient, version int) (*Map, int, error) {
	c := p.cache.Load()
	if m, now := c.Known(); m != nil && now > version {
		return m, now, nil
	}
	c.Forget(version)
	_, m, now, err := newer(ctx, container, version)
	return m, now, err
}

// maxReads bounds how often physical partitions are read that keep changing.
const maxReads = 10

// errChanging says that what was read of a container is forgotten already.
var errChanging = errors.New("the physical partitions keep changing: run the query again")

// newer returns the cache of a container, and its map, which is newer than version
// after. While physical partitions change, another reader may find a map to be out of
// date and have it forgotten before it is used here, or the answers may be incomplete.
// Then they are read again, maxReads times at most.
func newer(ctx context.Context, container *azcosmos.ContainerClient, after int) (*Cache, *Map, int, error) {
	for attempt := 1; ; attempt++ {
		c, err := read(ctx, container, after)
		if err == nil {
			err = c.usable()
		}
		if err == nil {
			if m, now := c.Known(); m != nil {
				return c, m, now, nil
			}
			err = errChanging
		}
		if attempt == maxReads || !Gone(err) && !errors.Is(err, errChanging) && !incomplete(err) {
			return nil, nil, 0, err
		}
		if ended := backoff.Settle(ctx, attempt); ended != nil {
			return nil, nil, 0, errors.Join(err, ended)
		}
	}
}

// Pretend puts other physical partitions in place of those that are known. Tests
// pretend by it that these have been split or merged since.
func (p *Partitions) Pretend(m *Map) {
	c := p.cache.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = m
	c.version++
}
