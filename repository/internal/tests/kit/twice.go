package kit

import (
	"net/http"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// AllWrites are the methods of writes.
var AllWrites = []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// NewTwice is an empty container of documents, reached through a proxy, which passes everything at
// first. Direct is the container without the proxy.
func NewTwice[T any, K generated.Key](t testing.TB, model *generated.Model[T, K], path string, opts ...repository.Option) (server *harness.Account, proxy *proxytest.Proxy, through, direct *repository.Documents[T, K]) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, HashContainer("twice", path), repository.Configure(nil))
	proxy = &proxytest.Proxy{}
	options := repository.Configure(nil)
	options.Transport = proxy
	client := server.Container("twice", options)
	return server, proxy, repository.New(client, model, opts...), repository.New(container, model, opts...)
}
