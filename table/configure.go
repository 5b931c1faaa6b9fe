package table

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Service is a client of the tables of an account.
type Service = aztables.ServiceClient

// Configure prepares options for aztables, and returns them: new ones if o is nil. Clients made
// with them send requests of a draft type only to this machine; elsewhere the request fails
// with an error that matches [documents.ErrDraft]. Other clients do not check.
func Configure(o *aztables.ClientOptions) *aztables.ClientOptions {
	if o == nil {
		o = &aztables.ClientOptions{}
	}
	o.PerCallPolicies = append(o.PerCallPolicies[:len(o.PerCallPolicies):len(o.PerCallPolicies)], wire.Stays{})
	return o
}
