package azurite

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tables"
	"github.com/cosmos-pkgen/pkgen/table"
)

// server is the one of all tests: it takes seconds to start.
var server *Server

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if server, err = Open(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer server.Close()
	return m.Run()
}

// faceAt is the Table API, with Azurite at an address as the server.
func faceAt(address string) conformance.Face {
	return tables.Face(func(t *testing.T) *table.Service {
		t.Helper()
		service := Service(t, address)
		for _, name := range []string{"events", "pairs"} {
			if _, err := service.DeleteTable(context.Background(), name, nil); err != nil {
				t.Log("no table", name)
			}
		}
		return service
	})
}

func TestConformance(t *testing.T) { conformance.Run(t, faceAt(server.Address())) }

// TestConformanceUnderFaults breaks the connections of the client.
func TestConformanceUnderFaults(t *testing.T) {
	conformance.RunFaults(t, faceAt(server.Address()), true, func(t *testing.T) (conformance.Events, *faults.Proxy) {
		t.Helper()
		proxy, err := faults.New(server.Address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		return faceAt(proxy.Addr()).Events(t), proxy
	})
}
