package processor

import (
	"context"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
)

// lagSeveral is Lag over several containers, in the order of their names.
func (p *Processor) lagSeveral(ctx context.Context) ([]Lag, error) {
	f := p.newFleet()
	for _, s := range f.several {
		if err := s.Wrong(); err != nil {
			return nil, err
		}
	}
	if err := f.prepare(ctx); err != nil {
		return nil, err
	}
	found, err := f.all.Find(ctx)
	if err != nil {
		return nil, err
	}
	listed, _, err := f.list(ctx)
	if err != nil {
		return nil, err
	}
	each := make([][]Lag, len(listed))
	work, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limit := make(chan struct{}, openers)
	var all sync.WaitGroup
	for i, m := range listed {
		of := found[m.RID]
		if of == nil {
			continue
		}
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			var err error
			if each[i], err = f.lagOf(work, m, of); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	if err := context.Cause(work); err != nil {
		return nil, err
	}
	var lags []Lag
	for _, some := range each {
		lags = append(lags, some...)
	}
	return lags, nil
}

// lagOf returns the lag of each lease of a container, none if it is no more.
func (f *fleet) lagOf(ctx context.Context, m lease.Monitored, of *lease.Found) ([]Lag, error) {
	if of.Wrong != nil {
		return nil, of.Wrong
	}
	w, err := f.of(m)
	if err != nil {
		return nil, err
	}
	gone := func(err error) bool { return feed.MadeAgain(err) || w.reads.store.LacksItself(err) }
	r, err := f.read(ctx, w)
	lags := make([]Lag, len(of.Leases))
	for i, l := range of.Leases {
		if err == nil {
			l, err = w.leases.Ranged(ctx, l)
		}
		if err == nil {
			lags[i] = Lag{Container: w.name, Lease: l.Token, Owner: l.Owner}
			lags[i].Lag, err = r.Lag(ctx, feed.Part{Min: l.Range.Min, Max: l.Range.Max, Tag: l.Tag})
		}
	}
	if err != nil && gone(err) {
		f.readers.put(w.rid, nil)
		return nil, nil
	}
	return lags, err
}
