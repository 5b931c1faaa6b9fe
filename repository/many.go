package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// GetMany returns the documents that keys identify, in the order of keys: the
// result has one element for each, nil where there is no such document. One key
// given twice gives the same document twice. Where keys can collide, somebody
// else's document is nil, too.
//
// It sends one query for each physical partition that holds several of the
// documents, or one for each thousand of these, and a point read where there is
// one alone: about 3 request units a query, and 1 for every KB or so. A client
// made without [Configure] uses ReadManyItems of the SDK, about as many requests,
// and a point read for each document that is missing then.
//
// If a request fails for a reason that may pass, such as a throttled physical
// partition after the client's own retries, it is sent again, twice at most, and
// the others are not. An error comes without documents: a *partition.KeyError,
// before any request, for the first key that cannot be one, else an [Error] that
// names the physical partition or the document.
func (d *Documents[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	wanted := make([]identity, len(keys))
	known := map[identity]bool{}
	var values []located // each once
	for i, key := range keys {
		v, err := locateKey(d, key)
		if err != nil {
			return nil, &Error{Op: opGetMany, Type: d.store.Type, Err: fmt.Errorf("key %d: %w", i, err)}
		}
		wanted[i] = identity{v.id, wire.NameOf(v.value)}
		if !known[wanted[i]] {
			known[wanted[i]] = true
			values = append(values, v)
		}
	}
	found, err := many(ctx, d.store, values)
	if err != nil {
		return nil, exported(err)
	}
	docs := make([]*T, len(keys))
	for i, key := range keys {
		if doc, ok := found[wanted[i]].(*T); ok && isMeant(d, doc, key) {
			docs[i] = doc
		}
	}
	return docs, nil
}

const opGetMany = "get many"

// identity is what no two documents of a container share.
type identity struct {
	id        string
	partition string // as errors name it
}

// identified is a document and its identity.
type identified struct {
	identity
	doc any // nil if it is of another type
}

// locateKey finds where the document of key is.
func locateKey[T any, K generated.Key](d *Documents[T, K], key K) (located, error) {
	if err := key.Validate(); err != nil {
		return located{}, err
	}
	p := place(d, key)
	if p.ID == "" {
		return located{}, errors.New("the id is empty")
	}
	v, err := locateValue(d.store, p.Value)
	v.id = p.ID
	return v, err
}

// many reads the documents that values name.
func many(ctx context.Context, s *store, values []located) (found map[identity]any, err error) {
	found = make(map[identity]any, len(values))
	if len(values) == 0 {
		return found, nil
	}
	if err := s.joinSession(ctx, opGetMany); err != nil {
		return nil, err
	}
	if err := s.Stays(ctx); err != nil {
		return nil, wire.NewOperationError(opGetMany, s.Type, "", "", err)
	}
	ctx, end := s.span(ctx, opGetMany)
	defer func() { end(err) }()
	var jobs []job
	m, version, unknown := (*route.Map)(nil), 0, error(nil)
	if strategy := s.settings.strategy; strategy == Automatic || strategy == Scoped {
		m, version, unknown = s.Physical(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return nil, &wire.OperationError{Op: opGetMany, Type: s.Type, Err: ctx.Err()}
	case m != nil:
		jobs = scopedJobs(values, "", false, m, version)
	case s.settings.strategy == Scoped:
		return nil, &wire.OperationError{Op: opGetMany, Type: s.Type, Err: fmt.Errorf("strategy %s cannot be had: %w", Scoped, unknown)}
	case s.settings.strategy == PerKey:
		jobs = eachAlone(values)
	default:
		jobs = eachAlone(readMany(ctx, s, values, found))
	}
	e := newExecution(s, statement{}, anyOf(func(raw []byte) (identified, error) { return identify(s, raw) }))
	e.op = opGetMany
	for item, err := range typed[identified](e.each(ctx, jobs, patiently(manyReader(s, e)))) {
		if err != nil {
			return nil, err
		}
		found[item.identity] = item.doc
	}
	return found, nil
}

// eachAlone returns one job for each of values.
func eachAlone(values []located) []job {
	jobs := make([]job, len(values))
	for i := range values {
		jobs[i].values = values[i : i+1]
	}
	return jobs
}

// manyReader reads jobs that name documents, a single one by a point read.
func manyReader(s *store, e *execution) reader {
	return func(ctx context.Context, j job, emit func([]any) bool) error {
		if len(j.values) > 1 {
			return e.read(ctx, j, emit)
		}
		v := j.values[0]
		p := wire.Place{ID: v.id, Value: v.value}
		p.Key, p.Name = wire.PartitionKeyOf(v.value)
		doc, _, err := s.read(ctx, opGetMany, p)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil
		case err != nil:
			return err
		case !emit([]any{identified{identity{p.ID, p.Name}, doc}}):
			return errStopped
		}
		return nil
	}
}

// readMany puts what ReadManyItems gives of values into found and returns the
// others. These are more than the missing ones where a request failed, which
// fails all, and where a container's partition key is of version 1, whose
// documents the SDK does not find.
func readMany(ctx context.Context, s *store, values []located, found map[identity]any) []located {
	for _, some := range chunks(values) {
		items := make([]azcosmos.ItemIdentity, len(some))
		for i, v := range some {
			key, _ := wire.PartitionKeyOf(v.value)
			items[i] = azcosmos.ItemIdentity{ID: v.id, PartitionKey: key}
		}
		callCtx, done := s.Begin(ctx, wire.Event{Op: opGetMany})
		response, err := s.Client.ReadManyItems(callCtx, items, readManyOptions(ctx, s))
		done(response.RequestCharge, err)
		if err != nil {
			continue
		}
		for _, raw := range response.Items {
			if item, err := identify(s, raw); err == nil { // else the point read says what is wrong
				found[item.identity] = item.doc
			}
		}
	}
	var others []located
	for _, v := range values {
		if found[identity{v.id, wire.NameOf(v.value)}] == nil {
			others = append(others, v)
		}
	}
	return others
}

// identify decodes a document and finds its identity in what is stored, which
// the fields of T may no longer agree with.
func identify(s *store, raw []byte) (item identified, err error) {
	if err = json.Unmarshal(text.ValueAt(raw, wire.IDPath), &item.id); err != nil {
		return item, err
	}
	value, err := storedKey(s, raw)
	if err != nil {
		return item, err
	}
	item.partition = wire.NameOf(value)
	if s.mine(raw) {
		item.doc, err = s.decode(raw)
	}
	return item, err
}

// storedKey returns the partition key that a stored document has: a string, a
// float64, a bool or nil, or an []any of these for a hierarchical key.
func storedKey(s *store, raw []byte) (any, error) {
	levels := make([]any, len(s.Paths))
	for i, path := range s.Paths {
		if err := json.Unmarshal(text.ValueAt(raw, text.Names(path)), &levels[i]); err != nil {
			return nil, err
		}
	}
	if !s.hierarchical {
		return levels[0], nil
	}
	return levels, nil
}

// maxReads is how often patiently reads a job: the client has sent each request
// up to ten times by then.
const maxReads = 3

// patiently reads a job again if it fails for a reason that may pass. What the
// first attempt has emitted comes again.
func patiently(read reader) reader {
	return func(ctx context.Context, j job, emit func([]any) bool) error {
		for attempt := 1; ; attempt++ {
			err := read(ctx, j, emit)
			if err == nil || attempt == maxReads || !mayPass(err) {
				return err
			}
			if ended := backoff.Pause(ctx, maxAttempts); ended != nil {
				if !errors.Is(err, ended) {
					err = errors.Join(err, ended)
				}
				return err
			}
		}
	}
}

// mayPass reports whether a request that failed so may succeed later.
func mayPass(err error) bool {
	var own *wire.OperationError
	if errors.As(err, &own) && wire.Retried(own.Status) {
		return true
	}
	var connection net.Error
	return errors.As(err, &connection)
}

// readManyOptions returns the options of ReadManyItems.
func readManyOptions(ctx context.Context, s *store) *azcosmos.ReadManyItemsOptions {
	d := wire.OptionsOf(ctx)
	concurrency := int32(min(s.settings.concurrency, chunkValues))
	return &azcosmos.ReadManyItemsOptions{ConsistencyLevel: d.Consistency, PriorityLevel: d.Priority, MaxConcurrency: &concurrency}
}
