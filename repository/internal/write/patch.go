package write

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
)

// maxOperations is how many operations a patch may have ("Frequently asked
// questions about partial document update in Azure Cosmos DB").
const maxOperations = 10

// Patch is what a request for a patch says, checked. Its JSON is the body of the
// request.
type Patch struct {
	Condition  string           `json:"condition,omitempty"`
	Operations []PatchOperation `json:"operations"`

	// Once says that twice is not the same as once, so that the request must not be
	// repeated unless it is known to have had no effect.
	Once bool `json:"-"`

	// Stamps are those of the documents, nil for a type without, and at is the time that
	// the patch writes.
	stamps *Stamps
	at     time.Time

	// guarded says that the condition has that the document does not have the time of the
	// patch, so that twice is the same as once.
	guarded bool

	// counts says that it would take effect twice if another program wrote the document
	// after its first effect: the time that guards it is not there then.
	counts bool

	// asked is the caller's part of the condition without its values, for errors.
	// Empty if there is none. Tree is that part, and ofType that of the type.
	asked  string
	tree   predicate.Condition
	ofType string
}

// Add adds operations, whose integers must be exact, and whose vectors must have their
// length.
func (p *Patch) Add(c PatchOperations, s *Writer) error {
	exact := s.Integers
	if c.Err != nil && !exact.acknowledged(c.Operations) {
		return c.Err
	}
	for _, o := range c.Operations {
		if err := exact.check(o.Value, o.names()...); err != nil {
			return fmt.Errorf("operation on %q: %w", o.Path, err)
		}
		if err := s.Vectors.checkOperation(o); err != nil {
			return fmt.Errorf("operation on %q: %w", o.Path, err)
		}
	}
	p.Operations = append(p.Operations, c.Operations...)
	return nil
}

// WithCondition returns p with its conditions and the stamps of the type, nil for a type
// without, and checks it.
func (p Patch) WithCondition(ofType string, asked predicate.Condition, stamps *Stamps) (Patch, error) {
	own := stamps.operations()
	switch n := len(p.Operations); {
	case n == 0:
		return Patch{}, errors.New("there are no operations: pass at least one")
	case n > maxOperations-own:
		most := fmt.Sprintf("the %d of one patch", maxOperations)
		if own > 0 {
			most = fmt.Sprintf("the %d of one patch, which are %d and %d for the stamps", maxOperations-own, maxOperations, own)
		}
		return Patch{}, fmt.Errorf("there are %d operations, more than %s: "+
			"make several patches, or read the document and replace it", n, most)
	}
	p.Once = !repeatable(p.Operations)
	if own > 0 {
		p.stamp(stamps, stamps.now())
	}
	p.ofType, p.tree = ofType, asked
	if asked != nil {
		p.asked = predicate.PlaceholderSQL(asked)
	}
	return p.conditioned()
}

// conditioned returns p with its condition as text.
func (p Patch) conditioned() (Patch, error) {
	conditions := make([]string, 0, 3)
	if p.ofType != "" {
		conditions = append(conditions, "("+p.ofType+")")
	}
	if p.tree != nil {
		text, err := predicate.LiteralSQL(p.tree)
		if err != nil {
			return Patch{}, err
		}
		conditions = append(conditions, "("+text+")")
	}
	if p.guarded {
		conditions = append(conditions, p.unless())
	}
	if len(conditions) > 0 {
		p.Condition = "from c where " + strings.Join(conditions, " AND ")
	}
	return p, nil
}

// after returns p for a document that was renewed: the caller, who has read it before, means
// the ETag that it has now.
func (p Patch) after(r Renewal) (Patch, error) {
	if p.tree == nil || r.Before == "" {
		return p, nil
	}
	p.tree = predicate.WithETag(p.tree, string(r.Before), string(r.After))
	return p.conditioned()
}

// Size returns the number of bytes of the patch in a request.
func (p Patch) Size() (int, error) {
	body, err := json.Marshal(p)
	return len(body), err
}

// repeatable reports whether operations that have taken effect leave the document
// as it is when they do so again.
func repeatable(operations []PatchOperation) bool {
	for i, o := range operations {
		if o.tidies {
			continue
		}
		switch o.Op {
		case PatchSet, PatchAdd:
			// The name may be the index of an element, before which another goes.
			if name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]; name == "-" || strings.Trim(name, "0123456789") == "" {
				return false
			}
		case PatchReplace:
		default:
			return false
		}
		// What is set within something that is set later may not be there again.
		for _, later := range operations[i+1:] {
			if rest, within := strings.CutPrefix(o.Path, later.Path); within && strings.HasPrefix(rest, "/") {
				return false
			}
		}
	}
	return true
}

// ErrFraction is why azcosmos cannot send a patch: its AppendIncrement takes an
// int64.
var ErrFraction = errors.New("an increment is a fraction, or beyond the range of int64")

// SDK returns p in the terms of azcosmos, or ErrFraction.
func (p Patch) SDK() (azcosmos.PatchOperations, error) {
	var all azcosmos.PatchOperations
	if p.Condition != "" {
		// azcosmos writes it between quotes as it is (MarshalJSON in
		// cosmos_patch_operations.go).
		quoted, err := json.Marshal(p.Condition)
		if err != nil {
			return azcosmos.PatchOperations{}, err
		}
		all.SetCondition(string(quoted[1 : len(quoted)-1]))
	}
	for _, o := range p.Operations {
		switch o.Op {
		case PatchAdd:
			all.AppendAdd(o.Path, o.Value)
		case PatchSet:
			all.AppendSet(o.Path, o.Value)
		case PatchReplace:
			all.AppendReplace(o.Path, o.Value)
		case PatchRemove:
			all.AppendRemove(o.Path)
		case PatchIncrement:
			by, err := strconv.ParseInt(string(o.Value), 10, 64)
			if err != nil {
				return azcosmos.PatchOperations{}, ErrFraction
			}
			all.AppendIncrement(o.Path, by)
		}
	}
	return all, nil
}
