package layout

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// benchmarkDocument is a document of 1 KB, whose key is README's.
var benchmarkDocument = fmt.Sprintf(`{"id":"0e3a5c1e-6a2f-4a5e-9d0b-2f5f9a3a1c11","date":"2018-08-09","vin":"1HGCM82633A004352",`+
	`"speed":88.5,"position":{"lat":47.6062,"lon":-122.3321,"accuracy":4.2},"signals":[%s],"driver":{"name":"A. Driver","tags":["a","b"]},`+
	`"note":"%s","partitionKey":"2018-08-09.126","_ts":1533772800,"_etag":"\"0000-00\""}`,
	strings.TrimSuffix(strings.Repeat(`{"n":"rpm","v":2412.25},`, 16), ","), strings.Repeat("lorem ipsum ", 22))

// BenchmarkKey compares a key of a document's JSON with decoding the properties by
// encoding/json, and with that and the key.
func BenchmarkKey(b *testing.B) {
	doc := []byte(benchmarkDocument)
	type needed struct {
		ID   string `json:"id"`
		Date string `json:"date"`
		VIN  string `json:"vin"`
	}
	bench := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	l := mustNew(b, event())
	bench("layout", func() error {
		_, err := l.Key(doc)
		return err
	})
	bench("layout+epk", func() error {
		k, err := l.Key(doc)
		if err == nil {
			_, err = k.EPK()
		}
		return err
	})
	bench("encoding", func() error {
		var fields needed
		return json.Unmarshal(doc, &fields)
	})
	bench("encoding+key", func() error {
		var fields needed
		if err := json.Unmarshal(doc, &fields); err != nil {
			return err
		}
		key := fmt.Appendf(nil, "%s.%d", fields.Date, partition.Hash{}.Text(fields.VIN).Bucket(400))
		_, err := partition.EPK(string(key))
		return err
	})
	bench("valid", func() error {
		if !json.Valid(doc) {
			return errors.New("the document is not JSON")
		}
		return nil
	})
}
