package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// settling reads unmatched claims again, because documents change while a container is read, and
// mends them if requested. Its writes are conditional on what it has read, by the protocol of
// docs/decisions/unique-values.md, since programs may write meanwhile.
type settling struct {
	*values
	account *account.Account
	mend    bool
	found   func(typ string, f Finding)
}

// item is a stored document.
type item struct {
	raw        json.RawMessage
	etag       string
	properties map[string]json.RawMessage
}

// hidden reports whether the document has not yet acquired its unique values.
func (i *item) hidden() bool { return has(i.properties, reservation.PendingProperty) }

// broken reports whether the document is a reservation that names no document.
func (i *item) broken() bool {
	_, err := reservation.HolderOf(i.properties[reservation.Property])
	return err != nil
}

// settle judges unmatched claims.
func (s *settling) settle(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		for _, c := range s.open[id] {
			judge := s.document
			if c.reservation {
				if judge = s.reservation; slices.ContainsFunc(s.open[id], func(c claim) bool { return !c.reservation }) {
					continue // the finding of the document covers it
				}
			}
			if err := judge(ctx, id, c); err != nil {
				return err
			}
		}
	}
	for _, c := range s.hidden {
		if err := s.left(ctx, c); err != nil {
			return err
		}
	}
	for _, c := range s.broken {
		mended := false
		if s.mend {
			now, err := s.read(ctx, c.id, c.key)
			if err == nil && now != nil && !now.broken() {
				continue // another program has created one meanwhile
			}
			if err == nil && now != nil {
				mended, err = s.remove(ctx, c.id, c.key, now.etag)
			}
			if err != nil {
				return err
			}
		}
		s.tell(c, BadReservation, c.problem, mended)
	}
	return nil
}

// tell adds a finding.
func (s *settling) tell(c claim, name, reason string, mended bool) {
	f := c.finding(name, reason)
	if mended {
		f.Mended = 1
	}
	s.found(c.typ, f)
}

// addressable reports whether a request can have an id in its path. Generated code stores no
// document with another id.
func addressable(id string) bool { return partition.Check("", partition.ID(id)) == nil }

// search is read by a query, for ids that are not addressable.
func (s *settling) search(ctx context.Context, id, key string) (found *item, err error) {
	err = s.account.Query(ctx, s.container, "SELECT * FROM c WHERE c.id = @id", map[string]any{"@id": id}, func(row json.RawMessage) {
		if sameKey(s.container.KeyOf(row), key) {
			found = &item{raw: row}
			_ = json.Unmarshal(row, &found.properties) // the service stores only objects
			found.etag = textOf(found.properties["_etag"])
		}
	})
	return found, err
}

// remove deletes a version of a document, and reports whether that took effect.
func (s *settling) remove(ctx context.Context, id, key, etag string) (bool, error) {
	if !addressable(id) {
		return false, nil
	}
	return done(s.account.DeleteItem(ctx, s.container, id, key, etag))
}

// read reads a document; nil if there is none.
func (s *settling) read(ctx context.Context, id, key string) (*item, error) {
	if !addressable(id) {
		return s.search(ctx, id, key)
	}
	raw, etag, err := s.account.ReadItem(ctx, s.container, id, key)
	if account.Is(err, http.StatusNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	i := &item{raw: raw, etag: etag}
	return i, json.Unmarshal(raw, &i.properties)
}

// done reports whether a conditional write has taken effect.
func done(err error) (bool, error) {
	if account.Is(err, http.StatusNotFound) || account.Is(err, http.StatusPreconditionFailed) || account.Is(err, http.StatusConflict) {
		return false, nil
	}
	return err == nil, err
}

// keyOf returns the partition key of a reservation.
func (s *settling) keyOf(id string) string {
	levels := slices.Repeat([]string{strconv.Quote(id)}, len(s.container.PartitionKey.Paths))
	return "[" + strings.Join(levels, ",") + "]"
}

// holds reports whether a document has the value of a reservation.
func (s *settling) holds(i *item, id string) bool {
	if i == nil || i.hidden() {
		return false
	}
	_, has := s.judge.reservationsOf(i.properties)[id]
	return has
}

// named reads a reservation, and returns its claim. The reservation is nil if it is missing or
// broken.
func (s *settling) named(ctx context.Context, id string) (r *item, c claim, err error) {
	r, err = s.read(ctx, id, s.keyOf(id))
	if err != nil || r == nil {
		return nil, c, err
	}
	holder, broken := reservation.HolderOf(r.properties[reservation.Property])
	if broken != nil {
		return nil, c, nil //nolint:nilerr // it is no reservation any more
	}
	return r, claim{reservation: true, typ: s.judge.uniqueType(holder.Type), property: holder.Property, id: holder.ID, key: arrayOf(holder.Key)}, nil
}

// document judges a document without the reservation of its value.
func (s *settling) document(ctx context.Context, id string, c claim) error {
	now, err := s.read(ctx, c.id, c.key)
	if err != nil || !s.holds(now, id) {
		return err
	}
	r, named, err := s.named(ctx, id)
	if err != nil {
		return err
	}
	if r != nil && named.id == c.id && sameKey(named.key, c.key) {
		return nil
	}
	if r != nil {
		holder, err := s.read(ctx, named.id, named.key)
		if err != nil {
			return err
		}
		if s.holds(holder, id) {
			s.tell(c, NotUnique, named.other(), false)
			return nil
		}
	}
	if !s.mend { // when mending, the first document that is read gets the value
		if other, err := s.rival(ctx, id, c); err != nil || other != nil {
			if err == nil {
				s.tell(c, NotUnique, other.other(), false)
			}
			return err
		}
	}
	mended := false
	if s.mend {
		if mended, err = s.reserve(ctx, id, c, r, named); err != nil {
			return err
		}
	}
	s.tell(c, NoReservation, "", mended)
	return nil
}

// rival returns another document with the value, or nil if none was read. Neither has a
// reservation.
func (s *settling) rival(ctx context.Context, id string, c claim) (*claim, error) {
	for _, other := range s.open[id] {
		if other.reservation || other.id == c.id && sameKey(other.key, c.key) {
			continue
		}
		now, err := s.read(ctx, other.id, other.key)
		if err != nil {
			return nil, err
		}
		if s.holds(now, id) {
			return &other, nil
		}
	}
	return nil, nil
}

// reserve makes a reservation name a document. R is the stored reservation, or nil.
func (s *settling) reserve(ctx context.Context, id string, c claim, r *item, named claim) (bool, error) {
	key := json.RawMessage(c.key)
	if len(s.container.PartitionKey.Paths) == 1 {
		key = json.RawMessage(strings.TrimSuffix(strings.TrimPrefix(c.key, "["), "]"))
	}
	body, err := reservation.Body(id, reservation.Holder{Type: c.typ, Property: c.property, ID: c.id, Key: key, Token: "verify"})
	if err != nil {
		return false, err
	}
	if body, err = s.placed(body, id, c.typ); err != nil {
		return false, err
	}
	if r == nil {
		_, err := s.account.CreateItem(ctx, s.container, s.keyOf(id), body)
		return done(err)
	}
	if free, err := s.fence(ctx, id, r, named); err != nil || !free {
		return false, err
	}
	_, err = s.account.ReplaceItem(ctx, s.container, id, s.keyOf(id), body, r.etag)
	return done(err)
}

// placed returns a reservation with its partition key, and with the text that keeps types from
// reading it as a document.
func (s *settling) placed(body []byte, id, typ string) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	for _, t := range s.judge.types {
		if t.entry.Type == typ && t.entry.Discriminator != "" {
			all[typeProperty] = reservation.TypeValue
		}
	}
	for _, path := range s.container.PartitionKey.Paths {
		object, names := all, account.NamesOf(path)
		for _, name := range names[:len(names)-1] {
			inner, _ := object[name].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
			}
			object[name], object = inner, inner
		}
		object[names[len(names)-1]] = id
	}
	return json.Marshal(all)
}

// reservation judges a reservation without its document.
func (s *settling) reservation(ctx context.Context, id string, c claim) error {
	r, named, err := s.named(ctx, id)
	if err != nil || r == nil || named.id != c.id || !sameKey(named.key, c.key) {
		return err
	}
	holder, err := s.read(ctx, c.id, c.key)
	if err != nil || s.holds(holder, id) || ageOf(r.raw, s.account.Now()) < reservation.Bound {
		return err
	}
	mended := false
	if s.mend {
		free, err := s.fence(ctx, id, r, named)
		if err != nil {
			return err
		}
		if free {
			if mended, err = s.remove(ctx, id, s.keyOf(id), r.etag); err != nil {
				return err
			}
		}
	}
	s.tell(c, LeftReservation, "", mended)
	return nil
}

// neverTag is an ETag that no document has.
const neverTag = `"00000000-0000-0000-0000-000000000000"`

// fence returns true once the named document cannot acquire the value by a write that relies on
// this version of the reservation. Package unique has the same protocol.
func (s *settling) fence(ctx context.Context, id string, r *item, named claim) (bool, error) {
	holder, err := s.read(ctx, named.id, named.key)
	if err != nil {
		return false, err
	}
	switch {
	case !addressable(named.id): // no request can address it
		return false, nil
	case holder == nil:
		err := s.account.DeleteItem(ctx, s.container, named.id, named.key, neverTag)
		if account.Is(err, http.StatusNotFound) {
			return true, nil
		}
		_, err = done(err)
		return false, err
	case s.holds(holder, id) || ageOf(r.raw, s.account.Now()) < reservation.Bound:
		return false, nil
	case holder.hidden():
		return s.remove(ctx, named.id, named.key, holder.etag)
	}
	_, err = s.account.ReplaceItem(ctx, s.container, named.id, named.key, holder.raw, holder.etag)
	return done(err)
}

// left judges a hidden document.
func (s *settling) left(ctx context.Context, c claim) error {
	now, err := s.read(ctx, c.id, c.key)
	if err != nil || now == nil || !now.hidden() || ageOf(now.raw, s.account.Now()) < reservation.Bound {
		return err
	}
	mended := false
	if s.mend {
		if mended, err = s.remove(ctx, c.id, c.key, now.etag); err != nil {
			return err
		}
	}
	s.tell(claim{typ: cmp.Or(c.typ, s.judge.uniqueType("")), id: c.id, key: c.key}, LeftHidden, "", mended)
	return nil
}
