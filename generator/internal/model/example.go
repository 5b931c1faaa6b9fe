package model

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Examples are from Microsoft's page on synthetic partition keys, where it has one
// (https://learn.microsoft.com/azure/cosmos-db/nosql/synthetic-partition-keys).
var exampleTime = time.Date(2018, time.August, 9, 15, 4, 5, 0, time.UTC)

const exampleRandom = 217

// exampleTexts has plausible texts of fields by a word in their name.
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

// exampleNumbers has plausible numbers of fields by a word in their name.
var exampleNumbers = []struct{ word, text string }{
	{"date", "2018"},
	{"year", "2018"},
	{"month", "8"},
	{"day", "9"},
	{"hour", "15"},
}

// ExampleKey returns the partition key of a plausible document, for templates.Type.ExampleKey.
func ExampleKey(k pk.Key, hierarchical bool) string {
	if !hierarchical {
		return keyText(k.Levels[0], k.Escape, exampleText)
	}
	values := make([]string, len(k.Levels))
	for i, level := range k.Levels {
		values[i] = keyText(level, k.Escape, exampleText)
		if v := level.Value(); v == pk.String || v.Marshaled() {
			values[i] = strconv.Quote(values[i])
		}
	}
	return "[" + strings.Join(values, ",") + "]"
}

// keyText returns a value of a key from the texts of its components.
func keyText(level pk.Level, escape bool, text func(pk.Component) string) string {
	var b strings.Builder
	for _, p := range level.Parts {
		switch {
		case p.Component != nil && escape && level.Made && p.Component.Value != pk.Time:
			b.Write(partition.AppendEscaped(nil, componentText(*p.Component, text), level.Separators()))
		case p.Component != nil:
			b.WriteString(componentText(*p.Component, text))
		case p.Bucket != nil:
			b.WriteString(strconv.Itoa(bucketOf(p.Bucket, text)))
		default:
			b.WriteString(p.Literal)
		}
	}
	return b.String()
}

// componentText returns the text of a component in the key.
func componentText(c pk.Component, text func(pk.Component) string) string {
	if c.Lower {
		return string(partition.AppendLower(nil, text(c)))
	}
	return text(c)
}

// bucketOf returns the bucket of the texts of its components.
func bucketOf(bucket *pk.Bucket, text func(pk.Component) string) int {
	if bucket.Hash == nil {
		return min(exampleRandom, bucket.Count)
	}
	var hash partition.Hash
	for _, c := range bucket.Hash {
		hash = hash.Text(componentText(c, text))
	}
	return hash.Bucket(bucket.Count)
}

// exampleText returns a plausible text of a component.
func exampleText(c pk.Component) string {
	words := strings.Split(facts.DefaultContainer(c.Name), "-")
	switch c.Value {
	case pk.Bool:
		return "true"
	case pk.Float:
		return "4.5"
	case pk.Time:
		return exampleTime.Format(c.Layout)
	case pk.Int, pk.Uint:
		for _, e := range exampleNumbers {
			if slices.Contains(words, e.word) {
				return e.text
			}
		}
		return "42"
	case pk.String:
	case pk.Text, pk.TextPtr:
		words = append(strings.Split(facts.DefaultContainer(c.Type.Name), "-"), words...)
	}
	for _, e := range exampleTexts {
		if slices.Contains(words, e.word) {
			return e.text
		}
	}
	return "abc"
}
