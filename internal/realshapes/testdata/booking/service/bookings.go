package service

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"

	"example.com/booking/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// A wantedBooking is what a client sends.
type wantedBooking struct {
	Reference string `json:"reference"`
	Guest     string `json:"guest"`
	Room      int    `json:"room"`
	Cents     int    `json:"cents"`
}

// A booking is what a client gets.
type booking struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	wantedBooking
}

// viewOf returns what a client sees of a booking.
func viewOf(b *documents.Booking) booking {
	return booking{b.ID, b.Version, wantedBooking{b.Reference, b.Guest, b.Room, b.Cents()}}
}

// answerBooking writes a booking with its ETag, or what an error means.
func answerBooking(w http.ResponseWriter, b *documents.Booking, err error) {
	if err != nil {
		answer(w, nil, err)
		return
	}
	w.Header().Set("ETag", b.ETag)
	answer(w, viewOf(b), nil)
}

// in returns the bookings of the tenant that asks, and the key that the path names.
func (s *Service) in(r *http.Request) (*documents.BookingTenant, documents.BookingKey) {
	mine := s.bookings.For(tenantOf(r))
	return mine, mine.Key(r.PathValue("id"), r.PathValue("house"))
}

// putBooking books, or books again. A client that gets no answer repeats the request.
func (s *Service) putBooking(w http.ResponseWriter, r *http.Request) {
	var wanted wantedBooking
	if !body(w, r, &wanted) {
		return
	}
	mine, key := s.in(r)
	b, err := mine.UpdateOrCreate(r.Context(), key, func(b *documents.Booking) error {
		b.ID, b.Tenant, b.House = key.ID, key.Tenant, key.House
		b.Reference, b.Guest, b.Room = wanted.Reference, wanted.Guest, wanted.Room
		b.SetCents(wanted.Cents)
		return nil
	})
	answerBooking(w, b, err)
}

func (s *Service) getBooking(w http.ResponseWriter, r *http.Request) {
	mine, key := s.in(r)
	b, err := mine.Get(r.Context(), key)
	answerBooking(w, b, err)
}

// findBooking finds a booking by its reference. References are unique over all tenants, so
// whose it is has to be looked at.
func (s *Service) findBooking(w http.ResponseWriter, r *http.Request) {
	b, err := s.bookings.GetByReference(r.Context(), r.FormValue("reference"))
	if err == nil && b.Tenant != tenantOf(r) {
		err = repository.ErrNotFound
	}
	answerBooking(w, b, err)
}

func (s *Service) listBookings(w http.ResponseWriter, r *http.Request) {
	page, err := s.bookings.For(tenantOf(r)).ByHouse(r.PathValue("house")).
		OrderBy(documents.BookingFields.Room.Asc()).
		Page(r.Context(), r.FormValue("cursor"), PageSize)
	found := []booking{}
	for _, b := range page.Items {
		found = append(found, viewOf(b))
	}
	answer(w, map[string]any{"bookings": found, "cursor": page.Cursor}, err)
}

// moveBooking gives a booking another room, if nobody has changed it since its ETag, with an
// entry in the log.
func (s *Service) moveBooking(w http.ResponseWriter, r *http.Request) {
	var wanted struct{ Room int }
	if !body(w, r, &wanted) {
		return
	}
	mine, key := s.in(r)
	condition := documents.BookingFields.ETag.Eq(r.Header.Get("If-Match"))
	err := s.logged(r.Context(), key, "moved", func(tx *repository.Transaction) error {
		return mine.In(tx).PatchIf(key, condition, documents.BookingPatch.Room.Set(wanted.Room))
	})
	if err != nil {
		answer(w, nil, err)
		return
	}
	s.getBooking(w, r)
}

// cancelBooking marks a booking as deleted, with an entry in the log.
func (s *Service) cancelBooking(w http.ResponseWriter, r *http.Request) {
	mine, key := s.in(r)
	err := s.logged(r.Context(), key, "cancelled", func(tx *repository.Transaction) error {
		return mine.In(tx).Delete(key)
	})
	answer(w, map[string]string{}, err)
}

// restoreBooking restores a cancelled booking, with an entry in the log.
func (s *Service) restoreBooking(w http.ResponseWriter, r *http.Request) {
	mine, key := s.in(r)
	err := s.logged(r.Context(), key, "restored", func(tx *repository.Transaction) error {
		return mine.In(tx).Restore(r.Context(), key)
	})
	if err != nil {
		answer(w, nil, err)
		return
	}
	s.getBooking(w, r)
}

// logged changes a booking in a transaction with an entry.
func (s *Service) logged(ctx context.Context, key documents.BookingKey, did string, change func(tx *repository.Transaction) error) error {
	mine := s.entries.For(key.Tenant)
	return s.bookings.For(key.Tenant).InTransaction(ctx, key, func(tx *repository.Transaction) error {
		entry := &documents.Entry{
			ID: documents.EntryIDPrefix + rand.Text(), Tenant: key.Tenant, House: key.House, Booking: key.ID, Did: did,
		}
		return errors.Join(change(tx), mine.In(tx).Create(entry))
	})
}

// purgeBooking removes a cancelled booking for ever, so that its reference is free. The
// change feed does not have this, so the projection has to have counted the cancellation.
func (s *Service) purgeBooking(w http.ResponseWriter, r *http.Request) {
	mine, key := s.in(r)
	b, err := mine.WithDeleted().Get(r.Context(), key)
	if err != nil {
		answer(w, nil, err)
		return
	}
	houses := s.occupancies.For(key.Tenant)
	counted, err := houses.Get(r.Context(), houses.Key(key.House))
	if err != nil && !errors.Is(err, repository.ErrNotFound) {
		answer(w, nil, err)
		return
	}
	if counted == nil || !counted.Has(b) {
		problem(w, http.StatusServiceUnavailable, "") // ask again
		return
	}
	answer(w, map[string]string{}, mine.Purge(r.Context(), key))
}

// rooms answers with how many bookings each room of a house has, as far as the projection is.
func (s *Service) rooms(w http.ResponseWriter, r *http.Request) {
	houses := s.occupancies.For(tenantOf(r))
	o, err := houses.Get(r.Context(), houses.Key(r.PathValue("house")))
	if err != nil {
		answer(w, nil, err)
		return
	}
	answer(w, o.Rooms, nil)
}
