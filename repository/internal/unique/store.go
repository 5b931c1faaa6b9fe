package unique

import (
	"context"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// As says what a change is to its caller.
type As struct {
	Any  bool // it stores the document in place of any version
	Last bool // the caller does not begin anew if the document has changed
}

// A Write stores a document in place of a version.
type Write func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error)

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
	request := write.Request{Send: func(ctx context.Context) (azcosmos.ItemResponse, error) { return send(ctx, tag) }}
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
	var own *wire.OperationError
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
func (s *Set) replaceOnce(ctx context.Context, op string, w write.Document, stored azcosmos.ItemResponse, as As) (azcore.ETag, error) {
	if err := s.Schema.Newer(stored.Value); err != nil {
		return "", s.Failure(op, w.Place, err)
	}
	w, err := s.stamped(op, w, stored.Value)
	if err != nil {
		return "", err
	}
	return s.Change(ctx, op, w, stored.Value, stored.ETag, as, func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
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
func (s *Set) stored(ctx context.Context, op string, p wire.Place, means func(doc any) bool, kind error) (azcosmos.ItemResponse, error) {
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
func (s *Set) Remove(ctx context.Context, op string, p wire.Place, answer azcosmos.ItemResponse) error {
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
		return nil, &wire.OperationError{Op: op, Type: s.Type, Err: err}
	}
	missing := &wire.OperationError{Op: op, Type: s.Type, Kind: wire.ErrNotFound, Err: wire.ErrNotFound, Note: "by its unique property " + property}
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
