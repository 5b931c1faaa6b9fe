package unique_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func ada() *fixtures.Member {
	return &fixtures.Member{ID: "u1", Region: "eu", Email: "ada@example.com", Badge: 7, Name: "Ada"}
}

// TestUniqueValues is what callers see, without faults.
func TestUniqueValues(t *testing.T) {
	t.Parallel()
	_, container, r := newMembers(t)
	ctx := context.Background()
	is := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Fatalf("%s: got %v, want %v", what, err, want)
		}
	}
	holds := func(email, id string) {
		t.Helper()
		got, err := repository.GetByUnique(ctx, r, "email", email)
		if id == "" {
			is("GetBy "+email, err, repository.ErrNotFound)
			return
		}
		if err != nil || got.ID != id || got.Email != email {
			t.Fatalf("GetBy %s: %+v, %v", email, got, err)
		}
	}
	stored := func(visible, reservations int) {
		t.Helper()
		s, err := takeStock(container)
		if err == nil {
			err = s.check()
		}
		if err != nil || len(s.visible) != visible || len(s.reservations) != reservations || len(s.hidden) > 0 {
			t.Fatalf("%d visible, %d reservations, %d hidden: %v", len(s.visible), len(s.reservations), len(s.hidden), err)
		}
	}

	one := ada()
	is("create", r.Create(ctx, one), nil)
	stored(1, 2)
	holds("ada@example.com", "u1")
	two := &fixtures.Member{ID: "u2", Region: "us", Email: "ada@example.com", Badge: 8}
	err := r.Create(ctx, two)
	is("create of a value that is taken", err, repository.ErrNotUnique)
	is("create of a value that is taken", err, repository.ErrAlreadyExists)
	if text := err.Error(); text != `create Member "u2" in partition "us": the property email: another document has this value` {
		t.Errorf("the error says %s", text)
	}
	stored(1, 2)
	two.Email, two.Badge = "bob@example.com", 7
	err = r.Create(ctx, two)
	is("create of the second property's value", err, repository.ErrNotUnique)
	if !strings.Contains(err.Error(), "badge") {
		t.Errorf("the error says %v", err)
	}
	stored(1, 2)
	two.Badge = 8
	is("create", r.Create(ctx, two), nil)
	err = r.Create(ctx, &fixtures.Member{ID: "u2", Region: "us", Email: "eve@example.com"})
	is("create of an id that is taken", err, repository.ErrAlreadyExists)
	if errors.Is(err, repository.ErrNotUnique) {
		t.Errorf("%v is about a value", err)
	}
	stored(2, 4)

	two.Email = "ada@example.com"
	is("replace", r.Replace(ctx, two), repository.ErrNotUnique)
	two.Email, two.Name = "bob@example.com", "Bob"
	is("replace of the same value", r.Replace(ctx, two), nil)
	old := two.ETag
	two.Email = "robert@example.com"
	is("replace of another value", r.Replace(ctx, two), nil)
	stored(2, 4)
	holds("bob@example.com", "")
	holds("robert@example.com", "u2")
	two.ETag = old
	is("replace of an old version", r.Replace(ctx, two), repository.ErrPreconditionFailed)
	two.ETag = ""
	is("update", r.Update(ctx, two.Key(), func(m *fixtures.Member) error { m.Email = ""; return nil }), nil)
	stored(2, 3)
	is("update", r.Update(ctx, two.Key(), func(m *fixtures.Member) error { m.Email = "ada@example.com"; return nil }), repository.ErrNotUnique)
	is("replace without an ETag", r.Replace(ctx, &fixtures.Member{ID: "u2", Region: "us", Email: "bob@example.com", Badge: 8}), nil)
	stored(2, 4)

	is("upsert of a value that is taken", r.Upsert(ctx, &fixtures.Member{ID: "u3", Region: "us", Email: "ada@example.com"}), repository.ErrNotUnique)
	is("upsert of a new document", r.Upsert(ctx, &fixtures.Member{ID: "u3", Region: "us", Email: "eve@example.com"}), nil)
	is("upsert of an old one", r.Upsert(ctx, &fixtures.Member{ID: "u3", Region: "us", Email: "eva@example.com"}), nil)
	stored(3, 5)
	holds("eve@example.com", "")
	holds("eva@example.com", "u3")

	is("delete", r.Delete(ctx, fixtures.MemberKey{ID: "u3", Region: "us"}), nil)
	is("delete of none", r.Delete(ctx, fixtures.MemberKey{ID: "u3", Region: "us"}), repository.ErrNotFound)
	stored(2, 4)
	is("delete of a version", r.DeleteIfMatch(ctx, one), nil)
	stored(1, 2)
	holds("ada@example.com", "")
	is("create anew", r.Create(ctx, ada()), nil)
	stored(2, 4)

	docs, err := repository.NewQuery(r, repositoryKeys()).Collect(ctx)
	if err != nil || len(docs) != 2 {
		t.Errorf("a query finds %d documents: %v", len(docs), err)
	}
	n, err := repository.NewQuery(r, repositoryKeys()).Count(ctx)
	if err != nil || n != 2 {
		t.Errorf("a query counts %d documents: %v", n, err)
	}
}

// TestUniqueInBulk creates, stores and deletes many documents at once.
func TestUniqueInBulk(t *testing.T) {
	t.Parallel()
	_, container, r := newMembers(t)
	ctx := context.Background()
	docs := []*fixtures.Member{
		{ID: "a", Region: "eu", Email: "a@example.com"}, {ID: "b", Region: "eu", Email: "b@example.com"},
		{ID: "c", Region: "us", Email: "a@example.com"}, {ID: "d", Region: "us"}, {ID: "e", Region: "us"},
	}
	summary, err := r.CreateAll(documents.Items(docs...), documents.InBatches()).Collect(ctx)
	if !errors.Is(err, repository.ErrNotUnique) || summary.Failed != 1 {
		t.Fatalf("%d failed: %v", summary.Failed, err)
	}
	for _, doc := range docs {
		doc.Email = "new-" + doc.ID
	}
	if _, err = r.UpsertAll(documents.Items(docs...), documents.InBatches()).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if s, err := takeStock(container); err != nil || s.check() != nil || len(s.visible) != 5 || len(s.reservations) != 5 || len(s.hidden) > 0 {
		t.Fatalf("%+v: %v, %v", s, err, s.check())
	}
	if _, err = r.DeleteAll(documents.Items(docs[0].Key()), documents.InBatches()).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err = r.DeleteFound(repository.NewQuery(r, repositoryKeys()), documents.InBatches()).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if s, err := takeStock(container); err != nil || len(s.visible)+len(s.reservations)+len(s.hidden) > 0 {
		t.Fatalf("%+v: %v", s, err)
	}
}

// TestUniqueWithoutTypeName has a type that says nothing in the property by which another
// type of the container tells its documents: reservations are not its documents.
func TestUniqueWithoutTypeName(t *testing.T) {
	t.Parallel()
	_, container, _ := newMembers(t)
	ctx := context.Background()
	model := *fixtures.MemberModel
	model.Discriminator = &generated.Discriminator{Property: "type", Others: []string{"session"}}
	r := repository.New(container, &model)
	if err := r.Create(ctx, ada()); err != nil {
		t.Fatal(err)
	}
	s, err := takeStock(container)
	if err != nil || len(s.reservations) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	found, err := repository.NewQuery(r, repositoryKeys()).Collect(ctx)
	if err != nil || len(found) != 1 || found[0].ID != "u1" {
		t.Errorf("a query has %+v, %v", found, err)
	}
	for c, err := range feed.Changes(ctx, r, feed.FromBeginning(), feed.UntilCaughtUp()) {
		if err != nil || c.Doc.ID != "u1" {
			t.Errorf("the feed has %+v, %v", c.Doc, err)
		}
	}
	for _, held := range s.reservations {
		if _, err := r.Get(ctx, fixtures.MemberKey{ID: held.ID, Region: held.Region}); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("Get of a reservation: %v", err)
		}
	}
	if got, err := repository.GetByUnique(ctx, r, "email", "ada@example.com"); err != nil || got.ID != "u1" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.DeleteFound(repository.NewQuery(r, repositoryKeys())).Collect(ctx); err != nil {
		t.Error(err)
	}
	if s, err := takeStock(container); err != nil || len(s.visible)+len(s.hidden)+len(s.reservations) > 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestUniqueText finds a document by a value whose text is that of its pointer.
func TestUniqueText(t *testing.T) {
	t.Parallel()
	_, container, _ := newMembers(t)
	ctx := context.Background()
	r := fixtures.NewPlayerRepository(container).Documents
	if err := r.Create(ctx, &fixtures.Player{ID: "p1", Region: "eu", Handle: fixtures.Handle{Name: "Ada"}}); err != nil {
		t.Fatal(err)
	}
	if got, err := repository.GetByUnique(ctx, r, "handle", fixtures.Handle{Name: "ADA"}); err != nil || got.ID != "p1" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := repository.GetByUnique(ctx, r, "handle", nil); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("no value: %v", err)
	}
	if err := r.Create(ctx, &fixtures.Player{ID: "p2", Region: "us", Handle: fixtures.Handle{Name: "aDA"}}); !errors.Is(err, repository.ErrNotUnique) {
		t.Errorf("another text of the value: %v", err)
	}
}

// TestUniqueInBulkThrottled has the service refuse the requests that follow the first one of
// a creation, until the program gives up. A bulk operation sends the item again, and takes
// what it has left itself for its own.
func TestUniqueInBulkThrottled(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, write := range map[string]func(*members, *fixtures.Member) (documents.Summary, error){
		"CreateAll": func(r *members, m *fixtures.Member) (documents.Summary, error) {
			return r.CreateAll(documents.Items(m)).Collect(ctx)
		},
		"UpsertAll": func(r *members, m *fixtures.Member) (documents.Summary, error) {
			return r.UpsertAll(documents.Items(m)).Collect(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, container, _ := newMembers(t)
			r := repository.New(container, fixtures.MemberModel)
			server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Skip: 1, Count: 25, Status: 429, RetryAfter: time.Millisecond})
			server.Inject(emulator.Fault{Operation: emulator.OpDeleteItem, Count: 25, Status: 429, RetryAfter: time.Millisecond})
			if _, err := write(r, ada()); err != nil {
				t.Error(err)
			}
			if got, err := repository.GetByUnique(ctx, r, "email", "ada@example.com"); err != nil || got.ID != "u1" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// TestUniqueRefused has the operations that cannot keep values unique.
func TestUniqueRefused(t *testing.T) {
	t.Parallel()
	_, container, r := newMembers(t)
	ctx := context.Background()
	one := ada()
	if err := r.Create(ctx, one); err != nil {
		t.Fatal(err)
	}
	moved := ada()
	moved.Region = "us"
	tx := repository.NewTransaction()
	taken := &fixtures.Member{ID: reservation.IDPrefix + "x", Region: "eu"}
	large := &fixtures.Member{ID: "large", Region: "eu", Badge: 1<<53 + 1}
	marked := repository.New(container, fixtures.MarkedMemberModel)
	abroad := func(m *fixtures.Member) error { m.Region = "us"; return nil } //nolint:pkgen // it is refused
	_, unread := repository.GetByUnique(ctx, r, "email", "\xff")
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"move":   {r.Move(ctx, one.Key(), moved), "one value: delete the document, and create it"},
		"moved":  {marked.Move(ctx, one.Key(), moved), "one value: delete and purge the document, and then create it"},
		"update": {r.Update(ctx, one.Key(), abroad), "of another key: delete the document, and create it"},
		"marked": {marked.Update(ctx, one.Key(), abroad), "of another key: delete and purge the document, and then create it"},
		"create": {r.In(tx).Create(ada()), "outside of a transaction"},
		"delete": {r.In(tx).Delete(one.Key()), "outside of a transaction"},
		"purge":  {marked.In(tx).Purge(ctx, one.Key()), "outside of a transaction"},
		"id":     {r.Create(ctx, taken), "choose another one"},
		"ids":    {r.Upsert(ctx, taken), "choose another one"},
		"number": {r.Create(ctx, large), "rounds integers"},
		"patch":  {r.Patch(ctx, one.Key(), repository.PatchValue[fixtures.Member, string]("/email").Set("x")), "use Update"},
		"bytes":  {r.Create(ctx, &fixtures.Member{ID: "bytes", Region: "eu", Email: "\xff"}), "Member.Email: the text is not valid UTF-8"},
		"get":    {unread, "not valid UTF-8"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v", name, test.err)
		}
	}
	if err := tx.Commit(ctx); err == nil {
		t.Error("a transaction with refused operations was committed")
	}
	if err := r.Patch(ctx, one.Key(), repository.PatchValue[fixtures.Member, string]("/name").Set("x")); err != nil {
		t.Error(err)
	}
}

// TestUniqueMarksInTransactions marks a document in a transaction, and takes the mark away. Its
// value stays its own, until it is purged.
func TestUniqueMarksInTransactions(t *testing.T) {
	t.Parallel()
	_, container, _ := newMembers(t)
	ctx := t.Context()
	r := repository.New(container, fixtures.MarkedMemberModel)
	one := ada()
	if err := r.Create(ctx, one); err != nil {
		t.Fatal(err)
	}
	again := ada()
	again.ID = "u2"
	tx := repository.NewTransaction()
	if err := errors.Join(r.In(tx).DeleteIfMatch(one), tx.Commit(ctx)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get(ctx, one.Key()); !errors.Is(err, repository.ErrDeleted) {
		t.Error(err)
	}
	if err := r.Create(ctx, again); !errors.Is(err, repository.ErrNotUnique) {
		t.Error(err)
	}
	for _, change := range []func(tx *repository.Transaction) error{
		func(tx *repository.Transaction) error { return r.In(tx).Restore(ctx, one.Key()) },
		func(tx *repository.Transaction) error { return r.In(tx).Delete(one.Key()) },
	} {
		if err := r.InTransaction(ctx, one.Key(), change); err != nil {
			t.Fatal(err)
		}
	}
	if err := repository.Purge(ctx, r, one.Key()); err != nil {
		t.Fatal(err)
	}
	if err := r.Create(ctx, again); err != nil {
		t.Error(err)
	}
}

// TestUniqueAfterACrash kills a program before each request of each operation, and after it.
// The remains block no program after the bound.
func TestUniqueAfterACrash(t *testing.T) {
	t.Parallel()
	operations := map[string]func(ctx context.Context, r *members) error{
		"create": func(ctx context.Context, r *members) error {
			return r.Create(ctx, &fixtures.Member{ID: "n", Region: "eu", Email: "new@example.com", Badge: 1})
		},
		"replace": func(ctx context.Context, r *members) error {
			return r.Replace(ctx, &fixtures.Member{ID: "u1", Region: "eu", Email: "new@example.com", Badge: 1})
		},
		"upsert": func(ctx context.Context, r *members) error {
			return r.Upsert(ctx, &fixtures.Member{ID: "u1", Region: "eu", Email: "new@example.com", Badge: 1})
		},
		"update": func(ctx context.Context, r *members) error {
			return r.Update(ctx, fixtures.MemberKey{ID: "u1", Region: "eu"}, func(m *fixtures.Member) error { m.Email, m.Badge = "new@example.com", 1; return nil })
		},
		"delete": func(ctx context.Context, r *members) error {
			return r.Delete(ctx, fixtures.MemberKey{ID: "u1", Region: "eu"})
		},
	}
	for name, operation := range operations {
		for _, after := range []bool{false, true} {
			server, container, r := newMembers(t)
			for n := 0; ; n++ {
				server.ClearFaults()
				clearMembers(t, container)
				ctx := context.Background()
				if err := r.Create(ctx, ada()); err != nil {
					t.Fatal(err)
				}
				c := &harness.Crash{At: n, After: after}
				process, crashed := c.Context(ctx)
				err := operation(process, repository.New(server.Container("members", repository.Configure(harness.PerRetry(harness.Intercepted))), fixtures.MemberModel))
				if !crashed() {
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					break
				}
				s, err := takeStock(container)
				if err == nil {
					err = s.check()
				}
				if err != nil {
					t.Fatalf("%s, killed at request %d (after: %t): %v", name, n, after, err)
				}
				server.Advance(11 * time.Second)
				free(t, container, r)
			}
		}
	}
}

// free checks that each value and id is that of a visible document, or can be taken.
func free(t *testing.T, container *azcosmos.ContainerClient, r *members) {
	t.Helper()
	ctx := context.Background()
	for i, email := range []string{"ada@example.com", "new@example.com"} {
		doc := &fixtures.Member{ID: "free" + email[:3], Region: "us", Email: email, Badge: []int{7, 1}[i]}
		holder, err := repository.GetByUnique(ctx, r, "email", email)
		if err == nil {
			if err = r.Create(ctx, doc); !errors.Is(err, repository.ErrNotUnique) {
				t.Fatalf("%s is held by %+v, and a create gives %v", email, holder, err)
			}
			continue
		}
		if err := r.Create(ctx, doc); err != nil {
			t.Fatalf("%s is held by nobody, and blocked: %v", email, err)
		}
	}
	for _, id := range []string{"u1", "n"} {
		_, err := r.Get(ctx, fixtures.MemberKey{ID: id, Region: "eu"})
		created := r.Create(ctx, &fixtures.Member{ID: id, Region: "eu"})
		if err == nil && !errors.Is(created, repository.ErrAlreadyExists) || err != nil && created != nil {
			t.Fatalf("%s: %v, and a create gives %v", id, err, created)
		}
	}
	s, err := takeStock(container)
	if err == nil {
		err = s.check()
	}
	if err != nil {
		t.Fatal(err)
	}
}
