package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/windows"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
)

// entriesOf returns the entries of a lock whose documents a container has.
func entriesOf(shape shapes.Shape, container string) ([]lock.Entry, error) {
	all, problem := lock.Parse([]byte(shape.Lock))
	if problem != nil {
		return nil, problem
	}
	return slices.DeleteFunc(all, func(e lock.Entry) bool {
		fixed, _, template := strings.Cut(e.Container, "{")
		own, _, has := strings.Cut(e.Own, "{")
		return e.Container != container && (!template || !strings.HasPrefix(container, fixed)) && (!has || !strings.HasPrefix(container, own))
	}), nil
}

// verify judges all containers by the lock. An interrupted write may leave a reservation or a
// hidden document, which pkgen-data verify -mend removes. Nothing else may be left.
func (r *run) verify() error {
	ctx := context.Background()
	a, err := account.Open(r.Connection())
	if err != nil {
		return err
	}
	a.Through(r.Account)
	containers, err := a.Containers(ctx, "db")
	if err != nil {
		return err
	}
	others := 0
	for _, name := range containers {
		entries, err := entriesOf(r.shape, name)
		if err != nil {
			return err
		}
		if len(entries) == 0 { // of the run time itself
			continue
		}
		c, err := a.Container(ctx, "db", name)
		if err != nil {
			return err
		}
		for _, mend := range []bool{true, false} {
			judge, err := verify.New(entries)
			if err != nil {
				return err
			}
			judge.Mend = mend
			report, err := judge.Container(ctx, a, c, account.Sampling{Share: 1})
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if found := r.foundIn(report, mend); found != "" {
				return fmt.Errorf("pkgen-data verify says of %s: %s", name, found)
			}
			if !mend {
				others += report.Others + report.Moves
			}
		}
		var left []string
		if err := a.Query(ctx, c, "SELECT * FROM c WHERE NOT "+marks.Documents, nil, func(row json.RawMessage) {
			left = append(left, string(row))
		}); err != nil {
			return err
		}
		if err := a.Query(ctx, c, `SELECT c.id FROM c WHERE c.id = "_pkgen-fence"`, nil, func(json.RawMessage) { others-- }); err != nil {
			return err
		}
		if len(left) > 0 {
			return fmt.Errorf("%s has what moves have left: %q", name, left)
		}
	}
	if r.has("shared") {
		others -= strangers
	}
	if others != 0 {
		return fmt.Errorf("pkgen-data verify says that there are %d more documents of no type than before", others)
	}
	return nil
}

// foundIn returns the findings of a report that must not be: of a first one, all that mending
// does not expect, and of a second one all.
func (r *run) foundIn(report *verify.Report, first bool) string {
	var found []string
	for _, t := range report.Types {
		if t.Moving > 0 {
			found = append(found, fmt.Sprintf("%d documents of %s have not moved", t.Moving, t.Type))
		}
		for _, f := range t.Findings {
			if r.weather.loses && !r.weather.mended && (f.Name == verify.NotUnique && len(r.contested) > 0 || first && f.Name == verify.NoReservation && f.Mended == f.Documents) {
				continue // a failover has lost reservations, and another document has got the value since
			}
			if left := f.Name == verify.LeftReservation || f.Name == verify.LeftHidden; !first || !left || f.Mended < f.Documents {
				found = append(found, fmt.Sprintf("%+v", f))
			}
		}
	}
	if report.Hidden > 0 && !first {
		found = append(found, fmt.Sprintf("%d hidden documents", report.Hidden))
	}
	for _, s := range report.Settings {
		found = append(found, fmt.Sprintf("%+v", s))
	}
	return strings.Join(found, "\n")
}

// mayLack reports whether the container of a document may have been missing when an operation
// ran.
func (r *run) mayLack(by *running, slot int) bool {
	return r.has("windows") && r.place(slot).At.Time().Month() == shapes.Month(windows.Missing).Month() && (r.made.IsZero() || !r.made.Before(by.began))
}

// watch notes when the request that has acted last has made a container.
func (r *run) watch() {
	last := r.History[len(r.History)-1]
	if last.Method == http.MethodPost && strings.HasSuffix(last.URL.Path, "/colls") && last.Status == http.StatusCreated && r.made.IsZero() {
		r.made = time.Now()
	}
}

// between reads the documents of some months.
func (r *run) between(ctx context.Context, by *running, s step) (docs []shapes.Doc, of func(at shapes.Doc) bool, err error) {
	store, is := by.store.(shapes.Windowed)
	if !is {
		return nil, nil, fmt.Errorf("%s has no windows", r.shape.Name)
	}
	first := s.value % (shapes.Months + 1)
	from, to := shapes.Month(first), shapes.Month(first+s.value%3)
	if s.fresh {
		to = to.Add(time.Duration(s.value%30) * 3 * time.Hour)
	}
	docs, err = store.Between(ctx, from, to)
	return docs, func(at shapes.Doc) bool { return !at.At.Time().Before(from) && at.At.Time().Before(to) }, err
}
