package kit

import (
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A Bill is in a container for each region and year, {region}-{at|2006}, or for each
// region, bills-{region}, under the key {customer}.
type Bill struct {
	ID       string          `json:"id"`
	Customer string          `json:"customer"`
	Region   string          `json:"region"`
	At       repository.Time `json:"at"`
	Amount   int             `json:"amount"`
}

type BillKey struct {
	ID, Customer, Region string
	At                   time.Time
}

func (k BillKey) Validate() error {
	return partition.Check("bill", partition.ID(k.ID), partition.Text("Customer", k.Customer), partition.Text("Region", k.Region), partition.Time("At", k.At))
}

// BillModel is the model of bills under a template.
func BillModel(parts ...generated.ContainerPart) *generated.Model[Bill, BillKey] {
	name := func(k BillKey) string {
		var b strings.Builder
		for _, p := range parts {
			switch p.Field {
			case "Region":
				b.WriteString(k.Region)
			case "At":
				b.WriteString(k.At.Format(p.Layout))
			}
			b.WriteString(p.Text)
		}
		return b.String()
	}
	m := &generated.Model[Bill, BillKey]{
		Type: "bill", Path: "/customer",
		Key:  func(x *Bill) BillKey { return BillKey{x.ID, x.Customer, x.Region, x.At.Time()} },
		ID:   func(k BillKey) string { return k.ID },
		Text: func(k BillKey) string { return k.Customer },
		Containers: &generated.Containers[BillKey]{
			Parts: parts, Name: name, Ensure: "EnsureBillContainer",
			Properties: func(name string) azcosmos.ContainerProperties { return HashContainer(name, "/customer") },
		},
	}
	if slices.ContainsFunc(parts, func(p generated.ContainerPart) bool { return p.Layout != "" }) {
		m.Containers.Time, m.Containers.Property = func(k BillKey) time.Time { return k.At }, "/at"
	}
	return m
}
