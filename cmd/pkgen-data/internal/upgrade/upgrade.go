package upgrade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/internal/system"
)

// Options are the options of an upgrade.
type Options struct {
	Account   *account.Account
	Container *account.Container
	Entry     lock.Entry // the type
	Others    []string   // the discriminators of the other types in the container
	Workers   int        // concurrent requests
	DryRun    bool       // nothing is written
	// Told, if not nil, is called with the number of documents found.
	Told func(found int64)
}

// Report is what a run has found, and done.
type Report struct {
	Container string `json:"container"`
	Type      string `json:"type"`
	Form      int    `json:"form"`     // the present one; 0 if the type has no schema number
	Older     []Form `json:"older"`    // documents of earlier forms, which the repository rewrites
	Next      int    `json:"next"`     // the form that the next release writes; 0 if these packages do not name one
	Upcoming  int64  `json:"upcoming"` // documents of that form, which stay as they are
	Newer     int64  `json:"newer"`    // documents of later forms, which these packages do not know
	Odd       int64  `json:"odd"`      // documents whose number is no whole number

	Aliases   int64     `json:"aliases"`   // documents of the present form with properties under aliases
	Rewritten int64     `json:"rewritten"` // of these
	Refused   int64     `json:"refused"`   // of these
	Refusals  []Refusal `json:"refusals"`  // the first ones
}

// Form is how many documents have a form.
type Form struct {
	Form      int   `json:"form"`
	Documents int64 `json:"documents"`
}

// Refusal is a document that could not be rewritten.
type Refusal struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// MostRefusals is the maximum number of listed refusals; others are only counted.
const MostRefusals = 100

// Left returns the number of documents of earlier releases after a run.
func (r *Report) Left() int64 {
	left := r.Aliases - r.Rewritten
	for _, f := range r.Older {
		left += f.Documents
	}
	return left
}

// Concerns reports whether a type may have documents of earlier releases.
func Concerns(e lock.Entry) bool {
	n, _ := e.SchemaNumber()
	return n > 1 || e.AliasedProperties() != nil
}

// Run counts the documents of a type with other forms, and rewrites those with properties under
// aliases. A document of an earlier form is not changed, because the type's method Upgrade may look
// for an alias in it. Neither is a document of the next form, which only programs of the next
// release may write. Each write is conditional; if the document has changed, Run checks it again.
// Rewritten documents are not found again, so an interrupted run can be repeated.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: o, report: Report{Container: o.Container.ID, Type: o.Entry.Type, Older: []Form{}, Refusals: []Refusal{}}, seen: map[string]bool{}}
	number, property := o.Entry.SchemaNumber()
	r.report.Form, r.report.Next = number, o.Entry.NextSchema()
	if number > 0 {
		if err := r.count(ctx, number, property); err != nil {
			return &r.report, err
		}
	}
	if o.Entry.AliasedProperties() == nil {
		return &r.report, nil
	}
	return &r.report, r.rewrite(ctx, number, property)
}

// run is a run in progress.
type run struct {
	Options
	seen map[string]bool // resource ids of documents: rows may repeat while partitions split

	mu     sync.Mutex
	report Report
}

// sql returns a query for documents of the type.
func (r *run) sql(columns, condition string) (text string, parameters map[string]any) {
	parameters = map[string]any{}
	const property = `c["type"]`
	ofType := "true"
	if d := r.Entry.Discriminator; d != "" {
		ofType = property + " = @type"
		parameters["@type"] = d
	} else if len(r.Others) > 0 {
		names := make([]string, len(r.Others))
		for i, other := range r.Others {
			names[i] = "@type" + strconv.Itoa(i)
			parameters[names[i]] = other
		}
		ofType = "(NOT IS_DEFINED(" + property + ") OR " + property + " NOT IN (" + strings.Join(names, ", ") + "))"
	}
	return "SELECT " + columns + " FROM c WHERE " + ofType + " AND (" + condition + ")", parameters
}

// ofForm returns a condition on the form of a document that is never undefined, although a number
// and null may not be comparable.
func ofForm(number int, property string) string {
	p := cosmossql.Property(property)
	if number == 1 {
		return "(NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ") OR IS_NUMBER(" + p + ") AND " + p + " IN (0, 1))"
	}
	return "(IS_NUMBER(" + p + ") AND " + p + " = " + strconv.Itoa(number) + ")"
}

// count counts the documents with another form.
func (r *run) count(ctx context.Context, number int, property string) error {
	text, parameters := r.sql("c._rid AS rid, "+cosmossql.Property(property)+" AS n", "NOT "+ofForm(number, property)+" AND "+marks.Shown)
	older := map[int]int64{}
	var wrong error
	err := r.Account.Query(ctx, r.Container, text, parameters, func(row json.RawMessage) {
		var found struct {
			RID string          `json:"rid"`
			N   json.RawMessage `json:"n"`
		}
		if wrong = errors.Join(wrong, json.Unmarshal(row, &found)); wrong != nil || r.seen[found.RID] {
			return
		}
		r.seen[found.RID] = true
		r.tell(int64(len(r.seen)))
		n, err := 1, error(nil)
		if found.N != nil && string(found.N) != "null" {
			n, err = strconv.Atoi(string(found.N))
		}
		switch n = max(n, 1); {
		case err != nil || strings.HasPrefix(string(found.N), "-"):
			r.report.Odd++
		case n == r.report.Next:
			r.report.Upcoming++
		case n > number:
			r.report.Newer++
		case n < number:
			older[n]++
		}
	})
	for n, documents := range older {
		r.report.Older = append(r.report.Older, Form{n, documents})
	}
	slices.SortFunc(r.report.Older, func(a, b Form) int { return a.Form - b.Form })
	return errors.Join(err, wrong)
}

func (r *run) tell(found int64) {
	if r.Told != nil {
		r.Told(found)
	}
}

// rewrite rewrites the documents with aliases.
func (r *run) rewrite(ctx context.Context, number int, property string) error {
	var defined []string
	for _, p := range r.Entry.AliasedProperties() {
		for _, name := range p.Aliases {
			defined = append(defined, "IS_DEFINED("+cosmossql.Property(name)+")")
		}
	}
	condition := "(" + strings.Join(defined, " OR ") + ") AND (" + marks.Shown + " OR " + marks.Uncertain + ") AND NOT IS_DEFINED(c." + reservation.PendingProperty + ")"
	if number > 0 {
		condition += " AND " + ofForm(number, property)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clear(r.seen)
	documents := make(chan json.RawMessage)
	var workers sync.WaitGroup
	for range max(r.Workers, 1) {
		workers.Go(func() {
			for document := range documents {
				if err := r.document(ctx, document); err != nil {
					cancel(err)
				}
			}
		})
	}
	text, parameters := r.sql("*", condition)
	err := r.Account.Query(ctx, r.Container, text, parameters, func(row json.RawMessage) {
		var found struct {
			RID string `json:"_rid"`
		}
		if json.Unmarshal(row, &found) != nil || r.seen[found.RID] {
			return
		}
		r.seen[found.RID] = true
		r.tell(int64(len(r.seen)))
		if r.DryRun {
			return
		}
		select {
		case documents <- row:
		case <-ctx.Done():
		}
	})
	close(documents)
	workers.Wait()
	r.report.Aliases = int64(len(r.seen))
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// attempts is the maximum number of attempts on a document that others change.
const attempts = 10

// document rewrites a document. An error concerns a request that failed for another reason than the
// document.
func (r *run) document(ctx context.Context, stored json.RawMessage) error {
	var at struct {
		ID   string `json:"id"`
		ETag string `json:"_etag"`
	}
	if err := json.Unmarshal(stored, &at); err != nil {
		return err
	}
	key := r.Container.KeyOf(stored)
	for range attempts {
		if moves(stored) {
			r.refuse(at.ID, onItsWay)
			return nil
		}
		next, old, err := renamed(stored, r.Entry.AliasedProperties(), system.ExpiryOf(r.Container.DefaultTTL), r.Account.Now())
		if err != nil {
			return err
		}
		if old {
			_, err = r.Account.ReplaceItem(ctx, r.Container, at.ID, key, next, at.ETag)
		}
		switch {
		case err == nil, account.Absent(err): // or it was deleted
			r.mu.Lock()
			defer r.mu.Unlock()
			r.report.Rewritten++
			return nil
		case account.Is(err, http.StatusBadRequest), account.Is(err, http.StatusConflict), account.Is(err, http.StatusRequestEntityTooLarge):
			r.refuse(at.ID, err.Error())
			return nil
		case !account.Is(err, http.StatusPreconditionFailed):
			return fmt.Errorf("document %q: %w", at.ID, err)
		}
		if stored, at.ETag, err = r.Account.ReadItem(ctx, r.Container, at.ID, key); err != nil {
			if account.Absent(err) {
				stored, err = json.RawMessage("{}"), nil
			}
			if err != nil {
				return fmt.Errorf("document %q: %w", at.ID, err)
			}
			continue
		}
		if r.apart(stored) {
			r.refuse(at.ID, "another program has stored it in another form or type")
			return nil
		}
	}
	r.refuse(at.ID, "other programs keep writing it")
	return nil
}

// apart reports whether a document that others have written meanwhile must not be rewritten: it has
// another form or type, or is about to be created.
func (r *run) apart(stored json.RawMessage) bool {
	var all map[string]json.RawMessage
	if json.Unmarshal(stored, &all) != nil || all[reservation.PendingProperty] != nil {
		return true
	}
	var said string
	_ = json.Unmarshal(all["type"], &said) // "" if it is not a string
	if d := r.Entry.Discriminator; d != "" && said != d || d == "" && slices.Contains(r.Others, said) {
		return true
	}
	number, property := r.Entry.SchemaNumber()
	switch form := string(all[property]); {
	case number > 1:
		return form != strconv.Itoa(number)
	case number == 1:
		return !slices.Contains([]string{"", "null", "0", "1"}, form)
	}
	return false
}

// onItsWay is the reason against rewriting a moving document.
const onItsWay = "it is moving to another key or container: call Rekey, or MoveAll, until no document is left, and run the command again"

// moves reports whether a stored item is a moving document, or a mark that a move has left.
func moves(stored json.RawMessage) bool {
	var all map[string]json.RawMessage
	if json.Unmarshal(stored, &all) != nil {
		return false
	}
	m, err := marks.Parse(all[marks.Property])
	return err == nil && (m.Hidden() || m.Leaving())
}

func (r *run) refuse(id, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.report.Refused++; r.report.Refused <= MostRefusals {
		r.report.Refusals = append(r.report.Refusals, Refusal{id, reason})
	}
}
