package tenancy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	residence "github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
)

// Directory returns where each tenant lives: in the container that tenants share, or in one of
// its own. [NewTenantDirectory] makes one that is stored in a container, and with which tenants
// can move while they are served. A program may implement a Directory, for tenants that never
// move while a process runs.
//
// A Directory is safe for concurrent use.
type Directory interface {
	// Residence returns where a tenant lives. Shared is the id of the container that the
	// tenants share, and tenant is the text in the partition key. It may return a cached answer
	// until [Residence.Until].
	Residence(ctx context.Context, shared, tenant string) (Residence, error)

	// Refresh is Residence without a cached answer.
	Refresh(ctx context.Context, shared, tenant string) (Residence, error)
}

// Residence is the container of a tenant, and its state.
type Residence struct {
	// Container is the id of the tenant's own container. It is empty if the tenant lives in the
	// shared one.
	Container string

	// State is the state of a move.
	State ResidenceState

	// Version grows with each change of the directory, and Switches with each move of the
	// tenant. They are 0 for a tenant that has never moved.
	Version, Switches int64

	// Until is when the residence must be looked up again, by the monotonic clock. The zero
	// time means never: the tenant does not move while the process runs.
	Until time.Time

	// Grace is how long a write that was sent before Until may still run.
	Grace time.Duration
}

// ResidenceState is the state of a tenant's move.
type ResidenceState int

// The states of a residence.
const (
	ResidenceSettled ResidenceState = iota // the tenant does not move
	ResidenceMoving                        // its documents are being copied, and writes continue
	ResidenceClosed                        // writes wait briefly until it has moved
)

// String returns the state in lower case, as stored in the directory's documents.
func (s ResidenceState) String() string { return string(stateOf(s)) }

func stateOf(s ResidenceState) residence.State {
	switch s {
	case ResidenceMoving:
		return residence.Moving
	case ResidenceClosed:
		return residence.Closed
	default:
		return residence.Settled
	}
}

func residenceOf(r residence.Residence) Residence {
	state := ResidenceSettled
	switch r.State {
	case residence.Moving:
		state = ResidenceMoving
	case residence.Closed:
		state = ResidenceClosed
	}
	return Residence{r.Container, state, r.Version, r.Switches, r.Until, r.Grace}
}

// Residences returns a directory for the constructors of generated code.
func Residences(d Directory) residence.Directory {
	switch d := d.(type) {
	case nil:
		return nil
	case *TenantDirectory:
		if d == nil {
			return nil
		}
		return d.cache
	default:
		return givenDirectory{d}
	}
}

// givenDirectory is a Directory that a program implements.
type givenDirectory struct{ Directory }

func (d givenDirectory) Residence(ctx context.Context, shared, tenant string) (residence.Residence, error) {
	return ofGiven(d.Directory.Residence(ctx, shared, tenant))
}

func (d givenDirectory) Refresh(ctx context.Context, shared, tenant string) (residence.Residence, error) {
	return ofGiven(d.Directory.Refresh(ctx, shared, tenant))
}

func ofGiven(r Residence, err error) (residence.Residence, error) {
	return residence.Residence{
		Container: r.Container, State: stateOf(r.State), Version: r.Version, Switches: r.Switches,
		Until: r.Until, Grace: r.Grace,
	}, err
}

// TenantDirectory is a [Directory] in a container. It has an item of some 300 bytes for each
// tenant that has its own container, moves, or has moved. All others live in the shared
// container. A process should use one TenantDirectory for all its repositories.
//
// It caches each tenant for ten seconds, or the time of [WithResidenceTTL]. So a process that
// serves a tenant continuously looks it up eight times a minute, at 1 request unit each. The
// cache holds at most about 100,000 tenants.
//
// Reads of the directory must see its writes: the account's default consistency is session or
// stronger, the account has one write region, and the client of the directory reads in that
// region.
type TenantDirectory struct{ cache *residence.Cache }

// NewTenantDirectory returns the directory in a container made by [EnsureTenantDirectory], or
// one with the partition key path /id. It sends nothing.
func NewTenantDirectory(container *azcosmos.ContainerClient) *TenantDirectory {
	return &TenantDirectory{residence.NewCache(residence.NewRecords(container))}
}

// Residence implements [Directory]: from the cache, or with a point read of 1 request unit. The
// first call of a process reads one more item.
func (d *TenantDirectory) Residence(ctx context.Context, shared, tenant string) (Residence, error) {
	r, err := d.cache.Residence(ctx, shared, tenant)
	return residenceOf(r), err
}

// Refresh implements [Directory]: a point read of 1 request unit, which concurrent callers
// share.
func (d *TenantDirectory) Refresh(ctx context.Context, shared, tenant string) (Residence, error) {
	r, err := d.cache.Refresh(ctx, shared, tenant)
	return residenceOf(r), err
}

// TenantResidence is a tenant in a directory, and where it lives.
type TenantResidence struct {
	Shared string // the id of the container that the tenants share
	Tenant string
	Residence
}

// Tenants returns the tenants of a shared container that have an item in the directory: they
// have their own container, are moving, or have come back. An empty id means all shared
// containers. It is a query of the whole directory: about 1 request unit for every three
// tenants.
func (d *TenantDirectory) Tenants(ctx context.Context, shared string) ([]TenantResidence, error) {
	times, err := d.cache.Times(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	documents, err := d.cache.Records.List(ctx, shared)
	if err != nil {
		return nil, err
	}
	all := make([]TenantResidence, len(documents))
	for i, document := range documents {
		all[i] = TenantResidence{document.Shared, document.Tenant, residenceOf(document.Residence(began, times))}
	}
	return all, nil
}

// DirectoryOption changes the directory that [EnsureTenantDirectory] makes.
type DirectoryOption func(*directorySettings)

type directorySettings struct {
	times residence.Times
	wrong error
}

// WithResidenceTTL sets how long processes cache where a tenant lives: from a millisecond to an
// hour, 10 seconds by default. A longer time costs fewer lookups, but moves, which wait for it
// twice, take longer. It cannot be changed once the directory is in use.
func WithResidenceTTL(ttl time.Duration) DirectoryOption {
	return func(s *directorySettings) {
		if ttl < time.Millisecond || ttl > residence.MaxTTL {
			s.wrong = fmt.Errorf("a residence cannot be remembered for %v: choose from 1 ms to %v", ttl, residence.MaxTTL)
		}
		s.times.TTL = ttl.Truncate(time.Millisecond)
	}
}

// WithResidenceGrace sets how long a write may still run that was sent just before a residence
// had to be looked up again: from a millisecond to an hour. The default is 35 seconds, the
// longest that azcosmos repeats a throttled request. A write that takes longer returns
// [repository.ErrUnclear]. A shorter time makes moves shorter, which wait for it twice, and
// more writes to an overloaded container unclear. It cannot be changed once the directory is in
// use.
func WithResidenceGrace(grace time.Duration) DirectoryOption {
	return func(s *directorySettings) {
		if grace < time.Millisecond || grace > residence.MaxTTL {
			s.wrong = fmt.Errorf("a write cannot be let run for %v: choose from 1 ms to %v", grace, residence.MaxTTL)
		}
		s.times.Grace = grace.Truncate(time.Millisecond)
	}
}

// EnsureTenantDirectory creates the container of a directory in the database db if it is
// missing, and returns the directory. It costs as much as [admin.Ensure] and a point read, and
// the first time a write of some 6 request units. A program may call it at each start.
//
// It returns an error if the container has a partition key other than /id, if the directory's
// times differ from the options, or if the account has several write regions, which matches
// [repository.ErrSeveralWriteRegions]. Identities of Microsoft Entra ID, which may not create
// containers, use [NewTenantDirectory].
func EnsureTenantDirectory(ctx context.Context, db *azcosmos.DatabaseClient, id string, throughput admin.Throughput, opts ...DirectoryOption) (*TenantDirectory, error) {
	s := directorySettings{times: residence.DefaultTimes()}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("a DirectoryOption is nil")
		}
		if o(&s); s.wrong != nil {
			return nil, s.wrong
		}
	}
	want := azcosmos.ContainerProperties{
		ID:                     id,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{containers.CompanionPath}, Version: 2},
	}
	container, err := admin.Ensure(ctx, db, want, throughput, admin.OneWriteRegion("own"))
	if err != nil {
		return nil, err
	}
	d := NewTenantDirectory(container)
	_, err = d.cache.Records.SetTimes(ctx, s.times, len(opts) > 0)
	return d, err
}
