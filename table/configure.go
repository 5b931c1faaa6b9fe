package table

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Service is a client for the tables of an account.
type Service = aztables.ServiceClient

// Configure prepares options for aztables, and returns them: new ones if o is nil. Clients
// made with them send no request of a type whose layout is a draft to anything but this
// machine: it fails with an error that matches [documents.ErrDraft]. Clients made without them do
// not look.
func Configure(o *aztables.ClientOptions) *aztables.ClientOptions {
	if o == nil {
		o = &aztables.ClientOptions{}
	}
	o.PerCallPolicies = append(o.PerCallPolicies[:len(o.PerCallPolicies):len(o.PerCallPolicies)], wire.Stays{})
	return o
}
