package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// OrderBy returns q with one more order. An error is kept in q.
func (q Selection) OrderBy(field string, descending bool) Selection {
	if q.Err != nil {
		return q
	}
	s, err := text.NewOrder(field, descending)
	if err != nil {
		q.Err = fmt.Errorf("query %s: order: %w", q.TypeName(), err)
		return q
	}
	q.Orders = append(q.Orders[:len(q.Orders):len(q.Orders)], s)
	return q
}

// WithLimit returns q with a limit of n documents, unless q has a lower one.
func (q Selection) WithLimit(n int) Selection {
	if n < 1 && q.Err == nil {
		q.Err = fmt.Errorf("query %s: limit %d: it must be at least 1", q.TypeName(), n)
	}
	q.Limit = LowerLimit(q.Limit, n)
	return q
}

// LowerLimit returns the lower of two limits. 0 means no limit.
func LowerLimit(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// Selection is a query without the Go type of its documents.
type Selection struct {
	Store      *store.Store
	keys       generated.Keys
	Conditions []string
	Parameters []wire.Parameter
	Orders     []text.Order
	Limit      int // 0 means no limit
	Err        error
	tenant     any  // for a query of one tenant; nil otherwise
	raw        bool // a condition was written by hand

	source   Source                                           // of containers; nil for the store's container
	given    generated.Keys                                   // keys before they were resolved, for the source
	decodeIn func(*store.Store) func(raw []byte) (any, error) // nil if all containers have the same decoder

	// ForProgram says that the query is for a program. It may be hedged, and may go to
	// another region while a circuit is open. Reads for a write must not, because another
	// region may lag.
	ForProgram bool

	began    time.Time // when documents that move were located; zero if none move
	asStored bool      // includes items that are not documents
	pageSize int32     // for asStored, unless the settings have one
	since    int64     // the time at which documents are located, in seconds
}

// NewSelection returns a selection of all documents under keys.
func NewSelection(st *store.Store, keys generated.Keys) Selection {
	q := Selection{Store: st}
	q.keys, q.Err = keys.Resolve(st.Type, st.Settings.MaxKeys)
	if condition := st.Condition(); condition != "" {
		q = q.And(condition)
	}
	for i, f := range q.keys.Filters() {
		name := text.OwnParameter + strconv.Itoa(i)
		test := text.Property(f.Property) + " " + f.Compare + " " + name
		if f.Fold {
			test = "STRINGEQUALS(" + text.Property(f.Property) + ", " + name + ", true)"
		}
		q = q.And(test, wire.Parameter{Name: name, Value: f.Value})
	}
	return q
}

// And returns q with one more condition and its parameters.
func (q Selection) And(condition string, parameters ...wire.Parameter) Selection {
	q.Conditions = append(q.Conditions[:len(q.Conditions):len(q.Conditions)], condition)
	q.Parameters = append(q.Parameters[:len(q.Parameters):len(q.Parameters)], parameters...)
	return q
}

// WhereRaw returns q with a condition in SQL and its parameters, which it checks.
func (q Selection) WhereRaw(condition string, parameters []wire.Parameter) Selection {
	for i, p := range parameters {
		if q.Err == nil {
			q.Err = q.checkParameter(p.Name, parameters[:i])
		}
		if _, err := jsonvalue.Marshal(p.Value); err != nil && q.Err == nil {
			q.Err = fmt.Errorf("query %s: parameter %s: %w", q.TypeName(), p.Name, failure.Discreet(err))
		}
	}
	q.raw = true
	if q.tenant != nil && q.Err == nil {
		q.Err = q.checkEnclosed(condition)
	}
	return q.And(condition, parameters...)
}

// checkParameter returns an error if a parameter cannot have this name.
func (q Selection) checkParameter(name string, others []wire.Parameter) error {
	taken := func(p wire.Parameter) bool { return p.Name == name }
	switch {
	case !strings.HasPrefix(name, "@"):
		return fmt.Errorf("query %s: parameter %q: the name must begin with @", q.TypeName(), name)
	case strings.HasPrefix(name, text.OwnParameter):
		return fmt.Errorf("query %s: parameter %s: names that begin with %s are taken: choose another", q.TypeName(), name, text.OwnParameter)
	case slices.ContainsFunc(q.Parameters, taken), slices.ContainsFunc(others, taken):
		return fmt.Errorf("query %s: parameter %s is given twice: choose another name", q.TypeName(), name)
	}
	return nil
}

// Validate returns the first error of q.
func (q Selection) Validate() error {
	if q.Store == nil {
		return errors.New("query: the zero Query selects from nothing: use a By… method of a repository")
	}
	wrong := q.Store.Unusable
	if q.source != nil {
		wrong = q.source.Wrong()
	}
	if err := wrong; err != nil {
		return &documents.Error{Op: "query", Type: q.Store.Type, Err: err}
	}
	if q.Err == nil && q.Store.Resident && q.source == nil {
		return &documents.Error{Op: "query", Type: q.Store.Type, Err: errors.New("its tenants are in several containers: call the method For of the repository, for one tenant")}
	}
	return q.Err
}

// TypeName returns the name of the document type, or "" for the zero Selection.
func (q Selection) TypeName() string {
	if q.Store == nil {
		return ""
	}
	return q.Store.Type
}

// Where returns q with conditions. Their values become parameters.
func (q Selection) Where(all []condition.Node) Selection {
	w := q.writer()
	conditions := slices.Clip(q.Conditions)
	for _, c := range all {
		w.Text.Reset()
		w.Write(c)
		if w.Err != nil {
			if q.Err == nil {
				q.Err = fmt.Errorf("query %s: %w", q.TypeName(), w.Err)
			}
			return q
		}
		conditions = append(conditions, w.Text.String())
	}
	q.Conditions, q.Parameters = conditions, w.parameters
	return q
}

// writer writes conditions, with parameters in addition to those of q.
type writer struct {
	predicate.Writer
	parameters []wire.Parameter
}

func (q Selection) writer() *writer {
	w := &writer{parameters: slices.Clip(q.Parameters)}
	w.Parameter = func(v json.RawMessage) string {
		// No other parameter of q has this index, and callers cannot use this prefix.
		name := text.OwnParameter + strconv.Itoa(len(w.parameters))
		w.parameters = append(w.parameters, wire.Parameter{Name: name, Value: v})
		return name
	}
	return w
}

// Target is a partition key value, or a prefix of levels, and its place in the key space.
type Target struct {
	Value     any
	ID        string // of a single document; empty means all
	prefix    bool   // levels are left out
	low, high string // effective partition keys, once located; only low for a single value
}

// longList is the number of values above which a range replaces their list, if the range
// has few other values.
const longList = 50

// Bounds of the list of values in one query. The service accepts 512 KB of query text and
// parameters. The number keeps evaluation cheap.
const (
	chunkValues = 1000
	chunkBytes  = 200_000
)

// list returns the targets of keys, or nil for the whole container.
func list(s *store.Store, keys generated.Keys) []Target {
	if keys.All() {
		return nil
	}
	values := make([]Target, keys.Len())
	for i := range values {
		values[i] = unlocated(s, keys.At(i))
	}
	return values
}

// unlocated returns a Target without its place.
func unlocated(s *store.Store, value any) Target {
	levels, ok := value.([]any)
	return Target{Value: value, prefix: ok && len(levels) < len(s.Paths)}
}

func locateAll(values []Target) error {
	one := make([]any, 1)
	for i := range values {
		v := &values[i]
		levels, ok := v.Value.([]any)
		if !ok {
			one[0] = v.Value
			levels = one
		}
		var err error
		if v.low, err = partition.EPK(levels...); err != nil {
			return err
		}
		if v.prefix {
			v.high = v.low + route.LastKey // above every key with these first levels
		}
	}
	return nil
}

// Locate returns the document at p as a Target.
func Locate(s *store.Store, p wire.Place) (Target, error) {
	if p.ID == "" {
		return Target{}, errors.New("the id is empty")
	}
	one := []Target{unlocated(s, p.Value)}
	err := locateAll(one)
	one[0].ID = p.ID
	return one[0], err
}

// within reports whether r has a part of v.
func (v Target) within(r route.Range) bool {
	if !v.prefix {
		return partition.CompareEPK(r.Min, v.low) <= 0 && partition.CompareEPK(v.low, r.Max) < 0
	}
	return partition.CompareEPK(r.Min, v.high) < 0 && partition.CompareEPK(v.low, r.Max) < 0
}

// chunks divides values into lists for one query each.
func chunks(values []Target) [][]Target {
	var all [][]Target
	start, size := 0, 0
	for i, v := range values {
		length := len(wire.NameOf(v.Value)) + len(v.ID)
		size += length
		if i-start == chunkValues || size > chunkBytes && i > start {
			all = append(all, values[start:i])
			start, size = i, length
		}
	}
	if start < len(values) {
		all = append(all, values[start:])
	}
	return all
}

// OfTenant returns q for documents with this value of a property, a JSON pointer. Call it
// before WhereRaw, whose conditions are then checked.
func (q Selection) OfTenant(property string, value any) Selection {
	if q.raw && q.Err == nil {
		q.Err = fmt.Errorf("query %s: WhereRaw comes before the tenant: call WhereRaw afterwards", q.TypeName())
	}
	q.tenant = value
	name := text.OwnParameter + strconv.Itoa(len(q.Parameters))
	return q.And(text.Property(property)+" = "+name, wire.Parameter{Name: name, Value: value})
}

// start begins a run of q: its span, and the tenant for observers.
func (q Selection) start(ctx context.Context) (context.Context, func(error)) {
	if q.tenant != nil && q.Store.Observe != nil {
		ctx = wire.WithTenant(ctx, q.tenant)
	}
	return q.Store.StartSpan(ctx, "query")
}

// IsTenant reports whether q is a query of this tenant.
func (q Selection) IsTenant(value any) bool {
	return q.tenant != nil && reflect.DeepEqual(q.tenant, value)
}

// checkEnclosed returns an error if a condition in SQL could end the parentheses around it:
// its own OR could then bypass the tenant's condition. It also refuses comments, which
// could hide a parenthesis.
func (q Selection) checkEnclosed(condition string) error {
	if err := enclosed(condition); err != nil {
		return fmt.Errorf("query %s: WhereRaw: %w", q.TypeName(), err)
	}
	return nil
}

var (
	errUnbalanced   = errors.New("the parentheses of the condition do not match: a condition of a tenant's query is one expression")
	errUnterminated = errors.New("a string of the condition does not end: close its quotes")
	errComment      = errors.New("the condition of a tenant's query has a comment: remove it, and write a space between two minus signs")
)

// enclosed returns an error unless a condition is one expression inside parentheses.
func enclosed(condition string) error {
	depth := 0
	for i := 0; i < len(condition); i++ {
		switch c := condition[i]; {
		case c == '\'' || c == '"':
			end := closing(condition[i+1:], c)
			if end < 0 {
				return errUnterminated
			}
			i += 1 + end
		case strings.HasPrefix(condition[i:], "--"), strings.HasPrefix(condition[i:], "/*"):
			return errComment
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return errUnbalanced
			}
		}
	}
	if depth != 0 {
		return errUnbalanced
	}
	return nil
}

// closing returns the index of the quote that ends a string, or -1. A backslash escapes the
// next character (Microsoft's page "Constants").
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// Matches reports whether a document meets filters of equality, as the service decides.
func Matches(item []byte, filters []generated.Filter) bool {
	for _, f := range filters {
		want, err := json.Marshal(f.Value)
		if err != nil || !equal(text.ValueAt(item, jsonpointer.Names(f.Property)), want, f.Fold) {
			return false
		}
	}
	return true
}

// equal reports whether two JSON values are equal. Numbers are compared as float64, as in
// the service. If fold is set, texts are compared without case.
func equal(a, b json.RawMessage, fold bool) bool {
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	text, isText := left.(string)
	other, areTexts := right.(string)
	if fold && isText && areTexts {
		return strings.EqualFold(text, other)
	}
	return reflect.DeepEqual(left, right)
}

// FindByID returns the documents with this id under keys, by a query. Unlike the SDK's
// ReadManyItems it also works after the container was created again.
func FindByID(ctx context.Context, s *store.Store, op, id string, keys generated.Keys) ([][]byte, error) {
	name := text.OwnParameter + "ID"
	st := Statement{
		conditions: []string{text.Property("/id") + " = " + name},
		parameters: []wire.Parameter{{Name: name, Value: id}},
	}
	values := list(s, keys)
	var jobs []job
	m, version, _ := s.Physical(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, &documents.Error{Op: op, Type: s.Type, ID: id, Err: ctx.Err()}
	case m != nil:
		if err := locateAll(values); err != nil {
			return nil, err
		}
		jobs = scopedJobs(values, "", false, m, version)
	default: // a filter, which the gateway walks
		jobs = byGateway(values)
	}
	e := newExecution(s, st, func(raw []byte) (any, error) { return raw, nil })
	e.op = op
	return Collect(typed[[]byte](e.each(ctx, jobs, e.read)))
}
