package server

import (
	"fmt"
	"net/http"
	"strings"
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

// filled returns a server with 100,000 documents of 400 keys in one physical partition.
func filled(b *testing.B) *rig {
	r := newRig(b, Options{QueryTime: time.Hour})
	r.container("")
	for i := range 100_000 {
		r.create(fmt.Sprintf(`["%d"]`, i%400), fmt.Sprintf(`{"id":"%d","pk":"%d","n":%d,"name":"device %d","o":{"a":[1,2,3]}}`, i, i%400, i%1000, i))
	}
	return r
}

// BenchmarkQuery runs queries over 100,000 documents: a filter that selects one in a
// thousand, and the first page of 100 documents in the order of a property.
func BenchmarkQuery(b *testing.B) {
	r := filled(b)
	for _, q := range []struct{ name, sql string }{
		{"filter", "SELECT * FROM c WHERE c.n = 42"},
		{"ordered", "SELECT * FROM c ORDER BY c.name DESC"},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if rows := r.query(q.sql, rangeID, "0", "x-ms-max-item-count", "100").rows(); len(rows) != 100 {
					b.Fatalf("%d rows", len(rows))
				}
			}
		})
	}
}

// BenchmarkBatch upserts 100 documents of a logical partition in one batch.
func BenchmarkBatch(b *testing.B) {
	r := newRig(b, Options{})
	r.container("")
	operations := make([]string, 100)
	for i := range operations {
		operations[i] = fmt.Sprintf(`{"operationType":"Upsert","resourceBody":%s}`, kilobyte(fmt.Sprint(i)))
	}
	body := "[" + strings.Join(operations, ",") + "]"
	b.ReportAllocs()
	for b.Loop() {
		r.send("POST", docs, body, pkKey, `["k"]`, "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True").status(http.StatusOK, "")
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
