package mongo

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// filters translates conditions into filters of MongoDB. A value is always the operand of an
// operator, and always a scalar, so that no text can become an operator.
type filters struct {
	name func(property string) string // the stored name of a property
}

var nowhere = bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: bson.A{}}}}}

// of returns a condition as a filter.
func (f filters) of(n condition.Node) (bson.D, error) {
	switch n := n.(type) {
	case *condition.Comparison:
		return f.comparison(n)
	case condition.All:
		if len(n) == 0 {
			return bson.D{}, nil
		}
		return f.joined("$and", n)
	case condition.Any:
		if len(n) == 0 {
			return nowhere, nil
		}
		return f.joined("$or", n)
	case condition.Not:
		return f.joined("$nor", []condition.Node{n.Of})
	case condition.Wrong:
		return nil, n.Err
	}
	return nil, fmt.Errorf("a condition of type %T", n)
}

func (f filters) joined(operator string, nodes []condition.Node) (bson.D, error) {
	terms := make(bson.A, len(nodes))
	for i, n := range nodes {
		term, err := f.of(n)
		if err != nil {
			return nil, err
		}
		terms[i] = term
	}
	return bson.D{{Key: operator, Value: terms}}, nil
}

// comparison returns a comparison. If zero values are left out and the comparison holds for
// zero, it also holds if the property is absent but its parent is present.
func (f filters) comparison(c *condition.Comparison) (bson.D, error) {
	name := f.name(c.Property)
	test, err := test(c.Op, c.Values)
	if err != nil {
		return nil, failure.Trusted(fmt.Errorf("property %q: %w", c.Property, err))
	}
	var found bson.D
	if test == nil {
		found = nowhere
	} else {
		found = bson.D{{Key: name, Value: test}}
	}
	if !c.Omitted || !c.Zero || c.Op == condition.Exists {
		return found, nil
	}
	absent := bson.D{{Key: name, Value: bson.D{{Key: "$exists", Value: false}}}}
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		absent = append(absent, bson.E{Key: name[:dot], Value: bson.D{{Key: "$ne", Value: nil}}})
	}
	return bson.D{{Key: "$or", Value: bson.A{found, absent}}}, nil
}

// test returns the test of a property, nil for one that never holds.
func test(op condition.Op, values []any) (bson.D, error) {
	operands := make([]any, len(values))
	whole := make([]bool, len(values)) // whether the operand is the value, and not below it
	for i, v := range values {
		var err error
		if operands[i], whole[i], err = operand(v); err != nil {
			return nil, err
		}
	}
	switch op {
	case condition.Exists:
		return bson.D{{Key: "$ne", Value: nil}}, nil
	case condition.In:
		among := bson.A{}
		for i, v := range operands {
			if whole[i] {
				among = append(among, v)
			}
		}
		return bson.D{{Key: "$in", Value: among}}, nil
	case condition.Between:
		if len(values) != 2 {
			return nil, fmt.Errorf("the condition Between has %d values, and must have two", len(values))
		}
		return bson.D{bound("$gte", operands[0], whole[0]), bound("$lte", operands[1], whole[1])}, nil
	}
	if len(values) != 1 {
		return nil, fmt.Errorf("a comparison has %d values, and must have one", len(values))
	}
	v := operands[0]
	switch op {
	case condition.Eq:
		if !whole[0] {
			return nil, nil
		}
		return bson.D{{Key: "$eq", Value: v}}, nil
	case condition.Ne:
		if !whole[0] {
			return bson.D{{Key: "$ne", Value: nil}}, nil
		}
		return bson.D{{Key: "$nin", Value: bson.A{v, nil}}}, nil
	case condition.Lt:
		return bson.D{bound("$lt", v, whole[0])}, nil
	case condition.Le:
		return bson.D{bound("$lte", v, whole[0])}, nil
	case condition.Gt:
		return bson.D{bound("$gt", v, whole[0])}, nil
	case condition.Ge:
		return bson.D{bound("$gte", v, whole[0])}, nil
	}
	text, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("a %T is not a text", v)
	}
	return textTest(op, text)
}

// operand returns a value for comparison in BSON. Whole is false for a time between two
// milliseconds: then the operand is the earlier one.
func operand(v any) (_ any, whole bool, err error) {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return nil, false, errUTF8
		}
	case bool, int64:
	case uint64:
		if v > math.MaxInt64 {
			return nil, false, errRange
		}
		return int64(v), true, nil
	case float64:
		if math.IsNaN(v) {
			return nil, false, errNaN
		}
	case time.Time:
		if isFar(v) {
			return nil, false, errFar
		}
		ms := v.Truncate(time.Millisecond)
		if v.Before(ms) { // Truncate rounds towards the zero time
			ms = ms.Add(-time.Millisecond)
		}
		return bson.NewDateTimeFromTime(ms), ms.Equal(v), nil
	case []byte:
		return bson.Binary{Data: v}, true, nil
	default:
		return nil, false, fmt.Errorf("a %T cannot be compared", v)
	}
	return v, true, nil
}

// bound returns a comparison of order. Stored values are whole, so a bound that is not whole
// lies between its operand and the next value.
func bound(operator string, v any, whole bool) bson.E {
	if !whole {
		operator = map[string]string{"$lt": "$lte", "$lte": "$lte", "$gt": "$gt", "$gte": "$gt"}[operator]
	}
	return bson.E{Key: operator, Value: v}
}

// textTest returns a test of texts. A prefix is a range, which an index serves; the others are
// regular expressions without special characters.
func textTest(op condition.Op, text string) (bson.D, error) {
	switch {
	case op == condition.StartsWith:
		found := bson.D{{Key: "$gte", Value: text}} // of texts alone
		if end := after(text); end != "" {
			found = append(found, bson.E{Key: "$lt", Value: end})
		}
		return found, nil
	case (op == condition.EndsWith || op == condition.Contains) && text == "":
		return bson.D{{Key: "$gte", Value: ""}}, nil
	case op == condition.EndsWith:
		return bson.D{{Key: "$regex", Value: literal(text) + `\z`}}, nil
	case op == condition.Contains:
		return bson.D{{Key: "$regex", Value: literal(text)}}, nil
	case op == condition.EqFold:
		return bson.D{{Key: "$regex", Value: `^` + folded(text) + `\z`}}, nil
	}
	return nil, fmt.Errorf("comparison %d is not known", op)
}

// after returns the least text that is greater than all texts that begin with prefix, "" if
// there is none. MongoDB compares texts by their UTF-8 bytes.
func after(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last == utf8.MaxRune:
		case last == 0xD7FF: // surrogates are next, which are not in UTF-8
			return prefix + "\uE000"
		default:
			return prefix + string(last+1)
		}
	}
	return ""
}

// literal returns a regular expression that matches a text. NUL ends a regular expression
// of BSON.
func literal(text string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(text), "\x00", `\x00`)
}

// folded returns a regular expression that matches a text in any case of its ASCII letters.
func folded(text string) string {
	var b strings.Builder
	for _, r := range text {
		s := string(r)
		if lower, upper := strings.ToLower(s), strings.ToUpper(s); r < utf8.RuneSelf && lower != upper {
			b.WriteString("[" + lower + upper + "]")
		} else {
			b.WriteString(literal(s))
		}
	}
	return b.String()
}

// selection returns the filter of a query's documents: in the logical partitions keys, unless
// the query reads all.
func (c *collection[T]) selection(sel api.Selection, keys []string) (bson.D, error) {
	filter := bson.D{}
	switch {
	case sel.All:
	case len(keys) == 1:
		filter = append(filter, bson.E{Key: c.codec.shard, Value: keys[0]})
	default:
		filter = append(filter, bson.E{Key: c.codec.shard, Value: bson.D{{Key: "$in", Value: keys}}})
	}
	if len(sel.Where) > 0 {
		terms, err := filters{c.codec.name}.joined("$and", sel.Where)
		if err != nil {
			return nil, err
		}
		filter = append(filter, terms...)
	}
	return filter, nil
}
