package tinkerpop_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/graph"
)

// faceOf is the Gremlin API, with what client returns as the client of the server.
func faceOf(client func(t *testing.T) *gremlin.Client) conformance.Face {
	return graph.Face(func(t *testing.T) *gremlin.Client {
		t.Helper()
		g := client(t)
		if _, err := g.Submit(soon(t), "g.V().drop()", nil); err != nil {
			t.Fatal(err)
		}
		return g
	})
}

func TestConformance(t *testing.T) {
	s := server(t)
	conformance.Run(t, faceOf(func(t *testing.T) *gremlin.Client { t.Helper(); return s.Client(t) }))
}

// TestConformanceUnderFaults breaks the connections of the client, of which the messages
// are masked.
func TestConformanceUnderFaults(t *testing.T) {
	s := server(t)
	direct := faceOf(func(t *testing.T) *gremlin.Client { t.Helper(); return s.Client(t) })
	conformance.RunFaults(t, direct, false, func(t *testing.T) (conformance.Events, *faults.Proxy) {
		t.Helper()
		proxy, err := faults.New(s.Address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		through := *s
		through.Address = proxy.Addr()
		return faceOf(func(t *testing.T) *gremlin.Client { t.Helper(); return through.Client(t) }).Events(t), proxy
	})
}
