package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// stepRelease is a release of Item, in which the worth of an item is stored as one property,
// in a unit, and in documents of one form.
type stepRelease struct {
	name, fields, methods string
	field, property       string
	unit, form            int
	locked                string // what the lock says of it
	rewrites              bool   // in the end it rewrites what releases before it have stored
}

// renamedSteps are the releases of a property that gets another name.
var renamedSteps = []stepRelease{
	{"named", "Points int `json:\"points\"`", "", "Points", "points", 1, 0, "property /points int64", false},
	{"announced", "Points int `json:\"points\" cosmos:\"next=score\"`", "", "Points", "points", 1, 0, "nextname=score=points", false},
	{"renamed", "Score int `json:\"score\" cosmos:\"was=points\"`", "", "Score", "score", 1, 0, "alias=points=score", true},
	{"settled", "Score int `json:\"score\"`", "", "Score", "score", 1, 0, "property /score int64", false},
}

// formSteps are the releases of documents that get another form: euros become cents.
var formSteps = []stepRelease{
	{"first", "Euros int `json:\"euros\"`\n\tSchema int `json:\"schema\" cosmos:\"schema=1\"`", "", "Euros", "euros", 100, 1, "schema=1,schema", false},
	{"reading", "Euros int `json:\"euros\"`\n\tSchema int `json:\"schema\" cosmos:\"schema=1,next=2\"`", conversion("Downgrade", "Cents", "Euros", "/ 100"), "Euros", "euros", 100, 1, "schema=1+2,schema", false},
	{"second", "_ struct{} `cosmos:\"gone=euros\"`\n\tCents int `json:\"cents\"`\n\tSchema int `json:\"schema\" cosmos:\"schema=2\"`", conversion("Upgrade", "Euros", "Cents", "* 100"), "Cents", "cents", 1, 2, "schema=2,schema", true},
}

// conversion is the method of Item that sets a field by another one of the stored document.
func conversion(method, from, to, by string) string {
	return fmt.Sprintf("func (i *Item) %s(_ int, doc json.RawMessage) error {\n\tvar other struct{ %s int }\n\terr := json.Unmarshal(doc, &other)\n\ti.%s = other.%[2]s %[4]s\n\treturn err\n}", method, from, to, by)
}

// stepSource is what all releases have of an item.
const stepSource = `package items

IMPORT

// An Item is what programs of several releases store at the same time.
type Item struct {
	ID   string ` + "`json:\"id\"`" + `
	Shop string ` + "`json:\"shop\" cosmos:\"pk\"`" + `
	Rank int ` + "`json:\"rank\"`" + `
	FIELDS
	ETag string ` + "`json:\"_etag,omitempty\"`" + `
}

METHODS
`

// build generates the releases one after the other in one folder, as users do, so that the
// lock of each leads to the next, and writes a program of each.
func (r stepRelease) build(c consumer, folder string) {
	c.t.Helper()
	program, err := os.ReadFile(filepath.Join("testdata", "steps", "program.go"))
	if err != nil {
		c.t.Fatal(err)
	}
	imported := ""
	if r.methods != "" {
		imported = `import "encoding/json"`
	}
	c.generate(folder+"/item.go", strings.NewReplacer("IMPORT", imported, "FIELDS", r.fields, "METHODS", r.methods).Replace(stepSource))
	if lock := c.read(folder + "/pkgen.lock"); !strings.Contains(lock, r.locked) {
		c.t.Fatalf("%s: the lock is %s", r.name, lock)
	}
	for _, name := range []string{"item.go", "item_cosmos.go"} {
		c.write(r.name+"/"+name, c.read(folder+"/"+name))
	}
	form := "0"
	if r.form > 0 {
		form = "i.Schema"
	}
	c.write("programs/"+r.name+"/program.go", strings.NewReplacer("RELEASE", r.name, "FIELD", r.field, "UNIT", strconv.Itoa(r.unit), "FORM", form).Replace(string(program)))
}

// TestSteps generates the releases in which a property gets another name, and those in which
// documents get another form, and has a process of each release work next to a process of the
// release after it, on the same documents. They take turns at random, and a model says what
// each operation may return: no document is lost, no read returns another value, and one
// release continues a page or a feed of the other. The earlier release is refused writes of
// documents that it must not change. Then both count the same documents up at once.
func TestSteps(t *testing.T) {
	seeds.Gate(t, "builds programs of releases")
	t.Parallel()
	c := newConsumer(t, nil)
	var imports, cases strings.Builder
	kinds := map[string][]stepRelease{"names": renamedSteps, "forms": formSteps}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, r := range kinds[kind] {
			r.build(c, kind)
			fmt.Fprintf(&imports, "\t%q\n", "example.com/consumer/programs/"+r.name)
			fmt.Fprintf(&cases, "\t%q: %s.Main,\n", r.name, r.name)
		}
	}
	c.write("cmd/steps/main.go", "package main\n\nimport (\n\t\"log\"\n\t\"os\"\n\n"+imports.String()+")\n\nvar releases = map[string]func() error{\n"+cases.String()+
		"}\n\nfunc main() {\n\tif err := releases[os.Args[1]](); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n")
	c.run("build", "-ldflags=-s -w", "-o", "bin/", "./cmd/...")
	for kind, releases := range kinds {
		for seed := range seeds.Of(2) {
			t.Run(fmt.Sprint(kind, " ", seed), func(t *testing.T) {
				t.Parallel()
				newSteps(t, c, seed).run(releases)
			})
		}
	}
}

// steps are two programs that take turns, and a model of what they have stored.
type steps struct {
	*testing.T
	consumer

	random   *rand.Rand
	server   *harness.Account
	items    *azcosmos.ContainerClient
	model    map[string]stepItem // by id
	feeds    map[string]*stepFeed
	walks    map[string]*stepWalk
	outcomes map[string]int
}

// stepItem is how an item is stored.
type stepItem struct {
	worth, rank, form int
	property          string
}

// stepFeed is how far a feed was read, and what has changed since.
type stepFeed struct {
	cursor  string
	changed map[string]bool
}

// stepWalk is a query whose pages programs of both releases read.
type stepWalk struct {
	cursor, by string
	worth      int
	must       map[string]bool // items that are there from its beginning, and sort alike
	seen       map[string]int
}

// stepOrder, stepSeen and stepAnswer are what programs are told and say.
type (
	stepOrder struct {
		Op, ID, Shop, Cursor   string
		Worth, Rank, Was, Size int
		Keys                   []stepKey
	}
	stepKey  struct{ ID, Shop string }
	stepSeen struct {
		ID, Shop          string
		Worth, Rank, Form int
	}
	stepAnswer struct {
		Outcome string
		Items   []stepSeen
		Cursor  string
		N       int
		Counts  map[string]int
	}
)

// stepProgram is a process of a release.
type stepProgram struct {
	stepRelease

	in  *json.Encoder
	out *json.Decoder
	end func()
}

// allItems are how many items there are at most, and racing how many others both programs
// count up at once.
const (
	allItems = 12
	racing   = 3
)

func keyOfItem(n int) stepKey {
	if n >= allItems {
		return stepKey{fmt.Sprintf("race%d", n-allItems), "races"}
	}
	return stepKey{fmt.Sprintf("item%02d", n), []string{"a", "b", "c"}[n%3]}
}

func newSteps(t *testing.T, c consumer, seed uint64) *steps {
	c.t = t
	s := &steps{T: t, consumer: c, random: rand.New(rand.NewPCG(seed, 11)), model: map[string]stepItem{}, feeds: map[string]*stepFeed{}, walks: map[string]*stepWalk{}, outcomes: map[string]int{}}
	s.server, s.items = harness.NewContainer(t, emulator.Options{Partitions: 3}, harness.Properties("item", "/shop"), nil)
	return s
}

// run has each release run next to the one after it. When the release before has ended, the
// later one rewrites the documents of earlier releases, where its tags say how.
func (s *steps) run(releases []stepRelease) {
	before := s.start(releases[0])
	for n := range racing {
		key := keyOfItem(allItems + n)
		s.write(before, stepOrder{Op: "create", ID: key.ID, Shop: key.Shop})
	}
	for i, release := range releases[1:] {
		after := s.start(release)
		both := []*stepProgram{before, after}
		for n := range 400 {
			s.step(both, fmt.Sprintf("%s and %s, step %d", before.name, after.name, n))
			if n == 200 {
				if err := s.server.Split(harness.Database, "item", strconv.Itoa(i)); err != nil {
					s.Fatal(err)
				}
			}
		}
		s.race(both)
		s.stored(after.name)
		before.end()
		if release.rewrites {
			s.rewrite(after)
		}
		before = after
	}
	for n := range 50 {
		s.step([]*stepProgram{before, before}, fmt.Sprintf("%s alone, step %d", before.name, n))
	}
	before.end()
	s.Log(s.outcomes)
}

// start starts a process of a release.
func (s *steps) start(r stepRelease) *stepProgram {
	out, w, err := os.Pipe()
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = out.Close() })
	in, end := s.program(w, []string{"ACCOUNT=" + s.server.ConnectionString()}, "bin/steps", r.name)
	_ = w.Close() // the process has it
	return &stepProgram{stepRelease: r, in: json.NewEncoder(in), out: json.NewDecoder(out), end: end}
}

// tell gives an order to a program, and waits for its answer.
func (s *steps) tell(p *stepProgram, o stepOrder) stepAnswer {
	s.Helper()
	s.order(p, o)
	return s.answer(p, o)
}

func (s *steps) order(p *stepProgram, o stepOrder) {
	s.Helper()
	if err := p.in.Encode(o); err != nil {
		s.Fatalf("%s: %v", p.name, err)
	}
}

func (s *steps) answer(p *stepProgram, o stepOrder) (a stepAnswer) {
	s.Helper()
	if err := p.out.Decode(&a); err != nil {
		if err == io.EOF {
			p.end()
		}
		s.Fatalf("%s %s: %v", p.name, o.Op, err)
	}
	s.outcomes[strings.TrimSpace(p.name+" "+o.Op+" "+a.Outcome)]++
	return a
}

// writesOf and readsOf are what programs do.
var (
	writesOf = []string{"create", "upsert", "replace", "exchange", "update", "patch", "rank", "patchif", "delete", "both"}
	readsOf  = []string{"get", "many", "scan", "shop", "where", "not", "ranked", "count", "sum", "scan page", "ranked page", "where page", "feed"}
)

// step has one of the programs do something.
func (s *steps) step(both []*stepProgram, when string) {
	s.Helper()
	p := both[s.random.IntN(2)]
	key := keyOfItem(s.random.IntN(allItems))
	o := stepOrder{ID: key.ID, Shop: key.Shop, Rank: s.random.IntN(9), Worth: s.worth(p), Size: 1 + s.random.IntN(4)}
	if s.random.IntN(2) == 0 {
		o.Op = writesOf[s.random.IntN(len(writesOf))]
		s.write(p, o)
	} else {
		o.Op = readsOf[s.random.IntN(len(readsOf))]
		s.read(p, o)
	}
	if s.Failed() {
		s.Fatalf("%s: %s does %+v, after\n%s", when, p.name, o, s.shown())
	}
}

// worth is a value that programs of a release can store.
func (s *steps) worth(p *stepProgram) int {
	if p.unit > 1 {
		return s.random.IntN(4) * p.unit
	}
	return s.random.IntN(8) * 50
}

// write has a program store, patch or remove an item, and changes the model.
func (s *steps) write(p *stepProgram, o stepOrder) {
	s.Helper()
	stored, there := s.model[o.ID]
	other := keyOfItem((s.random.IntN(allItems/3-1)*3 + 3 + number(o.ID)) % allItems) // of the same shop
	o.Keys = []stepKey{other}
	if o.Was = s.worth(p); there && s.random.IntN(2) == 0 {
		o.Was = stored.worth / p.unit * p.unit
	}
	newer := there && stored.form > p.form
	var want []string
	switch {
	case o.Op == "create" && there:
		want = []string{"exists"}
	case o.Op == "both":
		second, patched := s.model[other.ID]
		if newer || patched && second.form > p.form {
			want = append(want, "newer")
		}
		if !patched {
			want = append(want, "missing")
		}
	case !there && o.Op != "create" && o.Op != "upsert":
		want = []string{"missing"}
	case newer && o.Op != "delete":
		want = []string{"newer"}
	case o.Op == "patchif" && o.Was != stored.worth:
		want = []string{"changed"}
	}
	if want == nil {
		want = []string{""}
	}
	a := s.tell(p, o)
	if !slices.Contains(want, a.Outcome) {
		s.Errorf("%s %s of %s, stored as %+v, returns %q, want %q", p.name, o.Op, o.ID, stored, a.Outcome, want)
		return
	}
	if o.Op == "exchange" && there {
		s.equal(p, o.Op, a.Items, map[string]bool{o.ID: true})
	}
	if a.Outcome != "" {
		s.reload(p, o.ID) // a patch upgrades a document before it looks at its condition
		s.reload(p, other.ID)
		return
	}
	next := stepItem{o.Worth, o.Rank, p.form, p.property}
	switch o.Op {
	case "delete":
		delete(s.model, o.ID)
		for _, f := range s.feeds {
			delete(f.changed, o.ID)
		}
		s.moved(o.ID)
		return
	case "update", "patch", "patchif":
		next.rank = stored.rank
	case "rank":
		next = s.ranked(p, stored, o.Rank)
	case "both":
		s.set(other.ID, s.ranked(p, s.model[other.ID], o.Rank))
	}
	s.set(o.ID, next)
}

// ranked returns an item after a program has patched its rank. A patch upgrades the document,
// and keeps the names of its properties.
func (s *steps) ranked(p *stepProgram, was stepItem, by int) stepItem {
	was.rank += by
	if was.form < p.form {
		was.form, was.property = p.form, p.property
	}
	return was
}

// number is the number of an item.
func number(id string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz"))
	return n
}

// set changes the model.
func (s *steps) set(id string, now stepItem) {
	was, there := s.model[id]
	s.model[id] = now
	for _, f := range s.feeds {
		f.changed[id] = true
	}
	if !there || was.rank != now.rank {
		s.moved(id)
	} else if was != now {
		delete(s.walkOf("where page").must, id)
	}
}

// moved notes that walks need not give an item.
func (s *steps) moved(id string) {
	for _, op := range []string{"scan page", "ranked page", "where page"} {
		if _, there := s.model[id]; op != "scan page" || !there {
			delete(s.walkOf(op).must, id)
		}
	}
}

func (s *steps) walkOf(op string) *stepWalk {
	if s.walks[op] == nil {
		s.walks[op] = &stepWalk{must: map[string]bool{}, seen: map[string]int{}}
	}
	return s.walks[op]
}

// reload takes from the service in which form an item is stored, where a program may have
// brought it to its own form.
func (s *steps) reload(p *stepProgram, id string) {
	s.Helper()
	stored, there := s.model[id]
	if !there {
		return
	}
	for _, doc := range s.documents() {
		if doc["id"] == id {
			form, _ := doc["schema"].(float64)
			now := stored
			now.form = int(form)
			if doc[p.property] != nil {
				now.property = p.property
			}
			if now != stored {
				s.set(id, now)
			}
		}
	}
}

// reads is the ids of items for which f is true.
func (s *steps) which(f func(id string, i stepItem) bool) map[string]bool {
	found := map[string]bool{}
	for id, i := range s.model {
		if f(id, i) {
			found[id] = true
		}
	}
	return found
}

// read has a program read, and compares what it gets with the model.
func (s *steps) read(p *stepProgram, o stepOrder) {
	s.Helper()
	has := func(_ string, i stepItem) bool { return i.worth == o.Worth && i.form == p.form } // the stored item
	switch o.Op {
	case "many":
		for n := range 1 + s.random.IntN(allItems) {
			o.Keys = append(o.Keys, keyOfItem((n+o.Rank)%allItems))
		}
	case "not":
		if p.form > 0 {
			return // a property of another form is absent, and what Not says of it is no matter of forms
		}
	case "feed":
		s.follow(p, o)
		return
	case "scan page", "ranked page", "where page":
		s.walk(p, o)
		return
	}
	a := s.tell(p, o)
	want := map[string]bool{}
	switch o.Op {
	case "get":
		want = s.which(func(id string, _ stepItem) bool { return id == o.ID })
		if missing := len(want) == 0; missing != (a.Outcome == "missing") {
			s.Errorf("get of %s: %q", o.ID, a.Outcome)
		}
		if a.Outcome == "missing" {
			a.Outcome = ""
		}
	case "many":
		want = s.which(func(id string, _ stepItem) bool {
			return slices.ContainsFunc(o.Keys, func(k stepKey) bool { return k.ID == id })
		})
	case "scan":
		want = s.which(func(string, stepItem) bool { return true })
	case "shop":
		want = s.which(func(id string, _ stepItem) bool { return keyOfID(id).Shop == o.Shop })
	case "where":
		want = s.which(has)
	case "not":
		want = s.which(func(id string, i stepItem) bool { return !has(id, i) })
	case "ranked":
		want = s.which(func(_ string, i stepItem) bool { return i.rank >= o.Rank })
		if !slices.IsSortedFunc(a.Items, func(a, b stepSeen) int { return cmp.Compare(b.Rank, a.Rank) }) {
			s.Errorf("the order is %+v", a.Items)
		}
	case "count":
		if n := len(s.which(has)); a.N != n {
			s.Errorf("%d of this worth, want %d", a.N, n)
		}
	case "sum":
		sum := 0
		for id, i := range s.model {
			if keyOfID(id).Shop == o.Shop {
				sum += i.rank
			}
		}
		if a.N != sum {
			s.Errorf("the sum of the ranks is %d, want %d", a.N, sum)
		}
	}
	if a.Outcome != "" {
		s.Errorf("%s: %s", o.Op, a.Outcome)
	}
	s.equal(p, o.Op, a.Items, want)
}

func keyOfID(id string) stepKey {
	if strings.HasPrefix(id, "race") {
		return keyOfItem(allItems + number(id))
	}
	return keyOfItem(number(id))
}

// equal compares what a program has seen with items of the model: each once.
func (s *steps) equal(p *stepProgram, what string, seen []stepSeen, want map[string]bool) {
	s.Helper()
	found := map[string]bool{}
	for _, i := range seen {
		if found[i.ID] || !want[i.ID] {
			s.Errorf("%s of %s gives %s, which it should not, or twice", what, p.name, i.ID)
		}
		found[i.ID] = true
		s.right(p, what, i)
	}
	if len(found) != len(want) {
		s.Errorf("%s of %s gives %v, want %v", what, p.name, found, want)
	}
}

// right compares an item that a program has seen with the model.
func (s *steps) right(p *stepProgram, what string, i stepSeen) {
	s.Helper()
	stored := s.model[i.ID]
	if want := (stepSeen{i.ID, keyOfID(i.ID).Shop, stored.worth / p.unit * p.unit, stored.rank, max(stored.form, p.form)}); i != want {
		s.Errorf("%s of %s gives %+v, want %+v", what, p.name, i, want)
	}
}

// follow reads a feed to its end: one of each release, and one that both share.
func (s *steps) follow(p *stepProgram, o stepOrder) {
	s.Helper()
	name := p.name
	if s.random.IntN(2) == 0 {
		name = "shared"
	}
	f := s.feeds[name]
	if f == nil {
		f = &stepFeed{changed: s.which(func(string, stepItem) bool { return true })}
		s.feeds[name] = f
	}
	o.Cursor = f.cursor
	a := s.tell(p, o)
	if a.Outcome != "" {
		s.Errorf("the feed: %s", a.Outcome)
	}
	s.equal(p, "the feed "+name, a.Items, f.changed)
	f.cursor, f.changed = a.Cursor, map[string]bool{}
}

// walk reads a page, of the program whose turn it is. A condition on a property with
// several names makes another query in each release, so that a cursor continues only in the
// release that gave it.
func (s *steps) walk(p *stepProgram, o stepOrder) {
	s.Helper()
	w := s.walkOf(o.Op)
	if w.cursor == "" {
		*w = stepWalk{by: p.name, worth: o.Worth, seen: map[string]int{}, must: s.which(func(_ string, i stepItem) bool {
			return o.Op != "where page" || i.worth == o.Worth && i.form == p.form
		})}
	}
	o.Cursor, o.Worth = w.cursor, w.worth
	a := s.tell(p, o)
	if a.Outcome == "cursor" && o.Op == "where page" && w.by != p.name {
		w.cursor = ""
		return
	}
	if a.Outcome != "" {
		s.Errorf("%s: %s", o.Op, a.Outcome)
	}
	for _, i := range a.Items {
		s.right(p, o.Op, i)
		if w.seen[i.ID]++; w.must[i.ID] && w.seen[i.ID] > 1 {
			s.Errorf("%s gives %s twice", o.Op, i.ID)
		}
	}
	if w.cursor = a.Cursor; w.cursor != "" {
		return
	}
	for id := range w.must {
		if w.seen[id] != 1 {
			s.Errorf("%s gives %s %d times", o.Op, id, w.seen[id])
		}
	}
}

// race has both programs count the same items up at once.
func (s *steps) race(both []*stepProgram) {
	s.Helper()
	o := stepOrder{Op: "race", Worth: 100, Size: 60}
	for n := range racing {
		o.Keys = append(o.Keys, keyOfItem(allItems+n))
	}
	for _, p := range both {
		s.order(p, o)
	}
	answers := make([]stepAnswer, 2)
	for i, p := range both {
		if answers[i] = s.answer(p, o); answers[i].Outcome != "" {
			s.Errorf("%s: %s", p.name, answers[i].Outcome)
		}
	}
	for _, key := range o.Keys {
		i := s.model[key.ID]
		i.worth += 100 * (answers[0].Counts[key.ID] + answers[1].Counts[key.ID])
		s.set(key.ID, i)
		for _, p := range both {
			s.reload(p, key.ID)
		}
	}
	for _, p := range both {
		s.read(p, stepOrder{Op: "scan"})
	}
	if s.Failed() {
		s.Fatalf("%+v\n%s", answers, s.shown())
	}
}

// rewrite has a program rewrite what releases before it have stored.
func (s *steps) rewrite(p *stepProgram) {
	s.Helper()
	older := s.which(func(_ string, i stepItem) bool { return i.property != p.property || i.form < p.form })
	a := s.tell(p, stepOrder{Op: "upgrade"})
	if a.Outcome != "" || a.N != len(older) {
		s.Fatalf("Upgrade of %s rewrites %d of %v: %s", p.name, a.N, older, a.Outcome)
	}
	for id := range older {
		i := s.model[id]
		i.property, i.form = p.property, p.form
		s.set(id, i)
	}
	s.stored(p.name)
}

// documents returns the stored documents.
func (s *steps) documents() (all []map[string]any) {
	s.Helper()
	pager := s.items.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			s.Fatal(err)
		}
		for _, item := range page.Items {
			var doc map[string]any
			if err := json.Unmarshal(item, &doc); err != nil {
				s.Fatal(err)
			}
			all = append(all, doc)
		}
	}
	return all
}

// stored compares the stored documents with the model.
func (s *steps) stored(when string) {
	s.Helper()
	all := s.documents()
	for _, doc := range all {
		id, _ := doc["id"].(string)
		i, there := s.model[id]
		unit := 1
		if i.property == "euros" {
			unit = 100
		}
		want := map[string]any{"id": id, "shop": keyOfID(id).Shop, "rank": float64(i.rank), i.property: float64(i.worth / unit)}
		if i.form > 0 {
			want["schema"] = float64(i.form)
		}
		maps.DeleteFunc(doc, func(name string, _ any) bool { return name[0] == '_' })
		if !there || !maps.Equal(doc, want) {
			s.Errorf("%s: %v is stored, want %v", when, doc, want)
		}
	}
	if len(all) != len(s.model) {
		s.Errorf("%s: %d items are stored, want %d", when, len(all), len(s.model))
	}
	if s.Failed() {
		s.FailNow()
	}
}

// shown is the model as text.
func (s *steps) shown() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(s.model)) {
		fmt.Fprintf(&b, "%s: %+v\n", id, s.model[id])
	}
	return b.String()
}
