package repository

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// ErrDraft is matched by the error of an operation on a type whose layout is a
// draft, which may still change, where the endpoint is not this machine, so that
// documents stored there could be found no more. Nothing was sent, but for the
// question which regions the account has, and what [EnsureDraft] reads. The error has
// the command that seals the layout.
var ErrDraft = errors.New("the layout is a draft")

// drafted says that the program has a repository of a draft. Without one nobody
// looks.
var drafted atomic.Bool

// draftKey is what a context carries for requests of a draft: the command that
// seals it.
type draftKey struct{}

// sealing returns the command that seals the layout of a document type.
func sealing(typ reflect.Type) string {
	path := typ.PkgPath()
	if path == "main" || strings.HasSuffix(path, "_test") || !strings.Contains(path, "/") {
		path = "./..." // which says less than the package, and is always understood
	}
	return fmt.Sprintf("go tool pkgen seal -type %s %s", typ.Name(), path)
}

// marked returns the context of requests of s, by which the policies know those
// of drafts.
func (s *store) marked(ctx context.Context) context.Context {
	if s.draft == "" {
		return ctx
	}
	return context.WithValue(ctx, draftKey{}, s.draft)
}

// stays returns an error if s is of a draft and not on this machine. The SDK reads
// physical partitions under contexts of its own, so a request for the container
// goes before: one, for drafts alone.
func (s *store) stays(ctx context.Context) error {
	if s.draft == "" || s.here.Load() {
		return nil
	}
	_, err := s.container.Read(s.marked(ctx), nil)
	if errors.Is(err, ErrDraft) {
		return err
	}
	s.here.Store(err == nil)
	return nil
}

// draftError refuses a request of a draft.
type draftError struct{ host, command string }

// Error says what to do.
func (e *draftError) Error() string {
	return fmt.Sprintf("%v, which may still change, and %s is not this machine, where documents can be thrown away: if it is what you want, for ever, run %s",
		ErrDraft, e.host, e.command)
}

// Is reports whether target is ErrDraft.
func (*draftError) Is(target error) bool { return target == ErrDraft }

// NonRetriable tells the pipeline that another attempt would fail alike.
func (*draftError) NonRetriable() {}

// refuseDraft returns an error for a request of a draft that would leave this
// machine.
func refuseDraft(r *http.Request) error {
	if !drafted.Load() {
		return nil
	}
	command, ok := r.Context().Value(draftKey{}).(string)
	if !ok || isThisMachine(r.URL.Hostname()) || asksForRegions(r) {
		return nil
	}
	return &draftError{r.URL.Host, command}
}

// asksForRegions reports whether a request asks where the account has its data. The
// SDK sends it before the first request of a client, and keeps an error for some
// minutes, for all types.
func asksForRegions(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Trim(r.URL.Path, "/") == ""
}

// leaving returns an error if the container is of a draft and the answer about it
// is not from this machine. Clients without the policies find that out so.
func (e *ensuring) leaving(have azcosmos.ContainerResponse, err error) error {
	answer := have.RawResponse
	var refused *azcore.ResponseError
	if errors.As(err, &refused) {
		answer = refused.RawResponse
	}
	if e.draft == "" || answer == nil || answer.Request == nil || isThisMachine(answer.Request.URL.Hostname()) {
		return nil
	}
	return &draftError{answer.Request.URL.Host, e.draft}
}

// isThisMachine reports whether a host is a loopback address or a name that can
// only be one (RFC 6761, section 6.3).
func isThisMachine(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
