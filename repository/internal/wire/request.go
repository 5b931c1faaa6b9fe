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

// Expressible reports whether PartitionKeyOf accepts a partition key.
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

// Identity identifies a document in a container.
type Identity struct {
	ID        string
	Partition string // the name in errors
}

// Place is where a document is stored: its id and its partition key.
type Place struct {
	ID    string
	Key   azcosmos.PartitionKey
	Name  string // of the partition key in errors
	Value any    // of the partition key: a string, a float64, a bool, or a []any of levels
	Text  string // the value of a synthetic field: the key, or its made level
}

// String returns the place as errors name it.
func (p Place) String() string { return strconv.Quote(p.ID) + " in partition " + p.Name }

// Event returns the event of a request for the document at p.
func (p Place) Event(op string) Event {
	return Event{Op: op, ID: p.ID, PartitionKey: p.Name}
}

// Made returns the text of a level that is made of several fields. Levels count from 0.
func (p Place) Made(level int) string {
	levels, _ := p.Value.([]any)
	text, ok := levels[level].(string)
	if !ok {
		panic(fmt.Sprintf("repository: level %d of a key is made and of type %T; generated code passes a string", level+1, levels[level]))
	}
	return text
}

// PartitionKeyOf returns the partition key of a string, number or boolean, or of the levels of
// a hierarchical key, and its name in errors.
//
// Every key is built from scratch: AppendString on a key that was appended to before may write
// into memory that both share.
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

// NameOf returns a partition key in the form of JSON.
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

// Paths of the id, the ETag, and the RID of a stored document. The RID is unique.
var (
	IDPath   = []string{"id"}
	ETagPath = []string{"_etag"}
	RIDPath  = []string{"_rid"}
)

// errNoETag is the error for an ETag that cannot be sent.
var errNoETag = errors.New("its ETag has a character that a header cannot hold, so that the service has not made it: read the document again")

// CheckETag returns an error if a header cannot hold an ETag unchanged. For a control
// character the transport would return an error that looks like a broken connection, and it
// would trim white space.
func CheckETag(tag azcore.ETag) error {
	text := string(tag)
	if strings.Trim(text, " ") != text || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errNoETag
	}
	return nil
}

// Options are the request options of a context; a nil field is the default of the account and
// the client.
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

// WithOptions returns a context whose requests use these options.
func WithOptions(ctx context.Context, o Options) context.Context {
	return context.WithValue(ctx, optionsKey{}, o)
}

// readOptions returns the options of the point read of an operation, or nil for none. Reads of
// writes do not use the integrated cache: a write would find each time that the document has
// changed, and could not find out whether an unanswered attempt took effect.
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

// WriteOptions returns the options of a write, or nil for none, since options override the
// client's.
func WriteOptions(ctx context.Context) *azcosmos.ItemOptions {
	o := OptionsOf(ctx)
	if o.Priority == nil && o.Bucket == nil {
		return nil
	}
	return &azcosmos.ItemOptions{PriorityLevel: o.Priority, ThroughputBucket: o.Bucket}
}

// IfMatch returns the options of a write that requires the ETag unchanged, or of an
// unconditional write if it is empty.
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
