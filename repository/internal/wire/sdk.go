package wire

import (
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// The plain data of requests and answers has the SDK's types as long as there is one SDK:
// copies would be allocated for each request.
type (
	Parameter    = azcosmos.QueryParameter
	PartitionKey = azcosmos.PartitionKey
	ItemIdentity = azcosmos.ItemIdentity
	Result       = azcosmos.TransactionalBatchResult
	Page         = azcosmos.QueryItemsResponse
	ChangePage   = azcosmos.ChangeFeedResponse
	FeedRange    = azcosmos.FeedRange
)

// The settings of containers also have the SDK's types, which users pass.
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

// Clients, and the options of requests that only one room sends, have the methods and fields
// that these rooms use.
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

// NewManualThroughput returns a fixed number of request units per second.
func NewManualThroughput(units int32) ThroughputProperties {
	return azcosmos.NewManualThroughputProperties(units)
}

// NewAutoscaleThroughput returns at most this number of request units per second.
func NewAutoscaleThroughput(most int32) ThroughputProperties {
	return azcosmos.NewAutoscaleThroughputProperties(most)
}

// NewAutoscaleThroughputWithIncrement is NewAutoscaleThroughput with a growth in percent.
func NewAutoscaleThroughputWithIncrement(most, percent int32) ThroughputProperties {
	return azcosmos.NewAutoscaleThroughputPropertiesWithIncrement(most, percent)
}

// Answer is the answer to a request for one document. It may accompany an error.
type Answer struct {
	Value         []byte // the document; empty if the answer has none
	ETag          azcore.ETag
	RequestCharge float32
	RawResponse   *http.Response
}

// answerOf converts an answer of azcosmos.
func answerOf(r azcosmos.ItemResponse, err error) (Answer, error) {
	return Answer{Value: r.Value, ETag: r.ETag, RequestCharge: r.RequestCharge, RawResponse: r.RawResponse}, err
}

// PatchOperations are the operations of a patch and their condition. azcosmos does not escape
// the condition.
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

// SDK returns p as the type of azcosmos.
func (p PatchOperations) SDK() azcosmos.PatchOperations { return p.sdk }
