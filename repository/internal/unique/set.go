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

// Set reads and writes the documents of a type with unique properties. It is safe for
// concurrent use.
type Set struct {
	*write.Writer
	Properties Properties
	reads      *store.Store                    // for Find; nil means the Writer's store
	Age        func(wire.Answer) time.Duration // nil uses the service's clock
}

// Reading returns a copy of s whose Find reads from another store.
func (s *Set) Reading(reads *store.Store) *Set {
	other := *s
	other.reads = reads
	return &other
}

// scope separates the values of the type from those of other types in the container.
func (s *Set) scope() string {
	if s.Discriminator == nil {
		return ""
	}
	return s.Discriminator.Value
}

// old reports whether the document in answer is older than the bound.
func (s *Set) old(answer wire.Answer) bool {
	age := s.Age
	if age == nil {
		age = ageOf
	}
	return age(answer) >= reservation.Bound
}

// create, replace and remove send one write each; replace and remove require an ETag. An
// error means that the write had no effect, unless it matches ErrUnclear.
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

// overtaken reports whether a conditional write had no effect because its document changed
// after it was read.
func overtaken(err error) bool {
	if errors.Is(err, wire.ErrUnclear) {
		return false
	}
	return errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrAlreadyExists)
}

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

// begun is a failure after which the operation starts again.
type begun struct{ error }

func (b begun) Unwrap() error { return b.error }

// again is write.Anew for a failure that may be a begun.
func again(ctx context.Context, attempt int, err error) error {
	var b begun
	if errors.As(err, &b) {
		err = b.error
	}
	return write.Anew(ctx, attempt, err)
}

// takenError says why a value is not free. It does not contain the value.
type takenError struct {
	property string
	busy     bool // by a write that has not finished
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

// ErrReservation is the reason why a repository does not show a reservation.
var ErrReservation = errors.New("it is the reservation of a unique value")

// ErrPending is the reason why a repository does not show a hidden document.
var ErrPending = errors.New("another program is storing a document of this id, or was interrupted: it blocks the id for " + reservation.Bound.String() + " at most")

// errGone is the error of a creation whose hidden document was removed before it became
// visible.
var errGone = errors.New("it was removed before its values were reserved: it has expired, or another program considered the write interrupted")

// failure returns an error of the given kind about the document at p.
func (s *Set) failure(op string, p wire.Place, kind, err error) error {
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}

func (s *Set) taken(op string, p wire.Place, why takenError) error {
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrNotUnique, Err: why, Property: why.property}
}

// about rewrites the error of a request for a reservation into one about the document at p,
// the only one that callers know. Since the document was not written yet, the outcome is
// clear.
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

// As says how a change treats other writers.
type As struct {
	Any  bool // store the document over any version
	Last bool // the caller does not retry if the document has changed
}

// A Write stores a document if the stored one has the ETag unchanged.
type Write func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error)

// Change is steps 2 to 4 for a visible document: it stores w over stored, which has the
// ETag tag and was judged by the caller.
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

// settled decides whether a write that was refused has stored its document all the same,
// given that an equal document is stored. An unchanged reservation proves it: any other
// write of the value would have changed the reservation first.
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

// ineffective reports whether a write had no effect and cannot have one later, even if a
// proxy sends its request twice: it was not sent, was invalid or forbidden, or found no
// document. Any other refusal may follow a first copy of the request that succeeded.
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

// own returns the given reservations that name the document at p.
func (s *Set) own(ctx context.Context, op string, p wire.Place, all []reserved) (versions []version, err error) {
	for _, r := range all {
		if r.id == "" {
			continue
		}
		now, err := s.read(ctx, op, r.id)
		switch {
		case errors.Is(err, wire.ErrNotFound): // lost; pkgen-data verify reports it
		case err != nil:
			return nil, about(p, err)
		case now.at.ID == p.ID && now.at.Name == p.Name:
			versions = append(versions, version{r, now.answer.ETag, true})
		}
	}
	return versions, nil
}

// replaceOnce stores w over the visible document in stored.
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

// stamped returns w with stamps that follow those of the stored document, which is nil for
// a new one.
func (s *Set) stamped(op string, w write.Document, stored []byte) (write.Document, error) {
	if w.Stamp == nil {
		return w, nil
	}
	return write.Restamp(s.Writer, op, w, stored)
}

// stored reads the document at p. The error matches kind if the document is hidden, of
// another type, or not meant.
func (s *Set) stored(ctx context.Context, op string, p wire.Place, means func(doc any) bool, kind error) (wire.Answer, error) {
	answer, err := s.Fetch(ctx, op, p)
	if err == nil {
		err = s.Meant(op, p, answer.Value, means, kind)
	}
	return answer, err
}

// Replace stores w over the visible document of its key. If unchanged is an ETag, the stored
// document must have it; empty and ETagAny mean any. Means is as in package write.
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

// begins reports whether an operation starts again after this error.
func begins(err error) bool {
	var b begun
	return errors.As(err, &b) || (overtaken(err) || errors.Is(err, wire.ErrUnfinished)) && !errors.Is(err, wire.ErrNotUnique)
}

func isGiven(tag azcore.ETag) bool { return tag != "" && tag != azcore.ETagAny }

// sameVersion returns ErrPreconditionFailed if unchanged is an ETag other than tag.
func (s *Set) sameVersion(op string, p wire.Place, tag, unchanged azcore.ETag) error {
	if !isGiven(unchanged) || tag == unchanged {
		return nil
	}
	return s.failure(op, p, wire.ErrPreconditionFailed, wire.ErrPreconditionFailed)
}

// Upsert stores w, whether or not a document of its key exists.
func (s *Set) Upsert(ctx context.Context, by Writer, w write.Document, means func(doc any) bool) (azcore.ETag, error) {
	const op = wire.OpUpsert
	wanted, err := s.wants(op, w)
	if err != nil {
		return "", err
	}
	sent := false // an earlier attempt may have made the document visible
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

// Delete removes the visible document at p. If unchanged is an ETag, the document must have
// it. Repeated says that an earlier call may have removed it: then a missing document is
// success.
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

// Remove removes the version of a document that answer has, visible or hidden, and then its
// reservations.
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

// Releasing reads the reservations of the document at p, and returns a function that
// removes these versions of them. Call it before the document is removed, and the function
// afterwards.
func (s *Set) Releasing(op string, p wire.Place) write.Releasing {
	return func(ctx context.Context, raw []byte) (func(context.Context), error) {
		former, err := s.Properties.of(s.scope(), raw)
		if err != nil { // another program has stored an invalid value
			former = nil
		}
		leaving, err := s.own(ctx, op, p, former)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) { s.giveBack(ctx, op, leaving) }, nil
	}
}

// Find returns the document with this JSON value of a property. It costs two point reads.
// The error matches ErrNotFound if there is none, and also ErrDeleted if the document is
// marked as deleted.
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

// Writer identifies one storing of a document. A retry with the same Writer continues a
// hidden document that it left, instead of being blocked by it.
type Writer string

// NewWriter returns a new, unique Writer.
func NewWriter() Writer { return Writer(newToken()) }

// Create stores w as a new document: first hidden, then visible once its values are
// reserved. Repeated says that the same writer may have sent it before. The error matches
// ErrNotUnique if another document has one of its values.
func (s *Set) Create(ctx context.Context, by Writer, w write.Document, repeated bool) (azcore.ETag, error) {
	const op = wire.OpCreate
	wanted, err := s.wants(op, w)
	if err != nil {
		return "", err
	}
	sent := false // an earlier attempt may have made the document visible
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
	// The document may be from an earlier attempt. Its reservations must be newer than its
	// ETag.
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

// meet handles an existing document at the place of a new one. It returns the ETag of a
// hidden document of the same writer, to be continued. It returns true if an earlier
// attempt has stored the document visibly. It removes a hidden document that is older than
// the bound, and returns a begun.
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

// withdraw removes a hidden document, and then the reservations made for it.
func (s *Set) withdraw(ctx context.Context, op string, p wire.Place, tag azcore.ETag, versions []version) {
	removing, cancel := cleaning(ctx)
	defer cancel()
	if err := s.remove(removing, op, p, tag); err == nil || errors.Is(err, wire.ErrNotFound) {
		s.giveBack(ctx, op, versions)
	}
}
