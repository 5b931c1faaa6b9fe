package wire

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
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

// escape is what encoding/json writes for bytes that are no UTF-8. It writes U+FFFD itself
// as three bytes.
var escape = []byte(`\ufffd`)

// isReplaced reports whether JSON that encoding/json wrote, or that it was given by a
// MarshalJSON, is of a text that was no UTF-8.
func isReplaced(body []byte) bool {
	for rest := body; ; {
		i := bytes.Index(rest, escape)
		if i < 0 {
			return !utf8.Valid(body)
		}
		before := rest[:i]
		if (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 0 { // else its backslash is escaped
			return true
		}
		rest = rest[i+len(escape):]
	}
}

// Marshal returns the JSON of a value, as json.Marshal does, but refuses bytes that are no
// UTF-8, for which json.Marshal would store another text. An error names the Go type and
// the field, and tells no value. A json.RawMessage is JSON already: it may have the escape
// of U+FFFD.
//
// A value without such bytes costs no more allocations than json.Marshal.
func Marshal(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err == nil && !isReplaced(body) {
		return body, nil
	}
	field, reason := failure.FieldAt(v, isHidden, unstorable)
	switch {
	case reason != nil:
	case err != nil:
		return nil, err // such as of a type that refers to itself
	default:
		return body, nil
	}
	if field == "" {
		return nil, reason
	}
	of := reflect.TypeOf(v)
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Name() == "" { // a list or a map
		return nil, failure.Reworded(field+": "+failure.DiscreetText(reason), reason)
	}
	return nil, failure.Reworded(failure.OfValue(of.String(), field, "", failure.DiscreetText(reason)), reason)
}

// FarYear is why a time cannot be stored as a text.
const FarYear = string(failure.ErrFarYear)

// isHidden reports whether encoding/json leaves a field out.
func isHidden(f reflect.StructField) bool { return f.Tag.Get("json") == "-" }

// unstorable says why JSON has no form for a value. A value with methods of its own is judged
// by what they write.
func unstorable(v reflect.Value) (within bool, err error) {
	if v.CanAddr() {
		v = v.Addr() // so that methods of pointers count
	}
	switch m := v.Interface().(type) {
	case json.RawMessage, *json.RawMessage:
		body, err := json.Marshal(m)
		if err == nil && !utf8.Valid(body) {
			err = failure.ErrNotUTF8
		}
		return false, err
	case time.Time, *time.Time:
		if _, err := json.Marshal(m); err != nil {
			return false, because(failure.ErrFarYear, err)
		}
		return false, nil
	case json.Marshaler, encoding.TextMarshaler:
		body, err := json.Marshal(m)
		var own *failure.RewordedError
		switch {
		case errors.As(err, &own):
			err = own // a type of ours, which says what is wrong
		case err == nil && isReplaced(body):
			err = failure.ErrNotUTF8
		}
		_, whole := m.(json.Marshaler)
		return whole && err != nil, err
	}
	v = reflect.Indirect(v)
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return false, failure.ErrNotUTF8
		}
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return false, because(failure.ErrNotFinite, &json.UnsupportedValueError{Value: v, Str: strconv.FormatFloat(f, 'g', -1, 64)})
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			name := []byte(key.String()) // of another kind, it is a text in ASCII
			if m, ok := key.Interface().(encoding.TextMarshaler); ok && key.Kind() != reflect.String {
				if name, err = m.MarshalText(); err != nil {
					return false, failure.Reworded("a key of the map has no text", err)
				}
			}
			if !utf8.Valid(name) {
				return false, failure.ErrNotUTF8
			}
		}
		return true, nil
	case reflect.Slice:
		return v.Type().Elem().Kind() != reflect.Uint8, nil
	case reflect.Struct, reflect.Array:
		return true, nil
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		_, err := json.Marshal(v.Interface())
		return false, err
	}
	return false, nil
}

// because returns a reason whose cause errors.As finds.
func because(reason failure.Says, cause error) error { return failure.Reworded(string(reason), cause) }
