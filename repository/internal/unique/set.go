package unique

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Set is the documents of a type with unique properties. It is safe for concurrent use.
type Set struct {
	*write.Writer
	Properties Properties
	reads      *store.Store                    // that Find reads with; nil for that of the Writer
	Age        func(wire.Answer) time.Duration // nil is by the clock of the service
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
func (s *Set) old(answer wire.Answer) bool {
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
		Send: func(ctx context.Context) (wire.Answer, error) {
			return s.CreateItem(ctx, p.Key, body, wire.WriteOptions(ctx))
		},
		Creates: true,
	})
}

func (s *Set) replace(ctx context.Context, op string, p wire.Place, body []byte, tag azcore.ETag) (azcore.ETag, error) {
	return write.Send(ctx, s.Writer, op, p, write.Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
			return s.ReplaceItem(ctx, p.Key, p.ID, body, wire.IfMatch(ctx, tag))
		},
	})
}

func (s *Set) remove(ctx context.Context, op string, p wire.Place, tag azcore.ETag) error {
	_, err := write.Send(ctx, s.Writer, op, p, write.Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
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

// again is write.Anew after a write that has begun.
func again(ctx context.Context, attempt int, err error) error {
	var b begun
	if errors.As(err, &b) {
		err = b.error
	}
	return write.Anew(ctx, attempt, err)
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

// errGone is why a document did not become visible that was stored hidden.
var errGone = errors.New("it was removed before its values were reserved: it has expired, or another program considered the write interrupted")

// failure is the error of an operation on the document at p, which matches kind.
func (s *Set) failure(op string, p wire.Place, kind, err error) error {
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}

// taken is the error of an operation on the document at p whose value is not free.
func (s *Set) taken(op string, p wire.Place, why takenError) error {
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrNotUnique, Err: why, Property: why.property}
}

// about returns the error of a request for a reservation as one about the document at p,
// whose id and partition key callers know.
// The document has not been written then, so that its outcome is clear.
func about(p wire.Place, err error) error {
	var own *documents.Error
	if errors.As(err, &own) {
		own.ID, own.PartitionKey, own.Unclear = p.ID, p.Name, false
		if own.Note == "" && !errors.Is(err, wire.ErrNotUnique) {
			own.Note = "at the reservation of a unique value"
		}
	}
	return err
}

// As says what a change is to its caller.
type As struct {
	Any  bool // it stores the document in place of any version
	Last bool // the caller does not begin anew if the document has changed
}

// A Write stores a document in place of a version.
type Write func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error)

// Change is steps 2 to 4 for a document that is visible: it stores w in place of the
// stored document, which has this ETag and belongs to the caller.
func (s *Set) Change(ctx context.Context, op string, w write.Document, stored []byte, tag azcore.ETag, as As, send Write) (azcore.ETag, error) {
	wanted, err := s.Properties.of(s.scope(), w.Body)
	if err != nil {
		return "", s.Failure(op, w.Place, err)
	}
	former, err := s.Properties.of(s.scope(), stored)
	if err != nil {
		return "", s.Failure(op, w.Place, err)
	}
	for i := range wanted {
		if wanted[i].id == former[i].id {
			wanted[i].id, former[i].id = "", ""
		}
	}
	leaving, err := s.own(ctx, op, w.Place, former)
	if err != nil {
		return "", err
	}
	versions, err := s.reserve(ctx, op, w.Place, wanted, newToken())
	if err != nil {
		s.giveBack(ctx, op, versions)
		return "", err
	}
	request := write.Request{Send: func(ctx context.Context) (wire.Answer, error) { return send(ctx, tag) }}
	if len(versions) == 0 && !as.Any {
		request = write.ReplaceRequest(s.Writer, op, w, as.Last, request.Send)
	}
	changed, err := write.Send(ctx, s.Writer, op, w.Place, request)
	if errors.Is(err, wire.ErrPreconditionFailed) && (len(versions) > 0 || as.Any) {
		refused := err
		if changed, err = write.ReadBack(ctx, s.Writer, op, w, refused); err == nil {
			err = s.settled(ctx, op, versions, as, refused)
		}
	}
	switch {
	case err == nil:
		s.giveBack(ctx, op, leaving)
	case ineffective(err):
		s.giveBack(ctx, op, versions)
	}
	return changed, err
}

// settled returns nil if a refused write has stored its document, which is the stored one.
// An unchanged reservation proves it: another write that gives the document the same value
// changes the reservation first.
func (s *Set) settled(ctx context.Context, op string, versions []version, as As, err error) error {
	if as.Any {
		return nil
	}
	now, readErr := s.read(ctx, op, versions[0].id)
	if readErr == nil && now.answer.ETag == versions[0].tag {
		return nil
	}
	return wire.StillUnclear(err, true)
}

// ineffective reports whether a write had no effect, and cannot have one any more, even if
// its request arrived twice: it was not sent, was refused for what it is, or found no
// document. Another refusal may come of the same request, which took effect before.
func ineffective(err error) bool {
	var own *documents.Error
	if errors.Is(err, wire.ErrUnclear) || !errors.As(err, &own) {
		return false
	}
	switch own.Status {
	case 0, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge:
		return true
	}
	return false
}

// own reads reservations, and returns those that name the document at p.
func (s *Set) own(ctx context.Context, op string, p wire.Place, all []reserved) (versions []version, err error) {
	for _, r := range all {
		if r.id == "" {
			continue
		}
		now, err := s.read(ctx, op, r.id)
		switch {
		case errors.Is(err, wire.ErrNotFound): // it was lost: pkgen-data verify tells of it
		case err != nil:
			return nil, about(p, err)
		case now.at.ID == p.ID && now.at.Name == p.Name:
			versions = append(versions, version{r, now.answer.ETag, true})
		}
	}
	return versions, nil
}

// replaceOnce stores w in place of the visible document that an answer has.
func (s *Set) replaceOnce(ctx context.Context, op string, w write.Document, stored wire.Answer, as As) (azcore.ETag, error) {
	if err := s.Schema.Newer(stored.Value); err != nil {
		return "", s.Failure(op, w.Place, err)
	}
	w, err := s.stamped(op, w, stored.Value)
	if err != nil {
		return "", err
	}
	return s.Change(ctx, op, w, stored.Value, stored.ETag, as, func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
		return s.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, unchanged))
	})
}

// stamped returns w with the stamps of a document that takes the place of a stored one,
// or of none. It returns w itself if the type has no stamps.
func (s *Set) stamped(op string, w write.Document, stored []byte) (write.Document, error) {
	if w.Stamp == nil {
		return w, nil
	}
	return write.Restamp(s.Writer, op, w, stored)
}

// stored reads the visible document at p that is meant. The error matches kind if it is
// hidden, of another type or of other components.
func (s *Set) stored(ctx context.Context, op string, p wire.Place, means func(doc any) bool, kind error) (wire.Answer, error) {
	answer, err := s.Fetch(ctx, op, p)
	if err == nil {
		err = s.Meant(op, p, answer.Value, means, kind)
	}
	return answer, err
}

// Replace stores w in place of the visible document of its key, if that has the ETag
// unchanged or this is empty. Means is that of package write.
func (s *Set) Replace(ctx context.Context, w write.Document, means func(doc any) bool, unchanged azcore.ETag) (azcore.ETag, error) {
	const op = wire.OpReplace
	for attempt := 1; ; attempt++ {
		answer, err := s.stored(ctx, op, w.Place, means, wire.ErrNotFound)
		if err != nil {
			return "", err
		}
		if err := s.sameVersion(op, w.Place, answer.ETag, unchanged); err != nil {
			return "", err
		}
		tag, err := s.replaceOnce(ctx, op, w, answer, As{Any: !isGiven(unchanged), Last: true})
		if isGiven(unchanged) || !begins(err) {
			return tag, err
		}
		if err := again(ctx, attempt, err); err != nil {
			return "", err
		}
	}
}

// begins reports whether an operation begins anew after a write of its document has failed.
func begins(err error) bool {
	var b begun
	return errors.As(err, &b) || (overtaken(err) || errors.Is(err, wire.ErrUnfinished)) && !errors.Is(err, wire.ErrNotUnique)
}

func isGiven(tag azcore.ETag) bool { return tag != "" && tag != azcore.ETagAny }

// sameVersion returns ErrPreconditionFailed if a document has not the ETag unchanged.
func (s *Set) sameVersion(op string, p wire.Place, tag, unchanged azcore.ETag) error {
	if !isGiven(unchanged) || tag == unchanged {
		return nil
	}
	return s.failure(op, p, wire.ErrPreconditionFailed, wire.ErrPreconditionFailed)
}

// Upsert stores w, whether there is a document of its key already or not.
func (s *Set) Upsert(ctx context.Context, by Writer, w write.Document, means func(doc any) bool) (azcore.ETag, error) {
	const op = wire.OpUpsert
	wanted, err := s.wants(op, w)
	if err != nil {
		return "", err
	}
	sent := false // what an attempt before made visible may have been changed since
	for attempt := 1; ; attempt++ {
		answer, err := s.stored(ctx, op, w.Place, means, wire.ErrAlreadyExists)
		absent := errors.Is(err, wire.ErrNotFound)
		if !absent && err != nil && !s.isPending(answer.Value) {
			return "", wire.StillUnclear(err, sent)
		}
		var tag azcore.ETag
		if err != nil {
			tag, err = s.createOnce(ctx, op, by, w, wanted, false)
			sent = sent || begins(err) && errors.Is(err, wire.ErrPreconditionFailed)
		} else {
			tag, err = s.replaceOnce(ctx, op, w, answer, As{Any: true})
		}
		if !begins(err) {
			return tag, wire.StillUnclear(err, sent)
		}
		if err := again(ctx, attempt, err); err != nil {
			return "", wire.StillUnclear(err, sent)
		}
	}
}

// Delete removes the visible document at p, if it has the ETag unchanged or this is
// empty. Repeated says that it may have been removed before.
func (s *Set) Delete(ctx context.Context, p wire.Place, means func(doc any) bool, unchanged azcore.ETag, repeated bool) error {
	const op = wire.OpDelete
	for attempt := 1; ; attempt++ {
		answer, err := s.stored(ctx, op, p, means, wire.ErrNotFound)
		if repeated && errors.Is(err, wire.ErrNotFound) && len(answer.Value) == 0 {
			return nil
		}
		if err == nil {
			err = s.sameVersion(op, p, answer.ETag, unchanged)
		}
		if err != nil {
			return wire.StillUnclear(err, repeated)
		}
		err = s.Remove(ctx, op, p, answer)
		repeated = repeated || errors.Is(err, wire.ErrUnclear) && errors.Is(err, wire.ErrPreconditionFailed)
		if err == nil || isGiven(unchanged) || !begins(err) && !repeated {
			return err
		}
		if err := again(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// Remove removes the document at p, visible or not, in the version that an answer has,
// and then its reservations.
func (s *Set) Remove(ctx context.Context, op string, p wire.Place, answer wire.Answer) error {
	after, err := s.Releasing(op, p)(ctx, answer.Value)
	if err != nil {
		return err
	}
	if _, err := write.Send(ctx, s.Writer, op, p, write.DeleteRequest(s.Writer, p, answer.ETag)); err != nil {
		return err
	}
	after(ctx)
	return nil
}

// Releasing reads the reservations of the document at p, and returns what removes these
// versions of them. It is called before the document is removed, and the result after it.
func (s *Set) Releasing(op string, p wire.Place) write.Releasing {
	return func(ctx context.Context, raw []byte) (func(context.Context), error) {
		former, err := s.Properties.of(s.scope(), raw)
		if err != nil { // another program has stored what is no value
			former = nil
		}
		leaving, err := s.own(ctx, op, p, former)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) { s.giveBack(ctx, op, leaving) }, nil
	}
}

// Find returns the document that has the value of a property, as JSON: two point reads. If
// that one is marked as deleted, the error matches ErrDeleted as well.
func (s *Set) Find(ctx context.Context, property string, value []byte) (any, error) {
	const op = wire.OpGet
	text, err := reservation.TextOf(value)
	if err != nil {
		return nil, &documents.Error{Op: op, Type: s.Type, Err: err}
	}
	missing := &documents.Error{Op: op, Type: s.Type, Kind: wire.ErrNotFound, Err: wire.ErrNotFound, Note: "by its unique property " + property}
	if text == "" {
		return nil, missing
	}
	r := reserved{property, reservation.IDOf(s.scope(), property, text)}
	now, err := s.read(ctx, op, r.id)
	if errors.Is(err, wire.ErrNotFound) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	reads := s.reads
	if reads == nil {
		reads = s.Store
	}
	answer, err := reads.Fetch(ctx, op, now.at)
	if errors.Is(err, wire.ErrNotFound) || err == nil && !s.has(answer.Value, r) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	if !reads.Shows(answer.Value) {
		if v := reads.Judge(answer.Value); v.State == store.Deleted {
			missing.Err = v.Err
		}
		return nil, missing
	}
	doc, err := reads.Decode(answer.Value)
	if err != nil {
		return nil, reads.Failure(op, now.at, err)
	}
	return doc, nil
}

// Writer is who stores a document: what it has left hidden in an attempt before is its own,
// whose id nothing blocks.
type Writer string

// NewWriter returns a writer that is no other.
func NewWriter() Writer { return Writer(newToken()) }

// Create stores w as a new document: hidden, then visible once its values are its own.
// Repeated says that it may have been sent before, by the same writer. The error matches
// ErrNotUnique if another document has one of its values.
func (s *Set) Create(ctx context.Context, by Writer, w write.Document, repeated bool) (azcore.ETag, error) {
	const op = wire.OpCreate
	wanted, err := s.wants(op, w)
	if err != nil {
		return "", err
	}
	sent := false // what an attempt before made visible may have been changed since
	for attempt := 1; ; attempt++ {
		tag, err := s.createOnce(ctx, op, by, w, wanted, repeated || sent)
		var b begun
		if !errors.As(err, &b) {
			return tag, wire.StillUnclear(err, sent)
		}
		sent = sent || errors.Is(err, wire.ErrPreconditionFailed)
		if err := again(ctx, attempt, err); err != nil {
			return "", wire.StillUnclear(err, sent)
		}
	}
}

func (s *Set) createOnce(ctx context.Context, op string, by Writer, w write.Document, wanted []reserved, repeated bool) (azcore.ETag, error) {
	w, err := s.stamped(op, w, nil)
	if err != nil {
		return "", err
	}
	hidden, err := withPending(w.Body, string(by))
	if err != nil {
		return "", s.Failure(op, w.Place, err)
	}
	tag, err := s.create(ctx, op, w.Place, hidden)
	if errors.Is(err, wire.ErrAlreadyExists) {
		var stored bool
		if tag, stored, err = s.meet(ctx, op, by, w, repeated, err); stored {
			return tag, nil
		}
	}
	if err != nil {
		return "", err
	}
	// The ETag may be of an attempt before, and reservations have to be younger than it.
	versions, err := s.reserve(ctx, op, w.Place, wanted, newToken())
	if err != nil {
		s.withdraw(ctx, op, w.Place, tag, versions)
		return "", err
	}
	visible, err := s.replace(ctx, op, w.Place, w.Body, tag)
	if err == nil {
		return visible, nil
	}
	if errors.Is(err, wire.ErrUnclear) || overtaken(err) {
		if visible, err = write.ReadBack(ctx, s.Writer, op, w, err); err == nil {
			return visible, nil
		}
	}
	switch {
	case errors.Is(err, wire.ErrUnclear):
		return "", err
	case errors.Is(err, wire.ErrNotFound):
		return "", begun{s.failure(op, w.Place, wire.ErrUnfinished, errGone)}
	case overtaken(err): // fenced, or stored and changed since: the reservations stay for the bound
		return "", begun{err}
	}
	s.withdraw(ctx, op, w.Place, tag, versions)
	return "", err
}

// meet is told that there is a document at the place of a new one. It returns the ETag of
// that document if this writer has stored it hidden, and true as well if it is the
// document, visible and stored by an earlier attempt. A hidden document older than the
// bound is removed, so that the operation begins anew.
func (s *Set) meet(ctx context.Context, op string, by Writer, w write.Document, repeated bool, failure error) (azcore.ETag, bool, error) {
	answer, err := s.Fetch(ctx, op, w.Place)
	unfinished := s.failure(op, w.Place, wire.ErrUnfinished, ErrPending)
	switch {
	case errors.Is(err, wire.ErrNotFound): // it was hidden, or another program has removed it
		return "", false, begun{wire.StillUnclear(unfinished, errors.Is(failure, wire.ErrUnclear))}
	case err != nil:
		return "", false, err
	case !s.isPending(answer.Value):
		if repeated || errors.Is(failure, wire.ErrUnclear) {
			tag, refused := write.ReadBack(ctx, s.Writer, op, w, failure)
			if refused == nil {
				return tag, true, nil
			}
			failure = refused
		}
		if v := s.Judge(answer.Value); v.State == store.Deleted {
			failure = wire.StillUnclear(s.Refusal(op, w.Place, v, wire.ErrAlreadyExists), errors.Is(failure, wire.ErrUnclear))
		}
		return "", false, failure
	case pendingToken(answer.Value) == string(by):
		return answer.ETag, false, nil
	}
	if !s.old(answer) {
		return "", false, unfinished
	}
	if err := s.remove(ctx, op, w.Place, answer.ETag); err != nil && !overtaken(err) {
		return "", false, err
	}
	return "", false, begun{unfinished}
}

// withdraw removes a hidden document and the reservations that were made for it.
func (s *Set) withdraw(ctx context.Context, op string, p wire.Place, tag azcore.ETag, versions []version) {
	removing, cancel := cleaning(ctx)
	defer cancel()
	if err := s.remove(removing, op, p, tag); err == nil || errors.Is(err, wire.ErrNotFound) {
		s.giveBack(ctx, op, versions)
	}
}
