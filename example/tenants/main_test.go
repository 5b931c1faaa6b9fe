package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestRun moves a tenant under load, and looks at what is printed. The program itself
// checks the orders.
func TestRun(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		`^4 tenants share the container orders:\n  contoso +\d+ RU\n  fabrikam`,
		`\nMoving contoso to orders-contoso while clients`,
		`\n  documents  3\d\d at the beginning; \d+ were copied`,
		`\n  RU         \d+, which is \d+\.\d for each document`,
		`\n  time       \d+\.\d s, of which writes waited \d+ ms`,
		`\n  clients    sent \d+ requests, of which none failed`,
		`\ncontoso lives in orders-contoso\. All of its orders are there, as they were last written\.\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("nothing matches %s in\n%s", want, &out)
		}
	}
}

// TestService asks for orders that do not exist or are another tenant's, and in wrong ways.
func TestService(t *testing.T) {
	t.Parallel()
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	db, directory, err := createDatabase(t.Context(), server.Client(repository.Configure(nil)))
	if err != nil {
		t.Fatal(err)
	}
	handler := (&service{NewOrderRepository(db, directory)}).handler()
	for _, step := range []struct {
		tenant, method, path, body string
		status                     int
		answer                     string
	}{
		{"contoso", "PUT", "/orders/1", `{"article":"bicycle","total":7,"tenantId":"fabrikam"}`, http.StatusOK, `null`},
		{"contoso", "GET", "/orders/1", "", http.StatusOK, `{"id":"1","tenantId":"contoso","article":"bicycle","total":7}`},
		{"fabrikam", "GET", "/orders/1", "", http.StatusNotFound, ""},
		{"fabrikam", "DELETE", "/orders/1", "", http.StatusNotFound, ""},
		{"fabrikam", "GET", "/orders", "", http.StatusOK, `{"orders":0}`},
		{"contoso", "GET", "/orders", "", http.StatusOK, `{"orders":1}`},
		{"contoso", "PUT", "/orders/2", `[`, http.StatusBadRequest, ""},
		{"", "GET", "/orders", "", http.StatusBadRequest, ""},
		{"", "PUT", "/orders/2", `{}`, http.StatusBadRequest, ""},
		{"contoso", "DELETE", "/orders/1", "", http.StatusOK, `null`},
		{"contoso", "GET", "/orders", "", http.StatusOK, `{"orders":0}`},
	} {
		request := httptest.NewRequestWithContext(t.Context(), step.method, step.path, strings.NewReader(step.body))
		request.Header.Set(tenantHeader, step.tenant)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Code != step.status || step.answer != "" && strings.TrimSpace(string(text)) != step.answer {
			t.Errorf("%s %s of %q: %d, %s", step.method, step.path, step.tenant, answer.Code, text)
		}
	}
}
