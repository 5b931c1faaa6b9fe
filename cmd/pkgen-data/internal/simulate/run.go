package simulate

import (
	"context"
	"sync"
)

// Run runs the scenario under each of its layouts, concurrently. The same seed gives the same
// report on every machine. It takes about a microsecond per operation, and memory for operations in
// progress, each physical partition in each second, and samples. It ends early with the error of
// ctx.
func (s *Scenario) Run(ctx context.Context, seed uint64) (*Report, error) {
	makers, err := s.makers()
	if err != nil {
		return nil, err
	}
	engines := make([]*engine, len(s.Layouts))
	for i, template := range s.Layouts {
		if engines[i], err = newEngine(s, template, makers, seed); err != nil {
			return nil, err
		}
	}
	r := &Report{
		Title: s.Title, Seed: seed, Seconds: s.Seconds, Partitions: s.Partitions,
		Throughput: s.Throughput, Clients: s.Clients, Layouts: make([]Result, len(engines)),
	}
	errs := make([]error, len(engines))
	var all sync.WaitGroup
	for i, e := range engines {
		all.Go(func() {
			if errs[i] = e.run(ctx); errs[i] == nil {
				r.Layouts[i] = e.tally.result(e.place.layout.String(), e.indexes)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}
