// Package transcripts has the requests that each operation sends, as golden text: of each
// generated type of the simulation without a fault, and of some with one fault at each request.
//
// A file of testdata belongs to a type, and has a section for each operation. A line is a
// request:
//
//	2 PUT docs/d-0 key ["l0"] If-Match etag-1 {"id":…} → 200 etag-2
//
// The answer is a status, with the ETag if it has one. ETags, tokens and times are numbered in
// the order in which they appear, so that etag-1 is the same ETag everywhere; the hash in the id
// of a reservation is cut. A line with "=" is a result of the operation, and "later" marks a
// request that was sent afterwards.
//
// "# 2 dropped" begins what follows if request 2 is dropped: "3 as 2 → 412" is a third request,
// which equals the second of the section, and "= as without" says that the operation returns the
// same as without a fault. Faults of which the same follows share their lines.
//
//go:debug randseednop=0
package transcripts

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/moving"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

var update = flag.Bool("update", false, "record what is sent as what should be sent")

func TestMain(m *testing.M) {
	flag.Parse()
	testgc.Less()
	runtime.GOMAXPROCS(1) // goroutines take turns
	os.Exit(m.Run())
}

// faulty are the types whose operations are written with faults: they differ in protocol. The
// first two have all faults, and the others those that most often lead elsewhere.
var faulty = []string{"Natural1", "Hash17", "Concat2", "Random5", "Concat9", "Natural10", "Growing", "Growing-earlier"}

// types are the types that have a transcript. A type whose documents move has one of each
// release; the other release has stored a part of the documents.
func types() []shapes.Shape {
	all := slices.Clone(shapes.All)
	for _, now := range moving.All {
		if !has(now, "growing") {
			continue
		}
		before, programs := now, now.Stages[0].Programs
		now.Features = append(slices.Clone(now.Features), "mover")
		now.Stages = []shapes.Stage{{Programs: programs, Settle: now.Stages[1].Settle}}
		before.Name += "-earlier"
		before.Stages = []shapes.Stage{{Programs: []shapes.Opens{programs[1], programs[0]}}}
		all = append(all, now, before)
	}
	return all
}

type fault struct {
	name string
	transport.Fault
}

// faults are what may happen to one request.
var faults = []fault{
	{"dropped", transport.Fault{Fate: transport.Dropped}},
	{"answer lost", transport.Fault{Fate: transport.Answerless}},
	{"refused with 429", transport.Fault{Fate: transport.Refused, Status: 429, Substatus: 3200, RetryAfter: 10}},
	{"refused with 503", transport.Fault{Fate: transport.Refused, Status: 503}},
	{"failed with 503 after its effect", transport.Fault{Fate: transport.Failed, Status: 503}},
	{"twice, first answer", transport.Fault{Fate: transport.First}},
	{"twice, second answer", transport.Fault{Fate: transport.Second}},
	{"body cut", transport.Fault{Fate: transport.Cut, Left: "half"}},
}

// faultsOf returns the faults of a type.
func faultsOf(shape shapes.Shape) []fault {
	switch i := slices.Index(faulty, shape.Name); {
	case i < 0:
		return nil
	case i < 2:
		return faults
	}
	var few []fault
	for _, f := range faults {
		if f.Fate == transport.Answerless || f.Fate == transport.Second || f.Fate == transport.Refused && f.Status == 503 {
			few = append(few, f)
		}
	}
	return few
}

// TestTranscripts compares what is sent with what was sent when testdata was recorded.
func TestTranscripts(t *testing.T) {
	harness.Unraced(t) // goroutines take turns
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !slices.ContainsFunc(types(), func(s shapes.Shape) bool { return name == fileOf(s) }) {
			t.Errorf("%s is of no type: remove it", name)
		}
	}
	part := !*update && seeds.Part(t, "types with faults, but for one")
	for _, shape := range types() {
		if part && shape.Name != "Concat9" && slices.Contains(faulty, shape.Name) {
			continue
		}
		t.Run(shape.Name, func(t *testing.T) {
			documents := stored(t, shape)
			var text strings.Builder
			fmt.Fprintf(&text, "%s: %s\n", shape.Name, strings.Join(shape.Features, ", "))
			for _, o := range slices.Concat(operations, operationsOnUnfinished()) {
				if o.of(shape) {
					text.WriteString(section(t, shape, documents, o, faultsOf(shape)))
				}
			}
			compare(t, fileOf(shape), text.String())
		})
	}
}

func fileOf(shape shapes.Shape) string {
	return filepath.Join("testdata", strings.ToLower(shape.Name)+".txt")
}

// compare compares a text with that of a file.
func compare(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("other requests than before. If they are right, record them with\n\tgo test ./internal/simulation/transcripts -update\nand say in the commit why each differs.\n%s", differences(name, want, []byte(got)))
	}
}

// most is how many lines of differences are printed.
const most = 150

// differences returns the lines that differ, each group with the name of its section.
func differences(name string, want, got []byte) string {
	before := strings.Split(string(want), "\n")
	lines := strings.Split(string(diff.Diff(name, want, "now", got)), "\n")
	for i, line := range lines {
		from := 0
		if _, err := fmt.Sscanf(line, "@@ -%d,", &from); err != nil {
			continue
		}
		for n := min(from+3, len(before)) - 1; n >= 0; n-- { // three lines come before the first that differs
			if strings.HasPrefix(before[n], "## ") {
				lines[i] += " " + before[n]
				break
			}
		}
	}
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("and %d more lines", more))
	}
	return strings.Join(lines, "\n")
}

// section returns what an operation sends.
func section(t *testing.T, shape shapes.Shape, documents []string, o operation, faults []fault) string {
	var b strings.Builder
	plain := play(t, shape, documents, o, -1, transport.Fault{})
	fmt.Fprintf(&b, "\n## %s\n%s", o.name, plain.text(nil, 0))
	if len(faults) == 0 {
		return b.String()
	}
	for n := range plain.requests {
		var names, texts []string
		for _, f := range faults {
			r := play(t, shape, documents, o, n, f.Fault)
			name, text := f.name, r.text(&plain, n+1)
			if q := r.requests[n]; q.status != 0 && f.Status == 0 {
				name += fmt.Sprintf(" (%s)", q.answer)
			}
			if i := slices.Index(texts, text); i >= 0 {
				names[i] += "; " + name
				continue
			}
			names, texts = append(names, name), append(texts, text)
		}
		for i, name := range names {
			fmt.Fprintf(&b, "# %d %s\n%s", n+1, name, texts[i])
		}
	}
	return b.String()
}

// record is what an operation has sent, and what it has returned.
type record struct {
	requests []request
	returned []string
}

type request struct {
	text   string // without its answer
	status int
	answer string // the status, and the ETag
	later  bool
}

// text returns the lines of a record from a request on. Requests and results that equal those
// of plain are not written again.
func (r *record) text(plain *record, from int) string {
	var b strings.Builder
	same := false // the line before is open
	line := func(i int, q request) {
		text := q.text
		n := -1
		if plain != nil {
			n = slices.IndexFunc(plain.requests, func(p request) bool { return p.text == q.text })
		}
		if n >= 0 {
			text = fmt.Sprintf("as %d", n+1)
		}
		if q.later {
			text = "later " + text
		}
		switch {
		case same && n >= 0:
			b.WriteString(", ")
		case same:
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%d %s → %s", i+1, text, q.answer)
		if same = n >= 0; !same {
			b.WriteString("\n")
		}
	}
	for i := from; i < len(r.requests); i++ {
		line(i, r.requests[i])
	}
	if same {
		b.WriteString("\n")
	}
	if plain != nil && slices.Equal(r.returned, plain.returned) {
		return b.String() + "= as without\n"
	}
	for _, text := range r.returned {
		fmt.Fprintf(&b, "= %s\n", text)
	}
	return b.String()
}

// plays counts them.
var plays atomic.Int64

// in calls f with an account of its own, in virtual time.
func in(t *testing.T, f func(t *testing.T, a *transport.Account)) {
	luck, end := transport.Seed(1)
	defer end()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Duration(plays.Add(1)) * time.Hour) // times only grow, from run to run
		a, err := transport.NewAccount(luck)
		if err != nil {
			t.Fatal(err)
		}
		f(t, a)
	})
}

// play runs an operation where some documents are stored, with a fault at its nth request.
func play(t *testing.T, shape shapes.Shape, documents []string, o operation, nth int, fault transport.Fault) (out record) {
	in(t, func(t *testing.T, a *transport.Account) {
		s := &scene{shape: shape, print: func(format string, args ...any) {
			out.returned = append(out.returned, fmt.Sprintf(format, args...))
		}}
		s.open(t, a, documents)
		perform(t, a, func() {
			var err error
			if s.before, err = s.Get(t.Context(), s.place(present)); err != nil {
				t.Error(err)
			}
		}, pass)
		a.History = nil
		returned := -1
		perform(t, a, func() {
			s.print("%s", words(o.do(t.Context(), s)))
			returned = len(a.History)
		}, func(*transport.Request) transport.Fault {
			if len(a.History) == nth {
				return fault
			}
			return transport.Fault{}
		})
		out.write(a, shape.Containers[0].ID, returned)
	})
	return out
}

func pass(*transport.Request) transport.Fault { return transport.Fault{} }

// perform lets requests act, each when no goroutine runs, until do has ended and no more come.
func perform(t *testing.T, a *transport.Account, do func(), fault func(q *transport.Request) transport.Fault) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	first := func(int) int { return 0 }
	for over := false; ; {
		q := a.Next(first)
		switch {
		case q != nil:
			a.Act(q, fault(q))
		case over:
			return
		default:
			select {
			case <-a.Arrived:
			case <-done:
				over = true
				time.Sleep(time.Minute) // what it has left to others is done by then
			case <-time.After(time.Hour):
				t.Fatal("an operation waits for an hour, and sends nothing")
			}
		}
	}
}

// open makes the container with documents.
func (s *scene) open(t *testing.T, a *transport.Account, documents []string) *azcosmos.ContainerClient {
	properties := s.shape.Containers[0]
	text, err := shapes.Definition(properties)
	if err != nil {
		t.Fatal(err)
	}
	harness.Load(t, a.Server, "db", string(text), documents...)
	if s.db, err = a.Database(); err != nil {
		t.Fatal(err)
	}
	s.Store = s.shape.Open(s.db)
	return shapes.Container(s.db, properties)
}

// stored returns the documents that operations find, and those that the run time keeps for them.
func stored(t *testing.T, shape shapes.Shape) (documents []string) {
	in(t, func(t *testing.T, a *transport.Account) {
		s := &scene{shape: shape}
		c := s.open(t, a, nil)
		perform(t, a, func() {
			for _, slot := range []int{present, other, early, gone} {
				by := s.Store
				if programs := shape.Stages[0].Programs; slot != other && len(programs) > 1 {
					by = programs[1](s.db)
				}
				if err := by.Create(t.Context(), s.doc(slot, 10+slot)); err != nil {
					t.Error(err)
				}
			}
			if has(shape, "deleted|purged") {
				if err := s.Delete(t.Context(), s.place(gone)); err != nil {
					t.Error(err)
				}
			}
			for pager := c.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil); pager.More(); {
				page, err := pager.NextPage(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				for _, d := range page.Items {
					documents = append(documents, string(d))
				}
			}
		}, s.age)
	})
	if has(shape, "shared") {
		documents = append(documents, stranger(shape, documents))
	}
	if has(shape, "growing") {
		for _, u := range unfinishedMoves {
			documents = append(documents, u.stored(&scene{shape: shape})...)
		}
	}
	return documents
}

// stranger returns a document of another type.
func stranger(shape shapes.Shape, documents []string) string {
	s := &scene{shape: shape}
	one, its := s.doc(other, 10+other), s.place(foreign)
	i := slices.IndexFunc(documents, func(d string) bool { return strings.Contains(d, fmt.Sprintf(`"tag":%q`, one.Tag)) })
	return strings.NewReplacer(
		fmt.Sprintf(`"id":%q`, one.ID), fmt.Sprintf(`"id":%q`, its.ID),
		fmt.Sprintf(`"type":%q`, strings.ToLower(shape.Name)), `"type":"stranger"`,
	).Replace(documents[i])
}

// age has one document stored as the release before wrote it.
func (s *scene) age(q *transport.Request) transport.Fault {
	if id := fmt.Appendf(nil, `"id":%q`, s.place(early).ID); bytes.Contains(q.Body, id) {
		for _, now := range [][2]string{{`"form":2`, `"form":1`}, {`"title":""`, `"caption":"old"`}, {`"closed":false,`, ``}} {
			q.Body = bytes.ReplaceAll(q.Body, []byte(now[0]), []byte(now[1]))
		}
		q.ContentLength = int64(len(q.Body))
	}
	return transport.Fault{}
}

// usual are headers that are on each request, or say nothing.
var usual = regexp.MustCompile(`^(Authorization|X-Ms-Date|X-Ms-Version|User-Agent|Content-Length|Content-Type|Accept|X-Ms-Documentdb-Partitionkey|If-Match|X-Ms-Activity-Id|X-Ms-Cosmos-Correlated-Activityid|X-Ms-Cosmos-Sdk-Supportedcapabilities)$`)

// long are words of which the beginning says enough.
var long = regexp.MustCompile(`\b([0-9a-f]{8})[0-9a-f]{24,}\b`)

// write notes the requests of an account.
func (r *record) write(a *transport.Account, container string, returned int) {
	plain, base := transport.Plain(), "/dbs/db/colls/"+container+"/"
	for i, e := range a.History {
		words := []string{e.Method, strings.TrimPrefix(e.URL.Path, base)}
		if q := e.URL.RawQuery; q != "" {
			words[1] += "?" + q
		}
		if key := e.Header.Get("x-ms-documentdb-partitionkey"); key != "" {
			words = append(words, "key "+key)
		}
		if tag := e.Header.Get("If-Match"); tag != "" {
			words = append(words, "If-Match "+strings.Trim(tag, `"`))
		}
		var more []string
		for name, values := range e.Header {
			if !usual.MatchString(name) {
				more = append(more, strings.ToLower(strings.TrimPrefix(name, "X-Ms-"))+" "+strings.Join(values, ", "))
			}
		}
		slices.Sort(more)
		words = append(words, more...)
		if len(e.Body) > 0 {
			words = append(words, strings.Join(strings.Fields(string(e.Body)), " "))
		}
		q := request{text: long.ReplaceAllString(plain(strings.Join(words, " ")), "$1…"), status: e.Status, later: i >= returned}
		q.answer = strings.TrimSpace(fmt.Sprint(e.Status, plain(" "+strings.Trim(e.ETag, `"`))))
		r.requests = append(r.requests, q)
	}
	for i, text := range r.returned {
		r.returned[i] = plain(text)
	}
}
