package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// State is what a stored item is for the store's type.
type State int

// States of stored items.
const (
	Shown   State = iota // a document of the type
	Moving               // a part of a document that moves: only all its places together show where the document is
	Deleted              // a document of the type that is marked as deleted
	Hidden               // not yet a document, or a reservation
	Other                // of another type or none
)

// Verdict is a state and its reason.
type Verdict struct {
	State
	Err error // the cause in errors of operations; nil for Shown and Moving
}

// Rule decides, in SQL and in Go, which stored items are documents of the store's type. A
// feature that stores other items or marks documents is a Rule, and all reads, queries,
// patches and feeds apply it.
type Rule struct {
	// Property is the top-level property that the rule reads. Apart says that lookups of
	// several documents need not select it.
	Property string
	Apart    bool

	Reads   string // the condition on c of queries and patches; "" for none
	Patches string // a condition on c of patches alone; "" for most rules

	// Judge returns the state of a stored item, Shown if the rule has no objection. Nil
	// means that it never has one.
	Judge func(raw []byte) Verdict

	// IDs is the prefix of the ids of hidden items, by which deleted ones are recognized;
	// "" if documents may have such ids.
	IDs string

	deletes bool // it hides deleted documents, which some stores show
	fence   bool // Reads is for queries alone
}

// OfType is the rule for containers with documents of several types.
func OfType(d *generated.Discriminator) Rule {
	p := text.Property("/" + jsonpointer.Escape(d.Property))
	r := Rule{Property: d.Property, Reads: p + " = " + text.Quote(d.Value)}
	if d.Value == "" {
		values := make([]string, len(d.Others))
		for i, other := range d.Others {
			values[i] = text.Quote(other)
		}
		r.Reads = "NOT IS_DEFINED(" + p + ") OR " + p + " NOT IN (" + strings.Join(values, ", ") + ")"
	}
	said := fmt.Errorf("%w: its property %s says so", wire.ErrOtherType, d.Property)
	r.Judge = func(raw []byte) Verdict {
		found := text.ValueAt(raw, []string{d.Property})
		var value string
		named := found != nil && json.Unmarshal(found, &value) == nil
		switch {
		case d.Value == "" && (!named || !slices.Contains(d.Others, value)), d.Value != "" && named && value == d.Value:
			return Verdict{}
		case found == nil:
			return Verdict{Other, wire.ErrOtherType}
		}
		return Verdict{Other, said}
	}
	return r
}

// WithoutFences is the rule for containers from which tenants move; see package tenancy.
// Patches need no condition, because the ids of fences are refused.
func WithoutFences() Rule {
	return Rule{Property: tenancy.Property, Apart: true, Reads: tenancy.HiddenCondition, fence: true, Judge: func(raw []byte) Verdict {
		if tenancy.IsHidden(raw) {
			return Verdict{Other, wire.ErrOtherType}
		}
		return Verdict{}
	}}
}

// Without is the rule that an item with a non-null property has the state is.
func Without(property string, is State, why error) Rule {
	p := text.Property("/" + jsonpointer.Escape(property))
	shown := "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ")"
	return Rule{Property: property, Reads: shown, deletes: is == Deleted, Judge: func(raw []byte) Verdict {
		if value := text.Member(raw, property); value != nil && string(value) != "null" {
			return Verdict{is, why}
		}
		return Verdict{}
	}}
}

// OfForm is the rule for documents that store the form of their type. Reads accept all
// forms, and decoding fails for later ones.
func OfForm(s *Schema) Rule { return Rule{Property: s.Property, Patches: s.condition()} }

// WithoutMarks is the rule for documents that move to other keys. Queries have their own
// conditions for marks, which depend on the time.
func WithoutMarks() Rule {
	return Rule{Property: marks.Property, Apart: true, Judge: func(raw []byte) Verdict {
		if m, err := MarkOf(raw); err == nil && m.Hidden() {
			return Verdict{State: Moving}
		}
		return Verdict{}
	}}
}

// WithoutMoving is the rule for an index of documents that move. The index shows a document
// only after its move, because only the source shows where it is until then.
func WithoutMoving() Rule {
	r := WithoutMarks()
	r.Reads = marks.Shown
	return r
}

// Judge returns the verdict of the first rule that objects.
func (s *Store) Judge(raw []byte) Verdict {
	for i := range s.Rules {
		if judge := s.Rules[i].Judge; judge != nil {
			if v := judge(raw); v.State != Shown {
				return v
			}
		}
	}
	return Verdict{}
}

// Owns reports whether a stored item belongs to the store's type. It may be hidden.
func (s *Store) Owns(raw []byte) bool { return s.Judge(raw).State != Other }

// Shows reports whether reads and queries show a stored item.
func (s *Store) Shows(raw []byte) bool { return s.gives(s.Judge(raw)) }

func (s *Store) gives(v Verdict) bool {
	return v.State == Shown || v.State == Deleted && s.ShowsDeleted
}

// Refuse returns an error that matches kind if reads do not show the stored item at p. For
// a document that moves it returns nil.
func (s *Store) Refuse(op string, p wire.Place, raw []byte, kind error) error {
	if v := s.Judge(raw); !s.gives(v) && v.State != Moving {
		return s.Refusal(op, p, v, kind)
	}
	return nil
}

// Refusal returns the error of an operation at p because of v, which must have a reason.
func (s *Store) Refusal(op string, p wire.Place, v Verdict, kind error) *documents.Error {
	err := v.Err
	if v.State != Other {
		err = concealed{err}
	}
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}

// Meant returns nil if the stored item at p is shown and meant. Means selects among
// documents of the type; nil accepts all. Otherwise the error matches kind.
func (s *Store) Meant(op string, p wire.Place, raw []byte, means func(doc any) bool, kind error) error {
	if err := s.Refuse(op, p, raw, kind); err != nil {
		return err
	}
	return s.matches(op, p, raw, means, kind)
}

// MeantDeleted is Meant, and accepts documents that are marked as deleted.
func (s *Store) MeantDeleted(op string, p wire.Place, raw []byte, means func(doc any) bool, kind error) error {
	if s.Judge(raw).State != Deleted {
		return s.Meant(op, p, raw, means, kind)
	}
	return s.matches(op, p, raw, means, kind)
}

func (s *Store) matches(op string, p wire.Place, raw []byte, means func(doc any) bool, kind error) error {
	if means == nil {
		return nil
	}
	doc, err := s.Decode(raw)
	switch {
	case err != nil:
		return s.Failure(op, p, err)
	case !means(doc):
		return s.ForeignError(op, p, kind)
	}
	return nil
}

// ErrForeign is the cause of an error about a document of other components.
var ErrForeign = errors.New("the document of this id there is another, whose fields make the same partition key")

// ForeignError returns the error about the foreign document at p.
func (s *Store) ForeignError(op string, p wire.Place, kind error) error {
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: ErrForeign}
}

type concealed struct{ error }

func (c concealed) Unwrap() error { return c.error }

// IsConcealed reports whether err is about a document that exists but is hidden.
func IsConcealed(err error) bool {
	var c concealed
	return errors.As(err, &c)
}

// Hides reports whether only hidden items have an id.
func (s *Store) Hides(id string) bool {
	for i := range s.Rules {
		if ids := s.Rules[i].IDs; ids != "" && strings.HasPrefix(id, ids) {
			return true
		}
	}
	return false
}

// Telling returns the properties that decide the state of an item.
func (s *Store) Telling() (all []string) {
	for i := range s.Rules {
		if !s.Rules[i].Apart {
			all = append(all, s.Rules[i].Property)
		}
	}
	return all
}

// Condition returns the condition on c that reads show an item, or "" if they show all. Its
// text is part of cursors and must not change.
func (s *Store) Condition() string {
	fence, condition := "", ""
	for i := range s.Rules {
		switch r := &s.Rules[i]; {
		case r.fence:
			fence = r.Reads
		case !r.deletes || !s.ShowsDeleted:
			condition = both(condition, r.Reads)
		}
	}
	if fence == "" || condition == "" {
		return fence + condition
	}
	return fence + " AND (" + condition + ")"
}

// OwnCondition returns the condition on c, for writes, that an item is a document of the
// type and not hidden, in any form. It is "" if all items are.
func (s *Store) OwnCondition() string {
	condition := ""
	for i := range s.Rules {
		if r := &s.Rules[i]; !r.fence {
			condition = both(condition, r.Reads)
		}
	}
	return condition
}

// PatchCondition is OwnCondition for documents of the present form only.
func (s *Store) PatchCondition() string {
	condition := s.OwnCondition()
	for i := range s.Rules {
		condition = both(condition, s.Rules[i].Patches)
	}
	return condition
}

// both joins two conditions, either of which may be empty.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("(%s) AND (%s)", a, b)
}

// Schema is the property with the form of a stored document. Each write stores the number
// of the program's form. Reads convert earlier forms, and the next one if the program has
// it, and fail for later ones. A write never changes a document of a later form, not even
// of the next one.
type Schema struct {
	Property string // at the top level of the document
	Number   int    // of the present form, at least 1

	Set     func(doc any)                                      // sets the field to Number
	Upgrade func(doc any, from int, raw json.RawMessage) error // converts an earlier form; nil if there is none

	Next      int                                                // the form of the next release, which this one also reads; 0 if there is none
	Downgrade func(doc any, from int, raw json.RawMessage) error // converts form Next
	SetNext   func(doc any)                                      // sets the field to Next
	IsNext    func(doc any) bool                                 // reports whether the field is set to Next
}

// ReadsNext reports whether the program reads documents of the next form, which it must not
// write.
func (s *Schema) ReadsNext() bool { return s != nil && s.Next > 0 }

// Of returns the form of a stored document. It is 1 if the property is missing, null or 0,
// as in documents from before the type had forms.
func (s *Schema) Of(raw []byte) (int, error) {
	value := text.Member(raw, s.Property)
	if value == nil || string(value) == "null" {
		return 1, nil
	}
	n, err := strconv.Atoi(string(value))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("its property %s is no whole number, but it holds the schema number: correct the stored document", s.Property)
	}
	return max(n, 1), nil
}

// Newer returns an error if a stored document is of a later form. A nil s has no forms.
func (s *Schema) Newer(raw []byte) error {
	if s == nil {
		return nil
	}
	n, err := s.Of(raw)
	if err == nil && n > s.Number {
		err = s.NewerError(n)
	}
	return err
}

// IsOlder reports whether a stored document is of an earlier form.
func (s *Schema) IsOlder(raw []byte) bool {
	if s == nil {
		return false
	}
	n, err := s.Of(raw)
	return err == nil && n < s.Number
}

// NewerError returns the error about a document of form n, which is later.
func (s *Schema) NewerError(n int) error {
	if n == s.Next {
		return fmt.Errorf("%w: its form is %d, which this program reads, and it writes %d: deploy the newer release", wire.ErrNewerDocument, n, s.Number)
	}
	return fmt.Errorf("%w: its form is %d, and this program knows %d: deploy the newer release", wire.ErrNewerDocument, n, s.Number)
}

// condition returns the condition on c that a document is of the present form.
func (s *Schema) condition() string {
	p := text.Property("/" + jsonpointer.Escape(s.Property))
	if s.Number == 1 {
		return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ") OR " + p + " IN (0, 1)"
	}
	return p + " = " + strconv.Itoa(s.Number)
}

// Older returns the condition on c that a document is of an earlier form. Number must be
// greater than 1.
func (s *Schema) Older() string {
	p := text.Property("/" + jsonpointer.Escape(s.Property))
	return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ") OR " + p + " < " + strconv.Itoa(s.Number)
}

// NotNext returns the condition on c that a document is not of the next form.
func (s *Schema) NotNext() string {
	p := text.Property("/" + jsonpointer.Escape(s.Property))
	return "NOT IS_DEFINED(" + p + ") OR NOT IS_NUMBER(" + p + ") OR " + p + " != " + strconv.Itoa(s.Next)
}

// MarkOf returns the mark of a stored document, or the zero Mark.
func MarkOf(raw []byte) (marks.Mark, error) { return marks.Parse(text.Member(raw, marks.Property)) }

// Times of moves, by the service's clock. The clock has whole seconds, and the clocks of
// its machines differ.
const (
	// Margin is subtracted from the start of a query, to compare it with times of moves. It
	// is more than the difference of clocks.
	Margin = 5 * time.Second

	// CommitWait is the time after a move before a write is acknowledged, so that a later
	// query reads the document at its new place.
	CommitWait = Margin + 4*time.Second

	// Grace is how long the mark of a moved document stays. Queries are shorter, and
	// cursors younger.
	Grace = 24 * time.Hour
)

// Moves is what queries need for documents that move; nil if none move.
type Moves struct {
	// Finish finishes the move of a document, given its copy, if the copy is valid.
	Finish func(ctx context.Context, raw []byte) error
}
