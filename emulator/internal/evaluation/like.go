package evaluation

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// likeItem is one element of a LIKE pattern: % for any text, or a set of characters
// that matches one of them.
type likeItem struct {
	any     bool
	negated bool
	ranges  []runeRange // of the set; no ranges and negated is _, which matches any character
}

type runeRange struct{ from, to rune }

func (i likeItem) matches(r rune) bool {
	for _, x := range i.ranges {
		if r >= x.from && r <= x.to {
			return !i.negated
		}
	}
	return i.negated
}

// parseLike reads a pattern as Microsoft's page "LIKE" describes it: % and _, sets
// and ranges in brackets, negated by ^, and an escape character if it is not 0.
func parseLike(pattern string, escape rune) ([]likeItem, error) {
	var items []likeItem
	for len(pattern) > 0 {
		r, size := utf8.DecodeRuneInString(pattern)
		pattern = pattern[size:]
		switch {
		case escape != 0 && r == escape:
			if pattern == "" {
				return nil, errors.New("the pattern ends with the escape character")
			}
			r, size = utf8.DecodeRuneInString(pattern)
			pattern = pattern[size:]
			items = append(items, likeItem{ranges: []runeRange{{r, r}}})
		case r == '%':
			if n := len(items); n == 0 || !items[n-1].any {
				items = append(items, likeItem{any: true})
			}
		case r == '_':
			items = append(items, likeItem{negated: true})
		case r == '[':
			end := strings.IndexByte(pattern, ']')
			if end <= 0 || pattern[:end] == "^" || escape != 0 && strings.ContainsRune(pattern[:end], escape) {
				return nil, errors.New("the set in brackets is empty, open, or holds the escape character")
			}
			items = append(items, likeSet(pattern[:end]))
			pattern = pattern[end+1:]
		default:
			items = append(items, likeItem{ranges: []runeRange{{r, r}}})
		}
	}
	return items, nil
}

// likeSet reads a set, without its brackets.
func likeSet(text string) likeItem {
	var item likeItem
	if rest, ok := strings.CutPrefix(text, "^"); ok {
		item.negated, text = true, rest
	}
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runeRange{runes[i], runes[i]}
		if i+2 < len(runes) && runes[i+1] == '-' {
			r.to = runes[i+2]
			i += 2
		}
		item.ranges = append(item.ranges, r)
	}
	return item
}

// matchLike reports whether a whole text matches. It backtracks only to the last %, so the
// time is at most the product of the two lengths. The meter can end it earlier.
func matchLike(m *work.Meter, items []likeItem, text string) bool {
	item, retry, retryAt := 0, -1, 0
	for at := 0; at < len(text); {
		if !m.Spend(2) {
			return false
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case item < len(items) && items[item].any:
			retry, retryAt = item, at
			item++
		case item < len(items) && items[item].matches(r):
			item++
			at += size
		case retry >= 0:
			_, size = utf8.DecodeRuneInString(text[retryAt:])
			retryAt += size
			item, at = retry+1, retryAt
		default:
			return false
		}
	}
	for item < len(items) && items[item].any {
		item++
	}
	return item == len(items)
}

func (c *compiler) like(e *cosmossql.Like) (*code, error) {
	operands, err := c.all([]cosmossql.Expr{e.Operand, e.Pattern})
	if err != nil {
		return nil, err
	}
	text, pattern := operands[0].result(), operands[1].result()
	broken := c.failure(e.Token, cosmossql.CodeEvaluation, "LIKE: the pattern has a set in brackets that is empty or open, or ends with its escape character")
	match := func(r row, text, pattern string) value.Truth {
		c.meter.Spend(len(pattern))
		items, err := parseLike(pattern, e.Escape)
		if err != nil {
			r.frame.fail(broken)
			return value.Unknown
		}
		return value.TruthOf(matchLike(c.meter, items, text))
	}
	if p := operands[1].value; operands[1].constant && p.Kind() == value.String {
		items, err := parseLike(p.Text(), e.Escape)
		if err != nil {
			return nil, c.failure(e.Pattern.At(), cosmossql.CodeEvaluation, "LIKE: %v", err)
		}
		match = func(_ row, text, _ string) value.Truth { return value.TruthOf(matchLike(c.meter, items, text)) }
	} else {
		c.framed = true
	}
	return c.folded(&code{test: func(r row) value.Truth {
		v, p := text(r), pattern(r)
		if v.Kind() != value.String || p.Kind() != value.String {
			return value.Unknown
		}
		t := match(r, v.Text(), p.Text())
		if e.Not {
			return t.Not()
		}
		return t
	}}, operands...)
}
