package evaluation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// telemetry returns n documents of about 300 bytes.
func telemetry(t testing.TB, n int) []value.Value {
	docs := make([]value.Value, n)
	for i := range docs {
		docs[i] = mustDecode(t, fmt.Sprintf(`{"id":"%d","pk":"2018-08-09.%d","vin":"1HGCM82633A%06d","speed":%d,
"position":{"lat":48.2,"lon":11.%d},"tags":["a","b","c"],"text":%q,
"_rid":"AAAAAAAAAAA=","_self":"","_etag":"\"00000000-0000-0000-0000-000000000000\"","_attachments":"attachments/","_ts":1533800000}`,
			i, i%400+1, i, i%200, i%90, strings.Repeat("x", 40)))
	}
	return docs
}

var filters = map[string]string{
	"equal":   `c.speed = 120`,
	"range":   `c.speed > 120 AND c.position.lat <= 48.2 AND STARTSWITH(c.pk, "2018")`,
	"logic":   `NOT (c.speed BETWEEN 10 AND 20) AND (c.none = 1 OR c.tags[1] = "b")`,
	"in400":   `c.pk IN (` + keyList(400) + `)`,
	"or400":   `c.pk = ` + strings.ReplaceAll(keyList(400), ", ", " OR c.pk = "),
	"ignored": `IS_DEFINED(c.none) OR ARRAY_CONTAINS(c.tags, "z")`,
}

func keyList(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"2018-08-09.%d"`, i+1)
	}
	return strings.Join(keys, ", ")
}

// TestMatchAllocatesNothing checks the promise of Plan.Match.
func TestMatchAllocatesNothing(t *testing.T) {
	docs := telemetry(t, 100)
	for name, where := range filters {
		p := mustBind(t, "SELECT * FROM c WHERE "+where, nil)
		if n := testing.AllocsPerRun(10, func() {
			for _, doc := range docs {
				_, _ = p.Match(doc)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations for %d documents, want none", name, n, len(docs))
		}
	}
}

// BenchmarkMatch filters 10,000 documents an iteration.
func BenchmarkMatch(b *testing.B) {
	docs := telemetry(b, 10_000)
	filters["readmany1000"] = strings.TrimPrefix(readManyQuery(1000), "SELECT * FROM c WHERE ")
	defer delete(filters, "readmany1000")
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range filters {
			if !yield(name) {
				return
			}
		}
	}) {
		p := mustBind(b, "SELECT * FROM c WHERE "+filters[name], readManyParams(1000))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, doc := range docs {
					_, _ = p.Match(doc)
				}
			}
		})
	}
}

// BenchmarkBind parses and binds a query for 1,000 documents.
func BenchmarkBind(b *testing.B) {
	query := readManyQuery(1000)
	params := map[string]value.Value{}
	for name, text := range readManyParams(1000) {
		params[name] = mustDecode(b, text)
	}
	b.ReportAllocs()
	for b.Loop() {
		q, err := cosmossql.Parse(query)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Bind(nil, q, params); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRun evaluates whole queries over 10,000 documents.
func BenchmarkRun(b *testing.B) {
	docs := telemetry(b, 10_000)
	for name, query := range map[string]string{
		"join":     `SELECT c.id, t FROM c JOIN t IN c.tags WHERE t != "b"`,
		"exists":   `SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = "c")`,
		"group":    `SELECT c.speed, COUNT(1) AS n, MAX(c.position.lon) AS lon FROM c GROUP BY c.speed`,
		"distinct": `SELECT DISTINCT VALUE c.pk FROM c`,
		"count":    `SELECT VALUE COUNT(1) FROM c WHERE c.speed > 100`,
		"project":  `SELECT c.id, {lat: c.position.lat} AS p FROM c WHERE c.pk LIKE "2018%7"`,
	} {
		p := mustBind(b, query, nil)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Run(slices.Values(docs)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOrder sorts and projects 10,000 documents.
func BenchmarkOrder(b *testing.B) {
	docs := telemetry(b, 10_000)
	p := mustBind(b, "SELECT TOP 100 c.id, c.speed FROM c ORDER BY c.speed DESC, c.vin", nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Run(slices.Values(docs)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecode decodes one document.
func BenchmarkDecode(b *testing.B) {
	raw := telemetry(b, 1)[0].JSON()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := value.Decode(raw); err != nil {
			b.Fatal(err)
		}
	}
}
