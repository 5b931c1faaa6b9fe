package migration

import (
	"context"
	"iter"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Migration is the documents of two containers, which decode to a *[write.Marked] if they
// have a mark.
type Migration struct {
	Phase    write.Phase
	Old, New *store.Store
	Writer   *write.Writer                            // of the new container
	Place    func(doc any) (*write.Relocation, error) // where a document of either container may be
}

// Together runs functions, as many at once as the settings of the new container allow,
// and returns the first error.
func (m *Migration) Together(ctx context.Context, all iter.Seq[func(context.Context) error]) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, max(m.New.Settings.Concurrency, 1))
	var running sync.WaitGroup
	for run := range all {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-slots }()
			if err := run(ctx); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}
