package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// OrderBy returns q with one more order, or with an error about it.
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

// WithLimit returns q with a limit of n documents, or of fewer if q has such a limit.
func (q Selection) WithLimit(n int) Selection {
	if n < 1 && q.Err == nil {
		q.Err = fmt.Errorf("query %s: limit %d: it must be at least 1", q.TypeName(), n)
	}
	q.Limit = LowerLimit(q.Limit, n)
	return q
}

// LowerLimit returns the lesser of two limits, where 0 means no limit.
func LowerLimit(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// Selection is a query, whatever the type of its documents.
type Selection struct {
	Store      *store.Store
	keys       generated.Keys
	Conditions []string
	Parameters []azcosmos.QueryParameter
	Orders     []text.Order
	Limit      int // 0 means no limit
	Err        error
	tenant     any  // of a query of one tenant, and nil otherwise
	raw        bool // a condition was written by hand

	source   Source                                           // of the containers; nil for that of Store
	given    generated.Keys                                   // before they were resolved, for the source
	decodeIn func(*store.Store) func(raw []byte) (any, error) // nil if all containers have one

	began    time.Time // when documents that move were looked at; zero if none do
	asStored bool      // also what is no document
	pageSize int32     // of what is asStored, unless the settings have one
	since    int64     // the time for which the query says where documents are, in seconds
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
		q = q.And(test, azcosmos.QueryParameter{Name: name, Value: f.Value})
	}
	return q
}

// And returns q with one more condition and its parameters.
func (q Selection) And(condition string, parameters ...azcosmos.QueryParameter) Selection {
	q.Conditions = append(q.Conditions[:len(q.Conditions):len(q.Conditions)], condition)
	q.Parameters = append(q.Parameters[:len(q.Parameters):len(q.Parameters)], parameters...)
	return q
}

// WhereRaw returns q with a condition in SQL, and checks its parameters.
func (q Selection) WhereRaw(condition string, parameters []azcosmos.QueryParameter) Selection {
	for i, p := range parameters {
		if q.Err == nil {
			q.Err = q.checkParameter(p.Name, parameters[:i])
		}
		if _, err := wire.Marshal(p.Value); err != nil && q.Err == nil {
			q.Err = fmt.Errorf("query %s: parameter %s: %w", q.TypeName(), p.Name, wire.Discreet(err))
		}
	}
	q.raw = true
	if q.tenant != nil && q.Err == nil {
		q.Err = q.checkEnclosed(condition)
	}
	return q.And(condition, parameters...)
}

// checkParameter returns what is wrong with the name of a parameter that comes
// after those of q and others.
func (q Selection) checkParameter(name string, others []azcosmos.QueryParameter) error {
	taken := func(p azcosmos.QueryParameter) bool { return p.Name == name }
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

// Validate returns the first error in q.
func (q Selection) Validate() error {
	if q.Store == nil {
		return errors.New("query: the zero Query selects from nothing: use a By… method of a repository")
	}
	wrong := q.Store.Unusable
	if q.source != nil {
		wrong = q.source.Wrong()
	}
	if err := wrong; err != nil {
		return &wire.OperationError{Op: "query", Type: q.Store.Type, Err: err}
	}
	if q.Err == nil && q.Store.Resident && q.source == nil {
		return &wire.OperationError{Op: "query", Type: q.Store.Type, Err: errors.New("its tenants live in several containers: call the method For of the repository, for one tenant")}
	}
	return q.Err
}

// TypeName returns the name of the type of the documents, or "" of the zero value.
func (q Selection) TypeName() string {
	if q.Store == nil {
		return ""
	}
	return q.Store.Type
}

// Where returns q with conditions, whose values become parameters.
func (q Selection) Where(all []predicate.Condition) Selection {
	conditions := q.Conditions[:len(q.Conditions):len(q.Conditions)]
	parameters := q.Parameters[:len(q.Parameters):len(q.Parameters)]
	for _, c := range all {
		w := predicate.Writer{Parameter: func(v json.RawMessage) string {
			// No other parameter has this place, nor this prefix from outside.
			name := text.OwnParameter + strconv.Itoa(len(parameters))
			parameters = append(parameters, azcosmos.QueryParameter{Name: name, Value: v})
			return name
		}}
		c.Write(&w, false)
		if w.Err != nil {
			if q.Err == nil {
				q.Err = fmt.Errorf("query %s: %w", q.TypeName(), w.Err)
			}
			return q
		}
		conditions = append(conditions, w.Text.String())
	}
	q.Conditions, q.Parameters = conditions, parameters
	return q
}
