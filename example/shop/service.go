package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

//go:embed page.html
var page []byte

// handler answers the requests of tenants, and gives people a page.
func (s *shop) handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, serve http.HandlerFunc) { mux.Handle(pattern, s.observer.route(pattern, serve)) }
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	handle("GET /orders", s.listOrders)
	handle("GET /orders/totals", s.totals)
	handle("POST /orders/import", s.importOrders)
	handle("POST /customers/{customer}/orders", s.placeOrder)
	handle("GET /customers/{customer}/orders/{id}", s.getOrder)
	handle("PUT /customers/{customer}/orders/{id}", s.replaceOrder)
	handle("PATCH /customers/{customer}/orders/{id}", s.patchOrder)
	handle("DELETE /customers/{customer}/orders/{id}", s.deleteOrder)
	handle("POST /customers/{customer}/orders/{id}/restore", s.restoreOrder)
	handle("GET /customers/{customer}/orders/{id}/log", s.orderLog)
	handle("GET /customers/{customer}/balance", s.balance)
	handle("POST /devices/{device}/readings", s.addReading)
	handle("GET /devices/{device}/readings", s.listReadings)
	handle("GET /devices/{device}/summary", s.summarise)
	handle("POST /users", s.addUser)
	handle("GET /users", s.findUser)
	mux.Handle("GET /debug/cosmos", s.recent) // a service on the internet shows it to its administrators alone
	return mux
}

// actor returns who asks. A service on the internet takes both from a token that it has
// checked, and not from headers that anybody can write.
func actor(r *http.Request) documents.Actor {
	return documents.Actor{Tenant: r.Header.Get("X-Tenant"), User: r.Header.Get("X-User")}
}

// body reads the body of a request as JSON, 1 MB at most, and says if it is not.
func body(w http.ResponseWriter, r *http.Request, value any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(value)
	if err != nil {
		http.Error(w, "the body is not what it should be: "+err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

// answer writes a value as JSON, or what an error means to a client.
func answer(w http.ResponseWriter, r *http.Request, status int, value any, err error) {
	if err != nil {
		fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have gone
}

// fail tells a client whose mistake an error is. What the client need not know goes to
// the log.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	status := repository.HTTPStatus(err)
	if response := (*azcore.ResponseError)(nil); status == http.StatusInternalServerError && errors.As(err, &response) {
		status = response.StatusCode // of the service below; by hand there is nothing else
	}
	text := "this is not valid"
	switch field := repository.HTTPField(err); {
	case errors.Is(err, repository.ErrCursor), errors.Is(err, documents.ErrCursor):
		status, text = http.StatusBadRequest, "this cursor is of another list: begin without one"
	case field != "":
		text = "there is no valid " + field
	}
	switch status {
	case http.StatusBadRequest: // as above
	case http.StatusNotFound:
		text = "there is none"
	case http.StatusConflict:
		text = "it is there already"
	case http.StatusPreconditionFailed:
		text = "somebody else has changed it: read it again"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		slog.WarnContext(r.Context(), "not done", "path", r.URL.Path, "error", err)
		status, text = http.StatusServiceUnavailable, "too busy: ask again"
	default:
		slog.ErrorContext(r.Context(), "failed", "path", r.URL.Path, "error", err)
		status, text = http.StatusInternalServerError, "internal error"
	}
	http.Error(w, text, status)
}
