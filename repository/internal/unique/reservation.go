package unique

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

func holderOf(raw []byte) (reservation.Holder, error) {
	value := text.Member(raw, reservation.Property)
	if value == nil {
		return reservation.Holder{}, errors.New("the document of this id has no property _unique, so it is not a reservation: remove it with azcosmos")
	}
	return reservation.HolderOf(value)
}

// placeIn returns the place of the document that a reservation names.
func placeIn(h reservation.Holder) (p wire.Place, err error) {
	p.ID = h.ID
	if err = json.Unmarshal(h.Key, &p.Value); err == nil && !wire.Expressible(p.Value) {
		err = errors.New("the reservation names a partition key that cannot be sent: remove it with azcosmos")
	}
	if err == nil {
		p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	}
	return p, err
}

// placeOf returns the place of a reservation: every level of its partition key is its id.
func (s *Set) placeOf(id string) wire.Place {
	p := wire.Place{ID: id, Value: id}
	if s.Hierarchical {
		levels := make([]any, len(s.Paths))
		for i := range levels {
			levels[i] = id
		}
		p.Value = levels
	}
	p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	return p
}

// reservation returns the JSON of a reservation for the document at p. It never expires.
func (s *Set) reservation(r reserved, p wire.Place, token string) ([]byte, error) {
	key, err := json.Marshal(p.Value)
	if err != nil {
		return nil, err
	}
	body, err := reservation.Body(r.id, reservation.Holder{Type: s.Type, Property: r.property, ID: p.ID, Key: key, Token: token})
	if d := s.Discriminator; d != nil && err == nil {
		body, err = text.SetProperty(body, []string{d.Property}, []byte(strconv.Quote(reservation.TypeValue)))
	}
	for _, path := range s.Paths {
		if err == nil {
			body, err = text.SetText(body, path, r.id)
		}
	}
	return body, err
}

// pending is the value of the property that hides a document.
type pending struct {
	Token string `json:"token"` // of the writer that is creating the document
}

// withPending returns the document with the property that hides it.
func withPending(body []byte, token string) ([]byte, error) {
	value, err := json.Marshal(pending{token})
	if err != nil {
		return nil, err
	}
	return text.SetProperty(body, []string{reservation.PendingProperty}, value)
}

// isPending reports whether a stored document is hidden.
func (s *Set) isPending(raw []byte) bool { return errors.Is(s.Judge(raw).Err, ErrPending) }

func pendingToken(raw []byte) string {
	var p pending
	if json.Unmarshal(text.Member(raw, reservation.PendingProperty), &p) != nil {
		return ""
	}
	return p.Token
}

// newToken returns a random text, different for each attempt.
func newToken() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// neverTag is an ETag that no document has.
const neverTag azcore.ETag = `"00000000-0000-0000-0000-000000000000"`

// ageOf returns the time since the document in answer was written, in whole seconds of the
// service's clock.
func ageOf(answer wire.Answer) time.Duration {
	now := time.Now()
	if date, err := wire.DateOf(answer.RawResponse); err == nil {
		now = date
	}
	at, err := strconv.ParseInt(string(text.Member(answer.Value, "_ts")), 10, 64)
	if err != nil {
		return 0
	}
	return now.Sub(time.Unix(at, 0))
}

// version is one version of a stored reservation.
type version struct {
	reserved
	tag azcore.ETag
	own bool // the reservation was created for this document, and did not name its place before
}

// seen is a reservation as it was read.
type seen struct {
	reservation.Holder
	at     wire.Place // of the holder
	answer wire.Answer
}

func (s *Set) read(ctx context.Context, op, id string) (r seen, err error) {
	p := s.placeOf(id)
	if r.answer, err = s.Fetch(ctx, op, p); err != nil {
		return r, err
	}
	if r.Holder, err = holderOf(r.answer.Value); err == nil {
		r.at, err = placeIn(r.Holder)
	}
	if err != nil {
		err = s.Failure(op, p, err)
	}
	return r, err
}

// reserve is step 2: it makes the reservations name the document at p. All programs take
// them in the order of the properties, so that two programs cannot block each other. With
// an error it returns the versions written so far.
func (s *Set) reserve(ctx context.Context, op string, p wire.Place, wanted []reserved, token string) (versions []version, err error) {
	for _, r := range wanted {
		if r.id == "" {
			continue
		}
		v, err := s.reserveOne(ctx, op, p, r, token)
		if err != nil {
			return versions, about(p, err)
		}
		versions = append(versions, v)
	}
	return versions, nil
}

func (s *Set) reserveOne(ctx context.Context, op string, p wire.Place, r reserved, token string) (version, error) {
	body, err := s.reservation(r, p, token)
	if err != nil {
		return version{}, err
	}
	place := s.placeOf(r.id)
	renewed := false
	for attempt := 1; ; attempt++ {
		tag, err := s.create(ctx, op, place, body)
		if err == nil {
			return version{r, tag, !renewed}, nil
		}
		if !errors.Is(err, wire.ErrAlreadyExists) {
			return version{}, err
		}
		v, err := s.take(ctx, op, p, r, body, token, &renewed)
		if err == nil || errors.Is(err, wire.ErrNotUnique) || !overtaken(err) && !errors.Is(err, wire.ErrUnclear) {
			return v, err
		}
		if err := again(ctx, attempt, err); err != nil {
			return version{}, err
		}
	}
}

// take makes an existing reservation name the document at p. It fails with ErrNotUnique if
// the present holder has the value, or a write that is under way may give the holder the
// value. It sets renewed if the reservation named p already.
func (s *Set) take(ctx context.Context, op string, p wire.Place, r reserved, body []byte, token string, renewed *bool) (version, error) {
	now, err := s.read(ctx, op, r.id)
	if err != nil {
		return version{}, err
	}
	switch {
	case now.Token == token: // the answer to an earlier attempt was lost
		return version{r, now.answer.ETag, !*renewed}, nil
	case now.at.ID == p.ID && now.at.Name == p.Name:
		*renewed = true
	default:
		if err := s.fence(ctx, op, now, r); err != nil {
			return version{}, err
		}
	}
	tag, err := s.replace(ctx, op, s.placeOf(r.id), body, now.answer.ETag)
	return version{r, tag, !*renewed}, err
}

// fence ensures that no write relying on this version of a reservation can still make the
// named document visible with the value. It returns an error that matches ErrNotUnique if
// the document has the value or may be about to get it.
func (s *Set) fence(ctx context.Context, op string, now seen, r reserved) error {
	answer, err := s.Fetch(ctx, op, now.at)
	if errors.Is(err, wire.ErrNotFound) {
		return s.confirmEmpty(ctx, op, now.at)
	}
	if err != nil {
		return err
	}
	has, hidden := s.has(answer.Value, r), s.isPending(answer.Value)
	switch {
	case has && !hidden:
		return s.taken(op, now.at, takenError{property: r.property})
	case !s.old(now.answer):
		return s.taken(op, now.at, takenError{r.property, true})
	case hidden:
		return s.remove(ctx, op, now.at, answer.ETag)
	}
	_, err = s.replace(ctx, op, now.at, answer.Value, answer.ETag)
	return err
}

// confirmEmpty returns nil if there is no document at p. It asks with a write that cannot
// succeed, because a read may come from a replica that lags.
func (s *Set) confirmEmpty(ctx context.Context, op string, p wire.Place) error {
	err := s.remove(ctx, op, p, neverTag)
	if errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear) {
		return nil
	}
	return err
}

// has reports whether a stored document is of the type and has the value that r reserves.
func (s *Set) has(raw []byte, r reserved) bool {
	if !s.Owns(raw) {
		return false
	}
	all, err := Properties{r.property}.of(s.scope(), raw)
	return err == nil && all[0].id == r.id
}

// giveBack removes the reservations made for a write that failed. One that it cannot remove
// blocks its value for the bound at most.
func (s *Set) giveBack(ctx context.Context, op string, versions []version) {
	ctx, cancel := cleaning(ctx)
	defer cancel()
	for _, v := range versions {
		if v.own {
			_ = s.remove(ctx, op, s.placeOf(v.id), v.tag)
		}
	}
}

// cleaning returns a context for cleaning up, which works even if ctx has ended.
func cleaning(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
}

// Properties are the JSON names of the unique properties of a type.
type Properties []string

// reserved is the reservation that a document needs for a property.
type reserved struct {
	property string
	id       string // empty for no value
}

// of returns the reservations that a document needs, in the order of the properties.
func (p Properties) of(scope string, document []byte) ([]reserved, error) {
	all := make([]reserved, len(p))
	for i, name := range p {
		value, err := reservation.TextOf(text.Member(document, name))
		if err != nil {
			return nil, fmt.Errorf("property %q: it is unique, and %w", name, err)
		}
		all[i] = reserved{name, reservation.IDOf(scope, name, value)}
	}
	return all, nil
}
