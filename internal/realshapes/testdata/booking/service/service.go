// Package service is a booking service, as a new user of pkgen writes it. Its documents are
// of one release; the test compiles it again with those of the next one.
package service

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"example.com/booking/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// PageSize is how many documents a page of a list has.
const PageSize = 5

// A Service answers the requests of tenants.
type Service struct {
	db          *azcosmos.DatabaseClient
	bookings    *documents.BookingRepository
	entries     *documents.EntryRepository
	messages    *documents.MessageRepository
	occupancies *documents.OccupancyRepository
	directory   *tenancy.TenantDirectory
	leases      *azcosmos.ContainerClient
}

// Open makes what is missing in the database, and compares the rest with what the code
// expects. The times are those of the directory of tenants.
func Open(ctx context.Context, client *azcosmos.Client, times ...tenancy.DirectoryOption) (*Service, error) {
	db, err := repository.EnsureDatabase(ctx, client, "booking")
	if err != nil {
		return nil, err
	}
	throughput := admin.Autoscale(4000)
	directory, err := documents.EnsureMessageDirectory(ctx, db, throughput, times...) // first, since EnsureContainers makes one with the usual times
	if err != nil {
		return nil, err
	}
	if err := documents.EnsureContainers(ctx, db, throughput); err != nil {
		return nil, err
	}
	leases, err := documents.EnsureBookingLeases(ctx, db, admin.AnyThroughput())
	if err != nil {
		return nil, err
	}
	bookings, err := db.NewContainer(documents.BookingContainer().ID)
	if err != nil {
		return nil, err
	}
	occupancies, err := db.NewContainer(documents.OccupancyContainer().ID)
	if err != nil {
		return nil, err
	}
	return &Service{
		db:          db,
		bookings:    documents.NewBookingRepository(bookings),
		entries:     documents.NewEntryRepository(bookings),
		messages:    documents.NewMessageRepository(db, directory),
		occupancies: documents.NewOccupancyRepository(occupancies),
		directory:   directory,
		leases:      leases,
	}, nil
}

// Handler answers requests. The header X-Tenant names who asks; a service on the internet
// takes it from a token that it has checked.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bookings", s.findBooking)
	mux.HandleFunc("GET /houses/{house}/bookings", s.listBookings)
	mux.HandleFunc("PUT /houses/{house}/bookings/{id}", s.putBooking)
	mux.HandleFunc("GET /houses/{house}/bookings/{id}", s.getBooking)
	mux.HandleFunc("PATCH /houses/{house}/bookings/{id}", s.moveBooking)
	mux.HandleFunc("DELETE /houses/{house}/bookings/{id}", s.cancelBooking)
	mux.HandleFunc("POST /houses/{house}/bookings/{id}/restore", s.restoreBooking)
	mux.HandleFunc("POST /houses/{house}/bookings/{id}/purge", s.purgeBooking)
	mux.HandleFunc("GET /houses/{house}/rooms", s.rooms)
	mux.HandleFunc("GET /messages", s.listMessages)
	mux.HandleFunc("PUT /messages/{id}", s.putMessage)
	mux.HandleFunc("GET /messages/{id}", s.getMessage)
	mux.HandleFunc("DELETE /messages/{id}", s.deleteMessage)
	mux.HandleFunc("POST /messages/{id}/restore", s.restoreMessage)
	return mux
}

// MoveOut gives the messages of a tenant a container of their own.
func (s *Service) MoveOut(ctx context.Context, tenant string) (tenancy.MoveSummary, error) {
	if _, err := documents.EnsureMessageOwnContainer(ctx, s.db, tenant, admin.Autoscale(1000)); err != nil {
		return tenancy.MoveSummary{}, err
	}
	return tenancy.Move(ctx, s.db, s.directory, tenancy.TenantMove{
		Shared:  documents.MessageContainer().ID,
		Tenant:  tenant,
		To:      documents.MessageOwnContainer(tenant).ID,
		Queries: 100 * time.Millisecond, // which is how long a query takes here
	})
}

// Upgrade stores the bookings of earlier releases in their present form.
func (s *Service) Upgrade(ctx context.Context) (admin.Summary, error) {
	return admin.Upgrade(ctx, s.bookings.Documents, admin.Run{})
}

// Projection counts the bookings of each room. All processes run it.
func (s *Service) Projection(options ...feed.Option) *feed.Processor {
	return feed.NewProcessor(s.bookings.Documents, "occupancies", s.leases, s.count, options...)
}

func (s *Service) count(ctx context.Context, changes []feed.Delivery[documents.Booking]) error {
	for _, c := range changes {
		key := documents.OccupancyKey{ID: c.Doc.House, Tenant: c.Doc.Tenant}
		_, err := s.occupancies.UpdateOrCreate(ctx, key, func(o *documents.Occupancy) error {
			o.ID, o.Tenant = key.ID, key.Tenant
			o.Count(c.Doc, c.Deleted)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func tenantOf(r *http.Request) string { return r.Header.Get("X-Tenant") }

// body reads the body of a request, and answers if it is not what it should be.
func body(w http.ResponseWriter, r *http.Request, value any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(value)
	if err != nil {
		problem(w, http.StatusBadRequest, "")
	}
	return err == nil
}

// answer writes a value, or what an error means to a client.
func answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		status := repository.HTTPStatus(err)
		if status == http.StatusInternalServerError || status == http.StatusGatewayTimeout {
			slog.Error("failed", "error", err)
		}
		problem(w, status, repository.HTTPField(err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the client may have gone
}

func problem(w http.ResponseWriter, status int, field string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"status": status, "title": http.StatusText(status), "field": field})
}
