package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// hostile returns the bodies of queries that would run for minutes or for ever. The
// container has a document with a text of 200,000 characters, t, and an array of 3,000
// numbers, a.
func hostile() []string {
	long := strings.Repeat("a", 200_000)
	like := "%" + long[:60_000] + "b%"
	query := func(sql string, parameters ...string) string {
		var list []map[string]string
		for i := 0; i < len(parameters); i += 2 {
			list = append(list, map[string]string{"name": parameters[i], "value": parameters[i+1]})
		}
		body, err := json.Marshal(map[string]any{"query": sql, "parameters": list})
		if err != nil {
			panic(err)
		}
		return string(body)
	}
	terms := strings.Repeat("c.a = c.b OR ", 5000)
	return []string{
		query("SELECT * FROM c WHERE CONCAT(c.id, @t) LIKE @p", "@t", long, "@p", like),
		query("SELECT * FROM c WHERE @t LIKE @p", "@t", long, "@p", like),
		query("SELECT * FROM c WHERE REGEXMATCH(c.t, @p)", "@p", "(x*a?b?){200}(y|z)"+strings.Repeat("(a|b|ab)*", 100)+"$^"),
		query("SELECT VALUE x FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a WHERE x + y + z < 0"),
		query("SELECT c.id FROM c WHERE EXISTS(SELECT VALUE x FROM x IN c.a JOIN y IN c.a WHERE " + terms + "x + y < 0)"),
		query("SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a WHERE " + terms + "x + y < 0"),
		query("SELECT * FROM c WHERE " + terms + "false ORDER BY c.id"),
		query("SELECT VALUE " + strings.Repeat("REPLACE(", 200) + "c.t" + strings.Repeat(`,"a","b")`, 200) + " FROM c JOIN x IN c.a"),
		query("SELECT * FROM c WHERE CONTAINS_ANY_CS(c.t" + strings.Repeat(`, "abbb"`, 20_000) + ")"),
	}
}

func hostileRig(t testing.TB, o Options) *rig {
	r := newRig(t, o)
	r.container("")
	numbers := make([]string, 3000)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	list := "[" + strings.Join(numbers, ",") + "]"
	for i := range 20 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","t":%q,"a":%s,"b":%s}`, i, strings.Repeat("a", 200_000), list, strings.Replace(list, "2999", "0", 1)))
	}
	r.create(`["b"]`, `{"id":"good","pk":"b","n":1}`)
	return r
}

// TestHostileQueriesEnd holds each hostile query to the time of a page: it gets 408, or a
// page with a continuation. Without that limit it would run for minutes, and a busy machine
// may stretch the limit, so some seconds count as the end.
func TestHostileQueriesEnd(t *testing.T) {
	const most, late = 200 * time.Millisecond, 2 * time.Second
	r := hostileRig(t, Options{QueryTime: most})
	for i, body := range hostile() {
		start := time.Now()
		a := r.send("POST", docs, body, "x-ms-documentdb-query", "True", pkKey, `["a"]`)
		if took := time.Since(start); took > slower*late {
			t.Errorf("query %d took %v, may take %v", i, took, most)
		}
		if ended := a.Code == 408 || a.Code == 200 && a.Header().Get("x-ms-continuation") != ""; !ended {
			t.Errorf("query %d: status %d without a continuation: %.200s", i, a.Code, a.Body)
		}
		if a.Code == 408 && !strings.Contains(a.Body.String(), `"code":"RequestTimeout"`) {
			t.Errorf("query %d: %s", i, a.Body)
		}
	}
}

// TestPagesByTime reads all rows of a query whose pages end by time. It looks for a time
// in which this machine evaluates the query for some documents but not for all.
func TestPagesByTime(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	const n = 60
	for i := range n {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","t":%q}`, i, strings.Repeat("ab", 3000)))
	}
	read := func(sql string, most time.Duration) (rows []string, pages, status int) {
		r.options.QueryTime = most
		token := ""
		for {
			a := r.query(sql, pkKey, `["a"]`, "x-ms-continuation", token, "x-ms-max-item-count", "-1")
			if a.Code != 200 {
				return nil, 0, a.Code
			}
			rows, pages = append(rows, a.rows()...), pages+1
			if token = a.Header().Get("x-ms-continuation"); token == "" {
				return rows, pages, 200
			}
		}
	}
	onPages := func(sql string) []string {
		most := 100 * time.Millisecond
		for range 12 {
			rows, pages, status := read(sql, most)
			switch {
			case status == 408: // one document takes longer
				most *= 3
			case status != 200:
				t.Fatalf("status %d", status)
			case pages < 2:
				most /= 4
			default:
				return rows
			}
		}
		t.Fatalf("no time makes several pages of the query; the last was %v", most)
		return nil
	}
	slow := ` FROM c WHERE c.t LIKE "%a%b%` + strings.Repeat("ab", 20) + `%" AND REGEXMATCH(c.t, "(a?b?){4}$")`
	rows := onPages("SELECT VALUE c.id" + slow)
	if len(rows) != n || len(slices.Compact(slices.Sorted(slices.Values(rows)))) != n {
		t.Errorf("%d rows, want %d", len(rows), n)
	}
	counts := onPages("SELECT VALUE COUNT(1)" + slow)
	sum := 0
	for _, text := range counts {
		var part int
		if _, err := fmt.Sscan(text, &part); err != nil {
			t.Fatal(err)
		}
		sum += part
	}
	if sum != n {
		t.Errorf("the parts %v add up to %d, want %d", counts, sum, n)
	}
}

// TestQueryEndsWithItsClient cancels the context of a request, as the server does when the
// connection closes.
func TestQueryEndsWithItsClient(t *testing.T) {
	r := hostileRig(t, Options{QueryTime: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	req := r.request(ctx, "POST", docs, hostile()[0], "x-ms-documentdb-query", "True", pkKey, `["a"]`)
	ended := make(chan struct{})
	go func() {
		r.ServeHTTP(httptest.NewRecorder(), req)
		close(ended)
	}()
	time.Sleep(50 * time.Millisecond)
	cancel()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the query runs on without its client")
	}
	if last := r.Requests()[len(r.Requests())-1]; last.Status != 408 {
		t.Errorf("the journal has status %d, want 408", last.Status)
	}
}

// TestWritesDoNotWaitForQueries writes while a query reads, and the query does not see it.
func TestWritesDoNotWaitForQueries(t *testing.T) {
	r := hostileRig(t, Options{QueryTime: 3 * time.Second})
	ctx, cancel := context.WithCancel(t.Context())
	req := r.request(ctx, "POST", docs, hostile()[0], "x-ms-documentdb-query", "True", pkKey, `["a"]`)
	var running sync.WaitGroup
	running.Go(func() { r.ServeHTTP(httptest.NewRecorder(), req) })
	time.Sleep(50 * time.Millisecond)
	start := time.Now()
	r.create(`["a"]`, `{"id":"new","pk":"a"}`)
	r.send("GET", docs+"/new", "", pkKey, `["a"]`).status(200, "")
	r.send("GET", "/dbs", "").status(200, "")
	if took := time.Since(start); took > slower*time.Second {
		t.Errorf("a write and two reads took %v while a query ran", took)
	}
	cancel()
	running.Wait()
}

// TestSlowPatchCondition holds a condition, which is evaluated while the container is
// locked, to a fraction of a query's time.
func TestSlowPatchCondition(t *testing.T) {
	r := hostileRig(t, Options{})
	body := `{"condition":"from c where c.t LIKE \"%` + strings.Repeat("a", 60_000) + `b%\"","operations":[{"op":"set","path":"/n","value":1}]}`
	start := time.Now()
	r.send("PATCH", docs+"/1", body, pkKey, `["a"]`).status(408, "")
	if took := time.Since(start); took > slower*2*time.Second {
		t.Errorf("the condition took %v", took)
	}
}

// TestGoodClientAmongHostileOnes has 64 clients send hostile queries without end. Another
// client reads, writes and queries meanwhile, and must not be slowed down noticeably.
func TestGoodClientAmongHostileOnes(t *testing.T) {
	r := hostileRig(t, Options{})
	server := httptest.NewServer(r)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	send := func(ctx context.Context, method, path, body string, headers ...string) (int, error) {
		req := r.request(ctx, method, server.URL+path, body, headers...)
		req.RequestURI = ""
		response, err := client.Do(req)
		if err != nil {
			return 0, err
		}
		return response.StatusCode, response.Body.Close()
	}
	var clients sync.WaitGroup
	queries := hostile()
	for i := range 64 {
		clients.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				limit, stop := context.WithTimeout(ctx, time.Duration(50+10*i)*time.Millisecond)
				_, _ = send(limit, "POST", docs, queries[n%len(queries)], "x-ms-documentdb-query", "True", pkKey, `["a"]`)
				stop()
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	var took []time.Duration
	begin := time.Now()
	for i := 0; i < 60 && (i < 10 || time.Since(begin) < 5*time.Second); i++ {
		for _, f := range []func() (int, error){
			func() (int, error) { return send(ctx, "GET", docs+"/good", "", pkKey, `["b"]`) },
			func() (int, error) {
				return send(ctx, "PUT", docs+"/good", fmt.Sprintf(`{"id":"good","pk":"b","n":%d}`, i), pkKey, `["b"]`)
			},
			func() (int, error) {
				return send(ctx, "POST", docs, `{"query":"SELECT * FROM c WHERE c.n >= 0"}`, "x-ms-documentdb-query", "True", pkKey, `["b"]`)
			},
		} {
			start := time.Now()
			if code, err := f(); err != nil || code != 200 {
				t.Fatalf("status %d, %v", code, err)
			}
			took = append(took, time.Since(start))
		}
	}
	cancel()
	clients.Wait()
	slices.Sort(took)
	median, worst := took[len(took)/2], took[len(took)-1]
	t.Logf("%d requests among 64 hostile clients on %d processors: median %v, worst %v", len(took), runtime.GOMAXPROCS(0), median, worst)
	if median > slower*time.Second {
		t.Errorf("the median of a good client's requests is %v", median)
	}
}

func TestLongParameters(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	body := func(n int) string {
		return `{"query":"SELECT * FROM c WHERE c.id = @t","parameters":[{"name":"@t","value":"` + strings.Repeat("x", n) + `"}]}`
	}
	r.send("POST", docs, body(500_000), "x-ms-documentdb-query", "True", pkKey, `["a"]`).status(200, "")
	r.send("POST", docs, body(600_000), "x-ms-documentdb-query", "True", pkKey, `["a"]`).status(400, "")
}
