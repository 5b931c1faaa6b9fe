package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// limits are how many more requests the account of a script serves, by its folder; -1 is
// any number.
var limits sync.Map

// serveAccount is "account FILE…", which serves an account with the containers of files,
// and names it to the commands of the script, and "account -requests N", after which it
// serves N requests more and then refuses all. N is -1 for no limit.
func serveAccount(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: account file... | account -requests n")
	}
	folder := ts.MkAbs(".")
	if len(args) == 2 && args[0] == "-requests" {
		n, err := strconv.ParseInt(args[1], 10, 64)
		ts.Check(err)
		limit, served := limits.Load(folder)
		if !served {
			ts.Fatalf("there is no account")
		}
		limit.(*atomic.Int64).Store(n)
		return
	}
	s, err := server.New(server.Options{Partitions: 2})
	ts.Check(err)
	for _, file := range args {
		_, err := s.Load(bytes.NewReader([]byte(ts.ReadFile(file))))
		ts.Check(err)
	}
	limit := &atomic.Int64{}
	limit.Store(-1)
	limits.Store(folder, limit)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if limit.Load() == 0 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if limit.Load() > 0 {
			limit.Add(-1)
		}
		s.ServeHTTP(w, r)
	}))
	ts.Defer(web.Close)
	ts.Setenv("COSMOS_CONNECTION_STRING", "AccountEndpoint="+web.URL+"/;AccountKey="+s.Key()+";")
}

// makeLines is "lines FILE N FORMAT", which appends N lines to a file, each of them the
// format with its number.
func makeLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: lines file n format")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := []byte(ts.ReadFile(args[0]))
	for i := range n {
		text = fmt.Appendf(text, args[2]+"\n", i)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o600))
}
