package regions

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestFailover has what an account with one write region answers while another one becomes the
// write region. Each operation stores its document once, or says that it does not know.
func TestFailover(t *testing.T) {
	t.Parallel()
	increment := fixtures.PlainTaskPatch.Value.Increment(1)
	for _, test := range []struct {
		name      string
		fault     emulator.Fault
		do        func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error
		operation string
		err       error // nil for success
		unclear   bool
		status    int
		sent      int
		value     int // of the document in the end
	}{
		{
			name: "a write meets a region that takes no writes any more", fault: emulator.Fault{Operation: emulator.OpUpsertItem, Status: 403, Substatus: 3, Count: 2},
			do: upsert, operation: emulator.OpUpsertItem, sent: 3, value: 5,
		},
		{
			name: "a region has left the account", fault: emulator.Fault{Operation: emulator.OpUpsertItem, Status: 403, Substatus: 1008},
			do: upsert, operation: emulator.OpUpsertItem, sent: 2, value: 5,
		},
		{
			name: "an increment is sent again that had no effect", fault: emulator.Fault{Operation: emulator.OpPatchItem, Status: 403, Substatus: 3},
			do: func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
				return tasks.Patch(ctx, taskKey, increment)
			},
			operation: emulator.OpPatchItem, sent: 2, value: 1,
		},
		{
			name: "an increment takes effect, and the answer is lost", fault: emulator.Fault{Operation: emulator.OpPatchItem, Status: 503, After: true},
			do: func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
				return tasks.Patch(ctx, taskKey, increment)
			},
			operation: emulator.OpPatchItem, err: repository.ErrUnclear, unclear: true, status: 503, sent: 1, value: 1,
		},
		{
			name: "an increment takes effect, and the connection breaks", fault: emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: true},
			do: func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
				return tasks.Patch(ctx, taskKey, increment)
			},
			operation: emulator.OpPatchItem, err: repository.ErrUnclear, unclear: true, status: 0, sent: 1, value: 1,
		},
		{
			name: "a replacement on an ETag takes effect before the failover", fault: emulator.Fault{Operation: emulator.OpReplaceItem, Status: 503, After: true},
			do: func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
				return tasks.Update(ctx, taskKey, func(p *fixtures.PlainTask) error { p.Value = 7; return nil })
			},
			operation: emulator.OpReplaceItem, err: repository.ErrUnclear, unclear: true, status: 412, sent: 2, value: 7,
		},
		{
			name: "an update meets a region that takes no writes any more", fault: emulator.Fault{Operation: emulator.OpReplaceItem, Status: 403, Substatus: 3},
			do: func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
				return tasks.Update(ctx, taskKey, func(p *fixtures.PlainTask) error { p.Value++; return nil })
			},
			operation: emulator.OpReplaceItem, sent: 2, value: 1,
		},
		{
			name: "a transaction meets it", fault: emulator.Fault{Operation: emulator.OpExecuteBatch, Status: 403, Substatus: 3},
			do: func(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
				tx := repository.NewTransaction()
				_ = tasks.In(tx).Upsert(&fixtures.PlainTask{ID: "1", Owner: "o", Value: 5})
				return tx.Commit(ctx)
			},
			operation: emulator.OpExecuteBatch, sent: 2, value: 5,
		},
		{
			name: "a region lacks what the session has seen", fault: emulator.Fault{Operation: emulator.OpReadItem, Status: 404, Substatus: 1002},
			do: read, operation: emulator.OpReadItem, sent: 2,
		},
		{
			name: "both attempts meet such a region", fault: emulator.Fault{Operation: emulator.OpReadItem, Status: 404, Substatus: 1002, Count: 2},
			do: read, operation: emulator.OpReadItem, err: errStatus, status: 404, sent: 2,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server, container := harness.NewContainer(t, emulator.Options{}, fixtures.PlainTaskContainer(), repository.Configure(harness.Impatient()))
			tasks := fixtures.NewPlainTaskRepository(container)
			must(t, tasks.Create(t.Context(), &fixtures.PlainTask{ID: "1", Owner: "o"}))
			server.Inject(test.fault)
			server.ResetRequests()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err := test.do(ctx, tasks)
			switch {
			case test.err == nil && err != nil, errors.Is(err, repository.ErrUnclear) != test.unclear, errors.Is(err, repository.ErrNotFound):
				t.Errorf("got %v", err)
			case test.err != nil:
				var failed *repository.Error
				if !errors.As(err, &failed) || failed.Status != test.status || repository.HTTPStatus(err) == http.StatusOK {
					t.Errorf("got %v", err)
				}
			}
			if sent := server.Sent(test.operation); test.sent > 0 && sent != test.sent {
				t.Errorf("%d requests, want %d", sent, test.sent)
			}
			task, err := tasks.Get(t.Context(), taskKey)
			if err != nil || task.Value != test.value {
				t.Errorf("stored is %+v, %v; want the value %d", task, err, test.value)
			}
		})
	}
}

var (
	taskKey   = fixtures.PlainTaskKey{ID: "1", Owner: "o"}
	errStatus = errors.New("an error with a status")
)

func upsert(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
	return tasks.Upsert(ctx, &fixtures.PlainTask{ID: "1", Owner: "o", Value: 5})
}

func read(ctx context.Context, tasks *fixtures.PlainTaskRepository) error {
	_, err := tasks.Get(ctx, taskKey)
	return err
}
