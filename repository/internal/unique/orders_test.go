package unique_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This drives the code itself, not a model of it: programs send requests to a container
// in memory, and all orders are tried in which the requests can act. An order is a list
// of choices; the next one is found by raising the last choice that can be raised.

// program is an operation of one program, after which the document of an id has an e-mail
// address, or is gone.
type program struct {
	id, email string
	run       func(ctx context.Context, r *members) error
}

const gone = "gone"

// limits say how often each fault happens in one order, at most.
type limits struct {
	crashes  int // a program ends before a write
	losses   int // a write acts, and its answer is lost
	lates    int // a write is kept back, and acts at any later time or never
	advances int // the clock moves beyond the bound
	stale    int // a read finds what was there before
}

// scenario is what is stored, and who acts.
type scenario struct {
	name     string
	stored   []*fixtures.Member
	expired  []*fixtures.Member // whose reservations are left
	programs []program
	limits   limits
}

// order is one run of a scenario.
type order struct {
	*service
	scenario *scenario
	choices  []int // those to be made
	made     []int
	widths   []int // how many there were for each that was made
	random   *rand.Rand
	gates    []*gate
	late     []*http.Request
	left     limits
	log      []string
	wrong    error
	seen     map[string]bool   // the states that were met, nil if orders are drawn
	tokens   map[string]string // names of the tokens of attempts, which are random
	pruned   bool              // the state was met in another order
}

// gate is where a program waits.
type gate struct {
	waiting atomic.Pointer[http.Request]
	next    chan verdict
	crashed atomic.Bool
	done    atomic.Bool
	result  error
	history []string // what it has sent, and which answers it has
	tokens  int
}

type verdict struct {
	response *http.Response
	err      error
}

// choose returns a number below n: the next choice of the order, a random one, or 0.
func (o *order) choose(n int) int {
	c := 0
	switch k := len(o.made); {
	case o.random != nil:
		c = o.random.IntN(n)
	case k < len(o.choices):
		c = min(o.choices[k], n-1)
	}
	o.made, o.widths = append(o.made, c), append(o.widths, n)
	return c
}

// enter is called by programs with each request.
func (o *order) enter(r *http.Request) (*http.Response, error) {
	n, ok := r.Context().Value(programKey{}).(int)
	if !ok {
		return o.act(r, 0)
	}
	g := o.gates[n]
	if g.crashed.Load() {
		return nil, killedError{}
	}
	o.learn(n, r)
	g.waiting.Store(r)
	select {
	case v := <-g.next:
		return v.response, v.err
	case <-r.Context().Done():
		g.waiting.Store(nil)
		return nil, r.Context().Err()
	}
}

// step lets something happen. It returns false once all programs have ended.
func (o *order) step() bool {
	for pause := time.Millisecond; ; pause *= 2 {
		synctest.Wait()
		if !slices.ContainsFunc(o.gates, func(g *gate) bool { return !g.done.Load() && g.waiting.Load() == nil }) {
			break
		}
		time.Sleep(pause) // a program pauses between attempts
	}
	if o.met() {
		return false
	}
	var actions []func()
	var names []string
	add := func(name string, f func()) { actions, names = append(actions, f), append(names, name) }
	for n, g := range o.gates {
		if g.done.Load() {
			continue
		}
		r := g.waiting.Load()
		what := fmt.Sprintf("%d: %s", n, o.describe(r))
		add(what, func() { o.release(g, 0) })
		if isWrite(r) {
			if o.left.crashes > 0 {
				add(what+" crashes before", func() { o.left.crashes--; g.crashed.Store(true); g.fail(killedError{}) })
			}
			if o.left.losses > 0 {
				add(what+" loses the answer", func() { o.left.losses--; _, _ = o.act(r, 0); g.fail(io.ErrUnexpectedEOF) })
			}
			if o.left.lates > 0 {
				add(what+" is kept back", func() { o.left.lates--; o.keep(r); g.fail(io.ErrUnexpectedEOF) })
			}
		} else if o.left.stale > 0 {
			where, _, _ := target(r)
			for behind := range o.pastOf(where) {
				add(fmt.Sprint(what, " finds what was ", behind+1, " before"), func() { o.left.stale--; o.release(g, behind+1) })
			}
		}
	}
	if len(actions) == 0 {
		return false
	}
	if o.left.advances > 0 {
		add("the clock moves", func() { o.left.advances--; o.advance(11 * time.Second) })
	}
	for i, r := range o.late {
		add("late: "+o.describe(r), func() { o.late = slices.Delete(slices.Clone(o.late), i, i+1); _, _ = o.act(r, 0) })
	}
	c := o.choose(len(actions))
	o.log = append(o.log, names[c])
	actions[c]()
	return true
}

func (o *order) pastOf(where at) int {
	if p := o.places[where]; p != nil {
		return len(p.past)
	}
	return 0
}

// keep keeps a request back, with its body.
func (o *order) keep(r *http.Request) {
	_, body, _ := target(r)
	later := r.Clone(context.Background())
	if body != nil {
		later.Body = io.NopCloser(strings.NewReader(string(body)))
	}
	o.late = append(o.late, later)
}

func (o *order) describe(r *http.Request) string {
	where, body, _ := target(r)
	what := r.Method + " " + where.id
	if len(where.id) > 20 {
		what = r.Method + " R" + where.id[len(where.id)-4:]
	}
	if strings.Contains(string(body), `"_pending"`) {
		what += " hidden"
	}
	return what
}

// release carries out the request that a program has sent, and gives it the answer.
func (o *order) release(g *gate, behind int) {
	r := g.waiting.Load()
	response, err := o.act(r, behind)
	text := fmt.Sprint(err)
	if err == nil {
		body, _ := io.ReadAll(response.Body)
		response.Body = io.NopCloser(bytes.NewReader(body))
		text = fmt.Sprint(response.StatusCode, response.Header.Get("Date"), o.named(body))
	}
	g.give(verdict{response, err}, text)
}

func (g *gate) fail(err error) { g.give(verdict{nil, err}, err.Error()) }

func (g *gate) give(v verdict, text string) {
	r := g.waiting.Load()
	where, _, _ := target(r)
	g.history = append(g.history, r.Method+where.id+text)
	g.waiting.Store(nil)
	g.next <- v
}

var tokenText = regexp.MustCompile(`"token":"([0-9a-f]+)"`)

// named returns a document in which tokens have the names of the programs that made them.
func (o *order) named(raw []byte) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return tokenText.ReplaceAllStringFunc(string(raw), func(token string) string { return cmp.Or(o.tokens[token], token) })
}

// learn gives names to the tokens of a request of a program.
func (o *order) learn(n int, r *http.Request) {
	_, body, _ := target(r)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, token := range tokenText.FindAllString(string(body), -1) {
		if o.tokens[token] == "" {
			o.gates[n].tokens++
			o.tokens[token] = fmt.Sprintf("token %d of %d", o.gates[n].tokens, n)
		}
	}
}

// met reports whether the state of the container and of the programs was met in another
// order: what can happen from there is tried already.
func (o *order) met() bool {
	if o.seen == nil || len(o.made) < len(o.choices) {
		return false
	}
	var b strings.Builder
	fmt.Fprint(&b, o.now, o.left)
	for _, where := range o.whole() {
		p := o.places[where]
		fmt.Fprint(&b, where, p.tags)
		for _, item := range append([]*stored{p.now}, p.past...) {
			if item != nil {
				fmt.Fprint(&b, o.named(item.raw))
			}
			fmt.Fprint(&b, ";")
			if o.left.stale == 0 {
				break
			}
		}
	}
	for _, g := range o.gates {
		fmt.Fprint(&b, g.crashed.Load(), g.done.Load(), g.history)
	}
	for _, r := range o.late {
		_, body, _ := target(r)
		fmt.Fprint(&b, o.describe(r), r.Header.Get("If-Match"), o.named(body))
	}
	hash := sha256.Sum256([]byte(b.String()))
	o.pruned = o.seen[string(hash[:])]
	o.seen[string(hash[:])] = true
	return o.pruned
}

// abandon ends all programs.
func (o *order) abandon() {
	for _, g := range o.gates {
		g.crashed.Store(true)
	}
	for {
		synctest.Wait()
		running := false
		for _, g := range o.gates {
			running = running || !g.done.Load()
			if g.waiting.Load() != nil {
				g.fail(killedError{})
			}
		}
		if !running {
			return
		}
		time.Sleep(time.Second)
	}
}

// run carries out one order.
func (o *order) run(t *testing.T, r *members) {
	ctx := context.Background()
	for _, doc := range o.scenario.stored {
		copied := *doc
		if err := r.Create(ctx, &copied); err != nil {
			t.Fatal(err)
		}
	}
	for _, doc := range o.scenario.expired {
		copied := *doc
		if err := r.Create(ctx, &copied); err != nil {
			t.Fatal(err)
		}
		p := o.places[at{doc.ID, doc.Region}]
		p.past, p.now = append(p.past, p.now), nil
	}
	for n, p := range o.scenario.programs {
		g := &gate{next: make(chan verdict)}
		o.gates = append(o.gates, g)
		go func() {
			g.result = p.run(context.WithValue(ctx, programKey{}, n), r)
			g.done.Store(true)
		}()
		synctest.Wait()
	}
	for o.wrong == nil && o.step() {
		if err := o.stock().check(); err != nil && o.wrong == nil {
			o.wrong = err
		}
	}
	if o.pruned || o.wrong != nil {
		o.abandon()
		return
	}
	o.wrong = o.ended(ctx, r)
	for len(o.late) > 0 && o.wrong == nil {
		_, _ = o.act(o.late[0], 0)
		o.late = o.late[1:]
		o.wrong = o.stock().check()
	}
}

// ended checks what is left when all programs have ended: each value and each id is that
// of a visible document, or can be taken once the bound has passed.
func (o *order) ended(ctx context.Context, r *members) error {
	s := o.stock()
	if err := o.kept(s); err != nil {
		return err
	}
	o.advance(11 * time.Second)
	for _, email := range []string{"a", "b"} {
		holder := slices.IndexFunc(s.visible, func(i *storedItem) bool { return i.Email == email })
		got, err := repository.GetByUnique(ctx, r, "email", email)
		if holder >= 0 && (err != nil || got.ID != s.visible[holder].ID) || holder < 0 && !errors.Is(err, repository.ErrNotFound) {
			return fmt.Errorf("GetBy %s gives %v, %w", email, got, err)
		}
		err = r.Create(ctx, &fixtures.Member{ID: "new-" + email, Region: "eu", Email: email})
		if holder >= 0 && !errors.Is(err, repository.ErrNotUnique) || holder < 0 && err != nil {
			return fmt.Errorf("a creation of %s, which document %d has, gives %w", email, holder, err)
		}
	}
	for _, id := range []string{"p", "q", "s"} {
		there := slices.ContainsFunc(s.visible, func(i *storedItem) bool { return i.ID == id })
		err := r.Create(ctx, &fixtures.Member{ID: id, Region: "eu"})
		if there && !errors.Is(err, repository.ErrAlreadyExists) || !there && err != nil {
			return fmt.Errorf("a creation of the id %s, which is taken: %t, gives %w", id, there, err)
		}
	}
	return o.stock().check()
}

// kept checks that documents are as the only program that is about them has left them, if
// it has succeeded, or as they were, if there is none.
func (o *order) kept(s stock) error {
	want := map[string]string{}
	for _, doc := range o.scenario.stored {
		want[doc.ID] = doc.Email
	}
	for n, p := range o.scenario.programs {
		others := slices.ContainsFunc(o.scenario.programs, func(q program) bool { return q.id == p.id && q.email != p.email })
		if err := o.gates[n].result; err != nil || others {
			delete(want, p.id)
			continue
		}
		want[p.id] = p.email
	}
	for id, email := range want {
		i := slices.IndexFunc(s.visible, func(i *storedItem) bool { return i.ID == id })
		if email == gone && i >= 0 || email != gone && (i < 0 || s.visible[i].Email != email) {
			return fmt.Errorf("document %s should have the e-mail address %q: %d", id, email, i)
		}
	}
	return nil
}

// tryOrders tries all orders of a scenario: up to half of most one after another, and then
// random ones of the rest. It returns how many it has tried, and ends with the first one that
// contradicts the claim. A state that was met in another order is not tried again.
func tryOrders(t *testing.T, sc *scenario, most int) (tried int, wrong error) {
	t.Helper()
	s := newService()
	r := s.members(t)
	_, _ = r.Get(context.Background(), fixtures.MemberKey{ID: "warm", Region: "eu"})
	var choices []int
	seen := map[string]bool{}
	random := rand.New(rand.NewPCG(18, uint64(len(sc.name))))
	for {
		o := &order{service: s, scenario: sc, choices: choices, left: sc.limits, seen: seen, tokens: map[string]string{}}
		if most < 1000 || tried >= most/2 { // few show more if they are drawn at random
			o.random, o.seen = random, nil
		}
		s.places, s.now = map[at]*place{}, newService().now
		s.gate = o.enter
		synctest.Test(t, func(t *testing.T) { o.run(t, r) })
		if tried++; o.wrong != nil {
			return tried, fmt.Errorf("order %v:\n\t%s\n%w", o.made, strings.Join(o.log, "\n\t"), o.wrong)
		}
		if o.random != nil {
			if tried >= most {
				return tried, nil
			}
			continue
		}
		k := len(o.made) - 1
		for k >= 0 && o.made[k]+1 >= o.widths[k] {
			k--
		}
		if k < 0 {
			return tried, nil
		}
		choices = append(slices.Clone(o.made[:k]), o.made[k]+1)
	}
}
