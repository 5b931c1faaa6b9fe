package requests

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestUntrustedCertificate reads from a server whose certificate the program does not trust.
func TestUntrustedCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	credential, err := azcosmos.NewKeyCredential(emulator.WellKnownKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(server.URL, credential, repository.Configure(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	container, err := client.NewContainer("shop", "orders")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	start := time.Now()
	_, err = container.ReadItem(ctx, azcosmos.NewPartitionKeyString("a"), "a", nil)
	if err == nil || !strings.Contains(err.Error(), "SSL_CERT_FILE") {
		t.Errorf("after %v: %v does not name SSL_CERT_FILE", time.Since(start), err)
	}
	if passed := time.Since(start); passed > 10*time.Second {
		t.Errorf("the error came after %v", passed)
	}
}
