package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// goneServer answers a number of requests with 410, and the others with 200.
type goneServer struct {
	substatus string
	left      int
	batch     string // if set, the answers are of status 207 and have this body
	bodies    []string
	at        []time.Time
}

func (s *goneServer) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/" { // azcosmos reads the account
		account := `{"writableLocations":[{"name":"here","databaseAccountEndpoint":"http://gone/"}],"readableLocations":[{"name":"here","databaseAccountEndpoint":"http://gone/"}]}`
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(account))}, nil
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	s.bodies, s.at = append(s.bodies, string(body)), append(s.at, time.Now())
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(`{}`))}
	if s.left > 0 {
		s.left--
		response.StatusCode = http.StatusGone
		if s.batch != "" {
			response.StatusCode, response.Body = http.StatusMultiStatus, io.NopCloser(strings.NewReader(s.batch))
		}
		if s.substatus != "" {
			response.Header.Set("x-ms-substatus", s.substatus)
		}
	}
	return response, nil
}

// send sends a request by a client of these policies, and returns the status of the answer.
func (s *goneServer) send(ctx context.Context, t *testing.T, method, rest string, header map[string]string) (int, error) {
	t.Helper()
	o := azcosmos.ClientOptions{}
	AddPolicies(&o)
	o.Transport = s
	pipeline := azruntime.NewPipeline("test", "v1", azruntime.PipelineOptions{}, &o.ClientOptions)
	r, err := azruntime.NewRequest(ctx, method, "http://gone/dbs/db/colls/c"+rest)
	if err != nil {
		t.Fatal(err)
	}
	if method != http.MethodGet {
		if err := r.SetBody(streaming.NopCloser(bytes.NewReader([]byte(`{"id":"1"}`))), "application/json"); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range header {
		r.Raw().Header.Set(name, value)
	}
	response, err := pipeline.Do(r)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// TestGone has requests be answered with 410: those that were not executed, and that nothing
// else repeats, are sent again.
func TestGone(t *testing.T) {
	inRange := map[string]string{"x-ms-documentdb-partitionkeyrangeid": "0"}
	for name, test := range map[string]struct {
		method, rest, substatus string
		header                  map[string]string
		attempts                int
	}{
		"read":                     {http.MethodGet, "/docs/1", "1002", nil, 4},
		"read, another substatus":  {http.MethodGet, "/docs/1", "0", nil, 4},
		"create":                   {http.MethodPost, "/docs", "1007", nil, 4},
		"replace":                  {http.MethodPut, "/docs/1", "1008", nil, 4},
		"patch":                    {http.MethodPatch, "/docs/1", "1000", nil, 4},
		"delete":                   {http.MethodDelete, "/docs/1", "1002", nil, 4},
		"write, another substatus": {http.MethodPut, "/docs/1", "20001", nil, 1},
		"query of one partition":   {http.MethodPost, "/docs", "1002", inRange, 1},
		"feed":                     {http.MethodGet, "/docs", "1002", inRange, 1},
		"physical partitions":      {http.MethodGet, "/pkranges", "1002", nil, 1},
		"container":                {http.MethodGet, "", "1000", nil, 1},
		"procedure":                {http.MethodPost, "/sprocs/p", "1002", nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &goneServer{substatus: test.substatus, left: 3}
				status, err := s.send(t.Context(), t, test.method, test.rest, test.header)
				if err != nil || len(s.bodies) != test.attempts || (status == http.StatusOK) != (test.attempts == 4) {
					t.Fatalf("%d requests, %d, %v", len(s.bodies), status, err)
				}
				for _, body := range s.bodies {
					if body != s.bodies[0] || (body == "") != (test.method == http.MethodGet) {
						t.Errorf("bodies %q", s.bodies)
					}
				}
			})
		})
	}
}

// TestGoneForEver has a request be answered with 410 again and again.
func TestGoneForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &goneServer{substatus: "1007", left: 1000}
		status, err := s.send(t.Context(), t, http.MethodPut, "/docs/1", nil)
		if err != nil || status != http.StatusGone || len(s.at) != backoff.MaxAttempts {
			t.Fatalf("%d requests, %d, %v", len(s.at), status, err)
		}
		for i, least := 1, 10*time.Millisecond; i < len(s.at); i, least = i+1, min(2*least, 500*time.Millisecond) {
			if pause := s.at[i].Sub(s.at[i-1]); pause < least || pause > 2*least {
				t.Errorf("pause %d is %v, want %v at least", i, pause, least)
			}
		}
	})
}

// TestGoneInTime has a context end while a write that was answered with 410 waits: the error
// says both, and the outcome is clear.
func TestGoneInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		s := &goneServer{substatus: "1007", left: 1000}
		began := time.Now()
		_, err := s.send(ctx, t, http.MethodPut, "/docs/1", nil)
		var response *azcore.ResponseError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &response) || StatusOf(err) != http.StatusGone || IsUnclear(err) {
			t.Error(err)
		}
		if took := time.Since(began); took != 100*time.Millisecond || len(s.at) < 3 {
			t.Errorf("%d requests in %v", len(s.at), took)
		}
	})
}

// fencedContainer is the container of a tenant that moves, to which s answers.
func (s *goneServer) fencedContainer(t *testing.T) (*Container, context.Context) {
	t.Helper()
	credential, err := azcosmos.NewKeyCredential("Z29uZQ==")
	if err != nil {
		t.Fatal(err)
	}
	o := azcosmos.ClientOptions{}
	AddPolicies(&o)
	o.Transport = s
	client, err := azcosmos.NewClientWithKey("http://gone/", credential, &o)
	if err != nil {
		t.Fatal(err)
	}
	there, err := client.NewContainer("db", "c")
	if err != nil {
		t.Fatal(err)
	}
	var p PatchOperations
	p.AppendIncrement("/n", 1)
	fence := &Fence{Patch: Operation{Op: OpPatch, ID: "fence", Patch: p}}
	return &Container{Type: "note", Resident: true}, WithStay(t.Context(), &Stay{there, fence})
}

// fencedWrites are the ways in which a write is sent with a fence.
var fencedWrites = map[string]func(context.Context, *Container) error{
	"batch": func(ctx context.Context, c *Container) error {
		key, name := PartitionKeyOf("k")
		_, _, err := c.SendBatch(ctx, "test", Place{ID: "1", Key: key, Name: name}, []Operation{{Op: OpCreate, ID: "1", Body: []byte(`{"id":"1"}`)}}, false)
		return err
	},
	"one": func(ctx context.Context, c *Container) error {
		_, err := c.CreateItem(ctx, azcosmos.NewPartitionKeyString("k"), []byte(`{"id":"1"}`), nil)
		return err
	},
}

// TestGoneInBatch has an operation of a batch be answered with 410: the batch is sent again,
// also if the operation is that of the fence, which does not say then that the tenant has
// moved.
func TestGoneInBatch(t *testing.T) {
	for name, test := range map[string]struct {
		atomic, body string
		attempts     int
	}{
		"gone":           {"True", `[{"statusCode":424},{"statusCode":410,"subStatusCode":1007}]`, 4},
		"another status": {"True", `[{"statusCode":424},{"statusCode":409},{"statusCode":410}]`, 1},
		"not a batch":    {"True", `[{"statusCode":`, 1},
		"not atomic":     {"False", `[{"statusCode":200},{"statusCode":410,"subStatusCode":1007}]`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &goneServer{left: 3, batch: test.body}
				status, err := s.send(t.Context(), t, http.MethodPost, "/docs", map[string]string{
					"x-ms-cosmos-is-batch-request": "True", "x-ms-cosmos-batch-atomic": test.atomic,
				})
				if want := map[int]int{1: http.StatusMultiStatus, 4: http.StatusOK}[test.attempts]; err != nil || status != want || len(s.bodies) != test.attempts {
					t.Errorf("%d requests, %d, %v", len(s.bodies), status, err)
				}
			})
		})
	}
	for name, write := range fencedWrites {
		for at, body := range []string{
			`[{"statusCode":410,"subStatusCode":1002},{"statusCode":424}]`,
			`[{"statusCode":424},{"statusCode":410}]`,
		} {
			t.Run(fmt.Sprintf("%s, operation %d", name, at), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &goneServer{left: 1000, batch: body}
					c, ctx := s.fencedContainer(t)
					err := write(ctx, c)
					var response *azcore.ResponseError
					if !errors.As(err, &response) || response.StatusCode != http.StatusGone || len(s.at) != backoff.MaxAttempts {
						t.Fatalf("%d requests, %v", len(s.at), err)
					}
					if (Substatus(response) == 1002) != (at == 0) || errors.Is(err, ErrFenced) {
						t.Errorf("substatus %d, %v", Substatus(response), err)
					}
					ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
					defer cancel()
					if err := write(ctx, c); StatusOf(err) != http.StatusGone || !errors.Is(err, context.DeadlineExceeded) || IsUnclear(err) {
						t.Errorf("in time: %v", err)
					}
				})
			})
		}
	}
}

// TestBusyFenceInTime has a context end while a write waits for a fence that others write at
// the same time: the error says both.
func TestBusyFenceInTime(t *testing.T) {
	for name, write := range fencedWrites {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &goneServer{left: 1000, batch: `[{"statusCode":449},{"statusCode":424}]`}
				c, ctx := s.fencedContainer(t)
				ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
				defer cancel()
				if err := write(ctx, c); StatusOf(err) != failure.StatusRetryWith || !errors.Is(err, context.DeadlineExceeded) || IsUnclear(err) {
					t.Errorf("%v after %d requests", err, len(s.at))
				}
			})
		})
	}
}

var _ policy.Transporter = (*goneServer)(nil)
