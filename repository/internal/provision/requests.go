package provision

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// create creates the container. The error is errOvertaken if it exists already, created by
// another program or by a request that seemed to have failed.
func (e *Container) create(ctx context.Context) error {
	if err := e.checkShare(ctx); err != nil {
		return err
	}
	if err := e.checkCreation(ctx); err != nil {
		return err
	}
	e.is = nil
	_, err := e.DB.CreateContainer(ctx, *e.Want, &wire.CreateOptions{ThroughputProperties: e.Throughput.properties()})
	switch {
	case err == nil:
		e.Did.Created, e.Did.Has = true, e.Throughput
		return nil
	case wire.StatusOf(err) == http.StatusConflict:
		return e.because(errOvertaken, err)
	case wire.StatusOf(err) == http.StatusNotFound:
		return e.noDatabase(err)
	case quota(err) != nil:
		return e.because(quota(err), err)
	case wire.StatusOf(err) == http.StatusForbidden:
		return e.because(errors.New("this identity may not create it: create it by Bicep, az cosmosdb sql container create or the portal, since azcosmos cannot do it for a Microsoft Entra ID principal"), err)
	case isServerless(err):
		return e.because(errors.New("the account is serverless and its containers have no throughput: want Serverless()"), err)
	default:
		return e.unclear(err)
	}
}

func (e *Container) read(ctx context.Context) (wire.ContainerResponse, error) {
	return read(ctx, e.client)
}

func read(ctx context.Context, container *wire.Client) (have wire.ContainerResponse, err error) {
	err = wire.Reread(ctx, func() error {
		have, err = container.Read(ctx, nil)
		return wire.ContainerAnswer(have, container.ID(), err)
	})
	return have, err
}

// unchanged returns errOvertaken if the container was dropped since it was read, so that it
// had no throughput.
func (e *Container) unchanged(ctx context.Context, before wire.ContainerResponse) error {
	now, err := e.read(ctx)
	switch {
	case wire.StatusOf(err) == http.StatusNotFound || err == nil && now.ETag != before.ETag:
		return e.because(errOvertaken, cmp.Or(err, errOvertaken))
	case err != nil:
		return e.Failure(err)
	}
	return nil
}

// checkShare checks that the container can be created without its own throughput. Otherwise
// the service would give it 400 RU/s, which cannot be removed.
func (e *Container) checkShare(ctx context.Context) error {
	if e.Throughput.Mode != Shared && e.Throughput.Mode != Serverless {
		return nil
	}
	err := wire.Reread(ctx, func() error {
		response, err := e.DB.ReadThroughput(ctx, nil)
		return wire.ThroughputAnswer(response, err)
	})
	switch {
	case err == nil || isServerless(err):
		return nil
	case wire.StatusOf(err) == http.StatusForbidden:
		return e.mayNotRead(err)
	case wire.StatusOf(err) != http.StatusNotFound:
		return e.Failure(err)
	}
	if missing := e.withoutDatabase(ctx); missing != nil {
		return missing
	}
	return e.Failure(fmt.Errorf("the account is not serverless and the database %q has no throughput to share: want Manual or Autoscale", e.DB.ID()))
}

// withoutDatabase returns an error if the database does not exist.
func (e *Container) withoutDatabase(ctx context.Context) error {
	if _, err := e.DB.Read(ctx, nil); wire.StatusOf(err) == http.StatusNotFound {
		return e.noDatabase(err)
	}
	return nil
}

func (e *Container) noDatabase(err error) error {
	return e.because(fmt.Errorf("the database %q does not exist: create it with azcosmos.Client.CreateDatabase or az cosmosdb sql database create", e.DB.ID()), err)
}

func (e *Container) mayNotRead(err error) error {
	return e.because(errors.New("this identity may not read throughput: want AnyThroughput(), since azcosmos cannot read it for a Microsoft Entra ID principal"), err)
}

// readThroughput returns the container's own throughput. It sends no request if the mode is
// Any.
func (e *Container) readThroughput(ctx context.Context) (provisioned, error) {
	if e.Throughput.Mode == Any {
		return provisioned{}, nil
	}
	var response wire.ThroughputResponse
	err := wire.Reread(ctx, func() (err error) {
		response, err = e.client.ReadThroughput(ctx, nil)
		return wire.ThroughputAnswer(response, err)
	})
	switch {
	case err == nil:
		return newProvisioned(response), nil
	case wire.StatusOf(err) == http.StatusNotFound && !wire.IsAnswered(err): // the container was dropped since it was read
		return provisioned{}, e.because(errOvertaken, err)
	case wire.StatusOf(err) == http.StatusNotFound:
		return provisioned{Throughput: Throughput{Mode: Shared}}, nil
	case isServerless(err):
		return provisioned{Throughput: Throughput{Mode: Serverless}}, nil
	case wire.StatusOf(err) == http.StatusForbidden:
		return provisioned{}, e.mayNotRead(err)
	default:
		return provisioned{}, e.Failure(err)
	}
}

// replace removes differences by replacing the container's properties, and checks that the
// service has applied them.
func (e *Container) replace(ctx context.Context, have wire.ContainerResponse, differences []containers.Finding) error {
	more, err := extrasOf(have)
	if err != nil {
		return e.Failure(err)
	}
	properties, computed := changed(have.ContainerProperties, more.ComputedProperties, differences)
	if clear(e.extras.Properties); len(computed) > 0 {
		if !e.extras.Seen() {
			return e.withoutPolicy()
		}
		if err := e.sendComputed(computed); err != nil {
			return err
		}
	}
	// azcosmos has no option for this header. If it renews its account regions meanwhile,
	// in the background, that request has the header too; if it fails, azcosmos keeps the
	// known regions.
	header := http.Header{"If-Match": {string(have.ETag)}}
	response, err := e.client.Replace(policy.WithHTTPHeader(ctx, header), properties, nil)
	err = wire.ContainerAnswer(response, e.Want.ID, err)
	switch {
	case err == nil:
		found, err := e.compare(response)
		if err != nil {
			return e.Failure(err)
		}
		return e.unlike(e.differences(found, nil))
	case wire.StatusOf(err) == http.StatusPreconditionFailed || wire.StatusOf(err) == http.StatusNotFound:
		return e.because(errOvertaken, err)
	case wire.StatusOf(err) == http.StatusForbidden:
		return e.because(errors.New("this identity may not change it: change it by Bicep, az cosmosdb sql container update or the portal, since azcosmos cannot do it for a Microsoft Entra ID principal"), err)
	default:
		return e.unclear(err)
	}
}

// Failure returns the error of a failed request.
func (e *Container) Failure(err error) *documents.Error {
	failure := wire.NewError("ensure", "container", e.Want.ID, "", err)
	if !errors.Is(failure.Kind, wire.ErrThrottled) { // other kinds are about documents
		failure.Kind = nil
	}
	return failure
}

// unclear is Failure for a creation or a change that may have taken effect.
func (e *Container) unclear(err error) *documents.Error {
	failure := e.Failure(err)
	failure.Unclear = wire.IsUnclear(err)
	return failure
}

// because is Failure with a known reason.
func (e *Container) because(reason, err error) *documents.Error {
	failure := e.Failure(err)
	failure.Kind = reason
	return failure
}

// Substatus values of a 403 about a quota, named as in the SDKs (SubStatusCodes of
// azure-cosmos-dotnet-v3).
const (
	substatusProvisionLimit = 1005 // ProvisionLimitReached
	substatusSharing        = 1019 // SharedThroughputDatabaseCollectionCountExceeded
	substatusThroughputCap  = 1028 // ThroughputCapQuotaExceeded
)

// quota returns the error for the quota that a request exceeds, or nil.
func quota(err error) error {
	var response *azcore.ResponseError
	if wire.StatusOf(err) != http.StatusForbidden || !errors.As(err, &response) {
		return nil
	}
	switch wire.Substatus(response) {
	case substatusProvisionLimit:
		return ErrAccountFull
	case substatusSharing:
		return errors.New("25 containers share the throughput of its database, which is the limit: want Manual or Autoscale, or another database")
	case substatusThroughputCap:
		return errors.New("the account has a limit on its total throughput, which this would exceed: want less, or raise the limit in the portal")
	}
	return nil
}

// ErrAccountFull says that the account has no room for another container.
var ErrAccountFull = errors.New("the account has reached its limit of databases and containers, 500 unless Microsoft has raised it: drop some, or use another account")

// isServerless reports whether a request failed because the account is serverless. Only the
// service's message says so.
func isServerless(err error) bool {
	return wire.StatusOf(err) == http.StatusBadRequest && strings.Contains(err.Error(), "serverless accounts")
}

// leaving returns an error if the layout is a draft and the answer does not come from this
// machine. It protects clients without the policies.
func (e *Container) leaving(have wire.ContainerResponse, err error) error {
	answer := have.RawResponse
	var refused *azcore.ResponseError
	if errors.As(err, &refused) {
		answer = refused.RawResponse
	}
	return wire.LeavesMachine(answer, e.Draft)
}
