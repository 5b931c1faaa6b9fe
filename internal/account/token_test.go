package account

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fakeAZ puts a command az in front of others, which runs lines of a shell. It returns
// the file that these may write.
func fakeAZ(t *testing.T, script string) (log string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake az is a program of the shell")
	}
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	text := "#!/bin/sh\nLOG='" + log + "'\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, "az"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return log
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

// TestTokens begins without a token, asks az for one, and for another before it
// expires.
func TestTokens(t *testing.T) {
	log := fakeAZ(t, `echo "$@" >> "$LOG"
n=$(wc -l < "$LOG" | tr -d ' ')
echo "{\"accessToken\":\"token$n\",\"expires_on\":$((2000 + 1000 * n))}"`)
	used := ""
	a, err := OpenToken(gate(t, func(token string) bool { used = token; return true }), "")
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
	if lines, _ := os.ReadFile(log); !strings.HasPrefix(string(lines), "account get-access-token --resource https://cosmos.azure.com --output json\n") {
		t.Errorf("%s", lines)
	}
}

// TestTokenExpires has a token that the service does not take any more.
func TestTokenExpires(t *testing.T) {
	fakeAZ(t, `echo '{"accessToken":"new"}'`)
	a, err := OpenToken(gate(t, func(token string) bool { return token == "new" }), "old")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Databases(t.Context()); err != nil {
		t.Error(err)
	}
	// No token is good: one more is asked for, and no other.
	log := fakeAZ(t, `echo again >> "$LOG"; echo '{"accessToken":"new"}'`)
	if a, err = OpenToken(gate(t, func(string) bool { return false }), "old"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "401") {
		t.Error(err)
	}
	if lines, _ := os.ReadFile(log); string(lines) != "again\n" {
		t.Errorf("%q", lines)
	}
}

// TestTokenErrors says what is wrong with az, and shows no token.
func TestTokenErrors(t *testing.T) {
	for script, want := range map[string]string{
		`printf 'Please run \033[31maz login\nand more\n' >&2; exit 1`: `exit status 1: Please run \x1b[31maz login`,
		`echo secret`:         "does not print JSON with an accessToken",
		`echo '{"secret":1}'`: "does not print JSON with an accessToken",
	} {
		fakeAZ(t, script)
		a, err := OpenToken("http://127.0.0.1:1", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
