package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// fewLeft is the maximum number of changes in a page that the writers can wait for.
const fewLeft = 50

// manyFew is the number of such pages in succession after which the writers can wait, if the
// tenant has documents in several physical partitions.
const manyFew = 8

// copying copies the documents, and follows their changes until few are left. It stores the
// position in the feed about once a second.
func (m *Move) copying(ctx context.Context) error {
	m.pay()
	m.replicas = m.session.Changes()
	saved, few, arrived := time.Now(), 0, !m.hasRegions()
	for {
		p, err := m.follow(ctx)
		if err != nil {
			return err
		}
		if few++; len(p.documents) > fewLeft {
			few = 0
		}
		if m.changesReplicas() {
			m.replicas, m.from.position, few, arrived = m.session.Changes(), "", 0, false
			if err := m.arm(ctx, Copying); err != nil {
				return err
			}
			continue
		}
		if p.idle || few > 0 && !m.from.levels || few == manyFew {
			if arrived {
				break
			}
			if err := m.arrive(ctx); err != nil {
				return err
			}
			few, arrived = 0, true
		}
		if time.Since(saved) > time.Second {
			if err := m.keep(ctx); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	m.paused = time.Now()
	return m.record.advance(ctx, Closing, func(d *tenancy.Document) { d.State = tenancy.Closed })
}

// keep stores the position in the directory. With several regions it stores none: after a
// failover, which may leave one region, a position is meaningless.
func (m *Move) keep(ctx context.Context) error {
	documents, position := m.Summary().Documents, m.from.position
	if m.hasRegions() {
		position = ""
	}
	return m.record.change(ctx, func(_ *tenancy.Document, s *state) { s.Position, s.Documents = position, documents })
}

// follow applies a page of the change feed to the destination. p.idle reports that there was
// nothing new, and p.closed that the page has the fence that this move has closed.
func (m *Move) follow(ctx context.Context) (p page, err error) {
	if err := m.spend(ctx); err != nil {
		return p, err
	}
	if p, err = m.from.changes(ctx, m.from.position); err != nil {
		return p, err
	}
	operations, counts, err := m.operations(&p)
	switch {
	case err != nil:
	case m.to.levels:
		err = m.putAll(ctx, operations)
	default:
		err = m.to.write(ctx, operations, tenancy.CopyPatch(m.to.epoch), m.spend)
	}
	if err != nil {
		return p, err
	}
	m.from.position = p.after
	m.note(func(s *Summary) {
		s.Documents += counts.Documents
		s.Deleted += counts.Deleted
		s.Bytes += counts.Bytes
		s.Fenced = max(s.Fenced, counts.Fenced)
	})
	return p, nil
}

// operations returns the operations with which a page of the change feed updates the
// destination. A tombstone deletes, unless the page has a version of the document that is at
// least as new: one transaction may have deleted the document and stored it again.
func (m *Move) operations(p *page) (operations []wire.Operation, counts Summary, err error) {
	at := map[string]int64{} // the version of each document in the page
	var gone []tenancy.Mark
	var when []int64
	for _, raw := range p.documents {
		var lsn int64
		if err := json.Unmarshal(text.Member(raw, "_lsn"), &lsn); err != nil {
			return nil, counts, errors.New("a change has no _lsn")
		}
		mark, hidden, err := tenancy.MarkOf(raw)
		if err != nil {
			return nil, counts, err
		}
		if hidden {
			switch mark.Kind {
			case tenancy.KindGone:
				gone, when = append(gone, mark), append(when, lsn)
			case tenancy.KindFence:
				counts.Fenced = mark.Count
				p.closed = p.closed || mark.Epoch == m.from.epoch && !mark.Open
			}
			continue
		}
		var id string
		if err := json.Unmarshal(text.Member(raw, "id"), &id); err != nil {
			return nil, counts, errors.New("a change has no id")
		}
		body, err := m.from.copyOf(raw, p.now)
		if err != nil {
			return nil, counts, err
		}
		if body == nil { // it has expired; an earlier version may be there
			gone, when = append(gone, tenancy.Mark{ID: id}), append(when, lsn)
			continue
		}
		at[id] = lsn
		operations = append(operations, wire.Operation{Op: wire.OpUpsert, ID: id, Body: body})
		counts.Documents++
		counts.Bytes += int64(len(body))
	}
	for i, mark := range gone {
		if lsn, there := at[mark.ID]; there && lsn >= when[i] {
			continue
		}
		operations = append(operations, wire.Operation{Op: wire.OpDelete, ID: mark.ID})
		counts.Deleted++
	}
	return operations, counts, nil
}

// closing closes the fence, copies all earlier changes, compares, and switches. Writers wait
// during this time; with several regions, they wait until all regions have the switch.
func (m *Move) closing(ctx context.Context) error {
	if m.paused.IsZero() {
		m.paused = time.Now()
	}
	several := m.hasRegions()
	if err := m.settle(ctx, several); err != nil {
		return err
	}
	step, state := Switched, tenancy.Settled
	if several {
		step, state = Decided, tenancy.Closed
	}
	err := m.record.advance(ctx, step, func(d *tenancy.Document) {
		if d.State, d.Container = state, m.To; m.To == m.Shared {
			d.Container = ""
		}
		d.Switches++
	})
	if err == nil && step == Switched {
		m.endPause()
	}
	return err
}

// decided lets programs write at the destination as soon as no failover can move the tenant
// back to the old place.
func (m *Move) decided(ctx context.Context) error {
	if m.paused.IsZero() {
		m.paused = time.Now()
	}
	if err := m.everywhere(ctx, m.Patience, m.record.written()); err != nil {
		return err
	}
	err := m.record.advance(ctx, Switched, func(d *tenancy.Document) { d.State = tenancy.Settled })
	if err == nil {
		m.endPause()
	}
	return err
}

// endPause records the end of the writers' pause.
func (m *Move) endPause() {
	m.note(func(s *Summary) { s.Pause = time.Since(m.paused) })
	m.paused = time.Time{}
}

// settle makes the destination equal to the old place, after writes have been stopped. If it
// fails for any reason but a crash, writers continue at the old place.
func (m *Move) settle(ctx context.Context, several bool) error {
	err := m.stop(ctx)
	if err == nil {
		err = m.to.close(ctx)
	}
	if err == nil && several {
		err = m.stays(ctx)
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrRunning) {
		err = errors.Join(err, m.reopen(ctx))
	}
	return err
}

func (m *Move) stop(ctx context.Context) error {
	if m.from.levels {
		return m.drain(ctx)
	}
	if err := m.from.close(ctx); err != nil {
		return err
	}
	if err := m.barrier(ctx); err != nil {
		return err
	}
	return m.verify(ctx)
}

// barrier copies the changes before the close of the fence.
func (m *Move) barrier(ctx context.Context) error {
	for empty := 0; ; {
		p, err := m.follow(ctx)
		if err != nil {
			return err
		}
		if p.closed {
			return nil
		}
		if p.idle { // the replica that was read lags
			if empty++; empty == maxEmpty {
				return errors.New("the change feed does not show that the fence was closed: run the move again")
			}
			if err := m.Sleep(ctx, emptyPause); err != nil {
				return err
			}
		}
	}
}

// Limits of the wait for a replica.
const (
	maxEmpty   = 100
	emptyPause = 20 * time.Millisecond
)

// reopen lets writers continue at the old place after a failed comparison.
func (m *Move) reopen(ctx context.Context) error {
	if err := m.record.reclaim(ctx); err != nil {
		return err
	}
	m.paused = time.Time{}
	epoch := m.record.epoch()
	m.from.epoch, m.to.epoch = epoch, epoch
	return m.arm(ctx, Copying)
}

// verify compares the numbers of documents and, if they differ, the documents.
func (m *Move) verify(ctx context.Context) error {
	const passes = 3
	var before, after int64
	for range passes {
		var err error
		if before, err = m.from.count(ctx); err != nil {
			return err
		}
		if after, err = m.to.count(ctx); err != nil || before == after {
			return err
		}
		if err := m.mend(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("the old place has %d documents of the tenant, and the destination has %d, after %d comparisons: another program writes to one of them. The tenant was not moved", before, after, passes)
}

// mend makes the documents of the destination equal to those of the old place.
func (m *Move) mend(ctx context.Context) error {
	missing := map[string]bool{}
	if err := m.from.ids(ctx, tenancy.HiddenCondition, func(id string) { missing[id] = true }); err != nil {
		return err
	}
	var operations []wire.Operation
	err := m.to.ids(ctx, tenancy.HiddenCondition, func(id string) {
		if !missing[id] {
			operations = append(operations, wire.Operation{Op: wire.OpDelete, ID: id})
		}
		delete(missing, id)
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		p := m.from.tenant
		p.ID = id
		body, err := m.from.body(ctx, p)
		if err != nil {
			return err
		}
		if body != nil {
			operations = append(operations, wire.Operation{Op: wire.OpUpsert, ID: id, Body: body})
		}
	}
	m.note(func(s *Summary) { s.Mended += int64(len(operations)) })
	return m.to.write(ctx, operations, tenancy.CopyPatch(m.to.epoch), m.spend)
}

// notFence excludes the fence from a removal.
const notFence = `c.id != "` + tenancy.FenceID + `"`

// remove removes the documents at the old place. The fence stays closed there.
func (m *Move) remove(ctx context.Context) error {
	m.pay()
	if m.from.levels {
		return m.removeAll(ctx)
	}
	for {
		var operations []wire.Operation
		err := m.from.ids(ctx, notFence, func(id string) {
			operations = append(operations, wire.Operation{Op: wire.OpDelete, ID: id})
		})
		if err != nil || len(operations) == 0 {
			return err
		}
		if err := m.from.write(ctx, operations, tenancy.RemovePatch(m.from.epoch), m.spend); err != nil {
			return err
		}
		m.note(func(s *Summary) { s.Removed += int64(len(operations)) })
	}
}

// page is a page of the change feed.
type page struct {
	documents [][]byte
	after     string // the position after the page
	idle      bool   // there is nothing new
	closed    bool   // it has the fence that the move has closed
	now       time.Time
}

// continuation is the SDK's format of a position in a change feed.
type continuation struct {
	ResourceID string             `json:"resourceId"`
	Parts      []continuationPart `json:"continuation"`
}

type continuationPart struct {
	Min string `json:"minInclusive"`
	Max string `json:"maxExclusive"`
}

// feedPage is the maximum number of documents in a page of the change feed.
const feedPage = 500

// changes reads a page of the change feed of the tenant.
func (s *side) changes(ctx context.Context, position string) (p page, err error) {
	if position == "" {
		begin, err := json.Marshal(continuation{Parts: []continuationPart{{s.epk, s.epk + "FF"}}})
		if err != nil {
			return p, err
		}
		position = string(begin)
	}
	demanded := wire.OptionsOf(ctx)
	options := wire.FeedOptions{
		Continuation: &position, MaxItemCount: feedPage, PriorityLevel: demanded.Priority, ThroughputBucket: demanded.Bucket,
	}
	if s.levels { // azcosmos supports only whole physical partitions as the scope of a feed (1.5.0)
		ctx = policy.WithHTTPHeader(ctx, http.Header{
			"X-Ms-Start-Epk": {s.epk}, "X-Ms-End-Epk": {s.epk + "FF"}, "X-Ms-Read-Key-Type": {"EffectivePartitionKeyRange"},
		})
	} else {
		options.PartitionKey = &s.tenant.Key
	}
	var response wire.ChangePage
	err = again(ctx, func() (err error) {
		callCtx, done := s.Begin(route.InContainer(ctx, s.rid), wire.Event{Op: Op, PartitionKey: s.tenant.Name})
		response, err = s.Client.ReadChangeFeed(callCtx, &options)
		if err = wire.Unparsed(err); err == nil {
			err = wire.CheckFeed(response, "_lsn")
		}
		done(response.RequestCharge, err)
		return err
	})
	if err != nil {
		return p, err
	}
	var after continuation
	if err := json.Unmarshal([]byte(response.ContinuationToken), &after); err != nil {
		return p, fmt.Errorf("the SDK's continuation %q cannot be read: %w", response.ContinuationToken, err)
	}
	if after.ResourceID != s.rid {
		return p, fmt.Errorf("container %q was deleted and created again while a tenant was moved from it", s.id)
	}
	for _, raw := range response.Items {
		if s.isTenants(raw) { // also if the service ignores the headers above
			p.documents = append(p.documents, raw)
		}
	}
	p.now, err = wire.DateOf(response.RawResponse)
	p.after, p.idle = response.ContinuationToken, response.RawResponse.StatusCode == http.StatusNotModified
	return p, err
}

// isTenants reports whether a document belongs to the tenant.
func (s *side) isTenants(raw []byte) bool {
	value := text.ValueAt(raw, jsonpointer.Names(s.Paths[0]))
	return len(value) > 1 && value[0] == '"' && jsonscan.Spells(value, s.tenant.Value.(string))
}

// copyOf returns a document as it is stored at the destination: byte for byte, without the
// system properties, and with the rest of its time to live. It returns nil if the document has
// expired.
func (s *side) copyOf(raw []byte, now time.Time) ([]byte, error) {
	body := text.Without(raw, system.Fed)
	ttl, ts := text.Member(raw, system.TTL), text.Member(raw, system.TS)
	at := s.expiry.At(ttl, ts)
	switch {
	case at == 0:
		return body, nil
	case at <= now.Unix():
		return nil, nil
	}
	return text.SetProperty(body, []string{system.TTL}, s.expiry.Left(ttl, ts, now))
}

// sides opens both containers, and returns an error if the tenant cannot move between them. It
// writes nothing. anew reports that no move has begun, so that the destination must be empty.
func (m *Move) sides(ctx context.Context, from string, anew bool) error {
	for _, side := range []struct {
		id   string
		into **side
	}{{from, &m.from}, {m.To, &m.to}} {
		client, err := m.Container(side.id)
		if err != nil {
			return err
		}
		if *side.into, err = newSide(ctx, client, m.Tenant); err != nil {
			return err
		}
	}
	m.from.lease, m.to.lease = m.record.lease, m.record.lease
	if old, young := m.from, m.to; !slices.Equal(old.Paths, young.Paths) {
		return fmt.Errorf("the partition key of container %q is %q, and that of container %q is %q: they have to be the same", old.id, old.Paths, young.id, young.Paths)
	}
	if err := m.checkTTL(); err != nil {
		return err
	}
	total, err := m.from.count(ctx)
	if err != nil {
		return err
	}
	m.note(func(s *Summary) { s.From, s.To, s.Total = m.from.id, m.to.id, total })
	if !anew {
		m.from.position = m.record.state.Position
		return nil
	}
	there, err := m.to.count(ctx)
	if err == nil && there > 0 {
		err = fmt.Errorf("container %q has %d documents of the tenant, which is not in this container: remove them first, because the tenant would get them", m.to.id, there)
	}
	return err
}

// checkTTL compares the times to live of both containers.
func (m *Move) checkTTL() error {
	text := func(e system.Expiry) string {
		if e == 0 {
			return "none"
		}
		return fmt.Sprintf("%d seconds", e)
	}
	if before, after := text(m.from.expiry), text(m.to.expiry); before != after {
		return fmt.Errorf("the default time to live of container %q is %s, and that of container %q is %s: documents would expire earlier or later: make them the same", m.from.id, before, m.to.id, after)
	}
	return nil
}
