package wire

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
)

// Missing says what to do if a container does not exist that need not exist, such as
// that of a period which is yet to come. Such a container has no documents.
type Missing struct {
	// Create creates the container before a document is stored in it. It is nil if
	// programs create containers themselves.
	Create func(context.Context) error

	// Advice says how a program creates the container, for errors.
	Advice string

	turns sync.Once     // makes turn
	turn  chan struct{} // is full while one creates the container
	made  bool          // by Create; whoever has the turn reads and sets it
}

// begin waits for the turn. The function that it returns ends the turn.
func (m *Missing) begin(ctx context.Context) (func(), error) {
	m.turns.Do(func() { m.turn = make(chan struct{}, 1) })
	select {
	case m.turn <- struct{}{}:
		return func() { <-m.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// absentError is ErrNoContainer where a document was looked for: it is not found, either.
type absentError struct{}

func (absentError) Error() string   { return ErrNoContainer.Error() }
func (absentError) Unwrap() []error { return []error{ErrNoContainer, ErrNotFound} }

// IsNoContainer reports whether an answer says that the container of a request does not
// exist: of a request for documents, or for the container itself.
func IsNoContainer(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound && Substatus(response) == substatusOwnerNotFound
}

// Lacks reports whether a container that need not exist does not, by the error of a
// request for documents.
func (c *Container) Lacks(err error) bool {
	return c.Missing != nil && err != nil && IsNoContainer(err)
}

// LacksItself is Lacks by the error of a request for the container itself, or for its
// physical partitions.
func (c *Container) LacksItself(err error) bool {
	var response *azcore.ResponseError
	return c.Missing != nil && errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}

// Failed is NewOperationError for an operation on a document of the container. If the
// container does not exist, the error says so; creates says that the operation does not
// need the document to be there.
func (c *Container) Failed(op, id, key string, creates bool, err error) *OperationError {
	f := NewOperationError(op, c.Type, id, key, err)
	if !c.Lacks(err) {
		return f
	}
	f.Kind = absentError{}
	if creates {
		f.Kind, f.Note = ErrNoContainer, c.Missing.Advice
	}
	return f
}

// Bounds of how often a write is sent again whose container is missing: the service may
// not know a container everywhere at once, and somebody may drop it again.
const (
	maxMisses = 6
	dropped   = 3 // misses that show that the container was dropped after it was created here
)

// Supply creates the container after an operation has failed because the container does
// not exist, and reports whether the operation should be sent again. Misses counts such
// failures of one operation. Of several goroutines at once, one creates the container.
// If that fails, the failure says so.
func (c *Container) Supply(ctx context.Context, misses *int, failure *OperationError) bool {
	m := c.Missing
	*misses++
	if m.Create == nil || *misses > maxMisses {
		return false
	}
	if err := m.supply(ctx, *misses); err != nil {
		failure.Note = "and it cannot be created: " + DiscreetText(err)
		failure.Err = errors.Join(failure.Err, err)
		return false
	}
	return true
}

func (m *Missing) supply(ctx context.Context, misses int) error {
	if misses > 1 {
		if err := backoff.Pause(ctx, misses+2); err != nil {
			return err
		}
	}
	end, err := m.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if m.made && misses != dropped {
		return nil
	}
	err = m.Create(ctx)
	m.made = m.made || err == nil
	return err
}
