package repository_test

import (
	"context"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/sales"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// These are examples of docs/querying.md.

func exampleElements(ctx context.Context, orders *sales.OrderRepository) ([]*sales.Order, error) {
	f, l := sales.OrderFields, sales.LineFields
	q := orders.ByTenantID("contoso").Where(f.Lines.Any(l.SKU.Eq("bolt"), l.Quantity.Gt(2)))
	return q.Collect(ctx)
}

func exampleJoin(ctx context.Context, orders *sales.OrderRepository) error {
	f, l := sales.OrderFields, sales.LineFields
	open := orders.ByTenantID("contoso").Where(f.Status.Eq("open")).OrderBy(f.ID.Asc())
	type order struct {
		ID     string `json:"id"`
		Status string `json:"status"`
	}
	type line struct {
		SKU      string `json:"sku"`
		Quantity int    `json:"quantity"`
	}
	rows := repository.Join[order, line](open, f.Lines, l.Quantity.Gt(2))
	for row, err := range rows.All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(row.Document.ID, row.Element.SKU, row.Element.Quantity)
	}
	return nil
}

func exampleHaving(ctx context.Context, events *fleet.VehicleEventRepository) error {
	f := fleet.VehicleEventFields
	day := events.ByDate("2018-08-09")
	type perVehicle struct {
		VIN     string  `json:"vin"`
		Events  int     `json:"events"`
		Average float64 `json:"average"`
		Fastest int     `json:"fastest"`
	}
	busy, err := repository.GroupBy[perVehicle](day, f.VIN).
		Count("events").Avg("average", f.Speed).Max("fastest", f.Speed).
		Having(func(v perVehicle) bool { return v.Events > 100 && v.Average < 50 }).
		Collect(ctx)
	fmt.Println(busy)
	return err
}

func ExampleJoin() {
	server, err := emulator.Start(emulator.Options{Partitions: 3})
	must(err)
	defer server.Close()
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "shop"}, nil)
	must(err)
	db, err := client.NewDatabase("shop")
	must(err)
	container, err := sales.EnsureOrderContainer(ctx, db, admin.Autoscale(4000))
	must(err)
	orders := sales.NewOrderRepository(container)
	for i, lines := range [][]sales.Line{
		{{SKU: "bolt", Quantity: 1}, {SKU: "nut", Quantity: 9}},
		{{SKU: "bolt", Quantity: 5}, {SKU: "nut", Quantity: 2}, {SKU: "bolt", Quantity: 3}},
		nil,
	} {
		must(orders.Create(ctx, &sales.Order{ID: fmt.Sprint(i + 1), TenantID: "contoso", CustomerID: fmt.Sprint("c", i), Lines: lines}))
	}

	f, l := sales.OrderFields, sales.LineFields
	all := orders.ByTenantID("contoso").OrderBy(f.ID.Asc())
	for _, p := range []repository.Predicate[sales.Order]{
		f.Lines.Any(l.SKU.Eq("bolt"), l.Quantity.Gt(2)), // of one line
		f.Lines.All(l.Quantity.Lt(9)),                   // also without lines
		f.Lines.Len().Ge(2),
	} {
		found, err := all.Where(p).Collect(ctx)
		must(err)
		fmt.Print(p, ":")
		for _, o := range found {
			fmt.Print(" ", o.ID)
		}
		fmt.Println()
	}

	type order struct {
		ID string `json:"id"`
	}
	for row, err := range repository.Join[order, sales.Line](all, f.Lines, l.SKU.Eq("bolt")).All(ctx) {
		must(err)
		fmt.Println(row.Document.ID, row.Element.Quantity)
	}
	// Output:
	// lines has an element with ((sku = "bolt") AND (quantity > 2)): 2
	// lines has only elements with ((quantity < 9)): 2 3
	// the length of lines >= 2: 1 2
	// 1 1
	// 2 5
	// 2 3
}
