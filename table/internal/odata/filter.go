// Package odata translates conditions into OData filters for tables, and evaluates them for
// entities.
//
// A filter selects at least the entities for which the condition holds. The filter leaves out
// conditions that the Table API cannot express, mainly that a property is absent. Holds
// evaluates them.
package odata

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
)

// Row is the name of the row key in conditions. No property has it.
const Row = entity.RowKey

// Columns returns the stored name and the type of a property.
type Columns func(property string) (name string, p *flat.Property, err error)

// Filter is a condition on entities. It is immutable.
type Filter struct {
	// Text is the filter in OData, or "" if it selects everything.
	Text string

	// Names are the properties that Holds reads, each once.
	Names []string

	nodes condition.All
	find  Columns
}

// New returns the filter of the conjunction of conditions.
func New(find Columns, nodes []condition.Node) (*Filter, error) {
	f := &Filter{nodes: nodes}
	f.find = func(property string) (string, *flat.Property, error) {
		if property == Row {
			return Row, &flat.Property{Name: Row, Kind: flat.Text}, nil
		}
		name, p, err := find(property)
		if err == nil && name == Row && p.Kind != flat.Text { // the row key is a text
			text := *p
			text.Kind, text.UUID = flat.Text, false
			p = &text
		}
		return name, p, err
	}
	t, err := f.write(f.nodes, false)
	if err != nil {
		return nil, err
	}
	f.Text = t.text
	return f, nil
}

// Partition returns the conjunction of a partition key and f.
func (f *Filter) Partition(key string) string {
	text := entity.PartitionKey + " eq " + quote(key)
	if f.Text != "" {
		text += " and (" + f.Text + ")"
	}
	return text
}

// term is a part of a filter. all reports that it selects everything, and none that it selects
// nothing; otherwise text is the filter.
type term struct {
	text      string
	all, none bool
}

// write returns a term that selects at least the entities of n, or of its negation.
func (f *Filter) write(n condition.Node, negated bool) (term, error) {
	switch n := n.(type) {
	case condition.Not:
		return f.write(n.Of, !negated)
	case condition.All:
		return f.join(n, negated, !negated)
	case condition.Any:
		return f.join(n, negated, negated)
	case *condition.Comparison:
		name, p, err := f.find(n.Property)
		if err != nil {
			return term{}, err
		}
		if !slices.Contains(f.Names, name) {
			f.Names = append(f.Names, name)
		}
		if negated {
			return term{all: true}, nil // it also holds if the property is absent
		}
		return compare(name, p, n)
	case condition.Wrong:
		return term{}, n.Err
	}
	return term{}, fmt.Errorf("a condition of type %T is not known", n)
}

// join joins terms by and, or by or.
func (f *Filter) join(nodes []condition.Node, negated, and bool) (term, error) {
	var texts []string
	absorbed := false // whether one term decides the result
	for _, n := range nodes {
		t, err := f.write(n, negated)
		if err != nil {
			return term{}, err
		}
		switch {
		case and && t.all, !and && t.none:
		case t.all || t.none:
			absorbed = true
		default:
			texts = append(texts, t.text)
		}
	}
	switch {
	case absorbed:
		return term{all: !and, none: and}.final(), nil
	case len(texts) == 0:
		return term{all: and, none: !and}.final(), nil
	case len(texts) == 1:
		return term{text: texts[0]}, nil
	}
	word := ") or ("
	if and {
		word = ") and ("
	}
	return term{text: "(" + strings.Join(texts, word) + ")"}, nil
}

// nothing is a filter that no entity matches, since row keys are not empty.
const nothing = Row + " eq ''"

// final sets the text of a term that selects nothing.
func (t term) final() term {
	if t.none {
		t.text = nothing
	}
	return t
}

var words = map[condition.Op]string{
	condition.Eq: "eq", condition.Ne: "ne", condition.Lt: "lt", condition.Le: "le", condition.Gt: "gt", condition.Ge: "ge",
}

// compare returns the term of a comparison.
func compare(name string, p *flat.Property, c *condition.Comparison) (term, error) {
	var literals []string
	for _, v := range c.Values {
		text, err := literal(p, v)
		if err != nil {
			return term{}, fmt.Errorf("property %q: %w", c.Property, err)
		}
		literals = append(literals, text)
	}
	if slices.Contains(literals, "") { // a number that the property's type cannot represent
		return term{all: true}, nil
	}
	if word, ok := words[c.Op]; ok && len(literals) == 1 {
		if p.Kind == flat.Time {
			// Azurite compares whole milliseconds, but literals have a precision of 100 ns.
			switch c.Op {
			case condition.Lt:
				word = words[condition.Le]
			case condition.Gt:
				word = words[condition.Ge]
			case condition.Ne:
				return term{all: true}, nil
			}
		}
		return term{text: name + " " + word + " " + literals[0]}, nil
	}
	switch c.Op {
	case condition.Between:
		return term{text: "(" + name + " ge " + literals[0] + ") and (" + name + " le " + literals[1] + ")"}.parens(), nil
	case condition.In:
		if len(literals) == 0 {
			return term{none: true}.final(), nil
		}
		texts := make([]string, len(literals))
		for i, text := range literals {
			texts[i] = name + " eq " + text
		}
		if len(texts) == 1 {
			return term{text: texts[0]}, nil
		}
		return term{text: "(" + strings.Join(texts, ") or (") + ")"}.parens(), nil
	case condition.StartsWith:
		text, ok := c.Values[0].(string)
		if !ok {
			return term{}, fmt.Errorf("property %q: StartsWith takes a text", c.Property)
		}
		return prefix(name, text), nil
	}
	return term{all: true}, nil // EqualFold, Contains and EndsWith
}

func (t term) parens() term { t.text = "(" + t.text + ")"; return t }

// prefix selects the texts that begin with a text, and possibly more.
func prefix(name, text string) term {
	if text == "" {
		return term{all: true}
	}
	low := name + " ge " + quote(text)
	end := next(text)
	if end == "" {
		return term{text: low}
	}
	return term{text: "(" + low + ") and (" + name + " lt " + quote(end) + ")"}.parens()
}

// next returns a text that sorts after all texts with a prefix, in UTF-8 and in UTF-16: its
// last character is one more. It is "" if there is none.
func next(prefix string) string {
	runes := []rune(prefix)
	for len(runes) > 0 {
		last := runes[len(runes)-1]
		switch {
		case last == 0xd7ff: // the next code points are surrogates, which are not characters
			runes[len(runes)-1] = 0xe000
			return string(runes)
		case last < 0xfffe, last > 0xffff && last < 0x10ffff:
			runes[len(runes)-1]++
			return string(runes)
		}
		runes = runes[:len(runes)-1] // in UTF-16, U+10000 sorts before U+FFFF
	}
	return ""
}

// literal returns the literal of a value for a property's kind. It is "" for a number that the
// kind cannot represent.
func literal(p *flat.Property, v any) (string, error) {
	switch v := v.(type) {
	case string:
		if p.UUID && entity.IsGUID(v) {
			return "guid" + quote(v), nil
		}
		if p.Kind == flat.Text || p.Kind == flat.Marshaled {
			return quote(v), nil
		}
	case bool:
		if p.Kind == flat.Bool {
			return strconv.FormatBool(v), nil
		}
	case int64:
		return number(p, v)
	case uint64:
		if v <= math.MaxInt64 {
			return number(p, int64(v))
		}
		return "", nil
	case float64:
		if p.Kind == flat.Float && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return double(v), nil
		}
		if p.Kind == flat.Int32 || p.Kind == flat.Int64 || p.Kind == flat.Float {
			return "", nil
		}
	case time.Time:
		if p.Kind == flat.Time {
			if y := v.UTC().Year(); y < 1601 || y > 9999 {
				return "", nil
			}
			return "datetime'" + entity.TimeText(v) + "'", nil
		}
	case []byte:
		if p.Kind == flat.Binary {
			return "X'" + hex.EncodeToString(v) + "'", nil
		}
	}
	return "", fmt.Errorf("it holds %s, and is compared with a %T", p.Kind, v)
}

func number(p *flat.Property, v int64) (string, error) {
	switch p.Kind {
	case flat.Int32:
		if v < math.MinInt32 || v > math.MaxInt32 {
			return "", nil
		}
		return strconv.FormatInt(v, 10), nil
	case flat.Int64:
		return strconv.FormatInt(v, 10) + "L", nil
	case flat.Float:
		return double(float64(v)), nil
	}
	return "", fmt.Errorf("it holds %s, and is compared with a number", p.Kind)
}

// double writes a number with a point: without it, 5 would be an Int32.
func double(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// quote returns the literal of a text, with doubled quotes.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
