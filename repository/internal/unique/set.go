package unique

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Set is the documents of a type with unique properties. It is safe for concurrent use.
type Set struct {
	*write.Writer
	Properties Properties
	reads      *store.Store                              // that Find reads with; nil for that of the Writer
	Age        func(azcosmos.ItemResponse) time.Duration // nil is by the clock of the service
}

// Reading returns s with another store to find documents with.
func (s *Set) Reading(reads *store.Store) *Set {
	other := *s
	other.reads = reads
	return &other
}

// scope is what tells the values of the type from those of other types of the container.
func (s *Set) scope() string {
	if s.Discriminator == nil {
		return ""
	}
	return s.Discriminator.Value
}

// old reports whether what an answer has is older than the bound.
func (s *Set) old(answer azcosmos.ItemResponse) bool {
	age := s.Age
	if age == nil {
		age = ageOf
	}
	return age(answer) >= reservation.Bound
}

// create stores a body as a new document, replace in place of a version, and remove
// removes a version. Their errors match ErrUnclear if it is not known whether they took
// effect, and otherwise they had none.
func (s *Set) create(ctx context.Context, op string, p wire.Place, body []byte) (azcore.ETag, error) {
	return write.Send(ctx, s.Writer, op, p, write.Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.CreateItem(ctx, p.Key, body, wire.WriteOptions(ctx))
		},
		Creates: true,
	})
}

func (s *Set) replace(ctx context.Context, op string, p wire.Place, body []byte, tag azcore.ETag) (azcore.ETag, error) {
	return write.Send(ctx, s.Writer, op, p, write.Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.ReplaceItem(ctx, p.Key, p.ID, body, wire.IfMatch(ctx, tag))
		},
	})
}

func (s *Set) remove(ctx context.Context, op string, p wire.Place, tag azcore.ETag) error {
	_, err := write.Send(ctx, s.Writer, op, p, write.Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, tag))
		},
	})
	return err
}

// overtaken reports whether a conditional write certainly had no effect, because its
// document was changed, stored or removed since it was read.
func overtaken(err error) bool {
	if errors.Is(err, wire.ErrUnclear) {
		return false
	}
	return errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrAlreadyExists)
}

// errOwnID is why a document has not such an id.
var errOwnID = errors.New("ids that begin with " + reservation.IDPrefix + " are those of reservations: choose another one")

// wants returns the reservations that a new document needs.
func (s *Set) wants(op string, w write.Document) ([]reserved, error) {
	wanted, err := s.Properties.of(s.scope(), w.Body)
	if strings.HasPrefix(w.ID, reservation.IDPrefix) {
		err = errOwnID
	}
	if err != nil {
		err = s.Failure(op, w.Place, err)
	}
	return wanted, err
}

// begun is the failure of a step after which the operation begins anew.
type begun struct{ error }

func (b begun) Unwrap() error { return b.error }

// again waits before the next attempt. It returns err after the last one, and if the
// context ends.
func again(ctx context.Context, attempt int, err error) error {
	var b begun
	if errors.As(err, &b) {
		err = b.error
	}
	if attempt >= backoff.MaxAttempts {
		return wire.Noted(err, write.Contended, nil)
	}
	if ended := backoff.Pause(ctx, attempt); ended != nil {
		return wire.Noted(err, "", ended)
	}
	return nil
}

// takenError is why a value is not free, without the value.
type takenError struct {
	property string
	busy     bool // by somebody who has not finished
}

func (e takenError) Error() string {
	text := "the property " + e.property
	if e.busy {
		return text + ": another write is about to store this value, or was interrupted: its reservation blocks for " + reservation.Bound.String() + " at most"
	}
	return text + ": another document has this value"
}

func (e takenError) Is(target error) bool { return e.busy && target == wire.ErrUnfinished }

func (e takenError) Unwrap() error { return wire.ErrNotUnique }

// ErrReservation is why a repository does not show a reservation.
var ErrReservation = errors.New("it is the reservation of a unique value")

// ErrPending is why a repository does not show a document whose values are not its own yet.
var ErrPending = errors.New("another program is storing a document of this id, or was interrupted: it blocks the id for " + reservation.Bound.String() + " at most")

// failure is the error of an operation on the document at p, which matches kind.
func (s *Set) failure(op string, p wire.Place, kind, err error) error {
	return &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}

// about returns the error of a request for a reservation as one about the document at p,
// whose id and partition key callers know.
// The document has not been written then, so that its outcome is clear.
func about(p wire.Place, err error) error {
	var own *wire.OperationError
	if errors.As(err, &own) {
		own.ID, own.PartitionKey, own.Unclear = p.ID, p.Name, false
		if own.Note == "" && !errors.Is(err, wire.ErrNotUnique) {
			own.Note = "at the reservation of a unique value"
		}
	}
	return err
}
