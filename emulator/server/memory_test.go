package server

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestMemoryOfADocument bounds what the server keeps of documents of one kilobyte,
// the journal included: 100,000 of them fit into 300 MB with room for the collector.
func TestMemoryOfADocument(t *testing.T) {
	const n, most = 10_000, 1950
	r := newRig(t, Options{})
	r.container("")
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	for i := range n {
		key := fmt.Sprint(i % 1000)
		r.create(`["`+key+`"]`, fmt.Sprintf(`{"id":"%d","pk":"%s","speed":%d,"position":{"lat":48.2,"lon":11.6},"tags":["a","b","c"],"text":"%s"}`, i, key, i%200, strings.Repeat("x", 880)))
	}
	if each := (heap() - before) / n; each > most {
		t.Errorf("a document takes %d bytes, may take %d", each, most)
	} else {
		t.Logf("a document takes %d bytes", each)
	}
	runtime.KeepAlive(r)
}
