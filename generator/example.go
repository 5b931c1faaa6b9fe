package generator

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The examples are those of Microsoft's page on synthetic partition keys
// (https://learn.microsoft.com/azure/cosmos-db/nosql/synthetic-partition-keys),
// where it has some.
var exampleTime = time.Date(2018, time.August, 9, 15, 4, 5, 0, time.UTC)

const exampleRandom = 217

// exampleTexts holds a plausible text for fields whose name has a word.
var exampleTexts = []struct{ word, text string }{
	{"vin", "1HGCM82633A004352"},
	{"date", "2018-08-09"},
	{"day", "2018-08-09"},
	{"month", "2018-08"},
	{"year", "2018"},
	{"hour", "2018-08-09T15"},
	{"uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
	{"addr", "192.0.2.1"},
	{"email", "ada@example.com"},
	{"tenant", "contoso"},
	{"customer", "fabrikam"},
	{"user", "ada"},
	{"region", "westeurope"},
	{"country", "CH"},
	{"id", "abc-123"},
}

// exampleNumbers does the same for numbers.
var exampleNumbers = []struct{ word, text string }{
	{"date", "2018"},
	{"year", "2018"},
	{"month", "8"},
	{"day", "9"},
	{"hour", "15"},
}

// exampleKey returns the partition key of a plausible document.
func exampleKey(m *templates.Type) string {
	var b strings.Builder
	for _, p := range m.Parts {
		switch {
		case p.Component != nil:
			b.WriteString(exampleText(*p.Component))
		case p.Bucket != nil:
			b.WriteString(strconv.Itoa(exampleBucket(p.Bucket)))
		default:
			b.WriteString(p.Literal)
		}
	}
	return b.String()
}

// exampleBucket returns the bucket of the example.
func exampleBucket(bucket *templates.Bucket) int {
	if bucket.Hash == nil {
		return min(exampleRandom, bucket.Count)
	}
	var hash partition.Hash
	for _, c := range bucket.Hash {
		hash = hash.Text(exampleText(c))
	}
	return hash.Bucket(bucket.Count)
}

// exampleText returns a plausible text of a component.
func exampleText(c templates.Component) string {
	words := strings.Split(defaultContainer(c.Name), "-")
	switch c.Value {
	case templates.Bool:
		return "true"
	case templates.Float:
		return "4.5"
	case templates.Time:
		return exampleTime.Format(c.Layout)
	case templates.Int, templates.Uint:
		for _, e := range exampleNumbers {
			if slices.Contains(words, e.word) {
				return e.text
			}
		}
		return "42"
	case templates.String:
	case templates.Text, templates.TextPtr:
		words = append(strings.Split(defaultContainer(c.Type.Name), "-"), words...)
	}
	for _, e := range exampleTexts {
		if slices.Contains(words, e.word) {
			return e.text
		}
	}
	return "abc"
}
