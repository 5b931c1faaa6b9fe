package stored

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/stored/first"
	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// unfinished is how long an unfinished write of a unique value may block others.
const unfinished = 11 * time.Second

var userKeys = func() (keys []second.UserKey) {
	for i := range 5 {
		keys = append(keys, second.UserKey{ID: fmt.Sprintf("u%d", i), Region: []string{"eu", "us"}[i%2]})
	}
	return keys
}()

// emails are those that steps give to users.
var emails = strings.Split("abcdef", "")

func userOf(i int, email string) *second.User {
	return &second.User{ID: userKeys[i].ID, Region: userKeys[i].Region, Email: email, Given: "Ada", Family: "Lovelace", Place: "London"}
}

func aUser(u *second.User) (id, text string) {
	return u.ID, fmt.Sprintf("%s %s, %s %s, %s", u.Region, u.Email, u.Given, u.Family, u.Place)
}

// stored is the text of a user of userOf.
func storedUser(i int, email string) string {
	_, text := aUser(userOf(i, email))
	return text
}

func (p *program) users() *second.UserRepository {
	return second.NewUserRepository(p.container("users"), repository.WithConcurrency(1))
}

func prepareUsers(p *program) {
	p.create(second.UserContainer())
	p.need(p.users().Create(p.ctx, userOf(0, "a")))
	p.need(p.users().Create(p.ctx, userOf(1, "b")))
}

func readUsers(p *program) state {
	p.Helper()
	r := p.users()
	one := got(p, "Get", func(k second.UserKey) (*second.User, error) { return r.Get(p.ctx, k) }, aUser, userKeys...)
	if p.ways == glance {
		return one.docs
	}
	byEmail := got(p, "GetByEmail", func(email string) (*second.User, error) { return r.GetByEmail(p.ctx, email) }, aUser, emails...)
	all := counted(p, r.Scan(), listed(p, "Scan", r.Scan().All(p.ctx), aUser))
	if p.ways == look {
		return p.same(one, byEmail, all)
	}
	return p.same(one, byEmail, all,
		paged(p, "Page", r.Scan().OrderBy(second.UserFields.Email.Desc()), "", aUser),
		fed(p, r.Documents, feed.FromBeginning(), aUser).only(one),
	)
}

// settleUsers demands that what an unfinished write has left is what pkgen-data verify -mend
// removes, and that each user has one reservation afterwards.
func settleUsers(p *program) {
	p.Helper()
	p.mended("users")
}

// mended demands that pkgen-data verify -mend removes all that unfinished writes of unique values
// have left, and that there was nothing worse.
func (p *program) mended(container string) {
	p.Helper()
	time.Sleep(unfinished)
	for _, typ := range p.verified(container, true).Types {
		for _, f := range typ.Findings {
			if f.Name != verify.LeftReservation && f.Name != verify.LeftHidden || f.Mended != f.Documents {
				p.Errorf("pkgen-data verify says of %s: %+v", container, f)
			}
		}
	}
	p.clean(container)
	report := p.verified(container, false)
	if documents := report.Types[0].Documents; report.Reservations != documents || report.Documents != 2*documents {
		p.Errorf("%s has %d documents, and %d reservations among %d items", container, documents, report.Reservations, report.Documents)
	}
}

// takeEmails gives each value to another user, once an unfinished write blocks it no more:
// this is refused if somebody has the value, and only then.
var takeEmails = ending{"taken", func(p *program, got state) {
	p.Helper()
	time.Sleep(unfinished)
	want := got
	for _, email := range emails {
		had := false
		for _, text := range got {
			had = had || strings.Contains(text, " "+email+", ")
		}
		other := userOf(0, email)
		other.ID = "x" + email
		err := p.users().Create(p.ctx, other)
		if had != errors.Is(err, repository.ErrNotUnique) || !had && err != nil {
			p.Fatalf("Create of another with %s: %v, and somebody has it: %t", email, err, had)
		}
		if !had {
			want = want.with(state{other.ID: storedUser(0, email)})
		}
	}
	r := p.users()
	p.expect("when values were taken", want, p.same(
		listed(p, "Scan", r.Scan().All(p.ctx), aUser),
		gotBy(p, "GetByEmail", r.GetByEmail, aUser, emails),
	))
	p.mended("users")
}}

func gotBy[T any](p *program, name string, get func(context.Context, string) (*T, error), k kind[T], values []string) view {
	p.Helper()
	return got(p, name, func(value string) (*T, error) { return get(p.ctx, value) }, k, values...)
}

func earlierUser(i int, email string) *first.User {
	return &first.User{ID: userKeys[i].ID, Region: userKeys[i].Region, Email: email, Name: "Ada Lovelace", City: "London"}
}

var userScenarios = []scenario{
	{
		name: "unique", about: "Writes that give unique values, change them, and free them.",
		prepare: prepareUsers, before: state{"u0": storedUser(0, "a"), "u1": storedUser(1, "b")},
		read: readUsers, settle: settleUsers, endings: []ending{takeEmails},
		steps: []step{
			{name: "Create u2", run: func(p *program) error { return p.users().Create(p.ctx, userOf(2, "c")) }, effect: state{"u2": storedUser(2, "c")}},
			{name: "Upsert u1 with another value", run: func(p *program) error { return p.users().Upsert(p.ctx, userOf(1, "d")) }, effect: state{"u1": storedUser(1, "d")}},
			{name: "Upsert u3", run: func(p *program) error { return p.users().Upsert(p.ctx, userOf(3, "b")) }, effect: state{"u3": storedUser(3, "b")}},
			{name: "Replace u0 with another value", run: func(p *program) error { return p.users().Replace(p.ctx, userOf(0, "e")) }, effect: state{"u0": storedUser(0, "e")}},
			{name: "Update u2 to another value", run: func(p *program) error {
				return p.users().Update(p.ctx, userKeys[2], func(u *second.User) error { u.Email = "f"; return nil })
			}, effect: state{"u2": storedUser(2, "f")}},
			{name: "Delete u0", run: func(p *program) error { return p.users().Delete(p.ctx, userKeys[0]) }, effect: state{"u0": ""}},
			{name: "Create u4 with the value of u0", run: func(p *program) error { return p.users().Create(p.ctx, userOf(4, "e")) }, effect: state{"u4": storedUser(4, "e")}},
			{name: "Delete u4", run: func(p *program) error { return p.users().Delete(p.ctx, userKeys[4]) }, effect: state{"u4": ""}},
		},
	},
	{
		name: "upgrade", about: "Upgrade stores four users of form 1 in form 2, and renames a property.",
		prepare: func(p *program) {
			p.create(second.UserContainer())
			for i, email := range emails[:4] {
				p.need(first.NewUserRepository(p.container("users")).Create(p.ctx, earlierUser(i, email)))
			}
		},
		before: state{"u0": storedUser(0, "a"), "u1": storedUser(1, "b"), "u2": storedUser(2, "c"), "u3": storedUser(3, "d")},
		read:   readUsers,
		settle: func(p *program) {
			if s, err := admin.Upgrade(p.ctx, p.users().Documents, admin.Run{}); err != nil || !s.Done() {
				p.Errorf("Upgrade: %+v, %v", s, err)
			}
			for _, doc := range p.raw("users") {
				if !strings.Contains(doc, `"_unique"`) && (!strings.Contains(doc, `"form":2`) || strings.Contains(doc, `"city"`) || strings.Contains(doc, `"name"`)) {
					p.Errorf("after Upgrade there is %s", doc)
				}
			}
			settleUsers(p)
		},
		endings: []ending{takeEmails},
		steps: []step{
			{name: "Update u0 of form 1", run: func(p *program) error {
				return p.users().Update(p.ctx, userKeys[0], func(u *second.User) error { u.Place = "Paris"; return nil })
			}, effect: state{"u0": strings.Replace(storedUser(0, "a"), "London", "Paris", 1)}},
			{name: "Upgrade", run: func(p *program) error {
				s, err := admin.Upgrade(p.ctx, p.users().Documents, admin.Run{})
				if err == nil && !s.Done() {
					err = s.Err
				}
				return err
			}},
		},
	},
}
