package repository

import (
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Configure returns client options for programs that use repositories: the
// caller's own, which it does not change and which may be nil, with
//
//   - retries that fit a fan-out, unless the caller has set retries: up to 9,
//     with at most 30 seconds between two, also for status 449;
//   - a policy that sends a fan-out to physical partitions, one query each;
//   - a policy that sees whether a write was repeated, so that an answer such as
//     409 to the second attempt does not count as a failure of the first;
//   - a policy that repeats a request about a container if the answer has lost
//     what was asked for;
//   - policies that count every attempt, including retries, for [WithMeter];
//   - a policy that sends and keeps session tokens, for [WithSession];
//   - a policy that sends patches which azcosmos cannot write;
//   - a check that types whose layout is a draft stay on this machine: see
//     [ErrDraft].
//
// The transport stays the SDK's, which is tuned for Cosmos DB.
//
// With other clients, a fan-out sends more requests. An order or an aggregate of
// a whole container or of a prefix of a key, a [Session], and an increment by a
// fraction are errors. Meters miss the attempts before the last, and drafts go
// anywhere.
func Configure(o *azcosmos.ClientOptions) *azcosmos.ClientOptions {
	var c azcosmos.ClientOptions
	if o != nil {
		c = *o
	}
	wire.AddPolicies(&c)
	return &c
}
