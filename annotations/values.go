package annotations

import (
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of values. A bucket count under two spreads nothing. Above ten
// thousand a fan-out over the buckets costs more than any container gains:
// suffixes spread writes over physical partitions, and there are as many of
// those as there are multiples of 10,000 request units a second.
const (
	minBuckets = 2
	maxBuckets = 10_000
)

// maxOrder is the largest position of a component. A key of 2,048 bytes has
// room for about as many components and separators.
const maxOrder = 1000

// maxLevels is the number of levels that a hierarchical key may have.
// https://learn.microsoft.com/azure/cosmos-db/hierarchical-partition-keys
const maxLevels = 3

// maxContainerID is the length of a container's id in characters, from the
// service quotas of Azure Cosmos DB.
// https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxContainerID = 255

// maxSeconds is the longest time to live, about 68 years, and noExpiry the one
// of what expires only by a time to live of its own. The service refuses 0.
// https://learn.microsoft.com/azure/cosmos-db/time-to-live
const (
	maxSeconds = math.MaxInt32
	noExpiry   = -1
)

// check runs a value's check, and reports its error.
func check[T any](p *parser, value span, f func(span) (T, *Error)) T {
	v, err := f(value)
	if err != nil {
		p.errs = append(p.errs, err)
	}
	return v
}

// buckets reads a number of buckets.
func buckets(v span) (int, *Error) {
	if strings.Trim(v.text, "0123456789") != "" || v.text == "" {
		return 0, v.errorf("%q is not a number of buckets: write a whole number from %d to %d in digits", v.text, minBuckets, maxBuckets)
	}
	if v.text[0] == '0' && v.text != "0" {
		return 0, v.errorf("%q begins with a zero: write the number of buckets without it", v.text)
	}
	n, err := strconv.Atoi(v.text)
	switch {
	case err != nil || n > maxBuckets:
		return 0, v.errorf("%q is too large a number of buckets: a suffix helps only up to the number of physical partitions, and reads without it go through all buckets; use at most %d", v.text, maxBuckets)
	case n < minBuckets:
		return 0, v.errorf("%q is too small a number of buckets: fewer than %d spread nothing; write %d to %d, or leave the suffix out", v.text, minBuckets, minBuckets, maxBuckets)
	}
	return n, nil
}

// order reads the position of a component.
func order(v span) (int, *Error) {
	n, ok := counted(v.text, maxOrder)
	if !ok {
		return 0, v.errorf("%q is not a position: write a whole number from 1 to %d in digits", v.text, maxOrder)
	}
	return n, nil
}

// level reads the number of a level.
func level(v span) (int, *Error) {
	n, ok := counted(v.text, maxLevels)
	if !ok {
		return 0, v.errorf("%q is not a level: a hierarchical key has at most three; write 1, 2 or 3", v.text)
	}
	return n, nil
}

// maxSchema is the greatest number of a form.
const maxSchema = 1_000_000

// schema reads the number of the form in which documents are stored.
func schema(v span) (int, *Error) {
	n, ok := counted(v.text, maxSchema)
	if !ok {
		return 0, v.errorf("%q is no number of a form: write a whole number from 1 to %d in digits; documents without a number are of form 1", v.text, maxSchema)
	}
	return n, nil
}

// seconds reads a time to live.
func seconds(v span) (int, *Error) {
	if v.text == strconv.Itoa(noExpiry) {
		return noExpiry, nil
	}
	n, ok := counted(v.text, maxSeconds)
	if !ok {
		return 0, v.errorf("%q is no time to live: write a whole number of seconds from 1 to %d, or %d if documents expire only by a ttl of their own", v.text, maxSeconds, noExpiry)
	}
	return n, nil
}

// duration reads a time in whole seconds, as the service counts a time to live.
func duration(v span) (int, *Error) {
	d, err := time.ParseDuration(v.text)
	if n := d / time.Second; err == nil && d%time.Second == 0 && 1 <= n && n <= maxSeconds {
		return int(n), nil
	}
	return 0, v.errorf("%q is no time until a document is removed: write whole seconds, minutes or hours, from 1s to %ds, such as 720h for 30 days", v.text, maxSeconds)
}

// counted reads a number from 1 to most, in digits without leading zeros.
func counted(text string, most int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && 1 <= n && n <= most && strconv.Itoa(n) == text
}

// paths reads Go field paths that are joined by plus signs, and reports the bad
// ones.
func (p *parser) paths(v span) []Path {
	var out []Path
	for s := range v.pieces("+") {
		if strings.TrimSpace(s.text) == "" {
			p.fail(s, "empty field path: write fields joined by \"+\", for example \"hashsuffix=VIN+Region\"")
			continue
		}
		s = p.trim(s, "write fields and \"+\" without spaces")
		if slices.ContainsFunc(out, func(o Path) bool { return o.Text == s.text }) {
			p.fail(s, "field path %q occurs here twice: hashing a field again adds nothing; remove one", s.text)
			continue
		}
		if err := fieldPath(s); err != nil {
			p.errs = append(p.errs, err)
			continue
		}
		out = append(out, Path{s.text, s.offset})
	}
	return out
}

// fieldPath checks identifiers that are joined by points.
func fieldPath(s span) *Error {
	for part := range s.pieces(".") {
		name := part.text
		switch {
		case name == "":
			return part.errorf("field path %q lacks a name before or after a point: write Go field names joined by \".\"", s.text)
		case name == "_":
			return part.errorf("field path %q names the blank field, which holds nothing: name another field", s.text)
		case token.IsKeyword(name):
			return part.errorf("field path %q: %q is a Go keyword, and cannot be a field: name a field of the struct", s.text, name)
		case !token.IsIdentifier(name):
			return part.errorf("field path %q: %q is not a Go field name: write the name as in the struct, not as in JSON", s.text, name)
		}
	}
	return nil
}

// onePath checks one Go field path.
func onePath(v span) (string, *Error) {
	if err := fieldPath(v); err != nil {
		return "", err
	}
	return v.text, nil
}

// timeLayout reads the format of a time, as its layout.
func timeLayout(v span) (string, *Error) {
	if v.text == lowerName {
		return "", v.errorf("%q is a word of its own, since a format is for times: write \"pk,lower\"", v.text)
	}
	return layout(v)
}

// containerID checks what the service asks of an id, by the remarks at
// Resource.Id in the reference of its .NET library, and of its
// length.
func containerID(v span) (string, *Error) {
	if !utf8.ValidString(v.text) {
		return "", v.errorf("container id %q holds bytes that are not UTF-8: save the file as UTF-8", v.text)
	}
	for i, r := range v.text {
		if unicode.IsControl(r) || strings.ContainsRune(`/\?#`, r) {
			c := v.slice(i, i+utf8.RuneLen(r))
			return "", c.errorf("container id %q may not hold %q: Cosmos DB refuses control characters and / \\ ? #", v.text, c.text)
		}
	}
	if n := utf8.RuneCountInString(v.text); n > maxContainerID {
		return "", v.errorf("container id has %d characters: Cosmos DB allows %d", n, maxContainerID)
	}
	return v.text, nil
}

// typeName checks the text by which documents say of which type they are.
func typeName(v span) (string, *Error) {
	if !utf8.ValidString(v.text) {
		return "", v.errorf("type %q holds bytes that are not UTF-8: save the file as UTF-8", v.text)
	}
	if i := strings.IndexFunc(v.text, unicode.IsControl); i >= 0 {
		_, size := utf8.DecodeRuneInString(v.text[i:])
		return "", v.slice(i, i+size).errorf("type %q holds a control character, which no one sees in a document: remove it", v.text)
	}
	return v.text, nil
}

// goType checks the name of a type of the package.
func goType(v span) (string, *Error) {
	if !token.IsIdentifier(v.text) {
		return "", v.errorf("%q is not the name of a type: write the Go name of a struct type of this package", v.text)
	}
	return v.text, nil
}

// maxPrefix is the length of a prefix in bytes. An id has 1,023 of them at most,
// by the service quotas of Azure Cosmos DB, and most are for what follows.
// https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxPrefix = 255

// idPrefix checks that ids can begin with a text.
func idPrefix(v span) (string, *Error) {
	if !utf8.ValidString(v.text) {
		return "", v.errorf("prefix %q holds bytes that are not UTF-8: save the file as UTF-8", v.text)
	}
	for i, r := range v.text {
		if unicode.IsControl(r) || strings.ContainsRune(`/\?#`, r) {
			c := v.slice(i, i+utf8.RuneLen(r))
			return "", c.errorf("prefix %q may not hold %q: Cosmos DB refuses control characters and / \\ ? # in ids", v.text, c.text)
		}
	}
	if len(v.text) > maxPrefix {
		return "", v.errorf("prefix has %d bytes, which leaves little of the 1,023 of an id: use %d at most", len(v.text), maxPrefix)
	}
	return v.text, nil
}

// keyPath checks a partition key path: a slash before each name, names of ASCII
// letters, digits and underscores. The service takes other names in quotes;
// they would have to be quoted in every query as well.
func keyPath(v span) (string, *Error) {
	if v.text[0] != '/' {
		return "", v.errorf("path %q must begin with \"/\": write %q", v.text, "/"+v.text)
	}
	for part := range v.slice(1, len(v.text)).pieces("/") {
		name := part.text
		if name == "" {
			return "", part.errorf("path %q has no name after a \"/\": write it as \"/partitionKey\" or \"/address/zip\"", v.text)
		}
		for i, r := range name {
			if !isNameRune(r) {
				_, size := utf8.DecodeRuneInString(name[i:])
				c := part.slice(i, i+size)
				return "", c.errorf("path %q may not hold %q: use ASCII letters, digits and \"_\", nested with \"/\"", v.text, c.text)
			}
		}
	}
	return v.text, nil
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// separator checks the text between components.
func separator(v span) (string, *Error) {
	if err := keyText(v, "{},", "separator"); err != nil {
		return "", err
	}
	return v.text, nil
}

// suffixSeparator checks the text between a key and its bucket.
func suffixSeparator(v span) (string, *Error) {
	if i := strings.IndexAny(v.text, "0123456789"); i >= 0 {
		return "", v.slice(i, i+1).errorf("separator %q holds a digit, which reads like a part of the bucket after it: use a sign such as \".\"", v.text)
	}
	return separator(v)
}

// onlyNone checks a value that has one choice.
func onlyNone(v span) (bool, *Error) {
	if v.text != "none" {
		return false, v.errorf("%q is no choice here: write \"methods=none\", or leave the word out to get the methods", v.text)
	}
	return true, nil
}
