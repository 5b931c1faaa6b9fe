//go:build unix

package target

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIdentity has a command az make the token of an account, as on the machine of a
// developer.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho '{\"accessToken\":\"made\",\"expiresOn\":\"2099-01-01 00:00:00.000000\",\"expires_on\":4070908800,\"tokenType\":\"Bearer\"}'\n"
	if err := os.WriteFile(filepath.Join(dir, "az"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("AZURE_TOKEN_CREDENTIALS", "AzureCLICredential")
	used := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, used, _ = strings.Cut(r.Header.Get("Authorization"), "sig%3D")
		fmt.Fprint(w, `{"Databases":[{"id":"db"}]}`)
	}))
	defer web.Close()
	t.Setenv("COSMOS_CONNECTION_STRING", "")
	t.Setenv("COSMOS_ENDPOINT", web.URL)
	for _, test := range []struct{ token, want string }{{"", "made"}, {"given", "given"}} {
		t.Setenv("COSMOS_ACCESS_TOKEN", test.token)
		a, err := OpenAccount()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Databases(t.Context()); err != nil || used != test.want {
			t.Errorf("with %q the request has %q, %v", test.token, used, err)
		}
	}
}
