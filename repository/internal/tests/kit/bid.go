package kit

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// Bids are the bids of the tenant "t".
type Bids struct {
	repository.Tenant[fixtures.Bid, fixtures.BidKey]
	All *repository.Documents[fixtures.Bid, fixtures.BidKey]
}

func BidsOf(db *azcosmos.DatabaseClient, directory tenancy.Directory, opts ...repository.Option) *Bids {
	return BidsOfModel(db, fixtures.BidModel, directory, opts...)
}

// BidsOfModel is bidsOf under another model.
func BidsOfModel(db *azcosmos.DatabaseClient, model *generated.Model[fixtures.Bid, fixtures.BidKey], directory tenancy.Directory, opts ...repository.Option) *Bids {
	all := repository.NewTiered(db, model, tenancy.Residences(directory), opts...)
	return &Bids{repository.NewTenant(all, fixtures.BidKey{Tenant: "t"}), all}
}

func (b *Bids) Scan() repository.Query[fixtures.Bid] {
	return b.Only(repository.NewQuery(b.All, generated.Partition("t")))
}

func BidKeyOf(id string) fixtures.BidKey { return fixtures.BidKey{ID: id, Tenant: "t"} }

func BidOf(id string, value int) *fixtures.Bid {
	return &fixtures.Bid{ID: id, Tenant: "t", Value: value}
}
