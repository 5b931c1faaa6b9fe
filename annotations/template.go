package annotations

import (
	"strconv"
	"strings"
)

// Template is the layout of a partition key, and the one notation for it:
//
//	{deviceId}-{date}              components and the literal text between them
//	{at|2006-01-02}                a time, by its Go layout, in UTC
//	{date}.{vin%400}               the bucket, 1 to 400, of the hash of a field
//	{vin+region%400}               the bucket of the hash of several fields
//	{date}.{*%400}                 a random bucket, 1 to 400
//	{vin|lower}                    a text in ASCII lower case
//	{tenantId},{userId}            the levels of a hierarchical key, up to three
//
// Whether components are percent-encoded is not part of the notation.
//
// A field is named by its JSON property or by its Go field path: a template
// does not say which. Names are nested with points and hold any other
// character but { } | % + and the comma, control characters, and a space at
// either end; the name * alone is the random bucket. Literal text holds
// any character that a key can hold, except {, } and the comma.
type Template struct {
	Levels []Level // one, except for hierarchical keys, which have up to three
}

// Level is the text of one value of a key: literals and components in order.
// Two components never touch, since their texts would run together.
type Level []Part

// Part is a piece of a level: a component, or else literal text.
type Part struct {
	Literal   string
	Component *Component
}

// Component is the part of a key that comes from the document.
type Component struct {
	// Fields are the names of the fields. There is more than one only under a
	// bucket, which hashes them all. None is a random bucket.
	Fields []string
	// Format is the layout for package time of the fields that are times; ""
	// for none. It is never one of the names that Layout knows.
	Format string
	// Newest says that the text of a time counts backwards, so that the newest sorts
	// first. Only the row keys of tables have it, and no Format with it.
	Newest bool
	// Lower says that the texts of the fields are in ASCII lower case. It cannot be
	// combined with a Format: times have no case.
	Lower bool
	// Buckets is the number of buckets; 0 when the component is the text of its
	// field, and not a bucket.
	Buckets int
}

// String returns the template's notation. [ParseTemplate] is its inverse for
// every template that keeps the rules given at [Template]. Levels are
// separated by a comma.
func (t Template) String() string {
	var b strings.Builder
	for i, level := range t.Levels {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, part := range level {
			if part.Component == nil {
				b.WriteString(part.Literal)
				continue
			}
			part.Component.write(&b)
		}
	}
	return b.String()
}

// write appends the component's notation, braces included.
func (c *Component) write(b *strings.Builder) {
	b.WriteByte('{')
	if len(c.Fields) == 0 {
		b.WriteString(randomName)
	} else {
		b.WriteString(strings.Join(c.Fields, "+"))
	}
	if c.Format != "" {
		b.WriteByte('|')
		b.WriteString(c.Format)
	}
	if c.Newest {
		b.WriteByte('|')
		b.WriteString(newestName)
	}
	if c.Lower {
		b.WriteByte('|')
		b.WriteString(lowerName)
	}
	if c.Buckets > 0 {
		b.WriteByte('%')
		b.WriteString(strconv.Itoa(c.Buckets))
	}
	b.WriteByte('}')
}

// lowerName is the notation of Lower in a component.
const lowerName = "lower"

// newestName is the notation of Newest in a component.
const newestName = "newest"

// randomName is the notation of a random bucket, which has no field.
const randomName = "*"
