package wire

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Expressible reports whether a partition key is one that PartitionKeyOf makes.
func Expressible(key any) bool {
	levels, ok := key.([]any)
	if !ok {
		levels = []any{key}
	}
	for _, level := range levels {
		switch level.(type) {
		case string, float64, bool:
		default:
			return false
		}
	}
	return true
}

// Identity is what no two documents of a container share.
type Identity struct {
	ID        string
	Partition string // as errors name it
}

// Place is where a document is stored: its id and its partition key.
type Place struct {
	ID    string
	Key   azcosmos.PartitionKey
	Name  string // of the partition key in errors
	Value any    // of the partition key: a string, a float64, a bool, or a []any of levels
	Text  string // what a synthetic field remembers: the key, or its made level
}

// String names the place as errors do.
func (p Place) String() string { return strconv.Quote(p.ID) + " in partition " + p.Name }

// Event is that of a request for the document at p.
func (p Place) Event(op string) Event {
	return Event{Op: op, ID: p.ID, PartitionKey: p.Name}
}

// Made returns the text of a level, counted from 0, that is made of several fields.
func (p Place) Made(level int) string {
	levels, _ := p.Value.([]any)
	text, ok := levels[level].(string)
	if !ok {
		panic(fmt.Sprintf("repository: level %d of a key is made and of type %T; generated code passes a string", level+1, levels[level]))
	}
	return text
}

// PartitionKeyOf returns the partition key of a string, number or boolean, or
// of the levels of a hierarchical key, and how errors name it.
//
// Every key is built from nothing: AppendString on a key that was appended to
// before may write into memory that both share.
func PartitionKeyOf(v any) (azcosmos.PartitionKey, string) {
	key := azcosmos.NewPartitionKey()
	levels, ok := v.([]any)
	if !ok {
		return appendLevel(key, v), NameOf(v)
	}
	for _, level := range levels {
		key = appendLevel(key, level)
	}
	return key, NameOf(levels)
}

func appendLevel(key azcosmos.PartitionKey, v any) azcosmos.PartitionKey {
	switch v := v.(type) {
	case string:
		return key.AppendString(v)
	case float64:
		return key.AppendNumber(v)
	case bool:
		return key.AppendBool(v)
	}
	panic(fmt.Sprintf("repository: partition key of type %T; generated code passes string, float64 or bool", v))
}

// NameOf returns a partition key as JSON would show it.
func NameOf(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		names := make([]string, len(v))
		for i, level := range v {
			names[i] = NameOf(level)
		}
		return "[" + strings.Join(names, ",") + "]"
	}
	return fmt.Sprint(v)
}

// Where a stored document has its id, its ETag, and its RID, which no two documents
// share.
var (
	IDPath   = []string{"id"}
	ETagPath = []string{"_etag"}
	RIDPath  = []string{"_rid"}
)

// errNoETag is why an ETag is not sent.
var errNoETag = errors.New("its ETag has a character that a header cannot hold, so that the service has not made it: read the document again")

// CheckETag returns an error if a header cannot hold an ETag as it is: of a control
// character the transport would make an error that looks like a broken connection,
// and space at its ends it would leave out.
func CheckETag(tag azcore.ETag) error {
	text := string(tag)
	if strings.Trim(text, " ") != text || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errNoETag
	}
	return nil
}

// Options are what a context asks of the service for its requests; nil is what the
// account and the client have.
type Options struct {
	Consistency *azcosmos.ConsistencyLevel
	Priority    *azcosmos.PriorityLevel
	Bucket      *int32                                   // of throughput
	Cache       *azcosmos.DedicatedGatewayRequestOptions // of reads
}

type optionsKey struct{}

// OptionsOf returns the options of a context, zero if it has none.
func OptionsOf(ctx context.Context) Options {
	o, _ := ctx.Value(optionsKey{}).(Options)
	return o
}

// WithOptions returns a context whose requests have these options.
func WithOptions(ctx context.Context, o Options) context.Context {
	return context.WithValue(ctx, optionsKey{}, o)
}

// readOptions returns the options of the point read of an operation, nil for none. What a
// write reads does not come from the integrated cache: the write would find each time that
// the document has changed, and would learn nothing of an attempt whose answer was lost.
func readOptions(ctx context.Context, op string) *azcosmos.ItemOptions {
	o := OptionsOf(ctx)
	if o == (Options{}) {
		return nil
	}
	if o.Cache != nil && op != OpGet && op != OpGetMany {
		o.Cache = &azcosmos.DedicatedGatewayRequestOptions{BypassIntegratedCache: true}
	}
	return &azcosmos.ItemOptions{
		ConsistencyLevel: o.Consistency, PriorityLevel: o.Priority, ThroughputBucket: o.Bucket, DedicatedGatewayRequestOptions: o.Cache,
	}
}

// WriteOptions returns the options of a write, nil for none, since other options
// override those of the client.
func WriteOptions(ctx context.Context) *azcosmos.ItemOptions {
	o := OptionsOf(ctx)
	if o.Priority == nil && o.Bucket == nil {
		return nil
	}
	return &azcosmos.ItemOptions{PriorityLevel: o.Priority, ThroughputBucket: o.Bucket}
}

// IfMatch returns the options of a write on condition that the document has the ETag
// unchanged, or of a write without a condition if that is empty.
func IfMatch(ctx context.Context, unchanged azcore.ETag) *azcosmos.ItemOptions {
	if unchanged == "" {
		return WriteOptions(ctx)
	}
	o := OptionsOf(ctx)
	return &azcosmos.ItemOptions{IfMatchEtag: &unchanged, PriorityLevel: o.Priority, ThroughputBucket: o.Bucket}
}

// QueryOptions returns the options of a query.
func QueryOptions(ctx context.Context) azcosmos.QueryOptions {
	o := OptionsOf(ctx)
	return azcosmos.QueryOptions{
		ConsistencyLevel: o.Consistency, PriorityLevel: o.Priority, ThroughputBucket: o.Bucket, DedicatedGatewayRequestOptions: o.Cache,
		PopulateIndexMetrics: indexMetricsOf(ctx) != nil,
	}
}
