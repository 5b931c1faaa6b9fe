package stored

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/stored/second"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

var memberKeys = func() (keys []second.MemberKey) {
	for i := range 5 {
		keys = append(keys, second.MemberKey{ID: fmt.Sprintf("m%d", i), Club: []string{"chess", "go"}[i%2]})
	}
	return keys
}()

var addresses = strings.Split("abcde", "")

func memberOf(i int, address string) *second.Member {
	return &second.Member{ID: memberKeys[i].ID, Club: memberKeys[i].Club, Address: address}
}

// deleted is the end of the text of a member that is marked.
const deleted = ", deleted"

func aMember(m *second.Member) (id, text string) {
	text = m.Club + " " + m.Address
	if !m.Deleted.IsZero() {
		text += deleted
	}
	if m.Created.IsZero() || m.Updated.Compare(m.Created) < 0 || m.Version < 1 {
		text += ", without stamps"
	}
	return m.ID, text
}

func (p *program) members() *second.MemberRepository {
	return second.NewMemberRepository(p.container("members"), repository.WithConcurrency(1))
}

func prepareMembers(p *program) {
	p.create(second.MemberContainer())
	for i := range 3 {
		p.need(p.members().Create(p.ctx, memberOf(i, addresses[i])))
	}
}

// readMembers returns the members that are marked, too. The others are those that readers
// see who do not ask for marked ones.
func readMembers(p *program) state {
	p.Helper()
	shown, r := p.members(), p.members().WithDeleted()
	get := func(r *second.MemberRepository) func(k second.MemberKey) (*second.Member, error) {
		return func(k second.MemberKey) (*second.Member, error) { return r.Get(p.ctx, k) }
	}
	one := got(p, "Get with deleted", get(r), aMember, memberKeys...)
	if p.ways == glance {
		return one.docs
	}
	views := []view{
		one,
		listed(p, "Scan with deleted", r.Scan().All(p.ctx), aMember),
		gotBy(p, "GetByAddress with deleted", r.GetByAddress, aMember, addresses),
	}
	visible := view{one.name, maps.Clone(one.docs)}
	maps.DeleteFunc(visible.docs, func(_, text string) bool { return strings.HasSuffix(text, deleted) })
	p.same(visible,
		got(p, "Get", get(shown), aMember, memberKeys...),
		counted(p, shown.Scan(), listed(p, "Scan", shown.Scan().All(p.ctx), aMember)),
		gotBy(p, "GetByAddress", shown.GetByAddress, aMember, addresses),
	)
	if p.ways == study {
		views = append(views,
			paged(p, "Page with deleted", r.Scan().OrderBy(second.MemberFields.Address.Asc()), "", aMember),
			fed(p, shown.Documents, feed.FromBeginning(), aMember).only(one),
		)
	}
	return p.same(views...)
}

// settleMembers waits for an hour in the end: members that are marked are removed by then, and
// no others.
func settleMembers(p *program) {
	p.Helper()
	p.mended("members")
	p.kept = readMembers(p)
	left := maps.Clone(p.kept)
	maps.DeleteFunc(left, func(_, text string) bool { return strings.HasSuffix(text, deleted) })
	time.Sleep(time.Hour + unfinished)
	p.expect("after an hour", left, readMembers(p))
}

// expire waits until the service has removed what is marked: its addresses are free then.
var expire = ending{"expired", func(p *program, got state) {
	p.Helper()
	time.Sleep(time.Hour + unfinished)
	want := got
	for id, text := range got {
		if !strings.HasSuffix(text, deleted) {
			continue
		}
		want = want.with(state{id: ""})
		for i, key := range memberKeys {
			if key.ID == id {
				address := strings.TrimSuffix(strings.TrimPrefix(text, key.Club+" "), deleted)
				p.need(p.members().Create(p.ctx, memberOf(i, address)))
				want = want.with(state{id: strings.TrimSuffix(text, deleted)})
			}
		}
	}
	p.expect("after an hour", want, readMembers(p))
	settleMembers(p)
}}

var memberScenarios = []scenario{{
	name: "deletions", about: "Members with unique values are marked as deleted, restored, and purged.",
	prepare: prepareMembers, before: state{"m0": "chess a", "m1": "go b", "m2": "chess c"},
	read: readMembers, settle: settleMembers, ended: func(p *program) state { return p.kept },
	endings: []ending{expire},
	steps: []step{
		{name: "Delete m0", run: func(p *program) error { return p.members().Delete(p.ctx, memberKeys[0]) }, effect: state{"m0": "chess a" + deleted}},
		{name: "Restore m0", run: func(p *program) error {
			_, err := p.members().Restore(p.ctx, memberKeys[0])
			return err
		}, effect: state{"m0": "chess a"}},
		{name: "Delete m1", run: func(p *program) error { return p.members().Delete(p.ctx, memberKeys[1]) }, effect: state{"m1": "go b" + deleted}},
		{name: "Purge m1", run: func(p *program) error { return p.members().Purge(p.ctx, memberKeys[1]) }, effect: state{"m1": ""}},
		{name: "Create m3 with the value of m1", run: func(p *program) error { return p.members().Create(p.ctx, memberOf(3, "b")) }, effect: state{"m3": "go b"}},
		{name: "Upsert m0 with another value", run: func(p *program) error { return p.members().Upsert(p.ctx, memberOf(0, "d")) }, effect: state{"m0": "chess d"}},
		{name: "Update m2 to the value of m0", run: func(p *program) error {
			return p.members().Update(p.ctx, memberKeys[2], func(m *second.Member) error { m.Address = "a"; return nil })
		}, effect: state{"m2": "chess a"}},
		{name: "Delete m2", run: func(p *program) error { return p.members().Delete(p.ctx, memberKeys[2]) }, effect: state{"m2": "chess a" + deleted}},
		{name: "Delete m3", run: func(p *program) error { return p.members().Delete(p.ctx, memberKeys[3]) }, effect: state{"m3": "go b" + deleted}},
	},
}}
