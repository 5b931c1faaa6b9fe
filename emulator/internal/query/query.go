package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Query is a query with its parameters. A nil query is a feed, which selects every document
// whole.
type Query struct {
	plan   *evaluation.Plan
	parsed *cosmossql.Query
	Text   string
	// parameters are the values by name, with the @.
	parameters map[string]value.Value
	mark       uint64 // identifies text and parameters
	// combines names the clauses for which the results of several partitions cannot simply be
	// concatenated.
	combines []string
	offset   int
	take     int // -1: all

	meter *work.Meter
	once  value.Reader // of documents that are processed before the next is read
	kept  value.Reader // of documents whose values are kept
	pins  []*store.Key // see Pin
	// prefixes are the beginnings of hierarchical keys to which the query is limited, if it
	// does not limit whole keys; see Pin.
	prefixes []*store.Key
	refused  *scope // the scope over which NewReader refused the query
	begin    *place // where the rows begin, or nil
	// backwards is whether the first property of ORDER BY descends.
	backwards bool
}

// queryBody is a query as clients send it.
type queryBody struct {
	Query      *string `json:"query"`
	Parameters []struct {
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
	} `json:"parameters"`
	ResumeFilter json.RawMessage `json:"resumeFilter"`
}

// maxParameters is the maximum number of bytes of all parameters of a query. The service
// limits the text to 512 KB ("Azure Cosmos DB service quotas"); we apply the same limit to the
// parameters.
const maxParameters = cosmossql.MaxQueryBytes

// longBody is the number of bytes from which on reading a query takes milliseconds.
const longBody = 16 << 10

// Parse reads the body of a query. The meter bounds its work, from reading the text to
// the last page that is read with the query; nil bounds nothing.
func Parse(body []byte, m *work.Meter) (*Query, error) {
	if len(body) > longBody && !m.Wait() {
		return nil, badQuery(m.Err())
	}
	var b queryBody
	if err := json.Unmarshal(body, &b); err != nil || b.Query == nil {
		return nil, status.BadRequest(`The query body is invalid: it is an object such as {"query":"SELECT * FROM c WHERE c.id = @id","parameters":[{"name":"@id","value":"1"}]}.`)
	}
	parsed, err := cosmossql.Parse(*b.Query)
	if err != nil {
		return nil, badQuery(err)
	}
	begin, err := parsePlace(b.ResumeFilter)
	if err != nil {
		return nil, err
	}
	parameters := make(map[string]value.Value, len(b.Parameters))
	parts := []string{*b.Query, string(b.ResumeFilter)}
	size := 0
	for _, p := range b.Parameters {
		if size += len(p.Name) + len(p.Value); size > maxParameters {
			return nil, status.BadRequest("The query parameters have more than %d bytes; send shorter ones.", maxParameters)
		}
		var v value.Value
		if p.Value != nil { // an absent value is undefined
			if v, err = value.Decode(p.Value); err != nil {
				return nil, status.BadRequest("The value of query parameter %q is invalid: %v.", p.Name, err)
			}
		}
		parameters[p.Name] = v
		parts = append(parts, p.Name, string(p.Value))
	}
	plan, err := evaluation.Bind(m, parsed, parameters)
	if err != nil {
		return nil, badQuery(err)
	}
	q := &Query{plan: plan, parsed: parsed, Text: *b.Query, parameters: parameters, mark: fingerprint(parts...), combines: parsed.Combines(), meter: m, begin: begin}
	q.once = value.Reader{Names: plan.Names(), Reuse: true}
	q.kept = value.Reader{Names: plan.Names()}
	q.offset, q.take = plan.Window()
	if order := plan.OrderBy(); len(order) > 0 {
		q.backwards = order[0].Descending
	}
	return q, nil
}

// resolve gives the query the container's policies for vectors, texts, shapes and computed
// properties. c may be nil. The caller holds the lock of the container.
func (q *Query) resolve(c *store.Container) error {
	if q == nil {
		return nil
	}
	var policies evaluation.Policies
	var computed []evaluation.Computed
	if c != nil {
		for _, p := range c.Computed {
			computed = append(computed, evaluation.Computed{Name: p.Name, Query: p.Query})
		}
		for _, e := range c.Embeddings {
			policies.Vectors = append(policies.Vectors, evaluation.Embedding{Path: e.Path, Metric: function.Metric(e.DistanceFunction), Dimensions: e.Dimensions})
		}
		// The service also ranks by texts without an index, although the page "FULLTEXTSCORE"
		// of Microsoft's reference requires one.
		policies.TextIndexes, policies.NeedTextIndex = c.TextIndexes(), c.Strict()
		policies.Search.WholeWords = !c.Strict()
	}
	if err := q.plan.Resolve(policies); err != nil {
		return badQuery(err)
	}
	if c != nil && c.Flat {
		if err := q.plan.OnPlane(); err != nil {
			return badQuery(err)
		}
	}
	if err := q.plan.Compute(computed); err != nil {
		return badQuery(err)
	}
	q.once.Names, q.kept.Names = q.plan.Names(), q.plan.Names()
	return nil
}

// badQuery converts an error in a query to the form of the service: an object with a list of
// errors, each with a place and a code. The column is part of our own message.
func badQuery(err error) *status.Error {
	type location struct {
		Start int `json:"start"`
		End   int `json:"end"`
	}
	type item struct {
		Severity string   `json:"severity"`
		Location location `json:"location"`
		Code     string   `json:"code"`
		Message  string   `json:"message"`
	}
	if errors.Is(err, work.ErrTooMuch) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return status.TooSlow()
	}
	var e *cosmossql.Error
	if !errors.As(err, &e) {
		return status.BadRequest("%v", err)
	}
	list := jsontext.Encode(map[string]any{"errors": []item{{"Error", location{e.Start, e.End}, e.Code, e.Error()}}})
	return status.BadRequest("Message: %s", list)
}

// read decodes the properties of a document that the query reads. The result is valid until
// the next call.
func (q *Query) read(d *store.Document) (value.Value, error) {
	q.meter.Spend(len(d.Raw) / 16)
	return q.plan.With(q.once.Read(d.Raw))
}

// keep decodes the properties of a document that the query reads. The result stays valid.
func (q *Query) keep(d *store.Document) (value.Value, error) {
	q.meter.Spend(len(d.Raw) / 8)
	return q.plan.With(q.kept.Read(d.Raw))
}

// late reports whether a page should end, because half of the query's time is over.
func (q *Query) late() bool { return q != nil && q.meter.Late() }

// match reports whether a document has any row.
func (q *Query) match(d *store.Document) (bool, error) {
	if q == nil {
		return true, nil
	}
	doc, err := q.read(d)
	ok := false
	if err == nil {
		ok, err = q.plan.Match(doc)
	}
	if err != nil {
		return false, badQuery(err)
	}
	return ok, nil
}

// rows calls yield for the rows of a document, until yield returns false. A document
// has no row, one row or, with JOIN, many.
func (q *Query) rows(d *store.Document, yield func(row []byte) bool) error {
	if q == nil {
		yield(d.Raw)
		return nil
	}
	doc, err := q.read(d)
	if err == nil {
		err = q.plan.Rows(doc, yield)
	}
	if err != nil {
		return badQuery(err)
	}
	return nil
}

// run evaluates the whole query.
func (q *Query) run(docs iter.Seq[*store.Document]) ([][]byte, error) {
	var unread error
	rows, err := q.plan.Run(func(yield func(value.Value) bool) {
		for d := range docs {
			var doc value.Value
			if doc, unread = q.keep(d); unread != nil || !yield(doc) {
				return
			}
		}
	})
	if err = cmp.Or(unread, err); err != nil {
		return nil, badQuery(err)
	}
	return rows, nil
}

// skip is the number of rows that OFFSET skips.
func (q *Query) skip() int {
	if q == nil {
		return 0
	}
	return q.offset
}

// exhausted reports whether TOP or LIMIT allows no more rows.
func (q *Query) exhausted(c cursor) bool {
	return q != nil && q.take >= 0 && c.Taken >= q.take
}

// identity identifies the query in a continuation token.
func (q *Query) identity() string {
	if q == nil {
		return "0"
	}
	return strconv.FormatUint(q.mark, 16)
}

// sorting identifies the order of the rows, without the filter. It is empty if a place in that
// order is not enough to resume the query: without ORDER BY by properties, if rows depend on
// many documents, and with OFFSET, which counts the rows of the filter.
func (q *Query) sorting() string {
	if q == nil || q.wholeSet() || len(q.parsed.Order) == 0 || q.offset > 0 {
		return ""
	}
	parts := []string{strconv.Itoa(q.take)}
	for i, path := range q.order() {
		item := q.parsed.Order[i]
		name := cosmossql.Format(item.Path)
		if item.Score() != nil || strings.Contains(name, "@") { // parameters affect these, too
			return ""
		}
		parts = append(parts, fmt.Sprintf("%q %q %t", name, path.Path, path.Descending))
	}
	return strings.Join(parts, " ")
}

// restricts returns the values to which the WHERE clause limits a property, as components of a
// partition key. The second result is false if there is no limit. It leaves out arrays and
// objects, which no key can hold.
func (q *Query) restricts(path []string) ([]any, bool) {
	values, ok := q.plan.Restricts(path...)
	if !ok {
		return nil, false
	}
	components := make([]any, 0, len(values))
	for _, v := range values {
		switch v.Kind() {
		case value.Undefined:
			components = append(components, partition.Undefined{})
		case value.Null:
			components = append(components, nil)
		case value.Bool:
			components = append(components, v.Bool())
		case value.Number:
			components = append(components, v.Float())
		case value.String:
			components = append(components, v.Text())
		}
	}
	return components, true
}

// encodeKeys writes ORDER BY values for a continuation token.
func encodeKeys(keys []value.Value) []string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = string(k.JSON())
	}
	return list
}

// decodeKeys reads the result of encodeKeys.
func decodeKeys(list []string) ([]value.Value, error) {
	keys := make([]value.Value, len(list))
	for i, text := range list {
		if text == "" {
			continue
		}
		var err error
		if keys[i], err = value.Decode([]byte(text)); err != nil {
			return nil, status.BadRequest("Invalid Continuation Token: %v.", err)
		}
	}
	return keys, nil
}

// order returns the paths by which ORDER BY sorts, in the form of an index. It is empty
// without ORDER BY.
func (q *Query) order() []store.IndexPath {
	keys := q.plan.OrderBy()
	paths := make([]store.IndexPath, len(keys))
	for i, k := range keys {
		paths[i] = store.IndexPath{Path: k.Path, Descending: k.Descending}
	}
	return paths
}

// wholeSet reports whether rows depend on many documents, by aggregates, GROUP BY or
// DISTINCT, or on no document.
func (q *Query) wholeSet() bool { return q.plan.WholeSet() }

// inParts reports whether a query that is wholeSet may run separately over parts of the
// documents, so that clients combine the results.
func (q *Query) inParts() bool {
	return q.plan.ReadsDocuments() && !q.plan.Statistics() && q.offset == 0 && q.take < 0
}

// sortKey returns the ORDER BY values of a document. match must have read the document before.
func (q *Query) sortKey(d *store.Document) []value.Value {
	doc, _ := q.keep(d)
	return q.plan.SortKey(doc)
}

// compareKeys orders two results of sortKey.
func (q *Query) compareKeys(a, b []value.Value) int { return q.plan.CompareKeys(a, b) }

// Condition reads a condition such as "from c where c.n = 1". It refuses a condition that
// reads a computed property, which Microsoft documents for queries only.
//
// The condition is evaluated while the container is locked. So the meter must not allow more
// than a tenth of a second, and must not wait.
func Condition(m *work.Meter, text string, in *store.Container) (func(*store.Document) (bool, error), error) {
	body, err := json.Marshal(map[string]string{"query": "SELECT * " + text})
	if err != nil {
		return nil, status.BadRequest("The condition of the patch is invalid: %v.", err)
	}
	q, err := Parse(body, m)
	if err != nil {
		return nil, err
	}
	if len(q.combines) > 0 {
		return nil, status.BadRequest("The condition of the patch has %s: it is only FROM and WHERE.", strings.Join(q.combines, ", "))
	}
	return func(d *store.Document) (bool, error) {
		if slices.ContainsFunc(in.Computed, func(p store.ComputedProperty) bool { return q.plan.Reads(p.Name) }) {
			return false, status.Unsupported("a patch whose condition reads a computed property")
		}
		if in.Flat {
			if err := q.plan.OnPlane(); err != nil {
				return false, badQuery(err)
			}
		}
		return q.match(d)
	}, q.resolve(nil)
}

// RunOver evaluates the whole query over resources, as JSON: over all documents of a container, or
// over other resources if the container is nil. It locks the container to read its policies.
func (q *Query) RunOver(resources [][]byte, in *store.Container, now time.Time) ([][]byte, error) {
	if q.begin != nil {
		return nil, status.Unsupported("a resumeFilter in a query over all resources")
	}
	var err error
	if in == nil {
		err = q.resolve(nil)
	} else {
		err = in.Read(now, func() error { return q.resolve(in) })
	}
	if err != nil {
		return nil, err
	}
	docs := make([]*store.Document, len(resources))
	for i, raw := range resources {
		docs[i] = &store.Document{Raw: raw}
	}
	return q.run(slices.Values(docs))
}
