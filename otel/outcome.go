package cosmosotel

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"go.opentelemetry.io/otel/attribute"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// other is the class of errors without a name in the conventions.
const other = "_OTHER"

// Names of operations, from the conventions or, if these have none, our own.
const (
	opQuery   = "query_items"
	opChanges = "query_change_feed"
	opMany    = "read_many_items"
	opFind    = "find_in_buckets"
)

var names = map[string]string{
	"create": "create_item", "upsert": "upsert_item", "replace": "replace_item", "delete": "delete_item",
	"patch": "patch_item", "get": "read_item", "query": opQuery, "page": opQuery, "get many": opMany,
	"find": opFind, "commit": "execute_batch", "changes": opChanges, "update": "update_item", "move": "move_item",
	"restore": "restore_item", "purge": "purge_item",
}

// nameOf returns the conventions' name of an operation in errors and events.
func nameOf(op string) string {
	if name := names[op]; name != "" {
		return name
	}
	if strings.HasPrefix(op, "bulk ") {
		return "execute_bulk"
	}
	return strings.Join(strings.Fields(strings.ToLower(op)), "_")
}

// outcome is the result of an operation's requests.
type outcome struct {
	name     string
	typeName string

	container, database, host    string
	requests, retries, throttled int
	units                        float64
	rows                         int
	answered
	refused   answered // by the last request that failed
	partition string
	several   bool   // physical partitions, or one that is not known
	errorType string // of the operation
}

// answered is the response to a request, by default the last one.
type answered struct {
	status, substatus int
	failure           string // error.type, "" if the request succeeded
}

// add adds a request.
func (o *outcome) add(e *repository.Event) {
	o.requests++
	o.retries += max(0, e.Attempts-1)
	o.throttled += e.Throttled
	o.units += e.RequestUnits
	o.rows += e.Rows
	if e.Container != "" {
		o.container = e.Container
	}
	if e.Database != "" {
		o.database = e.Database
	}
	if e.Host != "" {
		o.host = e.Host
	}
	o.answered = answered{status: e.Status}
	if e.Err != nil {
		var answer *azcore.ResponseError
		if errors.As(e.Err, &answer) {
			o.status = answer.StatusCode
			if answer.RawResponse != nil {
				o.substatus, _ = strconv.Atoi(answer.RawResponse.Header.Get("x-ms-substatus")) // 0 without one
			}
		}
		o.failure = errorType(e.Err, o.status)
		o.refused = o.answered
	}
	if o.requests > 1 && o.partition != e.Range || e.Range == "" {
		o.several = true
	}
	o.partition = e.Range
}

// errorType returns the class of an error.
func errorType(err error, status int) string {
	switch {
	case status >= 400:
		return strconv.Itoa(status)
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return other
}

// server appends the destination of the requests.
func (o *outcome) server(all []attribute.KeyValue) []attribute.KeyValue {
	if o.database != "" {
		all = append(all, attribute.String("db.namespace", o.database))
	}
	if o.host == "" {
		return all
	}
	host, port, err := net.SplitHostPort(o.host)
	if err != nil {
		return append(all, attribute.String("server.address", o.host)) // without a port
	}
	all = append(all, attribute.String("server.address", host))
	if n, err := strconv.Atoi(port); err == nil && n != 443 {
		all = append(all, attribute.Int("server.port", n))
	}
	return all
}

// codes appends the status of the last response.
func (o *outcome) codes(all []attribute.KeyValue) []attribute.KeyValue {
	if o.status > 0 {
		all = append(all, attribute.String("db.response.status_code", strconv.Itoa(o.status)))
	}
	if o.substatus > 0 {
		all = append(all, attribute.Int("azure.cosmosdb.response.sub_status_code", o.substatus))
	}
	return all
}

// attributes appends the attributes of a span at its end.
func (o *outcome) attributes(all []attribute.KeyValue) []attribute.KeyValue {
	if o.container != "" {
		all = append(all, attribute.String("db.collection.name", o.container))
	}
	all = o.codes(o.server(all))
	all = append(all, attribute.Int("pkgen.requests", o.requests))
	if o.requests > 0 {
		all = append(all, attribute.Float64("azure.cosmosdb.operation.request_charge", o.units))
	}
	if o.rows > 0 {
		all = append(all, attribute.Int("db.response.returned_rows", o.rows))
	}
	if o.retries > 0 {
		all = append(all, attribute.Int("pkgen.retries", o.retries))
	}
	if o.throttled > 0 {
		all = append(all, attribute.Int("pkgen.throttled", o.throttled))
	}
	if o.partition != "" && !o.several {
		all = append(all, attribute.String("pkgen.physical_partition", o.partition))
	}
	if o.errorType != "" {
		all = append(all, attribute.String("error.type", o.errorType))
	}
	return all
}

// spanName is the name from the conventions: the operation and its container.
func (o *outcome) spanName() string {
	if o.container == "" {
		return o.name
	}
	return o.name + " " + o.container
}
