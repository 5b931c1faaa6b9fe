package azurite

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/conformance"
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

// emptied returns the client of the server, without tables.
func emptied(t *testing.T) *table.Service {
	t.Helper()
	service := Service(t, server.Address())
	for _, name := range []string{"Events", "Pairs"} {
		if _, err := service.DeleteTable(context.Background(), name, nil); err != nil {
			t.Log("no table", name)
		}
	}
	return service
}

func TestConformance(t *testing.T) { conformance.Run(t, Face(emptied)) }
