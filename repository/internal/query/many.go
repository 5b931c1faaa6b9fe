package query

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Moving replaces a document in the results of GetMany while it moves.
type Moving struct{}

// GetMany reads documents by ReadManyItems, by queries of physical partitions, or by point
// reads. Missing documents are absent from the result.
func GetMany(ctx context.Context, s *store.Store, values []Target) (found map[wire.Identity]any, err error) {
	found = make(map[wire.Identity]any, len(values))
	if len(values) == 0 {
		return found, nil
	}
	if err := s.JoinSession(ctx, wire.OpGetMany); err != nil {
		return nil, err
	}
	if err := s.Stays(ctx); err != nil {
		return nil, wire.NewContainerError(wire.OpGetMany, s.Type, "", err)
	}
	ctx, end := s.StartSpan(ctx, wire.OpGetMany)
	defer func() { end(err) }()
	var jobs []job
	m, version, unknown := (*route.Map)(nil), 0, error(nil)
	if strategy := s.Settings.Strategy; strategy == store.Automatic || strategy == store.Scoped {
		m, version, unknown = s.Physical(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return nil, &documents.Error{Op: wire.OpGetMany, Type: s.Type, Err: ctx.Err()}
	case m != nil:
		jobs = scopedJobs(values, "", false, m, version)
	case s.LacksItself(unknown):
		return found, nil
	case s.Settings.Strategy == store.Scoped:
		return nil, &documents.Error{Op: wire.OpGetMany, Type: s.Type, Err: fmt.Errorf("strategy %s is not possible: %w", store.Scoped, unknown)}
	case s.Settings.Strategy == store.PerKey:
		jobs = eachAlone(values)
	default:
		jobs = eachAlone(readMany(ctx, s, values, found))
	}
	e := newExecution(s, Statement{}, Untyped(func(raw []byte) (store.Identified, error) { return store.Identify(s, raw) }))
	e.op = wire.OpGetMany
	e.forProgram()
	for item, err := range typed[store.Identified](e.each(ctx, jobs, patiently(manyReader(s, e)))) {
		if err != nil {
			return nil, err
		}
		found[item.Identity] = item.Doc
		if item.Moving {
			found[item.Identity] = Moving{}
		}
	}
	return found, nil
}

// eachAlone returns one job for each value.
func eachAlone(values []Target) []job {
	jobs := make([]job, len(values))
	for i := range values {
		jobs[i].values = values[i : i+1]
	}
	return jobs
}

// manyReader reads jobs of GetMany. A job with one document is a point read.
func manyReader(s *store.Store, e *execution) reader {
	return func(ctx context.Context, j job, emit func([]any) bool) error {
		if len(j.values) > 1 {
			return e.read(ctx, j, emit)
		}
		v := j.values[0]
		p := wire.Place{ID: v.ID, Value: v.Value}
		p.Key, p.Name = wire.PartitionKeyOf(v.Value)
		doc, response, err := s.Read(ctx, wire.OpGetMany, p)
		if err == nil && s.Judge(response.Value).State == store.Moving {
			doc = Moving{}
		}
		switch {
		case errors.Is(err, wire.ErrNotFound):
			return nil
		case err != nil:
			return err
		case !emit([]any{store.Identified{Identity: wire.Identity{ID: p.ID, Partition: p.Name}, Doc: doc}}):
			return errStopped
		}
		return nil
	}
}

// readMany adds the documents from ReadManyItems to found, and returns the other values. A
// failed request returns no documents. For partition keys of version 1, the SDK finds none.
func readMany(ctx context.Context, s *store.Store, values []Target, found map[wire.Identity]any) []Target {
	for _, some := range chunks(values) {
		items := make([]wire.ItemIdentity, len(some))
		for i, v := range some {
			key, _ := wire.PartitionKeyOf(v.Value)
			items[i] = wire.ItemIdentity{ID: v.ID, PartitionKey: key}
		}
		callCtx, done := s.Begin(ctx, wire.Event{Op: wire.OpGetMany})
		response, err := s.Client.ReadManyItems(callCtx, items, readManyOptions(ctx, s))
		done(response.RequestCharge, err)
		if err != nil {
			continue
		}
		for _, raw := range response.Items {
			if item, err := store.Identify(s, raw); err == nil { // otherwise the point read reports the error
				found[item.Identity] = item.Doc
			}
		}
	}
	var others []Target
	for _, v := range values {
		if found[wire.Identity{ID: v.ID, Partition: wire.NameOf(v.Value)}] == nil {
			others = append(others, v)
		}
	}
	return others
}

// patiently repeats a job after temporary failures. Results of the first attempt then come
// twice.
func patiently(read reader) reader {
	return func(ctx context.Context, j job, emit func([]any) bool) error {
		return wire.Reads(wire.MayPass).Do(ctx, func() error { return read(ctx, j, emit) })
	}
}

func readManyOptions(ctx context.Context, s *store.Store) *wire.ManyOptions {
	d := wire.OptionsOf(ctx)
	concurrency := int32(min(s.Settings.Concurrency, chunkValues))
	return &wire.ManyOptions{
		ConsistencyLevel: d.Consistency, PriorityLevel: d.Priority, ThroughputBucket: d.Bucket, DedicatedGatewayRequestOptions: d.Cache,
		MaxConcurrency: &concurrency,
	}
}

// ReadIDs returns the documents with these ids in the logical partition of p, by one query:
// whole, or only these columns.
func ReadIDs(ctx context.Context, s *store.Store, op string, p wire.Place, ids []string, columns []string) ([][]byte, error) {
	one := Statement{Columns: columns}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = text.OwnParameter + "I" + strconv.Itoa(i)
		one.parameters = append(one.parameters, wire.Parameter{Name: names[i], Value: id})
	}
	one.conditions = []string{text.Property("/id") + " IN (" + strings.Join(names, ", ") + ")"}
	e := newExecution(s, one, nil)
	e.op = op
	var all [][]byte
	err := e.pages(ctx, job{key: p.Key, name: p.Name}, func(items [][]byte, _ bool) error {
		all = append(all, items...)
		return nil
	})
	return all, err
}
