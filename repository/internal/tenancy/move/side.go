package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// side is the source or the destination of a move, and the logical partition of the tenant
// there.
type side struct {
	wire.Container
	id     string
	tenant wire.Place // its id is the id of the fence
	epk    string
	epoch  int64

	// levels reports that the tenant is the first of several levels of the partition key. It
	// then has many logical partitions, and no fences.
	levels bool
	lease  func(context.Context) (time.Time, error) // the time until which this process may write; only with levels

	position string // in the change feed, in the SDK's format; empty at the beginning

	rid    string
	expiry system.Expiry // of the container
}

// newSide reads the properties of a container.
func newSide(ctx context.Context, client *wire.Client, tenant string) (*side, error) {
	key, name := wire.PartitionKeyOf(tenant)
	s := &side{id: client.ID(), tenant: wire.Place{ID: tenancy.FenceID, Key: key, Name: name, Value: tenant}}
	s.Client, s.Type, s.Moving = client, "in "+client.ID(), true
	s.Relies = func(string) *writeregions.Use { return writeregions.Tenancy }
	properties, err := s.Properties(wire.Relying(ctx, writeregions.Tenancy))
	if wire.IsNoContainer(err) || wire.StatusOf(err) == http.StatusNotFound {
		return nil, &noContainerError{s.id}
	}
	if err != nil {
		return nil, err
	}
	s.rid, s.expiry, s.Paths = properties.ResourceID, system.ExpiryOf(properties.DefaultTimeToLive), properties.PartitionKeyDefinition.Paths
	if s.levels = len(s.Paths) > 1; len(s.Paths) == 0 || properties.PartitionKeyDefinition.Version != 2 {
		return nil, fmt.Errorf("the partition key of container %q is of version %d: tenants move between containers whose partition key is of version 2", s.id, properties.PartitionKeyDefinition.Version)
	}
	if s.epk, err = partition.EPK(tenant); err != nil {
		return nil, err
	}
	if err := s.Join(ctx); err != nil {
		return nil, fmt.Errorf("make the client with repository.Configure: %w", err)
	}
	return s, nil
}

// noContainerError is the error for a missing container of a move.
type noContainerError struct{ id string }

func (e *noContainerError) Error() string {
	return fmt.Sprintf("there is no container %q: create it first", e.id)
}
func (*noContainerError) Unwrap() error { return wire.ErrNoContainer }

// passes reports whether a request that failed with err may succeed later. All requests of
// this package may be repeated.
func passes(err error) bool {
	return wire.IsBroken(err) || wire.IsUnclear(err) || wire.MayPass(err) || wire.Retried(wire.StatusOf(err)) || wire.StatusOf(err) == http.StatusGone
}

// again sends a request until it succeeds, or fails permanently.
func again(ctx context.Context, send func() error) error {
	return backoff.Policy{Most: maxAttempts, Slow: wire.UnclearPause, Again: passes}.Do(ctx, send)
}

// patchFence patches the fence.
func (s *side) patchFence(ctx context.Context, p wire.PatchOperations) error {
	return again(ctx, func() error {
		callCtx, done := s.Begin(ctx, s.tenant.Event(Op))
		response, err := s.PatchItem(callCtx, s.tenant.Key, tenancy.FenceID, p, wire.WriteOptions(ctx))
		done(response.RequestCharge, err)
		return err
	})
}

// fence reads the fence.
func (s *side) fence(ctx context.Context) (mark tenancy.Mark, err error) {
	var response wire.Answer
	err = again(ctx, func() (err error) {
		response, err = s.ReadItem(ctx, Op, s.tenant)
		return err
	})
	if err == nil {
		mark, _, err = tenancy.MarkOf(response.Value)
	}
	return mark, err
}

// arm gives the fence this epoch, unless it has a later one.
func (s *side) arm(ctx context.Context, open, copying bool) error {
	if s.levels {
		return nil
	}
	for range maxAttempts {
		err := s.patchFence(ctx, tenancy.ArmPatch(s.epoch, open, copying))
		switch wire.StatusOf(err) {
		case http.StatusNotFound:
			err = again(ctx, func() error {
				callCtx, done := s.Begin(ctx, s.tenant.Event(Op))
				response, err := s.CreateItem(callCtx, s.tenant.Key, tenancy.NewFence(s.Paths[0], s.tenant.Value.(string), s.epoch, open, copying), wire.WriteOptions(ctx))
				done(response.RequestCharge, err)
				return err
			})
			if wire.StatusOf(err) == http.StatusConflict {
				continue
			}
		case http.StatusPreconditionFailed:
			mark, failed := s.fence(ctx)
			switch {
			case failed != nil:
				return failed
			case mark.Epoch > s.epoch:
				return errTaken
			case mark.Epoch < s.epoch:
				continue
			case mark.Open != open || mark.Copy != copying: // of a step that a failover has lost
				return errTaken
			}
			err = nil // the answer was lost
		}
		return err
	}
	return errTaken
}

// close closes the fence.
func (s *side) close(ctx context.Context) error {
	if s.levels {
		return nil
	}
	err := s.patchFence(ctx, tenancy.ClosePatch(s.epoch))
	if status := wire.StatusOf(err); status == http.StatusPreconditionFailed || status == http.StatusNotFound {
		return errTaken
	}
	return err
}

// Limits of a batch: one operation and some bytes are for the fence.
const (
	batchOperations = wire.MaxBatchOperations - 1
	batchBytes      = wire.MaxBatchBytes - 64<<10
)

// write sends operations in batches with the fence, which require its condition.
func (s *side) write(ctx context.Context, operations []wire.Operation, fence wire.PatchOperations, before func(context.Context) error) error {
	for len(operations) > 0 {
		n, size := 0, 0
		for n < len(operations) && n < batchOperations && (n == 0 || size+operations[n].Size() <= batchBytes) {
			size += operations[n].Size()
			n++
		}
		if err := before(ctx); err != nil {
			return err
		}
		if err := s.batch(ctx, slices.Clone(operations[:n]), fence); err != nil {
			return err
		}
		operations = operations[n:]
	}
	return nil
}

// batch sends one batch until it has taken effect. It leaves out deletions of missing
// documents.
func (s *side) batch(ctx context.Context, operations []wire.Operation, fence wire.PatchOperations) error {
	last := wire.Operation{Op: wire.OpPatch, ID: tenancy.FenceID, Patch: fence, PatchBytes: 256}
	for attempt := 1; len(operations) > 0; {
		results, committed, err := s.SendBatch(ctx, Op, s.tenant, append(slices.Clip(operations), last), false)
		if err == nil && committed {
			return nil
		}
		if err != nil && wire.StatusOf(err) != http.StatusPreconditionFailed && wire.StatusOf(err) != http.StatusNotFound && !passes(err) {
			return err
		}
		culprit, status := wire.Culprit(results), wire.StatusOf(err)
		if culprit >= 0 {
			status = int(results[culprit].StatusCode)
		}
		switch gone := status == http.StatusNotFound; {
		case culprit == len(operations) && (gone || status == http.StatusPreconditionFailed):
			return errTaken
		case culprit >= 0 && gone && operations[culprit].Op == wire.OpDelete:
			operations = slices.Delete(operations, culprit, culprit+1)
			continue
		case culprit >= 0 && !wire.Retried(status):
			return wire.Rejected(Op, s.Type, operations[culprit].ID, s.tenant.Name, status)
		}
		if attempt == maxAttempts || ctx.Err() != nil || backoff.Pause(ctx, wire.UnclearPause+attempt) != nil {
			if err == nil {
				err = errors.New("the service keeps rolling a batch back")
			}
			return err
		}
		attempt++
	}
	return nil
}

// query runs a query of values in the logical partition, and calls each for each value.
func (s *side) query(ctx context.Context, statement string, each func(value []byte) error) error {
	return s.List(ctx, wire.Listing{
		Event: wire.Event{Op: Op, PartitionKey: s.tenant.Name}, Key: s.tenant.Key, Statement: statement, PageSize: feedPage, Values: true, Retry: again,
	}, func(page wire.Page) error {
		for _, value := range page.Items {
			if err := each(value); err != nil {
				return err
			}
		}
		return nil
	})
}

// count counts the documents of the tenant.
func (s *side) count(ctx context.Context) (n int64, err error) {
	if s.levels {
		rows, err := s.rows(ctx)
		return int64(len(rows)), err
	}
	err = s.query(ctx, "SELECT VALUE COUNT(1) FROM c WHERE "+tenancy.HiddenCondition, func(row []byte) error {
		var part int64
		err := json.Unmarshal(row, &part)
		n += part
		return err
	})
	return n, err
}

// ids calls each for the ids of the documents that match a condition.
func (s *side) ids(ctx context.Context, condition string, each func(id string)) error {
	return s.query(ctx, "SELECT VALUE c.id FROM c WHERE "+condition, func(row []byte) error {
		var id string
		err := json.Unmarshal(row, &id)
		each(id)
		return err
	})
}

// body reads a document, and returns its copy for the destination, or nil if there is none.
func (s *side) body(ctx context.Context, p wire.Place) ([]byte, error) {
	var response wire.Answer
	err := again(ctx, func() (err error) {
		response, err = s.ReadItem(ctx, Op, p)
		return err
	})
	if wire.StatusOf(err) == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now, err := wire.DateOf(response.RawResponse)
	if err != nil {
		return nil, err
	}
	return s.copyOf(response.Value, now)
}
