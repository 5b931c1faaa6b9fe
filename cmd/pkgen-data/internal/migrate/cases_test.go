package migrate

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// compare copies and compares, as one process.
func (r *rig) compare() *Verdict {
	r.Helper()
	m, err := r.migrate(r.Context(), r.whole())
	if err != nil {
		r.Fatal(err)
	}
	v, err := m.Compare(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	return v
}

// TestDeletions deletes documents after they have been copied: the comparison removes
// them, and leaves a document alone that somebody else has put into the destination.
func TestDeletions(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 3}, toContainer, stateContainer)
	r.load(fromContainer, events(60)...)
	if v := r.compare(); !v.Equal || v.Source != 60 || v.Destination != 60 || v.Written+v.Removed != 0 {
		t.Fatalf("%+v", v)
	}
	w := r.writer()
	for i := range 10 {
		w.remove(i)
	}
	if v := r.compare(); !v.Equal || v.Removed != 10 || v.Destination != 50 {
		t.Fatalf("%+v", v)
	}
	a := r.connect(r.whole())
	to, err := a.Container(t.Context(), "fleet", "daily")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.CreateItem(t.Context(), to, `["other"]`, []byte(`{"id":"of others","partitionKey":"other"}`)); err != nil {
		t.Fatal(err)
	}
	if v := r.compare(); v.Equal || v.Others != 1 || fmt.Sprint(v.OtherIDs) != "[of others]" || v.Removed != 0 || v.Destination != 51 {
		t.Errorf("%+v", v)
	}
}

// TestMoves changes a property of the destination's key after a document was copied: the
// copy under the former key goes.
func TestMoves(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, events(10)...)
	r.compare()
	w := r.writer()
	moved := strings.Replace(event(3, 3), "2018-08-0", "2019-08-0", 1)
	if _, err := w.account.ReplaceItem(t.Context(), w.to, "3", keyOfEvent(3), []byte(moved), ""); err != nil {
		t.Fatal(err)
	}
	if v := r.compare(); !v.Equal || v.Destination != 10 || v.Removed != 1 {
		t.Errorf("%+v", v)
	}
}

// TestCollisions has two documents of the source that have one id and one key in the
// destination. Nothing is switched then.
func TestCollisions(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	documents := events(5)
	for i := range 40 {
		documents = append(documents, fmt.Sprintf(`{"id":"same","vin":"v%d","date":"2018-08-09"}`, i))
	}
	r.load(fromContainer, documents...)
	o, err := r.options(t.Context(), r.connect(r.whole()))
	if err != nil {
		t.Fatal(err)
	}
	p, err := DryRun(t.Context(), o)
	if err != nil || len(p.Refused) != 1 || p.Refused[0].Problem != Collision || p.Refused[0].Documents != 36 || p.Documents != 9 {
		t.Errorf("%+v, %v", p, err)
	}
	if v := r.compare(); v.Equal || len(v.Refused) != 1 || v.Refused[0].Problem != Collision || fmt.Sprint(v.Refused[0].IDs) != "[same]" || v.Differ != 4 {
		t.Errorf("%+v", v)
	}
}

// TestMarks copies documents that have moved to the keys of more buckets, without their marks.
// A document that is moving when it is read is refused.
func TestMarks(t *testing.T) {
	marked := func(id, value string) string {
		return fmt.Sprintf(`{"id":%q,"vin":"v","date":"d","_move":%s}`, id, value)
	}
	final := marked("final", `{"state":"final","token":"ABCDEFGHIJKL","at":12}`)
	for _, tt := range []struct {
		name string
		mark string
	}{
		{"the mark of a document that has moved", `{"state":"moved","token":"ABCDEFGHIJKL"}`},
		{"the mark of a document that was deleted", `{"state":"removed","token":"ABCDEFGHIJKL"}`},
		{"a copy", `{"state":"copy","token":"ABCDEFGHIJKL","from":"e"}`},
		{"a place that is taken", `{"state":"gone"}`},
		{"an unfinished creation", `{"state":"draft","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}`},
		{"a document that moves to another container", `{"state":"moved","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}`},
		{"a copy for another container", `{"state":"copy","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, server.Options{}, toContainer, stateContainer)
			r.load(fromContainer, final, marked("other", tt.mark))
			if v := r.compare(); v.Equal || len(v.Refused) != 1 || v.Refused[0].Problem != Moving || fmt.Sprint(v.Refused[0].IDs) != "[other]" {
				t.Errorf("%+v", v)
			}
		})
	}
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, final)
	if v := r.compare(); !v.Equal || v.Source != 1 || v.Destination != 1 {
		t.Errorf("%+v", v)
	}
	if got := strings.Join(r.documents("daily"), ""); strings.Contains(got, "_move") {
		t.Errorf("copied is %s", got)
	}
	// A type whose documents never move may have the name for itself.
	r = newRig(t, server.Options{}, toContainer, stateContainer)
	r.lock = strings.Replace(rigLock, "\nend", "\t\tproperty /_move string\n\nend", 1)
	r.load(fromContainer, `{"id":"1","vin":"v","date":"d","_move":"e4"}`)
	if v := r.compare(); !v.Equal || !strings.Contains(strings.Join(r.documents("daily"), ""), `"_move":"e4"`) {
		t.Errorf("%+v", v)
	}
}

// TestRefusedAgain compares where a document was refused in an earlier run: the verdict
// lists it with the reason.
func TestRefusedAgain(t *testing.T) {
	r := newRig(t, server.Options{}, strings.TrimSuffix(toContainer, "}")+`,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/plate"]}]}}`, stateContainer)
	r.load(fromContainer, `{"id":"1","vin":"v","date":"d","plate":"p"}`, `{"id":"2","vin":"v","date":"d","plate":"p"}`)
	if m, err := r.migrate(t.Context(), r.whole()); err != nil || len(m.Refused()) != 1 {
		t.Fatal(m, err)
	}
	if v := r.compare(); v.Equal || len(v.Refused) != 1 || v.Refused[0].Problem != UniqueKey || v.Differ != 1 {
		t.Errorf("%+v", v)
	}
}

// TestTimeToLive copies documents that expire: they have as long to live as is left, also
// by the default of the source, and those whose time is over do not come back.
func TestTimeToLive(t *testing.T) {
	r := newRig(t, server.Options{}, strings.TrimSuffix(toContainer, "}")+`,"defaultTtl":-1}`, stateContainer)
	r.load(strings.TrimSuffix(fromContainer, "}")+`,"defaultTtl":100000}`,
		`{"id":"own","vin":"a","date":"1","ttl":90000}`, `{"id":"default","vin":"a","date":"1"}`, `{"id":"never","vin":"a","date":"1","ttl":-1}`, `{"id":"short","vin":"a","date":"1","ttl":60}`)
	r.server.Advance(50_000 * time.Second)
	if v := r.compare(); !v.Equal || v.Source != 3 {
		t.Fatalf("%+v", v)
	}
	got := strings.Join(r.documents("daily"), "\n")
	for _, want := range []string{`"id":"default","ttl":5000`, `"id":"own","ttl":4000`, `"id":"never","ttl":-1`} {
		if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(got, `"ttl":49999`, `"ttl":50000`), `"ttl":39999`, `"ttl":40000`), want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "short") {
		t.Errorf("a document that has expired is in\n%s", got)
	}
}

// TestWrittenAgain writes documents again as they are, one of them with less time to live:
// the copies expire when they do, though they are equal otherwise.
func TestWrittenAgain(t *testing.T) {
	r := newRig(t, server.Options{}, strings.TrimSuffix(toContainer, "}")+`,"defaultTtl":-1}`, stateContainer)
	r.load(strings.TrimSuffix(fromContainer, "}")+`,"defaultTtl":20000}`,
		`{"id":"1","vin":"vin-1","date":"2018-08-02","speed":1}`, `{"id":"2","vin":"vin-2","date":"2018-08-03","speed":2,"ttl":90000}`)
	r.compare()
	r.server.Advance(15_000 * time.Second)
	w := r.writer()
	w.replace(1, 1) // 20000 from now on
	w.replace(2, 2) // 20000 instead of 75000
	if v := r.compare(); !v.Equal {
		t.Fatalf("%+v", v)
	}
	r.server.Advance(19_000 * time.Second)
	if got := r.documents("daily"); len(got) != 2 {
		t.Errorf("before the time is over: %q", got)
	}
	r.server.Advance(1_100 * time.Second)
	if got := r.documents("daily"); len(got) != 0 {
		t.Errorf("after the time is over: %q", got)
	}
}

// TestLayouts copies under hierarchical keys, keys within objects, random suffixes, and
// keys that documents have already.
func TestLayouts(t *testing.T) {
	for _, test := range []struct {
		name, to, lock string
		kept           bool
		want           string
	}{
		{
			"hierarchical", `["/tenant","/pk"],"kind":"MultiHash"`,
			"path /tenant,/pk\n\tkind MultiHash\n\tversion 2\n\ttype Event {tenant},{date}.{n}\n\t\tcomponent date text\n\t\tcomponent n int\n\t\tcomponent tenant text", false, `"pk":"d.7"`,
		},
		{
			"within an object", `["/meta/key"],"kind":"Hash"`,
			"path /meta/key\n\tkind Hash\n\tversion 2\n\ttype Event {tenant}-{n}\n\t\tcomponent n int\n\t\tcomponent tenant text", false, `"meta":{"a":[1,2.5,"\u003c"],"key":"t-7"}`,
		},
		{
			"random suffix", `["/pk"],"kind":"Hash"`,
			"path /pk\n\tkind Hash\n\tversion 2\n\ttype Event {tenant}-{*%5}\n\t\tcomponent tenant text", false, `"pk":"t-`,
		},
		{
			"a number", `["/n"],"kind":"Hash"`,
			"path /n\n\tkind Hash\n\tversion 2\n\ttype Event {n} values=number\n\t\tcomponent n int", true, `"n":7`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, server.Options{}, `{"id":"daily","partitionKey":{"paths":`+test.to+`,"version":2}}`, stateContainer)
			r.lock = "version 2\n\ncontainer daily\n\t" + test.lock + "\n\nend\n"
			r.load(fromContainer, `{"id":"é 1","vin":"a","tenant":"t","date":"d","n":7,"meta":{"a":[1,2.5,"<"]},"big":12345678901234567890}`)
			o, err := r.options(t.Context(), r.connect(r.whole()))
			if err != nil {
				t.Fatal(err)
			}
			if p, err := DryRun(t.Context(), o); err != nil || p.Kept != test.kept || p.Documents != 1 {
				t.Errorf("%+v, %v", p, err)
			}
			for range 2 { // the second run changes nothing
				if v := r.compare(); !v.Equal || v.Source != 1 || v.Written != 0 {
					t.Errorf("%+v", v)
				}
			}
			if got := r.documents("daily"); len(got) != 1 || !strings.Contains(strings.ReplaceAll(got[0], "<", `\u003c`), test.want) {
				t.Errorf("no %s in %s", test.want, got)
			}
		})
	}
}

// TestSplitsAndMachines has three machines share the work, while physical partitions of
// both sides split.
func TestSplitsAndMachines(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 4}, toContainer, stateContainer)
	r.load(fromContainer, events(1000)...)
	var group sync.WaitGroup
	shares := make([]int64, 3)
	for i := range shares {
		group.Go(func() {
			m, err := r.migrate(t.Context(), r.whole())
			if err != nil {
				t.Error(err)
				return
			}
			shares[i] = m.Done().Documents
		})
	}
	for _, id := range []string{"0", "2"} {
		for _, c := range []string{"events", "daily"} {
			if err := r.server.Split("fleet", c, id); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	group.Wait()
	if v := r.finish(); v.Source != 1000 {
		t.Errorf("%+v", v)
	}
	t.Logf("documents by machine: %d", shares)
}

// TestBegunMeanwhile has another machine begin, and copy all, after this one has seen that
// there is no migration, and before it looks whether the destination is empty.
func TestBegunMeanwhile(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, events(20)...)
	if _, err := r.migrate(t.Context(), &overtaken{link: r.whole(), other: func() {
		if _, err := r.migrate(t.Context(), r.whole()); err != nil {
			t.Error(err)
		}
	}}); err != nil {
		t.Error(err)
	}
	if v := r.finish(); v.Source != 20 {
		t.Errorf("%+v", v)
	}
}

// overtaken calls other before it passes on the first reading of the destination's feed.
type overtaken struct {
	link  *harness.Link
	other func()
	once  sync.Once
}

func (o *overtaken) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Header.Get("A-Im") != "" && strings.Contains(q.URL.Path, "/colls/daily/") {
		o.once.Do(o.other)
	}
	return o.link.RoundTrip(q)
}

// TestInterrupted frees the units of a run that was interrupted, so that another one goes
// on at once.
func TestInterrupted(t *testing.T) {
	r := newRig(t, server.Options{}, toContainer, stateContainer)
	r.load(fromContainer, events(400)...)
	ctx, cancel := context.WithCancel(t.Context())
	l := r.whole()
	n := 0
	var mu sync.Mutex
	l.Each = func(int, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 100 {
			cancel()
		}
	}
	if _, err := r.migrate(ctx, l); err == nil {
		t.Fatal("the run has not been interrupted")
	}
	r.finish()
}

// TestDeletionsOfTheFeed deletes documents in an account that keeps all versions: a run
// removes them without a comparison, also after a time that the account does not keep.
func TestDeletionsOfTheFeed(t *testing.T) {
	r := newRig(t, server.Options{Partitions: 3, AllVersions: time.Hour}, toContainer, stateContainer)
	r.load(fromContainer, events(60)...)
	run := func() *Migration {
		t.Helper()
		m, err := r.migrate(t.Context(), r.whole())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	run()
	w := r.writer()
	for i := range 10 {
		w.remove(i)
	}
	w.create(3, 3000)
	if err := r.server.Split("fleet", "events", "0"); err != nil {
		t.Fatal(err)
	}
	run()
	if got := r.documents("daily"); len(got) != 51 {
		t.Errorf("%d documents", len(got))
	}
	r.finish()
	w.remove(20)
	r.server.Advance(2 * time.Hour)
	run() // finds that the feed has to begin again
	w.remove(30)
	run()
	if got := r.documents("daily"); len(got) != 50 {
		t.Errorf("%d documents: that of which the deletion is not kept stays, and the other one goes", len(got))
	}
	if v := r.finish(); v.Removed != 1 {
		t.Errorf("%+v", v)
	}
}
