package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// credential makes tokens by a function, and counts them.
type credential struct {
	made int
	make func(n int) (azcore.AccessToken, error)
}

func (c *credential) GetToken(_ context.Context, o policy.TokenRequestOptions) (azcore.AccessToken, error) {
	if len(o.Scopes) != 1 || o.Scopes[0] != "https://cosmos.azure.com/.default" {
		return azcore.AccessToken{}, fmt.Errorf("a token for %q", o.Scopes)
	}
	c.made++
	return c.make(c.made)
}

// gate lets requests with some tokens in.
func gate(t *testing.T, good func(token string) bool) (endpoint string) {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, token, _ := strings.Cut(r.Header.Get("Authorization"), "sig%3D")
		if !good(token) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"Databases":[{"id":"db"}]}`)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// TestTokens begins without a token, has one made, and another before it expires.
func TestTokens(t *testing.T) {
	c := &credential{make: func(n int) (azcore.AccessToken, error) {
		return azcore.AccessToken{Token: fmt.Sprint("token", n), ExpiresOn: time.Unix(int64(2000+1000*n), 0)}, nil
	}}
	used := ""
	a, err := OpenToken(gate(t, func(token string) bool { used = token; return true }), "", c)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(2000, 0)
	a.pace.now = func() time.Time { return now }
	for _, step := range []struct {
		at   int64
		want string
	}{{2000, "token1"}, {2699, "token1"}, {2701, "token2"}, {2702, "token2"}} {
		now = time.Unix(step.at, 0)
		if _, err := a.Databases(t.Context()); err != nil || used != step.want {
			t.Errorf("at %d: %s, %v, want %s", step.at, used, err, step.want)
		}
	}
}

// TestTokenExpires has a token that the service does not take any more.
func TestTokenExpires(t *testing.T) {
	c := &credential{make: func(int) (azcore.AccessToken, error) { return azcore.AccessToken{Token: "new"}, nil }}
	a, err := OpenToken(gate(t, func(token string) bool { return token == "new" }), "old", c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Databases(t.Context()); err != nil {
		t.Error(err)
	}
	// No token is good: one more is made, and no other.
	c.made = 0
	if a, err = OpenToken(gate(t, func(string) bool { return false }), "old", c); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "401") {
		t.Error(err)
	}
	if c.made != 1 {
		t.Errorf("%d tokens were made", c.made)
	}
}

// TestTokenErrors says why there is no token.
func TestTokenErrors(t *testing.T) {
	if _, err := OpenToken("http://127.0.0.1:1", "", nil); err == nil {
		t.Error("an account without a token and a credential is open")
	}
	c := &credential{make: func(int) (azcore.AccessToken, error) { return azcore.AccessToken{}, errors.New("please log in") }}
	a, err := OpenToken("http://127.0.0.1:1", "", c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "no token: please log in") {
		t.Error(err)
	}
}
