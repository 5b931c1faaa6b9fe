package repository

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// sealing returns the command that seals the layout of a document type.
func sealing(typ reflect.Type) string {
	path := typ.PkgPath()
	if path == "main" || strings.HasSuffix(path, "_test") || !strings.Contains(path, "/") {
		path = "./..." // which says less than the package, and is always understood
	}
	return fmt.Sprintf("go tool pkgen seal -type %s %s", typ.Name(), path)
}

// EnsureOption changes what [Ensure] does.
type EnsureOption func(*ensureSettings)

type ensureSettings struct{ apply bool }

// FixDifferences lets [Ensure] change a container that is not as wanted, if all
// differences can be removed without harm, and nothing of it otherwise. It
//
//   - adds the index of the partition key property, and composite indexes, to the
//     indexing policy, of which the rest stays;
//   - turns a default time to live off, to -1 or up, but neither on nor down:
//     no stored document expires by it that would have stayed;
//   - raises or lowers throughput of the container's own, manual or autoscale as
//     it is.
func FixDifferences() EnsureOption { return func(s *ensureSettings) { s.apply = true } }

// Ensure returns the container that want describes in the database db, and
// creates it, with this throughput, if it is missing. Generated functions call
// it, such as EnsureVehicleEventContainer.
//
// If the container exists, Ensure looks whether it is what want asks for: the
// paths, kind and version of its partition key, its default time to live, each
// of want's unique keys and composite indexes, an index of the partition key
// property, and its throughput. It may have more: other unique keys and indexes,
// or a time to live of -1 where want has none. The rest of want, such as its
// indexed paths and its vector and full text policies, counts at creation only. A
// container that differs is a *[ContainerError] with all differences; under
// [FixDifferences] it is changed instead where that is safe. A change is made on
// condition that nobody else has changed the container since it was read, else
// all begins anew. Where azcosmos would drop properties that it does not know,
// nothing is changed.
//
// Ensure may be called at each start of a program, and by many at once: they
// make one container. When all is as wanted it sends 4 requests, 3 where the
// container has no throughput of its own, and 1 with [AnyThroughput]. Creation
// takes 2, or up to 5 with [SharedThroughput] and [Serverless], which it looks
// for first. A change takes 1 more, one of throughput 4. The service limits the
// rate of such requests for each account ("Azure Cosmos DB service quotas",
// control plane); they take no request units of a container, and a [Meter] does
// not count them.
//
// The error is a *[Error] when a request failed. It says what to do where the
// database is missing, where the identity may not create containers or read
// throughput, as those of Microsoft Entra ID, and where the account is
// serverless. After a creation or a change whose outcome is unclear, such as a
// dropped connection, Ensure looks again, three times at most; then the error
// matches ErrUnclear. Ensure is safe for concurrent use.
func Ensure(ctx context.Context, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	return ensure(ctx, provision.Ensuring{DB: db, Want: &want, Throughput: throughput.throughput}, opts)
}

// EnsureDraft is [Ensure] of the container of T, whose layout is a draft. At an
// endpoint that is not this machine it makes and changes nothing, and the error
// matches [ErrDraft]: the path of a container's key can never change. Clients made
// with [Configure] send nothing there; others read the container, whose answer says
// where it comes from. Generated functions call it until pkgen seal.
func EnsureDraft[T any](ctx context.Context, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	command := sealing(reflect.TypeFor[T]())
	e := provision.Ensuring{DB: db, Want: &want, Throughput: throughput.throughput, Draft: command}
	return ensure(wire.WithDraft(ctx, command), e, opts)
}

// ensure is Ensure under options.
func ensure(ctx context.Context, e provision.Ensuring, opts []EnsureOption) (*azcosmos.ContainerClient, error) {
	var s ensureSettings
	for _, o := range opts {
		if o == nil {
			return nil, exported(e.Failure(errors.New("an EnsureOption is nil")))
		}
		o(&s)
	}
	e.Apply = s.apply
	container, err := e.Run(ctx)
	var unlike *provision.UnlikeError
	if errors.As(err, &unlike) {
		return nil, containerError(unlike)
	}
	return container, exported(err)
}

// Throughput is what [Ensure] asks of a container's throughput. The zero value
// is [AnyThroughput]. It is a value, to be made by the functions that return
// one, and safe for concurrent use.
type Throughput struct{ throughput provision.Throughput }

// Manual is throughput of the container's own, of exactly ru request units a
// second: 400 or more, in steps of 100.
func Manual(ru int32) Throughput { return Throughput{provision.Manual(ru)} }

// Autoscale is throughput of the container's own that goes up to most request
// units a second, and down to a tenth of it: 1,000 or more, in steps of 1,000.
func Autoscale(most int32) Throughput { return Throughput{provision.Autoscale(most)} }

// SharedThroughput is that of the database, which the container shares with
// others: it has none of its own.
func SharedThroughput() Throughput { return Throughput{provision.Throughput{Mode: provision.Shared}} }

// Serverless is for containers of a serverless account, which pays for each
// request and has no throughput.
func Serverless() Throughput { return Throughput{provision.Throughput{Mode: provision.Serverless}} }

// AnyThroughput is whatever the container has. Its throughput is not read, which
// saves requests and is the only way for Microsoft Entra ID principals, who may
// not read it by azcosmos. A container that is missing is created without a word
// about throughput: it shares that of its database, or gets 400 RU/s where
// there is none, or the account is serverless.
func AnyThroughput() Throughput { return Throughput{} }

// String says what it is, such as "autoscale up to 4000 RU/s".
func (t Throughput) String() string { return t.throughput.String() }
