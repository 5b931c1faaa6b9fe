package table_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table"
)

const entityOfOne = `{"PartitionKey":"d1","RowKey":"e001","odata.etag":"W/\"2\"","speed":1,"at":"2024-02-29T01:03:03.456789Z"}`

// TestRequests checks the form of each request: method, address, condition.
func TestRequests(t *testing.T) {
	hostile := sample(1)
	hostile.Device, hostile.ID = "it's", "a b%é+&"
	const at, hostileAt = "/account/Events(PartitionKey='d1',RowKey='e001')", "/account/Events(PartitionKey='it''s',RowKey='a b%é+&')"
	with := func(version string) *event { e := sample(1); e.ETag = version; return e }
	for name, test := range map[string]struct {
		do     func(d *table.Documents[event, eventKey]) error
		method string
		path   string
		match  string
	}{
		"create":       {func(d *table.Documents[event, eventKey]) error { return d.Create(ctx, sample(1)) }, "POST", "/account/Events", ""},
		"upsert":       {func(d *table.Documents[event, eventKey]) error { return d.Upsert(ctx, sample(1)) }, "PUT", at, ""},
		"upsert known": {func(d *table.Documents[event, eventKey]) error { return d.Upsert(ctx, with("W/\"1\"")) }, "PUT", at, ""},
		"replace":      {func(d *table.Documents[event, eventKey]) error { return d.Replace(ctx, sample(1)) }, "PUT", at, "*"},
		"replace one":  {func(d *table.Documents[event, eventKey]) error { return d.Replace(ctx, with("W/\"1\"")) }, "PUT", at, "W/\"1\""},
		"replace any":  {func(d *table.Documents[event, eventKey]) error { return d.Replace(ctx, with("*")) }, "PUT", at, "*"},
		"delete":       {func(d *table.Documents[event, eventKey]) error { return d.Delete(ctx, hostile.Key()) }, "DELETE", hostileAt, "*"},
		"delete one":   {func(d *table.Documents[event, eventKey]) error { return d.DeleteIfMatch(ctx, with("W/\"1\"")) }, "DELETE", at, "W/\"1\""},
		"get":          {func(d *table.Documents[event, eventKey]) error { _, err := d.Get(ctx, sample(1).Key()); return err }, "GET", at, ""},
		"hostile":      {func(d *table.Documents[event, eventKey]) error { return d.Upsert(ctx, hostile) }, "PUT", hostileAt, ""},
	} {
		docs, f := repo(t, func(_ int, s sent) (*http.Response, error) {
			if s.method == "GET" {
				return reply(200, entityOfOne, "ETag", "W/\"2\""), nil
			}
			return reply(204, "", "ETag", "W/\"2\""), nil
		})
		if err := test.do(docs); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := f.all[0]
		path, err := url.PathUnescape(s.path)
		if err != nil || len(f.all) != 1 || s.method != test.method || path != test.path || s.header.Get("If-Match") != test.match {
			t.Errorf("%s: %d requests: %s %s, If-Match %q", name, len(f.all), s.method, path, s.header.Get("If-Match"))
		}
		if name == "create" && (s.header.Get("Prefer") != "return-no-content" || !strings.Contains(s.body, `"big@odata.type":"Edm.Int64"`)) {
			t.Errorf("create sends %s with %v", s.body, s.header)
		}
	}
}

func TestWritesRememberKeyAndVersion(t *testing.T) {
	docs, _ := repo(t, always(204, "", "ETag", "W/\"2\""))
	for name, write := range map[string]func(*event) error{
		"create": func(e *event) error { return docs.Create(ctx, e) }, "upsert": func(e *event) error { return docs.Upsert(ctx, e) },
		"replace": func(e *event) error { return docs.Replace(ctx, e) },
	} {
		e := sample(1)
		if err := write(e); err != nil || e.Stored != "d1" || e.ETag != "W/\"2\"" {
			t.Errorf("%s: %v, stored %q as %q", name, err, e.Stored, e.ETag)
		}
	}
	moved := sample(1)
	moved.Stored = "d2"
	if err := docs.Upsert(ctx, moved); !errors.Is(err, documents.ErrKeyChanged) {
		t.Errorf("a changed key: %v", err)
	}
}

// TestAnswers checks what each answer of the service means, how often the request is sent,
// and that no text of the service is in the error.
func TestAnswers(t *testing.T) {
	never := errors.New("no error")
	create := func(d *table.Documents[event, eventKey]) error { return d.Create(ctx, sample(1)) }
	replace := func(d *table.Documents[event, eventKey]) error { return d.Replace(ctx, sample(1)) }
	get := func(d *table.Documents[event, eventKey]) error { _, err := d.Get(ctx, sample(1).Key()); return err }
	query := func(d *table.Documents[event, eventKey]) error { _, err := d.Scan().Collect(ctx); return err }
	for _, test := range []struct {
		name   string
		do     func(*table.Documents[event, eventKey]) error
		status int
		code   string
		want   error
		sent   int
	}{
		{"get of none", get, 404, "ResourceNotFound", documents.ErrNotFound, 1},
		{"get in no table", get, 404, "TableNotFound", documents.ErrNoContainer, 1},
		{"create in no table", create, 404, "ResourceNotFound", documents.ErrNoContainer, 1},
		{"query of no table", query, 404, "ResourceNotFound", documents.ErrNoContainer, 1},
		{"create of one that is there", create, 409, "EntityAlreadyExists", documents.ErrAlreadyExists, 2},
		{"replace of a newer one", replace, 412, "UpdateConditionNotSatisfied", documents.ErrPreconditionFailed, 2},
		{"replace of none", replace, 404, "ResourceNotFound", documents.ErrNotFound, 1},
		{"too large", create, 413, "RequestBodyTooLarge", documents.ErrTooLarge, 1},
		{"entity too large", create, 400, "EntityTooLarge", documents.ErrTooLarge, 1},
		{"property too large", create, 400, "PropertyValueTooLarge", documents.ErrTooLarge, 1},
		{"throttled", create, 429, "TooManyRequests", documents.ErrThrottled, 10},
		{"busy", get, 503, "ServerBusy", documents.ErrThrottled, 10},
		{"create fails", create, 500, "InternalError", documents.ErrUnclear, 4},
		{"create times out", create, 500, "OperationTimedOut", documents.ErrUnclear, 4},
		{"get fails", get, 503, "ServiceUnavailable", never, 4},
		{"forbidden", create, 403, "AuthenticationFailed", never, 1},
		{"bad input", create, 400, "InvalidInput", never, 1},
	} {
		var reads int // of the document that is in the way
		docs, f := repo(t, func(n int, s sent) (*http.Response, error) {
			if n > 1 && s.method == "GET" && test.status < 429 {
				reads++
				return another(s), nil
			}
			return failed(test.status, test.code, "x-ms-retry-after-ms", "1", "x-ms-request-charge", "2.5"), nil
		})
		var m documents.Meter
		old := ctx
		ctx = documents.WithMeter(old, &m) //nolint:fatcontext // each turn begins with the old one
		err := test.do(docs)
		ctx = old
		var e *documents.Error
		if !errors.As(err, &e) || e.Code != test.code || test.want != never && !errors.Is(err, test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.want == never && errors.Is(err, documents.ErrUnclear) || len(f.all) != test.sent {
			t.Errorf("%s: sent %d times, %v", test.name, len(f.all), err)
		}
		var response *azcore.ResponseError
		if !errors.As(err, &response) || response.StatusCode != test.status {
			t.Errorf("%s: no response in %v", test.name, err)
		}
		if m.Requests() != test.sent || m.Retries() != test.sent-reads-1 || m.RequestUnits() != 2.5*float64(test.sent-reads) {
			t.Errorf("%s: a meter of %d requests, %d retries, %v RU", test.name, m.Requests(), m.Retries(), m.RequestUnits())
		}
	}
}

// TestBrokenConnections checks requests that no answer came to.
func TestBrokenConnections(t *testing.T) {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("refused")}
	broken := &net.OpError{Op: "read", Net: "tcp", Err: errors.New("reset")}
	for name, test := range map[string]struct {
		err     error
		unclear bool
	}{"not connected": {dial, false}, "cut": {broken, true}, "no whole answer": {io.ErrUnexpectedEOF, true}} {
		docs, f := repo(t, func(n int, _ sent) (*http.Response, error) {
			if n > 3 {
				return failed(400, "InvalidInput"), nil
			}
			return nil, test.err
		})
		err := docs.Upsert(ctx, sample(1))
		if len(f.all) != 4 || errors.Is(err, documents.ErrUnclear) != test.unclear {
			t.Errorf("%s: sent %d times, %v", name, len(f.all), err)
		}
	}
	// The first attempt has stored the document, and its answer was lost.
	stored := ""
	docs, _ := repo(t, func(n int, s sent) (*http.Response, error) {
		switch {
		case n == 1:
			stored = s.body
			return nil, broken
		case s.method == "POST":
			return failed(409, "EntityAlreadyExists"), nil
		}
		return reply(200, stored, "ETag", "W/\"7\""), nil
	})
	e := sample(1)
	if err := docs.Create(ctx, e); err != nil || e.ETag != "W/\"7\"" {
		t.Errorf("create that took effect: %v, %q", err, e.ETag)
	}
}

// TestCutAnswers checks that an answer that is not whole is never taken for a document, or
// for an empty page.
func TestCutAnswers(t *testing.T) {
	for _, body := range []string{"", "{}", "{", entityOfOne[:40], `{"PartitionKey":"d1","RowKey":"other"}`, "null", "[]"} {
		docs, f := repo(t, always(200, body, "ETag", "W/\"1\""))
		if _, err := docs.Get(ctx, sample(1).Key()); err == nil || errors.Is(err, documents.ErrNotFound) || len(f.all) != 4 {
			t.Errorf("get of %q: %v, sent %d times", body, err, len(f.all))
		}
	}
	for _, body := range []string{"", "{}", "{", `{"value":[{"PartitionKey":"d1"}]`, "null"} {
		docs, _ := repo(t, always(200, body))
		if n, err := docs.Scan().Count(ctx); err == nil {
			t.Errorf("query of %q: %d", body, n)
		}
	}
}

func TestDrafts(t *testing.T) {
	model := eventModel
	model.Draft = true
	f := &fake{answer: always(204, "", "ETag", "W/\"1\"")}
	docs := table.New(service(t, "https://account.table.cosmos.azure.com", f), "Events", &model)
	if err := docs.Upsert(ctx, sample(1)); !errors.Is(err, documents.ErrDraft) || len(f.all) != 0 || !strings.Contains(err.Error(), "seal") {
		t.Errorf("a draft: %v, sent %d times", err, len(f.all))
	}
	if _, err := docs.Scan().Collect(ctx); !errors.Is(err, documents.ErrDraft) || len(f.all) != 0 {
		t.Errorf("a query of a draft: %v", err)
	}
	if err := table.New(service(t, "http://127.0.0.1:1/account", f), "Events", &model).Upsert(ctx, sample(1)); err != nil {
		t.Errorf("a draft on this machine: %v", err)
	}
	if err := table.New(service(t, "https://account.table.cosmos.azure.com", f), "Events", &eventModel).Upsert(ctx, sample(1)); err != nil {
		t.Errorf("a sealed type: %v", err)
	}
}

func TestEnsure(t *testing.T) {
	for code, want := range map[int]error{201: nil, 409: nil, 403: documents.ErrThrottled} {
		f := &fake{answer: func(int, sent) (*http.Response, error) {
			switch code {
			case 201:
				return reply(201, `{"TableName":"Events"}`), nil
			case 409:
				return failed(409, "TableAlreadyExists"), nil
			}
			return failed(403, "AuthorizationFailure"), nil
		}}
		err := table.Ensure(ctx, service(t, "http://127.0.0.1:1/account", f), "Events")
		if (err == nil) != (want == nil) || len(f.all) != 1 || f.all[0].path != "/account/Tables" {
			t.Errorf("%d: %v, %+v", code, err, f.all)
		}
	}
	if err := table.Ensure(ctx, nil, "Events"); err == nil {
		t.Error("no service")
	}
}

// TestWhatIsNotSent checks operations that fail before a request.
func TestWhatIsNotSent(t *testing.T) {
	docs, f := repo(t, always(500, ""))
	early := sample(1)
	early.At = time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC)
	large := sample(1)
	large.Name = strings.Repeat("x", 1<<16)
	var field *documents.FieldError
	if err := docs.Create(ctx, early); !errors.As(err, &field) || field.Field != "At" {
		t.Errorf("a time before 1601: %v", err)
	}
	if err := docs.Upsert(ctx, large); !errors.Is(err, documents.ErrTooLarge) || !strings.Contains(err.Error(), "Name") {
		t.Errorf("a large property: %v", err)
	}
	if err := docs.Create(ctx, &event{}); err == nil {
		t.Error("an empty key is stored")
	}
	if err := docs.DeleteIfMatch(ctx, sample(1)); err == nil {
		t.Error("a document without a version is removed")
	}
	if _, err := docs.Scan().Where(documents.Predicate[event]{}).Collect(ctx); err == nil {
		t.Error("the zero predicate selects")
	}
	none := table.New(nil, "Events", &eventModel)
	if err := none.Create(ctx, sample(1)); err == nil {
		t.Error("no service stores")
	}
	// By hand: pkgen refuses a map in the Table API.
	nested := table.New(service(t, "http://127.0.0.1:1/account", f), "Events", &generated.Model[struct{ M map[string]int }, eventKey]{Type: "x", Text: eventModel.Text, ID: eventModel.ID})
	if _, err := nested.Get(ctx, eventKey{"a", "b"}); !errors.As(err, &field) || field.Field != "M" {
		t.Errorf("a map: %v", err)
	}
	if len(f.all) != 0 {
		t.Errorf("%d requests", len(f.all))
	}
}
