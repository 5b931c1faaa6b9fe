package tenancy_test

import (
	"context"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

func ExampleMeter() {
	meter := new(tenancy.Meter)
	// NewOrderRepository(container, repository.WithObserver(meter.Observe)) calls it with each
	// request.
	for _, tenant := range []string{"contoso", "contoso", "fabrikam"} {
		meter.Observe(context.Background(), repository.Event{Tenant: tenant, Container: "orders", RequestUnits: 5})
	}

	usage := meter.Take()
	for _, t := range usage.Tenants {
		fmt.Println(t.Tenant, t.RequestUnits, t.Requests)
	}
	// Output:
	// contoso 10 2
	// fabrikam 5 1
}
