package wire

import (
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// The plain data of requests and answers is the SDK's until there are two of them:
// copies of it would be allocated with each request.
type (
	Parameter    = azcosmos.QueryParameter
	PartitionKey = azcosmos.PartitionKey
	ItemIdentity = azcosmos.ItemIdentity
	Result       = azcosmos.TransactionalBatchResult
	Page         = azcosmos.QueryItemsResponse
	ChangePage   = azcosmos.ChangeFeedResponse
	FeedRange    = azcosmos.FeedRange
)

// The settings of containers are the SDK's as well: they are what users pass.
type (
	ContainerProperties    = azcosmos.ContainerProperties
	PartitionKeyDefinition = azcosmos.PartitionKeyDefinition
	IndexingPolicy         = azcosmos.IndexingPolicy
	IncludedPath           = azcosmos.IncludedPath
	ExcludedPath           = azcosmos.ExcludedPath
	CompositeIndex         = azcosmos.CompositeIndex
	CompositeIndexOrder    = azcosmos.CompositeIndexOrder
	VectorIndex            = azcosmos.VectorIndex
	VectorIndexType        = azcosmos.VectorIndexType
	VectorEmbedding        = azcosmos.VectorEmbedding
	FullTextIndex          = azcosmos.FullTextIndex
	FullTextPath           = azcosmos.FullTextPath
	FullTextPolicy         = azcosmos.FullTextPolicy
	UniqueKey              = azcosmos.UniqueKey
	ThroughputProperties   = azcosmos.ThroughputProperties

	ContainerResponse       = azcosmos.ContainerResponse
	ThroughputResponse      = azcosmos.ThroughputResponse
	QueryContainersResponse = azcosmos.QueryContainersResponse
	QueryDatabasesResponse  = azcosmos.QueryDatabasesResponse
)

// Clients, and the options of those requests that only one room sends, have the methods and
// fields that these rooms use.
type (
	Account           = azcosmos.Client
	Database          = azcosmos.DatabaseClient
	Client            = azcosmos.ContainerClient
	ContainerOptions  = azcosmos.ReadContainerOptions
	ContainersOptions = azcosmos.QueryContainersOptions
	CreateOptions     = azcosmos.CreateContainerOptions
	DatabasesOptions  = azcosmos.QueryDatabasesOptions
	FeedOptions       = azcosmos.ChangeFeedOptions
	ManyOptions       = azcosmos.ReadManyItemsOptions
	PageOptions       = azcosmos.QueryOptions
)

// Constants of settings.
const (
	PartitionKeyKindHash   = azcosmos.PartitionKeyKindHash
	IndexingModeConsistent = azcosmos.IndexingModeConsistent
	IndexingModeNone       = azcosmos.IndexingModeNone
)

// NewPartitionKey returns a partition key without values, which the header leaves out.
func NewPartitionKey() PartitionKey { return azcosmos.NewPartitionKey() }

// NewPartitionKeyString returns the partition key of one string.
func NewPartitionKeyString(value string) PartitionKey { return azcosmos.NewPartitionKeyString(value) }

// NewManualThroughput returns request units a second that do not change by themselves.
func NewManualThroughput(units int32) ThroughputProperties {
	return azcosmos.NewManualThroughputProperties(units)
}

// NewAutoscaleThroughput returns at most so many request units a second.
func NewAutoscaleThroughput(most int32) ThroughputProperties {
	return azcosmos.NewAutoscaleThroughputProperties(most)
}

// NewAutoscaleThroughputWithIncrement is NewAutoscaleThroughput that grows by percents.
func NewAutoscaleThroughputWithIncrement(most, percent int32) ThroughputProperties {
	return azcosmos.NewAutoscaleThroughputPropertiesWithIncrement(most, percent)
}

// Answer is the answer to a request for one document. An error may come with one.
type Answer struct {
	Value         []byte // the document, empty if the answer has none
	ETag          azcore.ETag
	RequestCharge float32
	RawResponse   *http.Response
}

// answerOf returns an answer of azcosmos as one of wire.
func answerOf(r azcosmos.ItemResponse, err error) (Answer, error) {
	return Answer{Value: r.Value, ETag: r.ETag, RequestCharge: r.RequestCharge, RawResponse: r.RawResponse}, err
}

// PatchOperations is the operations of a patch and their condition, which azcosmos does
// not escape.
type PatchOperations struct {
	sdk         azcosmos.PatchOperations
	conditional bool
}

func (p *PatchOperations) AppendAdd(path string, value any)      { p.sdk.AppendAdd(path, value) }
func (p *PatchOperations) AppendSet(path string, value any)      { p.sdk.AppendSet(path, value) }
func (p *PatchOperations) AppendReplace(path string, value any)  { p.sdk.AppendReplace(path, value) }
func (p *PatchOperations) AppendIncrement(path string, by int64) { p.sdk.AppendIncrement(path, by) }
func (p *PatchOperations) AppendRemove(path string)              { p.sdk.AppendRemove(path) }
func (p *PatchOperations) SetCondition(condition string) {
	p.conditional = true
	p.sdk.SetCondition(condition)
}

// SDK returns p in the terms of azcosmos.
func (p PatchOperations) SDK() azcosmos.PatchOperations { return p.sdk }
