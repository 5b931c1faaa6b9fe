package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/emulator/interop/processor/document"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestHandlesAll ends when all numbers were printed.
func TestHandlesAll(t *testing.T) {
	server := emulator.New(t, emulator.Options{Partitions: 2})
	t.Setenv("COSMOS_CONNECTION_STRING", server.ConnectionString())
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	container, err := document.EnsureNumberedContainer(t.Context(), db, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.EnsureLeases(t.Context(), db, "leases", admin.AnyThroughput()); err != nil {
		t.Fatal(err)
	}
	for n := range 10 {
		if err := document.NewNumberedRepository(container).Create(t.Context(), &document.Numbered{ID: fmt.Sprint(n), PK: fmt.Sprint("p", n), N: n}); err != nil {
			t.Fatal(err)
		}
	}
	for _, dialect := range []string{"range", "epk"} {
		ctx, stop := context.WithCancel(t.Context())
		read, write := io.Pipe()
		go func() {
			seen := map[string]bool{}
			for line := make([]byte, 8); len(seen) < 10; {
				n, _ := read.Read(line) // a line at a time
				seen[string(bytes.TrimSpace(line[:n]))] = true
			}
			stop()
			_, _ = io.Copy(io.Discard, read)
		}()
		if err := run(ctx, []string{dialect, dialect, "db", container.ID(), "leases"}, write); err != nil {
			t.Errorf("%s: %v", dialect, err)
		}
		_ = write.Close()
	}
	if err := run(t.Context(), []string{"dotnet", "a", "b", "c", "d"}, io.Discard); err == nil || !strings.HasPrefix(err.Error(), "usage") {
		t.Error(err)
	}
}
