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

// Directory says where each tenant lives: in the container that tenants share, or in one
// of its own. [NewTenantDirectory] makes one that keeps this in a container, and with
// which tenants can move while they are served. A program may have a Directory of its
// own, for tenants that never move while a process runs.
//
// A Directory is safe for concurrent use.
type Directory interface {
	// Residence returns where a tenant lives. Shared is the id of the container that the
	// tenants share, and tenant is the text in the partition key. It may answer from
	// memory until [Residence.Until].
	Residence(ctx context.Context, shared, tenant string) (Residence, error)

	// Refresh is Residence by what the directory says after the call.
	Refresh(ctx context.Context, shared, tenant string) (Residence, error)
}

// Residence says where a tenant lives.
type Residence struct {
	// Container is the id of the tenant's own container. It is empty if the tenant lives
	// in the shared one.
	Container string

	// State says what happens there.
	State ResidenceState

	// Version grows with each change of the directory, and Switches each time the tenant
	// has moved. They are 0 of a tenant that has never moved.
	Version, Switches int64

	// Until is when the residence has to be looked up again, by the monotonic clock. The
	// zero time is never: the tenant does not move while the process runs.
	Until time.Time

	// Grace is how long after Until a write that was sent before is let run.
	Grace time.Duration
}

// ResidenceState says what happens where a tenant lives.
type ResidenceState int

// The states of a residence.
const (
	ResidenceSettled ResidenceState = iota // the tenant does not move
	ResidenceMoving                        // its documents are being copied, and it is written
	ResidenceClosed                        // writes wait until it has moved, for a moment
)

// String returns the state in lower case, as the directory's documents have it.
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

// Residences returns a directory as the constructors of generated code take it.
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

// givenDirectory is a Directory that a program brings.
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

// TenantDirectory is a [Directory] that keeps in a container where tenants live: an item
// of some 300 bytes for each tenant that has a container of its own, moves, or has moved.
// All others live in the shared container. A process should have one TenantDirectory for
// all its repositories.
//
// It remembers each tenant for ten seconds; [EnsureTenantDirectory] can choose another
// time. So a process that serves a tenant without a pause looks it up eight times a
// minute, at 1 request unit each, and a point read of the tenant is one request. About
// 100,000 tenants are remembered at most.
//
// The directory has to show what was written in it: the account's default consistency is
// session or stronger, the account is written in one region, and the client of the
// directory reads in that region.
type TenantDirectory struct{ cache *residence.Cache }

// NewTenantDirectory returns the directory in a container that [EnsureTenantDirectory]
// has made, or one with the partition key path /id. It sends nothing.
func NewTenantDirectory(container *azcosmos.ContainerClient) *TenantDirectory {
	return &TenantDirectory{residence.NewCache(residence.NewRecords(container))}
}

// Residence implements [Directory]: from memory, or by a point read of 1 request unit. The
// very first call of a process reads one item more.
func (d *TenantDirectory) Residence(ctx context.Context, shared, tenant string) (Residence, error) {
	r, err := d.cache.Residence(ctx, shared, tenant)
	return residenceOf(r), err
}

// Refresh implements [Directory]: a point read of 1 request unit, which callers at one
// time share.
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

// Tenants returns the tenants of a shared container that the directory has items of: those
// that have a container of their own, that move, and that have come back. An empty id is
// all shared containers. It is a query of the whole directory: about 1 request unit for
// each three tenants.
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

// WithResidenceTTL sets how long processes remember where a tenant lives: from a
// millisecond to an hour, 10 seconds unless this is given. A longer time costs fewer
// lookups, and makes moves longer, which wait for it twice. It cannot be changed once the
// directory is in use.
func WithResidenceTTL(ttl time.Duration) DirectoryOption {
	return func(s *directorySettings) {
		if ttl < time.Millisecond || ttl > residence.MaxTTL {
			s.wrong = fmt.Errorf("a residence cannot be remembered for %v: choose from 1 ms to %v", ttl, residence.MaxTTL)
		}
		s.times.TTL = ttl.Truncate(time.Millisecond)
	}
}

// WithResidenceGrace sets how long a write is let run that was sent just before a
// residence had to be looked up again: from a millisecond to an hour, 35 seconds unless
// this is given, which is what azcosmos takes at most to repeat a throttled request. A
// write that takes longer returns [repository.ErrUnclear]. A shorter time makes moves shorter, which
// wait for it twice, and more writes of an overloaded container unclear. It cannot be
// changed once the directory is in use.
func WithResidenceGrace(grace time.Duration) DirectoryOption {
	return func(s *directorySettings) {
		if grace < time.Millisecond || grace > residence.MaxTTL {
			s.wrong = fmt.Errorf("a write cannot be let run for %v: choose from 1 ms to %v", grace, residence.MaxTTL)
		}
		s.times.Grace = grace.Truncate(time.Millisecond)
	}
}

// EnsureTenantDirectory makes the container of a directory in the database db if it is
// missing, and returns the directory. It costs what [admin.Ensure] costs, and a point read; the
// first time a write of some 6 request units more. A program may call it at each start.
//
// It is an error if the container has another partition key than /id, if the directory
// has other times than the options say, or if the account has several write regions: that one
// matches [repository.ErrSeveralWriteRegions]. Identities of Microsoft Entra ID, which
// may not create containers, use [NewTenantDirectory].
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
