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

// State is what a stored item is to a reader of the store's type.
type State int

// The states of stored items.
const (
	Shown   State = iota // a document of the type
	Moving               // a part of a document that moves: all its places together tell where the document is
	Deleted              // a document of the type that is marked as deleted
	Hidden               // not yet a document, or a reservation
	Other                // of another type, or of none
)

// Verdict is a state, and why it is not Shown.
type Verdict struct {
	State
	Err error // errors.Is finds it in the error of an operation; nil for Shown and Moving
}

// Rule tells which stored items are documents of the store's type, in SQL and in Go. A
// feature that stores something else, or marks documents, is a rule, and then every read,
// query, patch and feed observes it.
type Rule struct {
	// Property is the property that the rule looks at: of the document itself, not of an
	// object in it. Apart says that lookups of several documents need not select it.
	Property string
	Apart    bool

	Reads   string // the condition on c by which queries and patches leave others out; "" if they do not
	Patches string // a condition on c of patches alone; "" for most rules

	// Judge returns the state of a stored item, Shown if the rule has no objection. It is
	// nil if the rule never has one.
	Judge func(raw []byte) Verdict

	// IDs is what the ids of hidden items begin with, which is all that is known once they
	// are removed; "" if documents may have these ids.
	IDs string

	deletes bool // it hides what counts as deleted, which some stores show
	fence   bool // Reads is a condition of queries alone
}

// OfType is the rule for containers that have documents of several types.
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

// WithoutFences is the rule for containers from which tenants move: see package tenancy.
// Patches need no condition, since the ids of fences are refused.
func WithoutFences() Rule {
	return Rule{Property: tenancy.Property, Apart: true, Reads: tenancy.HiddenCondition, fence: true, Judge: func(raw []byte) Verdict {
		if tenancy.IsHidden(raw) {
			return Verdict{Other, wire.ErrOtherType}
		}
		return Verdict{}
	}}
}

// Without is the rule that an item with a property which is not null has a state.
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

// OfForm is the rule of documents that say by which form of the type they are stored.
// Reads have documents of all forms, and fail at those of later ones when they decode them.
func OfForm(s *Schema) Rule { return Rule{Property: s.Property, Patches: s.condition()} }

// WithoutMarks is the rule of documents that move to other keys. Queries have conditions of
// their own about marks, which depend on the time.
func WithoutMarks() Rule {
	return Rule{Property: marks.Property, Apart: true, Judge: func(raw []byte) Verdict {
		if m, err := MarkOf(raw); err == nil && m.Hidden() {
			return Verdict{State: Moving}
		}
		return Verdict{}
	}}
}

// WithoutMoving is the rule of an index of documents that move: what moves comes when it has
// moved. Only the source tells where a document is until then.
func WithoutMoving() Rule {
	r := WithoutMarks()
	r.Reads = marks.Shown
	return r
}

// Judge returns what a stored item is: the state by the first rule that objects.
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

// Owns reports whether a stored item belongs to the store's type, and not to another one in
// the same container. It may be hidden.
func (s *Store) Owns(raw []byte) bool { return s.Judge(raw).State != Other }

// Shows reports whether reads and queries have a stored item.
func (s *Store) Shows(raw []byte) bool { return s.gives(s.Judge(raw)) }

func (s *Store) gives(v Verdict) bool {
	return v.State == Shown || v.State == Deleted && s.ShowsDeleted
}

// Refuse returns the error, which matches kind, of an operation that meets a stored item at p
// which reads do not show; nil if they do. Of a document that moves it returns nil.
func (s *Store) Refuse(op string, p wire.Place, raw []byte, kind error) error {
	if v := s.Judge(raw); !s.gives(v) && v.State != Moving {
		return s.Refusal(op, p, v, kind)
	}
	return nil
}

// Refusal is the error of an operation at p because of a verdict that has a reason.
func (s *Store) Refusal(op string, p wire.Place, v Verdict, kind error) *documents.Error {
	err := v.Err
	if v.State != Other {
		err = concealed{err}
	}
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: err}
}

// Meant returns nil if a stored item at p is a document that reads show and the one that is
// meant. Means says which one of the type that is; nil is any. The error matches kind if it
// is not.
func (s *Store) Meant(op string, p wire.Place, raw []byte, means func(doc any) bool, kind error) error {
	if err := s.Refuse(op, p, raw, kind); err != nil {
		return err
	}
	return s.matches(op, p, raw, means, kind)
}

// MeantDeleted is Meant for an item that may be marked as deleted as well.
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

// ForeignError returns the error about the document of other components at p.
func (s *Store) ForeignError(op string, p wire.Place, kind error) error {
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: kind, Err: ErrForeign}
}

// concealed is the cause of an error about a hidden document.
type concealed struct{ error }

func (c concealed) Unwrap() error { return c.error }

// IsConcealed reports whether an error is about a document that is there, but hidden.
func IsConcealed(err error) bool {
	var c concealed
	return errors.As(err, &c)
}

// Hides reports whether an id is one that only hidden items have.
func (s *Store) Hides(id string) bool {
	for i := range s.Rules {
		if ids := s.Rules[i].IDs; ids != "" && strings.HasPrefix(id, ids) {
			return true
		}
	}
	return false
}

// Telling are the properties that tell the state of an item.
func (s *Store) Telling() (all []string) {
	for i := range s.Rules {
		if !s.Rules[i].Apart {
			all = append(all, s.Rules[i].Property)
		}
	}
	return all
}

// Condition returns the condition on c that reads show an item, or nothing if they show all.
// Cursors depend on its text.
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

// OwnCondition returns the condition on c that an item is a document of the type and not
// hidden, whatever its form, for writes. It is empty if all are.
func (s *Store) OwnCondition() string {
	condition := ""
	for i := range s.Rules {
		if r := &s.Rules[i]; !r.fence {
			condition = both(condition, r.Reads)
		}
	}
	return condition
}

// PatchCondition is OwnCondition for documents of the present form.
func (s *Store) PatchCondition() string {
	condition := s.OwnCondition()
	for i := range s.Rules {
		condition = both(condition, s.Rules[i].Patches)
	}
	return condition
}

// both returns the condition that two conditions hold, of which either may be empty.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("(%s) AND (%s)", a, b)
}

// Schema is the property that says by which form of the type a document is stored. Each
// write of a program stores the number of its form; reads bring documents of earlier forms
// to that form, and of the next one if the program knows it, and refuse documents of later
// ones. No write of a program changes a document of a later form, not even of the next one.
type Schema struct {
	Property string // of the document itself, not of an object in it
	Number   int    // of the present form, at least 1

	Set     func(doc any)                                      // sets the field to Number
	Upgrade func(doc any, from int, raw json.RawMessage) error // of a document of an earlier form; nil if there is none

	Next      int                                                // the form of the next release, which this one reads; 0 if there is none
	Downgrade func(doc any, from int, raw json.RawMessage) error // of a document of form Next
	SetNext   func(doc any)                                      // sets the field to Next
	IsNext    func(doc any) bool                                 // reports whether the field is set to Next
}

// ReadsNext reports whether documents of a later form are read, which must not be written.
func (s *Schema) ReadsNext() bool { return s != nil && s.Next > 0 }

// Of returns the number of the form of a stored document: 1 if it has none, or null or 0,
// as documents have that were stored before the type had a number.
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

// Newer returns the error about a stored document of a later form than the present one,
// nil about others. A nil s knows no forms.
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

// IsOlder reports whether a stored document is of an earlier form than the present one.
func (s *Schema) IsOlder(raw []byte) bool {
	if s == nil {
		return false
	}
	n, err := s.Of(raw)
	return err == nil && n < s.Number
}

// NewerError is the error about a document of a later form.
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

// Older returns the condition on c that a document is of an earlier form than the present
// one, whose number is greater than 1.
func (s *Schema) Older() string {
	p := text.Property("/" + jsonpointer.Escape(s.Property))
	return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ") OR " + p + " < " + strconv.Itoa(s.Number)
}

// NotNext returns the condition on c that a document is not of the next form.
func (s *Schema) NotNext() string {
	p := text.Property("/" + jsonpointer.Escape(s.Property))
	return "NOT IS_DEFINED(" + p + ") OR NOT IS_NUMBER(" + p + ") OR " + p + " != " + strconv.Itoa(s.Next)
}

// MarkOf returns the mark of a stored document, the zero Mark if it has none.
func MarkOf(raw []byte) (marks.Mark, error) { return marks.Parse(text.Member(raw, marks.Property)) }

// Times of moves, by the clock of the service. It writes whole seconds, and the clocks of
// its machines differ.
const (
	// Margin is how long before its beginning a query takes a document to be where it
	// was: more than by what clocks differ.
	Margin = 5 * time.Second

	// CommitWait is how long after a move a write is acknowledged: a query that begins
	// then reads the document at its new place.
	CommitWait = Margin + 4*time.Second

	// Grace is how long the mark of a document stays after the document has moved. No
	// query takes as long, and no cursor is as old.
	Grace = 24 * time.Hour
)

// Moves says what queries need to know of documents that move; nil if none do.
type Moves struct {
	// Finish makes the copy of a document that has moved the document, if it is a copy
	// that counts.
	Finish func(ctx context.Context, raw []byte) error
}
