package explain

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/testdata/shop"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestShopIsCurrent has the code that is measured be what is generated today.
func TestShopIsCurrent(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"-check", "../../../testdata/shop"}, &stdout, &stderr); code != cli.Done {
		t.Errorf("run go generate in this folder: %s%s", &stdout, &stderr)
	}
}

// orderSteps are those of a type in a container of several whose ids have
// prefixes.
func orderSteps(t *testing.T, c *azcosmos.ContainerClient, physical int) steps {
	t.Helper()
	orders := shop.NewOrderRepository(c)
	d := recorded[shop.Order, shop.OrderKey]{
		Documents: orders.Documents,
		fresh: func(n int) *shop.Order {
			return &shop.Order{ID: shop.OrderIDPrefix + fmt.Sprint(n), Customer: fmt.Sprint("c", n)}
		},
		key:       (*shop.Order).Key,
		move:      func(o *shop.Order) { o.Customer += " moved" },
		change:    shop.OrderPatch.Total.Set(1),
		condition: shop.OrderFields.Total.Eq(0),
		one:       func(o *shop.Order) repository.Query[shop.Order] { return orders.ByCustomer(o.Customer) },
	}
	all := d.ofContainer(t, physical)
	all["ByCustomer"] = collected(orders.ByCustomer(d.stored[0].Customer))
	return all
}

// taskSteps are those of a type in a container of several whose ids may meet.
func taskSteps(t *testing.T, c *azcosmos.ContainerClient, physical int) steps {
	t.Helper()
	tasks := shop.NewTaskRepository(c)
	d := recorded[shop.Task, shop.TaskKey]{
		Documents: tasks.Documents,
		fresh:     func(n int) *shop.Task { return &shop.Task{ID: fmt.Sprint(n), Customer: fmt.Sprint("c", n)} },
		key:       (*shop.Task).Key,
		move:      func(o *shop.Task) { o.Customer += " moved" },
		change:    shop.TaskPatch.Total.Set(1),
		condition: shop.TaskFields.Total.Eq(0),
		one:       func(o *shop.Task) repository.Query[shop.Task] { return tasks.ByCustomer(o.Customer) },
	}
	all := d.ofContainer(t, physical)
	all["ByCustomer"] = collected(tasks.ByCustomer(d.stored[0].Customer))
	return all
}

// ofContainer stores documents and returns the steps of all repositories.
func (d *recorded[T, K]) ofContainer(t *testing.T, physical int) steps {
	t.Helper()
	for n := range 1000 {
		d.keys = append(d.keys, d.key(d.fresh(n)))
	}
	d.fill(t, physical)
	return d.steps()
}
