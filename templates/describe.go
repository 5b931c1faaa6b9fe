package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// keyDescription says in words what the partition key of a document or a key is made of, such
// as: date, ".", and the bucket of vin among 400.
func (f *file) keyDescription(of string) string {
	what := of + " partition key"
	switch f.Kind {
	case ItemID:
		what += ", which is its id"
	case Natural:
		what += ", the property " + f.Levels[0].Parts[0].Component.Property
	case Hierarchical:
		levels := make([]string, len(f.Levels))
		for i, level := range f.Levels {
			levels[i] = level.Path + " is " + describeLevel(level)
		}
		what += ", level by level: " + strings.Join(levels, "; ")
	default:
		what = describeLevel(f.Levels[0])
	}
	if f.ExampleKey != "" {
		what += ", such as " + f.example()
	}
	what += "."
	switch level := f.random(); {
	case level == nil:
	case f.Kind == Hierarchical:
		what += " The value at " + level.Path + " is \"\" until Create has chosen the number."
	default:
		what += " It is \"\" until Create has chosen the number."
	}
	return what
}

// describeLevel names the parts of a value.
func describeLevel(l pk.Level) string {
	parts := make([]string, len(l.Parts))
	for i, part := range l.Parts {
		parts[i] = describePart(part)
	}
	return prose.Enumerate(parts)
}

// example is the example key, as Go writes it.
func (f *file) example() string {
	if f.scalar() || f.Kind == Hierarchical {
		return f.ExampleKey
	}
	return strconv.Quote(f.ExampleKey)
}

// describePart names a part of a key by its JSON properties.
func describePart(p pk.Part) string {
	switch {
	case p.Component != nil:
		return describeComponent(*p.Component)
	case p.Bucket == nil:
		return strconv.Quote(p.Literal)
	case p.Bucket.Hash == nil:
		return fmt.Sprintf("a random number from 1 to %d", p.Bucket.Count)
	}
	hashed := make([]string, len(p.Bucket.Hash))
	for i, c := range p.Bucket.Hash {
		hashed[i] = describeComponent(c)
	}
	return fmt.Sprintf("the bucket of %s among %d", prose.Enumerate(hashed), p.Bucket.Count)
}

func describeComponent(c pk.Component) string {
	switch {
	case c.Newest:
		return c.Property + " counted backwards"
	case c.Lower:
		return c.Property + " in lower case"
	case c.Value != pk.Time:
		return c.Property
	case timelayout.Name(c.Layout) != "":
		return "the " + timelayout.Name(c.Layout) + " of " + c.Property
	}
	return c.Property + " as " + strconv.Quote(c.Layout)
}
