package unique_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// service is a container of the members without a network or a clock of its own: point
// reads, and writes on conditions, as the service has them. It keeps what each place had
// before, so that a read may come from a replica that lags.
type service struct {
	mu     sync.Mutex
	now    time.Time
	places map[at]*place
	gate   func(r *http.Request) (*http.Response, error) // nil lets requests pass
}

// at is an id and a partition key.
type at struct{ id, region string }

// place is what is stored at a place, and what was. Its ETags are numbers that grow.
type place struct {
	now  *stored
	past []*stored // nil where it was empty
	tags int
}

type stored struct {
	raw []byte
	tag int
	storedItem
}

func newService() *service {
	return &service{now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), places: map[at]*place{}}
}

// tinyAccount is the only account that there is.
const tinyEndpoint = "http://tiny.documents.example/"

// members connects to the container.
func (s *service) members(t testing.TB) *members {
	t.Helper()
	credential, err := azcosmos.NewKeyCredential("dGlueQ==")
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(tinyEndpoint, credential, repository.Configure(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: s}}))
	if err != nil {
		t.Fatal(err)
	}
	container, err := client.NewContainer("db", "members")
	if err != nil {
		t.Fatal(err)
	}
	return repository.New(container, fixtures.MemberModel)
}

// Do implements policy.Transporter.
func (s *service) Do(r *http.Request) (*http.Response, error) {
	if !strings.Contains(r.URL.Path, "/docs") {
		return s.answer(r, http.StatusOK, fmt.Appendf(nil, `{"id":"tiny","_self":"","writableLocations":[{"name":"here","databaseAccountEndpoint":%q}],"readableLocations":[{"name":"here","databaseAccountEndpoint":%q}],"userConsistencyPolicy":{"defaultConsistencyLevel":"Session"}}`, tinyEndpoint, tinyEndpoint), 0), nil
	}
	if s.gate != nil {
		return s.gate(r)
	}
	return s.act(r, 0)
}

// isWrite reports whether a request may change something.
func isWrite(r *http.Request) bool { return r.Method != http.MethodGet }

// act carries out a request. A read finds what was there so many versions before.
func (s *service) act(r *http.Request, behind int) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	where, body, err := target(r)
	if err != nil {
		return nil, err
	}
	p := s.places[where]
	if p == nil {
		p = &place{}
		s.places[where] = p
	}
	condition := r.Header.Get("If-Match")
	switch {
	case r.Method == http.MethodGet:
		found := p.now
		if behind > 0 {
			found = p.past[len(p.past)-behind]
		}
		if found == nil {
			return s.answer(r, http.StatusNotFound, nil, 0), nil
		}
		return s.answer(r, http.StatusOK, found.raw, found.tag), nil
	case r.Method == http.MethodPost && p.now != nil:
		return s.answer(r, http.StatusConflict, nil, 0), nil
	case r.Method != http.MethodPost && p.now == nil:
		return s.answer(r, http.StatusNotFound, nil, 0), nil
	case condition != "" && condition != tagText(p.now.tag):
		return s.answer(r, http.StatusPreconditionFailed, nil, 0), nil
	}
	p.past = append(p.past, p.now)
	if r.Method == http.MethodDelete {
		p.now = nil
		return s.answer(r, http.StatusNoContent, nil, 0), nil
	}
	p.tags++
	item := &stored{tag: p.tags}
	if item.raw, err = withSystem(body, item.tag, s.now); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(item.raw, &item.storedItem); err != nil {
		return nil, err
	}
	p.now = item
	status := http.StatusOK
	if r.Method == http.MethodPost {
		status = http.StatusCreated
	}
	return s.answer(r, status, item.raw, item.tag), nil
}

// target returns the place that a request is about, and its body.
func target(r *http.Request) (where at, body []byte, err error) {
	var key []string
	if err := json.Unmarshal([]byte(r.Header.Get("x-ms-documentdb-partitionkey")), &key); err != nil || len(key) != 1 {
		return where, nil, fmt.Errorf("%s %s has no partition key: %w", r.Method, r.URL.Path, err)
	}
	where.region = key[0]
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return where, nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if _, id, found := strings.Cut(r.URL.EscapedPath(), "/docs/"); found {
		where.id, err = url.PathUnescape(id)
		return where, body, err
	}
	var doc storedItem
	err = json.Unmarshal(body, &doc)
	where.id = doc.ID
	return where, body, err
}

func tagText(tag int) string { return strconv.Quote(fmt.Sprint("tag-", tag)) }

// withSystem returns a document with the properties that the service sets.
func withSystem(body []byte, tag int, now time.Time) ([]byte, error) {
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	all["_etag"], _ = json.Marshal(tagText(tag))
	all["_ts"] = strconv.AppendInt(nil, now.Unix(), 10)
	return json.Marshal(all)
}

// answer makes an answer.
func (s *service) answer(r *http.Request, status int, body []byte, tag int) *http.Response {
	header := http.Header{}
	header.Set("Date", s.now.Format(http.TimeFormat))
	header.Set("x-ms-request-charge", "1")
	header.Set("Content-Type", "application/json")
	if tag > 0 {
		header.Set("Etag", tagText(tag))
	}
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}
}

// advance moves the clock.
func (s *service) advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// whole is all places that ever had something, in order.
func (s *service) whole() []at {
	return slices.SortedFunc(maps.Keys(s.places), func(a, b at) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.region, b.region))
	})
}

// stock is what the container has.
func (s *service) stock() (all stock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, where := range s.whole() {
		if item := s.places[where].now; item != nil {
			all.add(&item.storedItem)
		}
	}
	return all
}
