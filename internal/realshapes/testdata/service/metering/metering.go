// Package metering keeps documents in containers that their fields name: a container for
// each month, for each tenant, and for each region and year.
package metering

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// Reading is in the window of its month.
type Reading struct {
	_        struct{}  `cosmos:"container=telemetry-{At|2006-01},ttl=34560000"`
	ID       string    `json:"id"`
	DeviceID string    `json:"deviceId" cosmos:"pk"`
	At       time.Time `json:"at"`
	Value    float64   `json:"value"`
}

// Order is in the container of its tenant.
type Order struct {
	_          struct{} `cosmos:"container=orders-{TenantID}"`
	ID         string   `json:"id"`
	TenantID   string   `json:"tenantId"`
	CustomerID string   `json:"customerId" cosmos:"pk"`
	Total      int      `json:"total"`
}

// Usage has a container for each region and year, and a key with the day of the same time.
type Usage struct {
	_      struct{}        `cosmos:"container=usage-{Region}-{At|2006},key={Meter.Account}-{At|day},escape"`
	ID     string          `json:"id" cosmos:"id,prefix=usage-"`
	Region string          `json:"region"`
	Meter  Meter           `json:"meter"`
	At     repository.Time `json:"at"`
	Stored string          `json:"partitionKey" cosmos:"synthetic"`
	ETag   string          `json:"_etag,omitempty"`
}

// Limit is in the containers of Usage.
type Limit struct {
	_         struct{}        `cosmos:"container=usage-{Region}-{Since|2006},key={Account}-{Since|day},escape,type=limit"`
	ID        string          `json:"id" cosmos:"id,prefix=limit-"`
	Region    string          `json:"region"`
	Account   string          `json:"account"`
	Since     repository.Time `json:"at"`
	Stored    string          `json:"partitionKey" cosmos:"synthetic"`
	PerMinute int             `json:"perMinute"`
}

// Invoice is a tenant's, in a container that all tenants share.
type Invoice struct {
	_          struct{} `cosmos:"container=invoices"`
	ID         string   `json:"id"`
	TenantID   string   `json:"tenantId" cosmos:"pk,level=1,tenant"`
	CustomerID string   `json:"customerId" cosmos:"pk,level=2"`
	Total      int      `json:"total"`
}

// Statement is a tenant's, in the container of the tenant.
type Statement struct {
	_        struct{} `cosmos:"container=statements-{TenantID}"`
	ID       string   `json:"id"`
	TenantID string   `json:"tenantId" cosmos:"tenant"`
	Month    string   `json:"month" cosmos:"pk"`
}

// Booking is a tenant's, in a container that tenants share, or in one of the tenant's own.
type Booking struct {
	_        struct{} `cosmos:"container=bookings,own=bookings-{TenantID}"`
	ID       string   `json:"id"`
	TenantID string   `json:"tenantId" cosmos:"pk,tenant"`
	Room     string   `json:"room"`
}

// openBookings returns the repository of bookings, and the directory that says where each
// tenant lives.
func openBookings(ctx context.Context, db *azcosmos.DatabaseClient) (*BookingRepository, error) {
	directory, err := tenancy.EnsureTenantDirectory(ctx, db, "tenants", admin.AnyThroughput())
	if err != nil {
		return nil, err
	}
	bookings := NewBookingRepository(db, directory)
	return bookings, nil
}

// bookingsOf counts the bookings of a room.
func bookingsOf(ctx context.Context, bookings *BookingRepository, tenantID, room string) (int, error) {
	mine := bookings.For(tenantID)
	return mine.Scan().Where(BookingFields.Room.Eq(room)).Count(ctx)
}

// moveOut moves the bookings of a tenant to a container of its own.
func moveOut(ctx context.Context, db *azcosmos.DatabaseClient, directory *tenancy.TenantDirectory, tenantID string) error {
	if _, err := EnsureBookingOwnContainer(ctx, db, tenantID, admin.Autoscale(4000)); err != nil {
		return err
	}
	summary, err := tenancy.Move(ctx, db, directory, tenancy.TenantMove{
		Shared: BookingContainer().ID,
		Tenant: tenantID,
		To:     BookingOwnContainer(tenantID).ID,
	})
	if err == nil && summary.Step != "done" {
		err = errors.New("the move has not ended")
	}
	return err
}

// Dearer counts the invoices of a customer that are as dear as one of them, or dearer.
func Dearer(ctx context.Context, invoices *InvoiceRepository, tenantID, customerID, id string) (int, error) {
	mine := invoices.For(tenantID)
	invoice, err := mine.Get(ctx, mine.Key(id, customerID))
	if err != nil {
		return 0, err
	}
	return mine.ByCustomerID(customerID).Where(InvoiceFields.Total.Ge(invoice.Total)).Count(ctx)
}

// Meter says whose usage it is.
type Meter struct {
	Account int64 `json:"account" cosmos:"note=int64"`
}

// sum adds the values of a device from one month to another.
func sum(ctx context.Context, db *azcosmos.DatabaseClient, deviceID string, from, to time.Time) (float64, error) {
	readings := NewReadingRepository(db)

	total := 0.0
	for reading, err := range readings.ByDeviceIDBetweenMonths(deviceID, from, to).All(ctx) {
		if err != nil {
			return 0, err
		}
		total += reading.Value
	}
	return total, nil
}

// store keeps a reading, in a window that is made first if need be.
func store(ctx context.Context, db *azcosmos.DatabaseClient, reading *Reading) error {
	readings := NewReadingRepository(db)

	err := readings.Create(ctx, reading)
	if errors.Is(err, repository.ErrNoContainer) {
		if _, err = EnsureReadingContainer(ctx, db, reading.At, admin.Autoscale(1000)); err == nil {
			err = readings.Create(ctx, reading)
		}
	}
	return err
}

// admit makes the container of a tenant, and returns its id.
func admit(ctx context.Context, db *azcosmos.DatabaseClient, tenantID string) (string, error) {
	_, err := EnsureOrderContainer(ctx, db, tenantID, admin.Manual(400))
	return OrderKey{TenantID: tenantID}.Container(), err
}
