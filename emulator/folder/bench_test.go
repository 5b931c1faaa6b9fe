package folder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// BenchmarkCreate creates documents of 1 KB, each acknowledged when it is on disk, by one
// client and by eight, and in memory.
func BenchmarkCreate(b *testing.B) {
	for _, clients := range []int{1, 8} {
		for _, kept := range []bool{false, true} {
			b.Run(fmt.Sprintf("kept=%t/clients=%d", kept, clients), func(b *testing.B) {
				var o server.Options
				if kept {
					records, err := folder.Open(b.TempDir())
					if err != nil {
						b.Fatal(err)
					}
					defer records.Close()
					o.Records = records
				}
				s, err := server.New(o)
				if err != nil {
					b.Fatal(err)
				}
				send(s, "POST", "/dbs", `{"id":"d"}`)
				send(s, "POST", "/dbs/d/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
				work := make(chan int)
				done := make(chan string)
				for range clients {
					go func() {
						failed := ""
						for i := range work {
							pk := fmt.Sprint(i % 100)
							w := send(s, "POST", "/dbs/d/colls/c/docs", fmt.Sprintf(`{"id":"%d","pk":%q,"text":%q}`, i, pk, strings.Repeat("x", 900)),
								"x-ms-documentdb-partitionkey", `["`+pk+`"]`)
							if w.Code != 201 {
								failed = w.Body.String()
							}
						}
						done <- failed
					}()
				}
				b.ResetTimer()
				for i := range b.N {
					work <- i
				}
				close(work)
				for range clients {
					if failed := <-done; failed != "" {
						b.Error(failed)
					}
				}
			})
		}
	}
}
