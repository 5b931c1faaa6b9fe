package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/combinations"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// A errand's partition key is {line} and {line}.{vin%n}. Its features are those of a release.
type errand struct {
	ID     string          `json:"id"`
	Line   string          `json:"line"`
	VIN    string          `json:"vin"`
	Mail   string          `json:"mail"`
	Form   int             `json:"form"`
	Speed  int             `json:"speed"`
	Gone   repository.Time `json:"gone,omitzero"`
	Stored string          `json:"pk"`
	ETag   string          `json:"_etag,omitempty"`
}

type errandKey struct{ ID, Line, VIN string }

func (errandKey) Validate() error { return nil }

func (k errandKey) values(buckets int) []any {
	return []any{k.Line, k.Line + "." + strconv.Itoa(partition.Hash{}.Text(k.VIN).Bucket(buckets))}
}

// errands are the errands of a type, from release to release.
type errands struct {
	server *harness.Account
	db     *azcosmos.DatabaseClient

	kind      string // of the type, if others are in the container; else ""
	prefix    string // of ids
	container string
	n         int  // the number of buckets
	deletes   bool // the type has "deleted"
	unique    bool
	form      int // 0 without "schema"

	want map[errandKey]int // the speeds of the documents that are shown
	rest map[errandKey]int // of those that are marked as deleted
}

const errandLine = "u2"

// model is what the generator writes for a release: was is the number of buckets of the
// release before, or 0.
func (s *errands) model(was int) *generated.Model[errand, errandKey] {
	n := s.n
	// By hand: the same type has several releases, and each pair of features.
	m := &generated.Model[errand, errandKey]{
		Type: "errand" + s.kind, Paths: []string{"/line", "/pk"}, Made: []int{1},
		Key:    func(t *errand) errandKey { return errandKey{t.ID, t.Line, t.VIN} },
		ID:     func(k errandKey) string { return k.ID },
		Same:   func(a, b errandKey) bool { return a.Line == b.Line && a.VIN == b.VIN },
		Values: func(k errandKey) []any { return k.values(n) },
		Stored: func(t *errand) *string { return &t.Stored },
		ETag:   func(t *errand) *string { return &t.ETag },
	}
	if was > 0 {
		m.Others = func(k errandKey) []any { return []any{k.values(was)} }
	}
	if s.kind != "" {
		m.Discriminator = &generated.Discriminator{Property: "type", Value: s.kind}
	}
	if s.deletes {
		m.Deleted = &generated.Deleted[errand]{Property: "gone", Clear: func(t *errand) { t.Gone = repository.Time{} }}
	}
	if s.unique {
		m.Unique = []string{"mail"}
	}
	if form := s.form; form > 0 {
		m.Schema = &generated.Schema[errand]{Property: "form", Number: form, Set: func(t *errand) { t.Form = form }}
		if form > 1 {
			m.Schema.Upgrade = func(*errand, int, json.RawMessage) error { return nil }
			m.Schema.Keep = func(doc, stored *errand) { doc.Gone = stored.Gone }
		}
	}
	return m
}

func (s *errands) at(id string) *azcosmos.ContainerClient {
	c, _ := s.db.NewContainer(id) // the name is not empty
	return c
}

// in returns the repository of a release, which waits by the clock of the emulator.
func (s *errands) in(was int) *repository.Documents[errand, errandKey] {
	return repository.New(s.at(s.container), s.model(was), withSleep(func(ctx context.Context, d time.Duration) error {
		s.server.Advance(d)
		return ctx.Err()
	}))
}

func (s *errands) create(i int) error {
	doc := &errand{ID: fmt.Sprintf("%s-%d", s.prefix, i), Line: errandLine, VIN: fmt.Sprintf("V%d", i), Mail: fmt.Sprintf("%s-%d@x", s.prefix, i), Speed: i}
	s.want[errandKey{doc.ID, doc.Line, doc.VIN}] = i
	return s.in(0).Create(context.Background(), doc)
}

// some are every third of the documents, from one on.
func (s *errands) some(from int) []errandKey {
	all := slices.SortedFunc(maps.Keys(s.want), func(a, b errandKey) int { return a.compare(b) })
	var out []errandKey
	for i := from; i < len(all); i += 3 {
		out = append(out, all[i])
	}
	return out
}

func (k errandKey) compare(b errandKey) int {
	return slices.Compare([]string{k.ID, k.VIN}, []string{b.ID, b.VIN})
}

// errandStep is a feature at work: it moves, marks or hides documents.
type errandStep struct {
	name    string
	feature combinations.Feature
	tag     func(s *errands) // what the type gets first and keeps, nil for nothing
	run     func(ctx context.Context, s *errands) error
}

var errandSteps = []errandStep{
	{"Move", "", nil, func(ctx context.Context, s *errands) error {
		for _, key := range s.some(1) {
			var doc *errand
			err := repository.ErrPreconditionFailed
			for errors.Is(err, repository.ErrPreconditionFailed) { // Upgrade has renewed it meanwhile
				if doc, err = s.in(0).Get(ctx, key); err == nil {
					doc.VIN = key.VIN + "m"
					err = s.in(0).Move(ctx, key, doc)
				}
			}
			if s.unique { // two documents would have one value meanwhile
				if err == nil || !strings.Contains(err.Error(), "unique properties") {
					return fmt.Errorf("a move of a document with unique values: %w", err)
				}
				continue
			}
			if err != nil {
				return err
			}
			s.want[errandKey{key.ID, key.Line, doc.VIN}] = s.want[key]
			delete(s.want, key)
		}
		return nil
	}},
	{"Rekey", combinations.Growing, nil, func(ctx context.Context, s *errands) error {
		was := s.n
		s.n *= 3
		for range 3 {
			done, err := admin.Rekey(ctx, s.in(was), admin.Run{})
			if err != nil || done.Done() {
				return err
			}
			s.server.Advance(grace)
		}
		return errors.New("Rekey does not end")
	}},
	{"Migration", combinations.Formerly, nil, func(ctx context.Context, s *errands) error {
		old := s.container
		s.container = old + "-m" + s.kind
		if err := s.make(ctx, s.container); err != nil {
			return err
		}
		same := func(t *errand) *errand { return t }
		for _, phase := range []repository.Phase{repository.PhaseOld, repository.PhaseBoth, repository.PhaseNew, repository.PhaseDone} {
			m := repository.NewMigration(repository.New(s.at(old), s.model(0)), repository.New(s.at(s.container), s.model(0)), phase, same, same,
				func(k errandKey) (errandKey, errandKey) { return k, k })
			shown := map[errandKey]int{}
			q := repository.InBoth(m, repository.New(s.at(old), s.model(0)).Scan(), repository.New(s.at(s.container), s.model(0)).Scan())
			for doc, err := range q.All(ctx) {
				if err != nil {
					return err
				}
				shown[errandKey{doc.ID, doc.Line, doc.VIN}] = doc.Speed
			}
			if !maps.Equal(shown, s.want) {
				return fmt.Errorf("in phase %d, Scan gives %d of %d documents", phase, len(shown), len(s.want))
			}
			if s.deletes {
				if err := s.deleteOver(ctx, m); err != nil {
					return fmt.Errorf("in phase %d: %w", phase, err)
				}
			}
			if phase < repository.PhaseNew {
				continue
			}
			if done, err := admin.MoveAll(ctx, m, admin.Run{}); err != nil || !done.Done {
				return fmt.Errorf("in phase %d: %+v, %w", phase, done, err)
			}
		}
		return nil
	}},
	{"MoveTenant", combinations.Own, nil, func(ctx context.Context, s *errands) error {
		shared := s.container
		s.container = shared + "-t"
		if err := s.make(ctx, s.container); err != nil {
			return err
		}
		directory, err := tenancy.EnsureTenantDirectory(ctx, s.db, "directory", admin.AnyThroughput(), tenancy.WithResidenceTTL(200*time.Millisecond), tenancy.WithResidenceGrace(400*time.Millisecond))
		if err == nil {
			_, err = tenancy.Move(ctx, s.db, directory, tenancy.TenantMove{Shared: shared, Tenant: errandLine, To: s.container, Queries: time.Nanosecond})
		}
		return err
	}},
	{"deleted", combinations.Deleted, func(s *errands) { s.deletes = true }, func(ctx context.Context, s *errands) error {
		for i, key := range s.some(2) {
			err := s.in(0).Delete(ctx, key)
			switch {
			case err != nil:
			case i%3 == 0:
				_, err = repository.Restore(ctx, s.in(0), key)
			case i%3 == 1:
				err = repository.Purge(ctx, s.in(0), key)
				delete(s.want, key)
			default:
				s.rest[key] = s.want[key]
				delete(s.want, key)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}},
	{"unique", combinations.Unique, func(s *errands) { s.unique = true }, func(ctx context.Context, s *errands) error {
		for key := range s.want { // documents of earlier releases have no reservations
			if err := s.in(0).Update(ctx, key, func(*errand) error { return nil }); err != nil {
				return err
			}
		}
		for i := range 6 {
			i += 900 + 10*len(s.want)
			if err := s.create(i); err != nil {
				return err
			}
			twin := &errand{ID: s.prefix + "twin", Line: errandLine, VIN: "twin", Mail: fmt.Sprintf("%s-%d@x", s.prefix, i)}
			if err := s.in(0).Create(ctx, twin); !errors.Is(err, repository.ErrAlreadyExists) {
				return fmt.Errorf("a second document with a value: %w", err)
			}
		}
		return nil
	}},
	{"Upgrade", combinations.Schema, func(s *errands) { s.form = max(s.form, 1) + 1 }, func(ctx context.Context, s *errands) error {
		for i, key := range s.some(0) { // some are read and written, and others renewed by the pass
			if i%2 == 0 {
				if err := s.in(0).Update(ctx, key, func(t *errand) error { t.Speed++; return nil }); err != nil {
					return err
				}
				s.want[key]++
			}
		}
		done, err := admin.Upgrade(ctx, s.in(0), admin.Run{})
		if err == nil && !done.Done() {
			err = fmt.Errorf("%+v", done)
		}
		return err
	}},
}

// deleteOver deletes a document by a repository over both containers, and restores it.
func (s *errands) deleteOver(ctx context.Context, m *repository.Migration[errand, errandKey]) error {
	key := s.some(0)[0]
	doc, err := m.Get(ctx, key)
	if err == nil {
		err = m.Delete(ctx, key)
	}
	if err != nil {
		return err
	}
	_, read := m.Get(ctx, key)
	for what, failed := range map[string]struct{ got, want error }{
		"Get":     {read, repository.ErrNotFound},
		"Delete":  {m.Delete(ctx, key), repository.ErrNotFound},
		"Replace": {m.Replace(ctx, doc), repository.ErrNotFound},
		"Create":  {m.Create(ctx, doc), repository.ErrAlreadyExists},
		"Upsert":  {m.Upsert(ctx, doc), repository.ErrAlreadyExists},
	} {
		if !errors.Is(failed.got, failed.want) || !errors.Is(failed.got, repository.ErrDeleted) {
			return fmt.Errorf("%s of a deleted document: %w", what, failed.got)
		}
	}
	if restored, err := m.Restore(ctx, key); err != nil || restored == nil {
		return fmt.Errorf("restored is %+v: %w", restored, err)
	}
	for what, err := range map[string]error{"Restore": kit.ErrorOf(m.Restore(ctx, key)), "Purge": m.Purge(ctx, key)} {
		if !errors.Is(err, repository.ErrPreconditionFailed) {
			return fmt.Errorf("%s of a document that is not deleted: %w", what, err)
		}
	}
	for key := range s.rest {
		if err := m.Purge(ctx, key); err != nil {
			return err
		}
		delete(s.rest, key)
		break
	}
	return nil
}

// make makes a container for errands.
func (s *errands) make(ctx context.Context, id string) error {
	_, err := s.db.CreateContainer(ctx, harness.Properties(id, "/line", "/pk"), nil)
	return err
}

// newErrands returns errands of several types in one container, or if own is false, of one
// type in it.
func newErrands(t *testing.T, own bool, names ...string) []*errands {
	t.Helper()
	server, db := kit.NewDatabase(t, emulator.Options{Partitions: 2}, nil)
	var all []*errands
	for _, name := range names {
		s := &errands{server: server, db: db, prefix: name, container: "errands", n: 4, want: map[errandKey]int{}, rest: map[errandKey]int{}}
		if own {
			s.kind = name
		}
		if all == nil {
			if err := s.make(t.Context(), s.container); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 18 {
			if err := s.create(i); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, s)
	}
	return all
}

// check has everything that reads read the errands.
func (s *errands) check(t *testing.T, after string) {
	t.Helper()
	ctx := t.Context()
	d := s.in(0)
	compare := func(what string, docs []*errand, err error) {
		t.Helper()
		got := map[errandKey]int{}
		for _, doc := range docs {
			got[errandKey{doc.ID, doc.Line, doc.VIN}] = doc.Speed
		}
		if err != nil || len(docs) != len(s.want) || !maps.Equal(got, s.want) {
			t.Errorf("after %s: %s gives %d documents, %d different ones, of %d: %v", after, what, len(docs), len(got), len(s.want), err)
		}
	}
	docs, err := d.Scan().Collect(ctx)
	compare("Scan", docs, err)
	byLine := repository.NewQuery(d, generated.Prefix([]any{errandLine}))
	docs, err = byLine.Collect(ctx)
	compare("ByLine", docs, err)
	if n, err := byLine.Count(ctx); err != nil || n != len(s.want) {
		t.Errorf("after %s: Count is %d of %d, %v", after, n, len(s.want), err)
	}
	docs = nil
	for cursor := ""; ; {
		page, err := d.Scan().Page(ctx, cursor, 7)
		docs = append(docs, page.Items...)
		if cursor = page.Cursor; err != nil || cursor == "" {
			compare("Page", docs, err)
			break
		}
	}
	keys := slices.Collect(maps.Keys(s.want))
	docs, err = d.GetMany(ctx, keys)
	if err == nil && slices.Contains(docs, nil) {
		err = errors.New("one is missing")
	} else if err == nil {
		compare("GetMany", docs, nil)
	}
	for _, key := range keys {
		if _, one := d.Get(ctx, key); one != nil {
			err = one
		}
	}
	for key := range s.rest {
		if _, one := d.Get(ctx, key); !errors.Is(one, repository.ErrNotFound) {
			err = fmt.Errorf("a deleted document: %w", one)
		}
		if _, one := repository.WithDeleted(d).Get(ctx, key); one != nil {
			err = one
		}
	}
	if err != nil {
		t.Errorf("after %s: %v", after, err)
	}
	docs = nil
	deleted := 0
	for change, one := range feed.Changes(ctx, d, feed.FromBeginning(), feed.UntilCaughtUp()) {
		if err = one; err != nil {
			break
		}
		if change.Deleted {
			deleted++
		} else {
			docs = append(docs, change.Doc)
		}
	}
	compare("Changes", docs, err)
	if deleted != len(s.rest) {
		t.Errorf("after %s: Changes gives %d deletions of %d", after, deleted, len(s.rest))
	}
}

// TestPairsInTurn lets each two features work on the documents of one type, the second on
// what the first has left.
func TestPairsInTurn(t *testing.T) {
	part := seeds.Part(t, "three quarters of the pairs")
	for i, first := range errandSteps {
		for j, second := range errandSteps {
			refused := first.tag != nil && combinations.Of(first.feature, second.feature) != nil
			if refused || part && (i+j)%4 != 1 {
				continue
			}
			t.Run(first.name+" and then "+second.name, func(t *testing.T) {
				t.Parallel()
				s := newErrands(t, false, "e")[0]
				for _, step := range []errandStep{first, second} {
					if step.tag != nil {
						step.tag(s)
					}
					if err := step.run(t.Context(), s); err != nil {
						t.Fatalf("%s: %v", step.name, err)
					}
					s.check(t, step.name)
				}
			})
		}
	}
}

// atOnce lets two features work at once.
func atOnce(t *testing.T, on []*errands, steps ...errandStep) {
	t.Helper()
	var both sync.WaitGroup
	for i, step := range steps {
		both.Go(func() {
			if err := step.run(t.Context(), on[i]); err != nil {
				t.Errorf("%s: %v", step.name, err)
			}
		})
	}
	both.Wait()
}

// TestPairsAtOnce lets each two features work at once, on two types of one container.
// Tenants of both move together, so MoveTenant is not among them.
func TestPairsAtOnce(t *testing.T) {
	steps := slices.DeleteFunc(slices.Clone(errandSteps), func(s errandStep) bool { return s.name == "MoveTenant" })
	part := seeds.Part(t, "three quarters of the pairs")
	for i, a := range steps {
		for j, b := range steps[i:] {
			if part && j%4 != 1 {
				continue
			}
			t.Run(a.name+" and "+b.name, func(t *testing.T) {
				t.Parallel()
				all := newErrands(t, true, "a", "b")
				for i, step := range []errandStep{a, b} {
					if step.tag != nil {
						step.tag(all[i])
					}
				}
				atOnce(t, all, a, b)
				for i, step := range []errandStep{a, b} {
					all[i].check(t, step.name)
				}
			})
		}
	}
}

// TestPairsOfOneType lets two features work at once, on documents of one type: each changes
// half of them, and Upgrade renews all. TestPairs of package generator has the pairs that one
// type cannot have.
func TestPairsOfOneType(t *testing.T) {
	steps := map[string]errandStep{}
	for _, s := range errandSteps {
		steps[s.name] = s
	}
	for _, pair := range [][2]string{{"Move", "deleted"}, {"Move", "Upgrade"}, {"deleted", "unique"}, {"deleted", "Upgrade"}, {"unique", "Upgrade"}, {"Rekey", "Rekey"}} {
		t.Run(pair[0]+" and "+pair[1], func(t *testing.T) {
			t.Parallel()
			all := newErrands(t, false, "a", "b")
			a, b := steps[pair[0]], steps[pair[1]]
			for _, s := range all {
				for _, step := range []errandStep{a, b} {
					if step.tag != nil {
						step.tag(s)
					}
				}
			}
			atOnce(t, all, a, b)
			maps.Copy(all[0].want, all[1].want)
			maps.Copy(all[0].rest, all[1].rest)
			all[0].check(t, pair[0]+" and "+pair[1])
		})
	}
}
