package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/explorer"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// newExplorer returns the page of the server.
func (s *Server) newExplorer() *explorer.Explorer {
	return explorer.New(explorer.Account{
		Store: s.account, Now: s.clock.now, Ahead: s.Ahead, Advance: s.Advance, Send: s.send, Limits: s.queryLimits(), Traffic: &s.traffic,
		Journal: s.journal.lines, ClearJournal: s.journal.reset,
		Faults: s.faults.shown, AddFault: s.faults.addShown, RemoveFault: s.faults.remove,
		Regions: s.shownRegions, ChangeRegion: s.changeRegion,
		Latency: &s.latency, Serverless: s.options.Serverless, CanMerge: s.options.AllVersions == 0,
	})
}

// isExplorer reports whether a request is for the explorer's page.
func (s *Server) isExplorer(r *http.Request) bool {
	return s.page != nil && strings.HasPrefix(r.URL.Path+"/", explorer.Path)
}

// StopExplorer ends the streams of the explorer's pages, so that an http.Server can shut down
// while a page is open. Pass it to http.Server.RegisterOnShutdown. It does nothing without
// Options.Explorer.
func (s *Server) StopExplorer() {
	if s.page != nil {
		s.page.Stop()
	}
}

// send serves a request of the explorer.
func (s *Server) send(ctx context.Context, method, path string, h http.Header, body []byte) explorer.Answer {
	w := &answerWriter{header: http.Header{}}
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return explorer.Answer{Status: status.CodeBadRequest, Header: w.header, Body: []byte(strconv.Quote(err.Error()))}
	}
	r.Header = h
	entry := &Request{Method: method, Path: r.URL.EscapedPath(), Start: time.Now()}
	t, known := parsePath(entry.Path)
	if known {
		entry.Operation = operation(r, t)
	}
	c := &call{Request: r, front: Front{Endpoint: s.options.Endpoint}, place: s.place(Front{}), target: t, entry: entry, own: true}
	answer, err := s.serve(c, known)
	respond(w, entry, activity(r), answer, err, 0, nil)
	return explorer.Answer{Status: w.status, Header: canonical(w.header), Body: w.body.Bytes()}
}

// canonical returns headers under canonical names, for http.Header.Get.
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

// lines returns the latest lines after a number.
func (j *journal) lines(after uint64, most int) (lines []explorer.Line, last uint64) {
	list, last := j.since(after, most)
	number := last - uint64(len(list))
	for _, r := range list {
		number++
		lines = append(lines, explorer.Line{
			Number: number, Time: r.Start.UnixMilli(), Operation: r.Operation, Method: r.Method, Path: r.Path,
			Key: r.PartitionKey, Range: r.Range, Region: r.Region, Query: shortened(r.Query), Items: r.Items, Status: r.Status,
			Substatus: r.Substatus, Charge: r.Charge, Faulted: r.Faulted, Millis: float64(r.Duration.Microseconds()) / 1000,
		})
	}
	return lines, last
}

// mostShown is how many bytes of a query the explorer's journal shows.
const mostShown = 2000

func shortened(text string) string {
	if len(text) <= mostShown {
		return text
	}
	return strings.ToValidUTF8(text[:mostShown], "") + "…"
}

// shown lists the pending faults, including those of tests.
func (l *faults) shown() []explorer.Fault {
	list := []explorer.Fault{}
	for _, f := range l.all() {
		share := f.Probability
		if share == 0 {
			share = 1
		}
		list = append(list, explorer.Fault{
			ID: f.id, Operation: f.Operation, Path: f.Path, Range: f.Range, Region: f.Region, Share: share, Status: f.Status,
			Substatus: f.Substatus, DelayMS: int(f.Delay.Milliseconds()), Drop: f.Drop, After: f.After, Left: f.Count,
		})
	}
	return list
}

// shownRegions lists the regions of the account.
func (s *Server) shownRegions() []explorer.Region {
	list := []explorer.Region{}
	for _, r := range s.Regions() {
		list = append(list, explorer.Region{
			Name: r.Name, Endpoint: r.Endpoint, Writable: r.Writable, Online: r.Online, Removed: r.Removed,
			LagMS: int(r.Lag.Milliseconds()), Paused: r.Paused,
		})
	}
	return list
}

// changeRegion makes a change that the page requested.
func (s *Server) changeRegion(c explorer.RegionChange) error {
	switch {
	case c.Online != nil:
		return s.SetRegionOnline(c.Name, *c.Online)
	case c.Failover == "planned":
		return s.Failover(c.Name)
	case c.Failover == "forced":
		return s.ForceFailover(c.Name)
	case c.LagMS != nil && *c.LagMS >= 0:
		return s.SetReplication(Replication{Region: c.Name, Lag: time.Duration(*c.LagMS) * time.Millisecond, Paused: c.Paused})
	}
	return errors.New("the change of a region has neither online, nor failover, nor a lag of 0 ms or more")
}

// addShown adds a fault of the page, which acts until it is removed.
func (l *faults) addShown(f explorer.Fault) error {
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
	l.add(Fault{
		Operation: f.Operation, Path: f.Path, Range: f.Range, Region: f.Region, Probability: share, Seed: uint64(time.Now().UnixNano()), Count: -1,
		Status: f.Status, Substatus: f.Substatus, Delay: time.Duration(f.DelayMS) * time.Millisecond, Drop: f.Drop, After: f.After,
	})
	return nil
}

// count adds a request to the traffic of the physical partition that served or refused it.
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
