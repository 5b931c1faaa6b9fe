package analyze

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// benchmarkDocuments returns documents of 1 KB, of 2,000 vehicles.
func benchmarkDocuments() [][]byte {
	start := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	signals := strings.Repeat(`{"name":"Vehicle.Cabin.HVAC","value":19.9,"on":true},`, 16)
	all := make([][]byte, 10_000)
	for i := range all {
		at := start.Add(time.Duration(i) * time.Minute)
		all[i] = fmt.Appendf(nil, `{"id":"e%d","date":%q,"vin":"1HGCM82633A%d","at":%q,"signals":[%s0]}`,
			i, at.Format(time.DateOnly), 100_000+i*7919%2000, at.Format(time.RFC3339), signals)
	}
	return all
}

// BenchmarkCollector compares a collector with encoding/json, which decodes into the
// fields that a key and a time need and counts nothing.
func BenchmarkCollector(b *testing.B) {
	documents := benchmarkDocuments()
	templates := []string{"{date}.{vin%400}", "{vin}", "{date}", "{id}", "{date}.{vin%10}"}
	for _, n := range []int{1, 5} {
		b.Run(fmt.Sprintf("layouts=%d", n), func(b *testing.B) {
			c := newCollector(b, Options{Partitions: []int{5, 20, 50}, Times: []string{"/at"}}, templates[:n]...)
			b.SetBytes(int64(len(documents[0])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.Add(int64(i), documents[i%len(documents)])
			}
		})
	}
	b.Run("encoding/json", func(b *testing.B) {
		var doc struct {
			ID   string    `json:"id"`
			Date string    `json:"date"`
			VIN  string    `json:"vin"`
			At   time.Time `json:"at"`
		}
		b.SetBytes(int64(len(documents[0])))
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := json.Unmarshal(documents[i%len(documents)], &doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// FuzzCollector gives any lines to a collector: each is a document, invalid, or of another
// type, and each document has a key by a layout or a reason why not.
func FuzzCollector(f *testing.F) {
	for _, seed := range []string{
		"", `{"a":"x","b":"y","at":1533830400}`, "{\"a\":1}\n{\"type\":\"t\",\"a\":\"\\u00e9\",\"b\":1e3,\"at\":\"2018-08-09T00:00:00Z\"}\n[", `{"a":"x-","b":true,"at":1e999}`,
		`{"type":"t","a":"","b":null,"at":"0001-01-01T00:00:00Z"}`,
	} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, typed bool) {
		o := Options{Partitions: []int{1, 5}, Bounds: []string{"", "20"}, Times: []string{"/at", "/_ts"}}
		if typed {
			o.Discriminator = "t"
		}
		c := newCollector(t, o, "{a}-{b}", "{a},{b}", "{at|2006-01-02}.{a%10}", "{a}.{*%4}")
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			c.Add(int64(i+1), []byte(line))
		}
		r := c.Report()
		r.Judge(Limits{MaxShare: 0.1, MaxPartition: 10})
		if r.Documents+r.Invalid+r.Others != int64(len(lines)) {
			t.Errorf("%d documents, %d invalid, %d others, of %d", r.Documents, r.Invalid, r.Others, len(lines))
		}
		for _, l := range r.Layouts {
			n := l.Documents
			for _, k := range l.Keyless {
				n += k.Documents
			}
			if n != r.Documents {
				t.Errorf("%s: %d of %d documents", l.Layout, n, r.Documents)
			}
			for _, s := range l.Partitions {
				n := l.Documents
				for _, of := range s.Documents {
					n -= of
				}
				if n != 0 {
					t.Errorf("%s: %d documents are in no physical partition", l.Layout, n)
				}
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
