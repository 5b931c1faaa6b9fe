package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/explorer"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/cosmossql/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/traffic"
)

// explored is the server as the explorer sees it.
type explored struct {
	server   *Server
	stopping chan struct{}
	stop     sync.Once
}

// isExplorer reports whether a request is for the explorer's page.
func (s *Server) isExplorer(r *http.Request) bool {
	return s.page != nil && strings.HasPrefix(r.URL.Path+"/", explorer.Path)
}

// StopExplorer ends the streams of the explorer's pages, so that an http.Server can shut
// down while a page is open. Use it with http.Server.RegisterOnShutdown. It does nothing
// without Options.Explorer.
func (s *Server) StopExplorer() {
	if s.explored != nil {
		s.explored.stop.Do(func() { close(s.explored.stopping) })
	}
}

func (x *explored) Store() *store.Account     { return x.server.account }
func (x *explored) Now() time.Time            { return x.server.clock.now() }
func (x *explored) Traffic() *traffic.Counter { return &x.server.traffic }
func (x *explored) TrafficTime() time.Time    { return time.Now() }
func (x *explored) Stopping() <-chan struct{} { return x.stopping }
func (x *explored) ClearJournal()             { x.server.journal.reset() }

// Meter bounds a query of the explorer.
func (x *explored) Meter(ctx context.Context) *work.Meter {
	return work.NewMeter(ctx, x.server.queryLimits())
}

// Send serves a request of the explorer.
func (x *explored) Send(ctx context.Context, method, path string, h http.Header, body []byte) explorer.Answer {
	w := &answerWriter{header: http.Header{}}
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return explorer.Answer{Status: status.CodeBadRequest, Header: w.header, Body: []byte(strconv.Quote(err.Error()))}
	}
	r.Header = h
	s := x.server
	entry := &Request{Method: method, Path: r.URL.EscapedPath(), Start: time.Now()}
	t, known := parsePath(entry.Path)
	if known {
		entry.Operation = operation(r, t)
	}
	c := &call{Request: r, front: Front{Endpoint: s.options.Endpoint}, target: t, entry: entry, own: true}
	answer, err := s.serve(c, known)
	respond(w, entry, activity(r), answer, err, 0, nil)
	return explorer.Answer{Status: w.status, Header: canonical(w.header), Body: w.body.Bytes()}
}

// canonical returns headers under the names that http.Header.Get looks for.
func canonical(sent http.Header) http.Header {
	h := make(http.Header, len(sent))
	for name, values := range sent {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return h
}

// answerWriter keeps an answer.
type answerWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answerWriter) Header() http.Header         { return w.header }
func (w *answerWriter) WriteHeader(code int)        { w.status = code }
func (w *answerWriter) Write(b []byte) (int, error) { return w.body.Write(b) }

// Journal returns the latest lines after the one with a number.
func (x *explored) Journal(after uint64, most int) (lines []explorer.Line, last uint64) {
	list, last := x.server.journal.since(after, most)
	number := last - uint64(len(list))
	for _, r := range list {
		number++
		lines = append(lines, explorer.Line{
			Number: number, Time: r.Start.UnixMilli(), Operation: r.Operation, Method: r.Method, Path: r.Path,
			Key: r.PartitionKey, Range: r.Range, Query: shortened(r.Query), Items: r.Items, Status: r.Status,
			Substatus: r.Substatus, Charge: r.Charge, Faulted: r.Faulted, Millis: float64(r.Duration.Microseconds()) / 1000,
		})
	}
	return lines, last
}

// mostShown is how much of a query the explorer's journal shows, in bytes.
const mostShown = 2000

func shortened(text string) string {
	if len(text) <= mostShown {
		return text
	}
	return strings.ToValidUTF8(text[:mostShown], "") + "…"
}

// Faults lists the faults that have not acted out yet, those of tests too.
func (x *explored) Faults() []explorer.Fault {
	list := []explorer.Fault{}
	for _, f := range x.server.faults.all() {
		share := f.Probability
		if share == 0 {
			share = 1
		}
		list = append(list, explorer.Fault{
			ID: f.id, Operation: f.Operation, Path: f.Path, Range: f.Range, Share: share, Status: f.Status,
			Substatus: f.Substatus, DelayMS: int(f.Delay.Milliseconds()), Drop: f.Drop, After: f.After, Left: f.Count,
		})
	}
	return list
}

// AddFault adds a fault that acts until it is removed.
func (x *explored) AddFault(f explorer.Fault) error {
	switch {
	case f.Share <= 0 || f.Share > 1:
		return fmt.Errorf("the share %g of the requests is not between 0 and 1", f.Share)
	case f.Status != 0 && (f.Status < 400 || f.Status > 599):
		return fmt.Errorf("a fault cannot have the status %d: use one from 400 to 599", f.Status)
	case f.DelayMS < 0 || f.DelayMS > 600_000:
		return fmt.Errorf("a delay of %d ms is not between 0 and 600,000", f.DelayMS)
	case f.Status == 0 && f.DelayMS == 0 && !f.Drop:
		return errors.New("the fault does nothing: choose a status, a delay or a closed connection")
	}
	share := f.Share
	if share == 1 {
		share = 0 // every request, without dice
	}
	x.server.faults.add(Fault{
		Operation: f.Operation, Path: f.Path, Range: f.Range, Probability: share, Seed: uint64(time.Now().UnixNano()), Count: -1,
		Status: f.Status, Substatus: f.Substatus, Delay: time.Duration(f.DelayMS) * time.Millisecond, Drop: f.Drop, After: f.After,
	})
	return nil
}

func (x *explored) RemoveFault(id uint64) { x.server.faults.remove(id) }

func (x *explored) Settings() explorer.Settings {
	return explorer.Settings{
		LatencyMS: int(time.Duration(x.server.latency.Load()).Milliseconds()),
		Budgets:   x.server.account.Throttles(),
	}
}

// Set changes the latency of requests, and switches budgets of request units on or off.
func (x *explored) Set(s explorer.Settings) error {
	if s.LatencyMS < 0 || s.LatencyMS > 600_000 {
		return fmt.Errorf("a latency of %d ms is not between 0 and 600,000", s.LatencyMS)
	}
	if s.Budgets && x.server.options.Serverless {
		return errors.New("a serverless account has no throughput, and so no budgets")
	}
	x.server.latency.Store(int64(time.Duration(s.LatencyMS) * time.Millisecond))
	x.server.account.SetThrottles(s.Budgets)
	return nil
}

func (x *explored) Split(database, container, rangeID string) error {
	return x.server.Split(database, container, rangeID)
}

// CanMerge reports whether the account merges physical partitions.
func (x *explored) CanMerge() bool { return x.server.options.AllVersions == 0 }

func (x *explored) Merge(database, container string, rangeIDs ...string) error {
	return x.server.Merge(database, container, rangeIDs...)
}

// count adds a request to the traffic of the physical partition that served or refused
// it.
func (s *Server) count(entry *Request, t target, h http.Header) {
	if s.page == nil || t.container == "" {
		return
	}
	id := entry.Range
	if id == "" && entry.Faulted && entry.Status == status.TooManyRequests {
		id = s.rangeFor(t, h) // a fault refused it in place of the partition
	}
	if id == "" {
		return
	}
	if _, c := s.account.Find(t.database, t.container); c != nil {
		s.traffic.Add(c.RID(), id, entry.PartitionKey, entry.Charge, entry.Status == status.TooManyRequests, time.Now())
	}
}
