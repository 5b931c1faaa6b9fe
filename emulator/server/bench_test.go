package server

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkPointWrite upserts documents of a few hundred bytes on five physical
// partitions: request handling, authentication and storage, without a network.
func BenchmarkPointWrite(b *testing.B) {
	r := newRig(b, Options{Partitions: 5})
	r.container("")
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		key := fmt.Sprint(i % 10_000)
		r.send("POST", docs, `{"id":"1","pk":"`+key+`","name":"a device","speed":120.5,"position":{"lat":48.1,"lon":11.6},"tags":["a","b","c"]}`,
			pkKey, `["`+key+`"]`, "x-ms-documentdb-is-upsert", "True", "Prefer", "return=minimal")
		i++
	}
}

// BenchmarkFilter runs a filter that selects one in a hundred of 10,000 documents
// in one physical partition.
func BenchmarkFilter(b *testing.B) {
	r := newRig(b, Options{QueryTime: time.Hour})
	r.container("")
	for i := range 10_000 {
		r.create(fmt.Sprintf(`["%d"]`, i%400), fmt.Sprintf(`{"id":"%d","pk":"%d","n":%d,"name":"device %d","o":{"a":[1,2,3]}}`, i, i%400, i%100, i))
	}
	b.ReportAllocs()
	for b.Loop() {
		if rows := r.query("SELECT * FROM c WHERE c.n = 42", rangeID, "0").rows(); len(rows) != 100 {
			b.Fatalf("%d rows", len(rows))
		}
	}
}

// BenchmarkChangeFeedPoll asks for changes of 10,000 documents when there are none.
func BenchmarkChangeFeedPoll(b *testing.B) {
	r := newRig(b, Options{})
	r.container("")
	for i := range 10_000 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"1","pk":"%d"}`, i))
	}
	b.ReportAllocs()
	for b.Loop() {
		r.send("GET", docs, "", "A-IM", "Incremental feed", "If-None-Match", `"10000"`)
	}
}
