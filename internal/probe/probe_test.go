package probe

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

func TestMain(m *testing.M) { harness.Verify(m) }

// open serves an emulator, through a handler.
func open(t *testing.T, around func(http.Handler) http.Handler) *account.Account {
	t.Helper()
	return openWith(t, server.Options{}, around)
}

func openWith(t *testing.T, o server.Options, around func(http.Handler) http.Handler) *account.Account {
	t.Helper()
	a, err := account.Open(harness.Listen(t, harness.Bare(t, o), around))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestEmulator checks the assumptions against the emulator, which drops the database.
func TestEmulator(t *testing.T) {
	a := open(t, nil)
	holds(t, a, false)
	if left, err := a.Databases(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
}

// TestIndexes checks the assumptions about indexes against emulators that are slow, that have none,
// and that let a program write to them.
func TestIndexes(t *testing.T) {
	run := func(a *account.Account) (yes, no, unknown int) {
		results, err := Run(t.Context(), Options{Account: a})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results[len(ofQueries())+len(ofThroughput()):] {
			switch {
			case r.Unknown != "":
				unknown++
			case r.Err != nil:
				no++
			default:
				yes++
			}
		}
		return yes, no, unknown
	}
	if yes, no, unknown := run(openWith(t, server.Options{IndexLag: 20 * time.Millisecond}, nil)); yes != len(ofIndexes()) {
		t.Errorf("slow: %d hold, %d do not, %d are unknown", yes, no, unknown)
	}
	if yes, no, unknown := run(openWith(t, server.Options{NoIndexes: true}, nil)); yes+no != 0 || unknown != 1 {
		t.Errorf("none: %d hold, %d do not, %d are unknown", yes, no, unknown)
	}
	writable := open(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/colls/"+indexID+"/docs") && r.Header.Get("Content-Type") == "application/json" {
				w.WriteHeader(http.StatusCreated)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	if yes, no, unknown := run(writable); no != 1 || yes != len(ofIndexes())-1 {
		t.Errorf("writable: %d hold, %d do not, %d are unknown", yes, no, unknown)
	}
}

// TestLive checks the assumptions against an account, if there is one. It prints the table
// that pkgen-data doctor -probe prints too.
func TestLive(t *testing.T) {
	connection := os.Getenv("COSMOS_CONNECTION_STRING")
	if connection == "" {
		t.Skip("COSMOS_CONNECTION_STRING names no account to ask")
	}
	a, err := account.Open(connection)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, a, true)
}

// holds fails for each assumption that does not hold. A live account may have no indexes.
func holds(t *testing.T, a *account.Account, live bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	results, err := Run(ctx, Options{Account: a})
	if err != nil {
		t.Error(err)
	}
	unknown := false
	for _, r := range results {
		if r.Unknown != "" {
			t.Logf("unknown: %s: %s", r.Says, r.Unknown)
			unknown = true
			continue
		}
		if r.Err != nil {
			t.Errorf("NO: %s: %v", r.Says, r.Err)
			continue
		}
		t.Logf("yes: %s", r.Says)
	}
	if want := len(ofQueries()) + len(ofThroughput()) + len(ofIndexes()); len(results) != want && (!unknown || !live) {
		t.Errorf("%d assumptions were checked, not %d", len(results), want)
	}
}

// TestOtherwise has a service that does otherwise, and one that does not make or drop the
// database.
func TestOtherwise(t *testing.T) {
	count := func(results []Result) (wrong int) {
		for _, r := range results {
			if r.Err != nil {
				wrong++
			}
		}
		return wrong
	}
	t.Run("no ETags of throughput", func(t *testing.T) {
		a := open(t, func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/offers/") {
					r.Header.Del("If-Match")
				}
				h.ServeHTTP(w, r)
			})
		})
		results, err := Run(t.Context(), Options{Account: a})
		if err != nil || count(results) == 0 {
			t.Errorf("%d assumptions do not hold, %v", count(results), err)
		}
	})
	t.Run("no right to make a database", func(t *testing.T) {
		a := open(t, func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		})
		results, err := Run(t.Context(), Options{Account: a})
		if !account.Is(err, http.StatusForbidden) || len(results) > 0 {
			t.Errorf("%v, %v", results, err)
		}
	})
	t.Run("it ends early, and drops the database", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		a := open(t, func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if n++; n == 50 {
					cancel()
				}
				h.ServeHTTP(w, r)
			})
		})
		_, err := Run(ctx, Options{Account: a})
		left, listing := a.Databases(t.Context())
		if !errors.Is(err, context.Canceled) || listing != nil || len(left) > 0 {
			t.Errorf("%v is left, %v: %v", left, listing, err)
		}
	})
	t.Run("it cannot drop the database", func(t *testing.T) {
		a := open(t, func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete && strings.Count(r.URL.Path, "/") == 2 {
					w.WriteHeader(http.StatusForbidden)
					return
				}
				h.ServeHTTP(w, r)
			})
		})
		_, err := Run(t.Context(), Options{Account: a, Now: func() time.Time { return time.Unix(0, 7) }})
		if err == nil || !strings.Contains(err.Error(), "database pkgen-probe-7 is not dropped, drop it by hand") {
			t.Errorf("got %v", err)
		}
	})
}
