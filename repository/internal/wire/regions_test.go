package wire

import (
	"context"
	"errors"
	"net/http"
	"testing"
)

// routed is a request in an account with the regions A, B and C, by the name of its host.
type routed struct {
	t    *testing.T
	call *call
	raw  *http.Request
	r    *routing
}

// newRouted returns a request of a client with these preferred regions.
func newRouted(t *testing.T, method, path string, several bool, r *routing, preferred ...string) *routed {
	t.Helper()
	host := t.Name() + ".account"
	body := `{"readableLocations":[{"name":"A","databaseAccountEndpoint":"https://a"},{"name":"B","databaseAccountEndpoint":"https://b"},{"name":"C","databaseAccountEndpoint":"https://c"}],` +
		`"writableLocations":[{"name":"A","databaseAccountEndpoint":"https://a"}]}`
	if several {
		body = `{"readableLocations":[{"name":"A","databaseAccountEndpoint":"https://a"},{"name":"B","databaseAccountEndpoint":"https://b"}],` +
			`"writableLocations":[{"name":"A","databaseAccountEndpoint":"https://a"},{"name":"B","databaseAccountEndpoint":"https://b"}],"enableMultipleWriteLocations":true}`
	}
	accountOf(host).learn([]byte(body))
	raw, err := http.NewRequestWithContext(context.Background(), method, "https://a/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &routed{t, &call{account: host, preferred: &preferred}, raw, r}
}

// attempt fails the test unless an attempt that azcosmos sends to a region goes to another one.
// It then ends with a status and substatus, or, without a status, by a connection that breaks.
func (r *routed) attempt(chosen, want string, status int, substatus string) {
	r.t.Helper()
	r.raw.URL.Host = chosen
	r.call.direct(r.raw, r.r)
	if r.raw.URL.Host != want {
		r.t.Errorf("an attempt for %s went to %s, want %s", chosen, r.raw.URL.Host, want)
	}
	if status == 0 {
		r.call.ended(nil, errors.New("broken"))
		return
	}
	r.call.ended(&http.Response{StatusCode: status, Header: http.Header{headerSubstatus: {substatus}}}, nil)
}

const item = "dbs/d/colls/c/docs/1"

// TestSessionsReachTheWriteRegion has reads whose session no other region is as far as.
func TestSessionsReachTheWriteRegion(t *testing.T) {
	r := newRouted(t, http.MethodGet, item, false, &routing{anywhere: true}, "B")
	r.attempt("b", "b", http.StatusNotFound, "1002")
	r.attempt("a", "a", http.StatusOK, "") // which the client does not prefer

	r = newRouted(t, http.MethodGet, item, false, &routing{anywhere: true}, "A", "B", "C")
	r.attempt("a", "a", http.StatusRequestTimeout, "")
	r.attempt("b", "b", http.StatusNotFound, "1002")
	r.attempt("a", "a", http.StatusOK, "") // once more
}

// TestExcludedRegionsLeaveARegion has attempts for which azcosmos begins at the head of its list.
func TestExcludedRegionsLeaveARegion(t *testing.T) {
	without := &routing{excluded: []string{regionID("A")}}
	r := newRouted(t, http.MethodGet, item, false, without, "A", "B", "C")
	r.attempt("a", "b", http.StatusForbidden, "1008")
	r.attempt("a", "c", http.StatusOK, "")

	r = newRouted(t, http.MethodGet, item, false, without, "A", "B", "C")
	for range maxBroken {
		r.attempt("a", "b", 0, "")
	}
	r.attempt("a", "c", http.StatusOK, "")

	r = newRouted(t, http.MethodGet, item, false, without, "A", "B", "C")
	r.attempt("a", "b", http.StatusTooManyRequests, "")
	r.attempt("a", "b", http.StatusOK, "") // the region is well
}

// TestHedgesWithoutPreferredRegions has a client none of whose regions the account has.
func TestHedgesWithoutPreferredRegions(t *testing.T) {
	l := &leg{}
	r := newRouted(t, http.MethodGet, item, false, &routing{leg: l, anywhere: true}, "Elsewhere")
	r.attempt("a", "a", http.StatusOK, "")
	if s := l.sent.Load(); s == nil || len(s.left) != 0 {
		t.Errorf("left for a second request: %v, want none", s)
	}
}

// TestContainersAreWrittenInTheFirstRegion has several write regions: they take documents.
func TestContainersAreWrittenInTheFirstRegion(t *testing.T) {
	without := &routing{excluded: []string{regionID("A")}}
	newRouted(t, http.MethodPost, "dbs/d/colls", true, without).attempt("a", "a", http.StatusCreated, "")
	newRouted(t, http.MethodPost, "dbs/d/colls/c/docs", true, without).attempt("a", "b", http.StatusCreated, "")
}

// TestFailoverHasOneWriteRegion has the account name the region that gets the writes and the one
// that had them, as it does for some seconds of a planned failover. Still one of them takes writes.
func TestFailoverHasOneWriteRegion(t *testing.T) {
	const regions = `[{"name":"B","databaseAccountEndpoint":"https://b"},{"name":"A","databaseAccountEndpoint":"https://a"}]`
	r := newRouted(t, http.MethodGet, item, false, &routing{primary: true}, "A", "B")
	accountOf(r.call.account).learn([]byte(`{"readableLocations":` + regions + `,"writableLocations":` + regions + `,"enableMultipleWriteLocations":false}`))
	if accountOf(r.call.account).known().several {
		t.Error("several write regions")
	}
	r.attempt("a", "b", http.StatusOK, "")
	r.raw.Method = http.MethodPut
	if all, _ := r.call.order(r.raw, accountOf(r.call.account).known()); len(all) > 0 {
		t.Errorf("a write may go to %v", all)
	}
}

// TestCircuitsLeaveOtherReadsAlone has an open circuit, which diverts reads for programs alone.
func TestCircuitsLeaveOtherReadsAlone(t *testing.T) {
	r := newRouted(t, http.MethodGet, item, false, &routing{}, "A", "B")
	w := r.call.watch(r.raw)
	for range circuitFailures {
		w.ended(0, nil, errors.New("broken"))
	}
	defer w.circuits.note(w.key, healthy, false)
	r.attempt("a", "a", http.StatusOK, "")
	if ctx := Anywhere(context.Background()); routingOf(ctx) == nil || !routingOf(ctx).anywhere {
		t.Error("while a circuit is open, Anywhere says nothing")
	}
	newRouted(t, http.MethodGet, item, false, &routing{anywhere: true}, "A", "B").attempt("a", "b", http.StatusOK, "")
}

// TestEachRegion has reads of one region each, of a client that prefers one of them.
func TestEachRegion(t *testing.T) {
	c := &Container{}
	if c.HasRegions() {
		t.Error("an account that no request has told has several regions")
	}
	c.account.Store(accountOf(newRouted(t, http.MethodGet, item, false, nil).call.account))
	ctx := WithSession(WithExcludedRegions(t.Context(), []string{"C"}), &Session{})
	asked := 0
	err := c.EachRegion(ctx, func(ctx context.Context) error {
		if sessionOf(ctx) != nil {
			t.Error("the read is in a session")
		}
		r := newRouted(t, http.MethodGet, item, false, routingOf(ctx), "B")
		for range 2 {
			r.attempt("b", []string{"a", "b", "c"}[asked], http.StatusServiceUnavailable, "")
		}
		if asked++; asked == 3 {
			return errors.New("busy")
		}
		return nil
	})
	if err == nil || err.Error() != "in the region C: busy" || asked != 3 {
		t.Errorf("after %d regions: %v", asked, err)
	}
}

// TestHedgesPassOpenCircuits has a second request go to the first region that is well.
func TestHedgesPassOpenCircuits(t *testing.T) {
	for _, step := range []struct {
		open string // hosts
		want string
	}{{"", "b"}, {"b", "c"}, {"bc", ""}} {
		l := &leg{}
		r := newRouted(t, http.MethodGet, item, false, &routing{leg: l, anywhere: true}, "A", "B", "C")
		for _, host := range step.open {
			w := r.call.watch(r.raw)
			w.key.host = string(host)
			for range circuitFailures {
				w.ended(0, nil, errors.New("broken"))
			}
			defer w.circuits.note(w.key, healthy, false)
		}
		r.attempt("a", "a", http.StatusOK, "")
		got := ""
		if s := l.sent.Load(); len(s.left) > 0 {
			got = s.left[0].host
		}
		if got != step.want {
			t.Errorf("with open circuits to %q the second request goes to %q, want %q", step.open, got, step.want)
		}
	}
}

// TestMovingDocumentsAreReadInTheWriteRegion has a client that prefers another region.
func TestMovingDocumentsAreReadInTheWriteRegion(t *testing.T) {
	c := &Container{Moving: true}
	pinned := c.primary(t.Context()) // no request has told the regions yet
	r := newRouted(t, http.MethodGet, item, false, routingOf(pinned), "B", "A")
	for range 2 {
		r.attempt("b", "a", http.StatusServiceUnavailable, "")
	}
	c.account.Store(accountOf(r.call.account))
	for name, ctx := range map[string]context.Context{
		"once more":   c.primary(pinned),
		"a hedge":     withLeg(t.Context(), &leg{only: "c"}),
		"for a write": (&Container{}).primary(t.Context()),
	} {
		if got := c.primary(ctx); got != ctx {
			t.Errorf("%s: another context", name)
		}
	}
	if c.Moving = false; c.primary(t.Context()) == t.Context() {
		t.Error("a read of a write goes elsewhere")
	}
	several := newRouted(t, http.MethodGet, item, true, routingOf(pinned), "B", "A")
	several.attempt("b", "b", http.StatusOK, "")
	if c.account.Store(accountOf(several.call.account)); c.primary(t.Context()) != t.Context() {
		t.Error("with several write regions reads go to the first one")
	}
}

// TestPagesOfChanges: a page that azcosmos takes for an empty one is empty, and says so.
func TestPagesOfChanges(t *testing.T) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "https://a/dbs/d/colls/c/docs", nil)
	if err != nil {
		t.Fatal(err)
	}
	if metadataCheck(r) != nil {
		t.Error("a page of a query is checked")
	}
	r.Header.Set("A-IM", "Incremental Feed")
	for _, test := range []struct {
		count, body string
		whole       bool
	}{
		{"0", `{"_rid":"a","Documents":[],"_count":0}`, true},
		{"1", `{"_rid":"a","Documents":[{"id":"1"}],"_count":1}`, true},
		{"1", `{"_rid":"a","Documents":[{"current":{"id":"1"}}],"_count":1}`, true},
		{"1", `{}`, false},
		{"1", ``, false},
		{"", ``, false},
		{"1", `{"_rid":"a","Documents":[],"_count":0}`, false},
		{"", `{"_rid":"a","Documents":null}`, false},
	} {
		header := http.Header{}
		if test.count != "" {
			header.Set(headerItemCount, test.count)
		}
		if err := metadataCheck(r)(header, []byte(test.body)); (err == nil) != test.whole {
			t.Errorf("%s, of %q changes: %v", test.body, test.count, err)
		}
	}
}
