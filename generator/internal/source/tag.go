package source

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The keys of relevant struct tags.
const (
	CosmosKey = "cosmos"
	JSONKey   = "json"
)

// StructTag is the tag of a struct field, parsed like reflect.StructTag.
type StructTag struct {
	Whole  Literal
	pairs  []tagPair
	broken int // the offset in the value where parsing stopped; len(value) at the end
}

// tagPair is one key:"value" of a struct tag.
type tagPair struct {
	key   string
	start int // the offset of the key in the whole tag
	value Literal
	bad   bool // the value has an invalid escape
}

// readTag splits a tag into its pairs.
func readTag(whole Literal) StructTag {
	t := StructTag{Whole: whole}
	text := whole.Value
	i := 0
	for {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		t.broken = i
		start := i
		for i < len(text) && text[i] > ' ' && text[i] != ':' && text[i] != '"' && text[i] != 0x7f {
			i++
		}
		if i == start || i+1 >= len(text) || text[i] != ':' || text[i+1] != '"' {
			return t
		}
		end := i + 2
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			return t
		}
		value, ok := unquote(whole.slice(i+1, end+1))
		t.pairs = append(t.pairs, tagPair{key: text[start:i], start: start, value: value, bad: !ok})
		i = end + 1
	}
}

// Lookup returns the value of the first pair with the key, like reflect.
func (t StructTag) Lookup(key string) (Literal, bool) {
	for _, p := range t.pairs {
		if p.key == key {
			return p.value, !p.bad
		}
	}
	return Literal{}, false
}

// malformed finds one of pkgen's keys in text that reflect cannot parse, outside of quoted values.
var malformed = regexp.MustCompile(`(?i)(?:^|[\s,;])(cosmos|json)\s*(?:[:="]|$)`)

// Problem returns the position of a mistake that hides the key cosmos or json from reflect, and
// advice. It ignores other keys.
func (t StructTag) Problem() (offset int, message string, found bool) {
	seen := make(map[string]bool)
	for _, p := range t.pairs {
		switch lower := strings.ToLower(p.key); {
		case p.bad && (lower == CosmosKey || lower == JSONKey):
			return p.start, fmt.Sprintf("malformed struct tag: the value of %q has a line break or an unknown escape; write it as a Go string", p.key), true
		case lower == CosmosKey && p.key != CosmosKey:
			return p.start, fmt.Sprintf("tag key %q is not read: write it as %q", p.key, CosmosKey), true
		case p.key == CosmosKey && seen[p.key]:
			return p.start, `second "cosmos" key in one tag is not read: put all words into the first, separated by commas`, true
		}
		seen[p.key] = true
	}
	rest := t.Whole.Value[t.broken:]
	if m := malformed.FindStringSubmatchIndex(rest); m != nil {
		return t.broken + m[2], fmt.Sprintf("malformed struct tag: %s; reflect reads nothing from here on", remedy(strings.ToLower(rest[m[2]:m[3]]))), true
	}
	return 0, "", false
}

// remedy shows how a pair is written.
func remedy(key string) string {
	if key == JSONKey {
		return `write json:"name", without a space after the colon and with the value in double quotes`
	}
	return `write cosmos:"pk", without a space after the colon and with the value in double quotes`
}

// hasCosmos reports whether the tag has the key cosmos, even a malformed one.
func (t StructTag) hasCosmos() bool {
	for _, p := range t.pairs {
		if strings.EqualFold(p.key, CosmosKey) {
			return true
		}
	}
	for _, m := range malformed.FindAllStringSubmatch(t.Whole.Value[t.broken:], -1) {
		if strings.EqualFold(m[1], CosmosKey) {
			return true
		}
	}
	return false
}

// Literal is the value of a string literal, and the offset in the file of each of its bytes. There
// is one more offset than bytes, for the closing quote, so that the end of the text has a position.
type Literal struct {
	Value   string
	offsets []int
}

// slice returns the part of l from byte i to byte j of its value.
func (l Literal) slice(i, j int) Literal {
	return Literal{l.Value[i:j], l.offsets[i : j+1]}
}

// At returns the offset in the file of byte i of the value, or of the nearest end if there is no
// such byte.
func (l Literal) At(i int) int {
	return l.offsets[max(0, min(i, len(l.Value)))]
}

// readLiteral parses the string literal at an offset of the file. It reads the file's text, because
// raw strings in the syntax tree lack carriage returns. It returns false if the literal does not
// end.
func readLiteral(text []byte, offset int) (Literal, bool) {
	if offset < 0 || offset >= len(text) {
		return Literal{}, false
	}
	if text[offset] == '`' {
		return readRaw(text, offset)
	}
	end := offset + 1
	for ; end < len(text) && text[end] != text[offset] && text[end] != '\n'; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	if end >= len(text) || text[end] == '\n' {
		return Literal{}, false
	}
	offsets := make([]int, 0, end+1-offset)
	for i := offset; i <= end; i++ {
		offsets = append(offsets, i)
	}
	return unquote(Literal{string(text[offset : end+1]), append(offsets, end+1)})
}

// readRaw parses a raw string, which has no escapes and no carriage returns.
func readRaw(text []byte, offset int) (Literal, bool) {
	n := bytes.IndexByte(text[offset+1:], '`')
	if n < 0 {
		return Literal{}, false
	}
	var value strings.Builder
	var offsets []int
	for i := offset + 1; i <= offset+1+n; i++ {
		if text[i] == '\r' {
			continue
		}
		offsets = append(offsets, i)
		if text[i] != '`' {
			value.WriteByte(text[i])
		}
	}
	return Literal{value.String(), offsets}, true
}

// unquote decodes an interpreted string, including its quotes. All bytes of an escaped character
// have the offset of the escape.
func unquote(quoted Literal) (Literal, bool) {
	text := quoted.Value
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return Literal{}, false
	}
	var value []byte
	var offsets []int
	for i := 1; i < len(text)-1; {
		r, multibyte, rest, err := strconv.UnquoteChar(text[i:len(text)-1], '"')
		if err != nil || r == '\n' && text[i] == '\n' {
			return Literal{}, false
		}
		before := len(value)
		if multibyte {
			value = append(value, string(r)...)
		} else {
			value = append(value, byte(r))
		}
		for range len(value) - before {
			offsets = append(offsets, quoted.offsets[i])
		}
		i = len(text) - 1 - len(rest)
	}
	return Literal{string(value), append(offsets, quoted.offsets[len(text)-1])}, true
}
