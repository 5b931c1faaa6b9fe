package explorer

import (
	"embed"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Path is the path of the page.
const Path = "/_explorer/"

//go:embed page
var files embed.FS

// index is the page. The token replaces {{token}}.
//
//go:embed page/index.html
var index string

// Explorer serves the page and its API. It is an http.Handler and safe for concurrent
// use.
type Explorer struct {
	account Account
	token   string
	mux     *http.ServeMux
	// stopping ends the streams.
	stopping chan struct{}
	stop     sync.Once
}

// New returns the explorer of an account, with a token of its own.
func New(a Account) *Explorer {
	e := &Explorer{account: a, token: newToken(), mux: http.NewServeMux(), stopping: make(chan struct{})}
	e.mux.HandleFunc("GET "+Path+"{$}", e.serveIndex)
	e.mux.Handle("GET "+strings.TrimSuffix(Path, "/"), http.RedirectHandler(Path, http.StatusTemporaryRedirect)) // people type it without the slash
	e.mux.HandleFunc("GET "+Path+"page/", serveFile)
	api := func(pattern string, serve func(*http.Request) (any, error)) {
		method, path, _ := strings.Cut(pattern, " ")
		e.mux.HandleFunc(method+" "+Path+"api/"+path, e.answering(serve))
	}
	api("GET account", e.readAccount)
	api("GET container", e.readContainer)
	api("GET keys", e.readKeys)
	api("POST query", e.query)
	api("POST import", e.load)
	api("POST split", e.split)
	api("POST merge", e.merge)
	api("POST faults", e.addFault)
	api("DELETE faults", e.removeFault)
	api("POST clock", e.advance)
	api("POST regions", e.changeRegion)
	api("PUT settings", e.setSettings)
	api("DELETE journal", e.clearJournal)
	e.mux.HandleFunc("GET "+Path+"api/export", e.guarded(e.export))
	e.mux.HandleFunc("GET "+Path+"api/journal", e.guarded(e.follow))
	return e
}

// Stop ends the streams of the pages, so that an http.Server can shut down while a page is
// open.
func (e *Explorer) Stop() { e.stop.Do(func() { close(e.stopping) }) }

// ServeHTTP serves the page and its API. It refuses requests from other machines and sites
// with 403.
func (e *Explorer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if reason := refuse(r); reason != "" {
		writeError(w, status.New(status.Forbidden, 0, "%s", reason))
		return
	}
	if strings.HasPrefix(r.URL.EscapedPath(), restPath) { // not by the mux, which cleans paths
		e.guarded(e.rest)(w, r)
		return
	}
	e.mux.ServeHTTP(w, r)
}

func (e *Explorer) serveIndex(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// The token has no character that HTML escapes.
	_, _ = io.WriteString(w, strings.Replace(index, "{{token}}", e.token, 1))
}

var fileServer = http.StripPrefix(Path, http.FileServerFS(files))

// serveFile serves a script, a style sheet or an image of the page.
func serveFile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Path)
	if name == "page/index.html" || strings.HasSuffix(name, "/") {
		http.NotFound(w, r)
		return
	}
	fileServer.ServeHTTP(w, r)
}

// guarded serves requests that have the token of the page.
func (e *Explorer) guarded(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !hasToken(r, e.token) {
			writeError(w, status.New(status.Unauthorized, 0, "the token of the page is missing or old: load the page again"))
			return
		}
		serve(w, r)
	}
}

// answering writes the result of a function as JSON.
func (e *Explorer) answering(serve func(*http.Request) (any, error)) http.HandlerFunc {
	return e.guarded(func(w http.ResponseWriter, r *http.Request) {
		answer, err := serve(r)
		if err != nil {
			writeError(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	})
}

// writeError answers with an error. An error without a status is a bad request.
func writeError(w http.ResponseWriter, err error) {
	f := &status.Error{Status: status.CodeBadRequest}
	errors.As(err, &f)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{"message": err.Error()})
}

// container returns the container that the parameters db and c of a request name.
func (e *Explorer) container(r *http.Request) (*store.Container, error) {
	q := r.URL.Query()
	return e.find(q.Get("db"), q.Get("c"))
}

func (e *Explorer) find(database, container string) (*store.Container, error) {
	_, c := e.account.Store.Find(database, container)
	if c == nil {
		return nil, status.New(status.NotFound, 0, "there is no container %q in database %q: it was deleted, or never created", container, database)
	}
	return c, nil
}

// body reads the JSON body of a request.
func body[T any](r *http.Request) (T, error) {
	var v T
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 4<<20)).Decode(&v); err != nil {
		return v, status.BadRequest("the body is not the expected JSON: %v", err)
	}
	return v, nil
}

// done is the answer of an operation that has no result.
var done = map[string]bool{"done": true}
