package server

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// TestMemoryOfADocument bounds what the server keeps of documents of one kilobyte, the
// journal included, with many documents of a key and with one: 100,000 of them fit into
// 300 MB with room for the collector.
func TestMemoryOfADocument(t *testing.T) {
	seeds.Gate(t, "10,000 documents")
	const n = 10_000
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for keys, most := range map[int]int{1000: 1620, n: 1740} {
		r := newRig(t, Options{})
		r.container("")
		before := heap()
		for i := range n {
			key := fmt.Sprint("device-", i%keys)
			r.create(`["`+key+`"]`, fmt.Sprintf(`{"id":"%d","pk":"%s","speed":%d,"position":{"lat":48.2,"lon":11.6},"tags":["a","b","c"],"text":"%s"}`, i, key, i%200, strings.Repeat("x", 880)))
		}
		if each := (heap() - before) / n; each > most {
			t.Errorf("%d keys: a document takes %d bytes, may take %d", keys, each, most)
		} else {
			t.Logf("%d keys: a document takes %d bytes", keys, each)
		}
		runtime.KeepAlive(r)
	}
}
