package annotations

import (
	"errors"
	"fmt"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Limits of values. Fewer than two buckets spread nothing. With more than ten thousand, a
// fan-out over the buckets costs more than any container gains: suffixes spread writes over
// physical partitions, and there is one for each 10,000 request units a second.
const (
	minBuckets = 2
	maxBuckets = 10_000
)

// maxOrder is the largest position of a component. A key of 2,048 bytes has room for about as
// many components and separators.
const maxOrder = 1000

// MaxLevels is the most levels of a hierarchical key. The fourth must be the item id.
// https://learn.microsoft.com/azure/cosmos-db/hierarchical-partition-keys
const MaxLevels = 4

// IDLevel is the only possible fourth level: the plain item id.
const IDLevel = "{id}"

// maxContainerID is the length of a container's id in characters, from the
// service quotas of Azure Cosmos DB.
// https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxContainerID = 255

// maxSeconds is the longest time to live, about 68 years. noExpiry means that only documents
// with their own time to live expire. The service refuses 0.
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

// text returns the text of a value, and reports the error of its check.
func (p *parser) text(value span, check func(span) *Error) string {
	if err := check(value); err != nil {
		p.errs = append(p.errs, err)
		return ""
	}
	return value.text
}

// buckets reads a number of buckets.
func buckets(v span) (int, *Error) {
	if strings.Trim(v.text, "0123456789") != "" || v.text == "" {
		return 0, v.errorf("%q is not a bucket count: write a whole number from %d to %d in digits", v.text, minBuckets, maxBuckets)
	}
	if v.text[0] == '0' && v.text != "0" {
		return 0, v.errorf("%q begins with a zero: write the number of buckets without it", v.text)
	}
	n, err := strconv.Atoi(v.text)
	switch {
	case err != nil || n > maxBuckets:
		return 0, v.errorf("%q buckets are too many: buckets help only up to the number of physical partitions, and reads without the suffix go through all of them; use at most %d", v.text, maxBuckets)
	case n < minBuckets:
		return 0, v.errorf("%q buckets are too few: fewer than %d spread nothing; write %d to %d, or leave the suffix out", v.text, minBuckets, minBuckets, maxBuckets)
	}
	return n, nil
}

// maxSchema is the greatest number of a form.
const maxSchema = 1_000_000

// number returns a function that parses a whole number from 1 to most, without leading zeros.
// Otherwise is the error's advice.
func number(most int, otherwise string) func(span) (int, *Error) {
	return func(v span) (int, *Error) {
		n, err := strconv.Atoi(v.text)
		if err != nil || n < 1 || n > most || strconv.Itoa(n) != v.text {
			return 0, v.errorf("%q is %s", v.text, otherwise)
		}
		return n, nil
	}
}

// Values that are whole numbers.
var (
	order      = number(maxOrder, fmt.Sprintf("not a position: write a whole number from 1 to %d in digits", maxOrder))
	level      = number(MaxLevels, "not a level: a hierarchical key has at most three, and a fourth that is the item id; write 1 to 4")
	schema     = number(maxSchema, fmt.Sprintf("not a schema number: write a whole number from 1 to %d in digits; documents without a number have form 1", maxSchema))
	dimensions = number(maxDimensions, fmt.Sprintf("not a number of dimensions: vectors have 1 to %d; write how many the model gives, in digits", maxDimensions))
	positive   = number(maxSeconds, fmt.Sprintf("not a time to live: write a whole number of seconds from 1 to %d, or %d if only documents with their own ttl expire", maxSeconds, noExpiry))
)

// seconds reads a time to live.
func seconds(v span) (int, *Error) {
	if v.text == strconv.Itoa(noExpiry) {
		return noExpiry, nil
	}
	return positive(v)
}

// duration parses a time in whole seconds, the service's unit of a time to live.
func duration(v span) (int, *Error) {
	d, err := time.ParseDuration(v.text)
	if n := d / time.Second; err == nil && d%time.Second == 0 && 1 <= n && n <= maxSeconds {
		return int(n), nil
	}
	return 0, v.errorf("%q is not a time until removal: write whole seconds, minutes or hours, from 1s to %ds, such as 720h for 30 days", v.text, maxSeconds)
}

// paths reads Go field paths that are joined by plus signs, and reports the bad
// ones.
func (p *parser) paths(v span) []Path {
	var out []Path
	for s := range p.list(v, "+", "empty field path: write fields joined by \"+\", for example \"hashsuffix=VIN+Region\"", "write fields and \"+\" without spaces") {
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

// expression checks the expression of a computed property.
func expression(v span) *Error {
	_, err := cosmossql.ParseExpression(v.text)
	var refused *cosmossql.Error
	if errors.As(err, &refused) {
		return v.slice(refused.Start, refused.End).errorf("expression %q: %s", v.text, refused.Message)
	}
	return nil
}

// timeLayout reads the format of a time, as its layout.
func timeLayout(v span) (string, *Error) {
	if v.text == lowerName {
		return "", v.errorf("%q is a word of its own, since a format is for times: write \"pk,lower\"", v.text)
	}
	return layout(v)
}

// containerID checks the service's rules for an id, from the remarks at Resource.Id in the
// reference of its .NET library, and its length.
func containerID(v span) *Error {
	if err := idText(v, "container id", ""); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(v.text); n > maxContainerID {
		return v.errorf("container id has %d characters: Cosmos DB allows %d", n, maxContainerID)
	}
	return nil
}

// idText checks that a text is legal in an id. Kind and where are the beginning and the end of
// messages.
func idText(v span, kind, where string) *Error {
	if !utf8.ValidString(v.text) {
		return v.errorf("%s %q holds bytes that are not UTF-8: save the file as UTF-8", kind, v.text)
	}
	for i, r := range v.text {
		if unicode.IsControl(r) || strings.ContainsRune(`/\?#`, r) {
			c := v.slice(i, i+utf8.RuneLen(r))
			return c.errorf("%s %q may not hold %q: Cosmos DB refuses control characters and / \\ ? #%s", kind, v.text, c.text, where)
		}
	}
	return nil
}

// typeName checks the text that documents use as the name of their type.
func typeName(v span) *Error {
	if !utf8.ValidString(v.text) {
		return v.errorf("type %q holds bytes that are not UTF-8: save the file as UTF-8", v.text)
	}
	if i := strings.IndexFunc(v.text, unicode.IsControl); i >= 0 {
		_, size := utf8.DecodeRuneInString(v.text[i:])
		return v.slice(i, i+size).errorf("type %q holds a control character, which is invisible in a document: remove it", v.text)
	}
	return nil
}

// goType checks the name of a type of the package.
func goType(v span) *Error {
	if !token.IsIdentifier(v.text) {
		return v.errorf("%q is not the name of a type: write the Go name of a struct type of this package", v.text)
	}
	return nil
}

// maxPrefix is the most bytes of a prefix. An id has at most 1,023, by the service quotas of
// Azure Cosmos DB, and most are for the text after the prefix.
// https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxPrefix = 255

// idPrefix checks that ids can begin with a text.
func idPrefix(v span) *Error {
	if err := idText(v, "prefix", " in ids"); err != nil {
		return err
	}
	if len(v.text) > maxPrefix {
		return v.errorf("prefix has %d bytes, which leaves little of the 1,023 of an id: use %d at most", len(v.text), maxPrefix)
	}
	return nil
}

// keyPath checks a partition key path: a slash before each name, names of ASCII letters, digits
// and underscores. The service accepts other names in quotes, but every query would have to
// quote them as well.
func keyPath(v span) *Error {
	if v.text[0] != '/' {
		return v.errorf("path %q must begin with \"/\": write %q", v.text, "/"+v.text)
	}
	for part := range v.slice(1, len(v.text)).pieces("/") {
		name := part.text
		if name == "" {
			return part.errorf("path %q has no name after a \"/\": write it as \"/partitionKey\" or \"/address/zip\"", v.text)
		}
		for i, r := range name {
			if !isNameRune(r) {
				_, size := utf8.DecodeRuneInString(name[i:])
				c := part.slice(i, i+size)
				return c.errorf("path %q may not hold %q: use ASCII letters, digits and \"_\", nested with \"/\"", v.text, c.text)
			}
		}
	}
	return nil
}

// TSPath is the path of the second of the last change, which the service sets. By default it
// decides conflicts of containers.
// https://learn.microsoft.com/azure/cosmos-db/conflict-resolution-policies
const TSPath = "/_ts"

// lastWriterWins is the tag's name of the policy by which the greatest number wins.
const lastWriterWins = "lww"

// resolution returns the path that resolves conflicts of a container.
func resolution(v span) (string, *Error) {
	const example = "\"conflict=lww\", or \"conflict=lww:/revision\" for a number of the document"
	mode, path, hasPath := strings.Cut(v.text, ":")
	at := v.slice(len(v.text)-len(path), len(v.text))
	switch word := v.slice(0, len(mode)); {
	case strings.EqualFold(mode, "custom"):
		return "", word.errorf("%q leaves conflicts to a stored procedure or the program, but the run time reads no conflicts feed: the last writer wins by %s", mode, example)
	case mode != lastWriterWins:
		return "", word.unknown("conflict resolution", []string{lastWriterWins}, "the last writer wins by "+example)
	case !hasPath:
		return TSPath, nil
	case path == "":
		return "", at.errorf("no path after \":\": write %s", example)
	case path == TSPath:
		return "", at.errorf("%s decides without a path: write \"conflict=lww\"", TSPath)
	}
	return path, keyPath(at)
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// separator checks the text between components.
func separator(v span) *Error {
	return keyText(v, "{},", "separator")
}

// suffixSeparator checks the text between a key and its bucket.
func suffixSeparator(v span) *Error {
	if i := strings.IndexAny(v.text, "0123456789"); i >= 0 {
		return v.slice(i, i+1).errorf("separator %q holds a digit, which reads like a part of the bucket after it: use a sign such as \".\"", v.text)
	}
	return separator(v)
}

// onlyNone checks a value with a single choice.
func onlyNone(v span) (bool, *Error) {
	if v.text != "none" {
		return false, v.errorf("%q is not possible here: write \"methods=none\", or leave the word out to get the methods", v.text)
	}
	return true, nil
}

// key parses the template of a whole key. A comma would have ended its value, so it has one
// level; that of an index may have several.
func (p *parser) key(v span) {
	errs := len(p.errs)
	t, read, ok := p.template(v, templateParser{index: p.index})
	if !ok {
		return
	}
	at := read.components
	for _, level := range t.Levels {
		at = at[p.parts(level, at):]
	}
	if len(p.errs) == errs {
		p.typ.Key, p.typ.KeyPaths, p.after = t, read.fields, read.after
	}
}

// template parses a template with Go field paths, and returns it with the offsets of its parts,
// or false after an error.
func (p *parser) template(v span, read templateParser) (Template, templateParser, bool) {
	t, err := read.template(v)
	if err != nil {
		p.errs = append(p.errs, err)
		return Template{}, read, false
	}
	for _, path := range read.fields {
		if err := fieldPath(span{path.Text, path.Offset}); err != nil {
			p.errs = append(p.errs, err)
		}
	}
	return t, read, true
}

// parts checks the components of a level, which are at the spans, against each other, and
// returns their number.
func (p *parser) parts(l Level, at []span) (n int) {
	var texts []string // fields whose text is in the key
	bucket := false
	for i, part := range l {
		c := part.Component
		if c == nil {
			continue
		}
		s := at[n]
		n++
		switch {
		case c.Buckets > 0 && len(c.Fields) == 0 && p.index:
			p.fail(s, "%s is a random bucket, which cannot be computed again, and the run time makes the key of an index with each write: hash a field, as in {VIN%%%d}", s.text, c.Buckets)
		case c.Buckets > 0 && bucket:
			p.fail(s, "%s is a second bucket: a key has one suffix; keep one, which may hash several fields, as in {VIN+Region%%400}", s.text)
		case c.Buckets > 0 && len(c.Fields) == 0 && (i == 0 || i < len(l)-1):
			p.fail(s, "%s must be the last part of a key, after the text that it spreads: write it as in {Date}.%s", s.text, s.text)
		case c.Buckets == 0 && slices.Contains(texts, c.Fields[0]):
			p.fail(s, "field %q occurs here twice: its text is in the key already; remove one", c.Fields[0])
		case c.Buckets == 0:
			texts = append(texts, c.Fields[0])
		}
		bucket = bucket || c.Buckets > 0
	}
	return n
}

// separators checks the texts between components for escape: a separator must not begin like an
// encoded character, a number or a bool, from which it could not be distinguished.
func (p *parser) separators() {
	if !p.typ.Escape {
		return
	}
	texts := p.after
	for _, it := range p.items {
		if it.row.Value == Separator && it.value.text != "" {
			texts = append(texts, it.value)
		}
	}
	for _, s := range texts {
		_, size := utf8.DecodeRuneInString(s.text)
		if first := s.slice(0, size); first.text == "%" || first.text != "_" && isNameRune(rune(first.text[0])) {
			p.fail(first, "separator %q begins with %q, which percent-encoding needs: with \"escape\" begin it with another sign, such as \"-\"", s.text, first.text)
		}
	}
}

// Growing a number of buckets takes two releases: programs of one release read the buckets that
// programs of the next one write. See docs/keys.md.

// counts parses numbers of buckets that are joined by plus signs, the oldest last. Numbers of
// buckets only grow, so they must descend.
func (p *parser) counts(v span) []int {
	var out []int
	for s := range v.pieces("+") {
		s = p.trim(s, "write numbers and \"+\" without spaces")
		n, err := buckets(s)
		switch {
		case err != nil:
			p.errs = append(p.errs, err)
			return nil
		case slices.Contains(out, n):
			p.fail(s, "%d occurs here twice: write each bucket count once", n)
			return nil
		case len(out) > 0 && n > out[len(out)-1]:
			p.fail(s, "%d comes after %d: bucket counts only grow; write the greatest first, and the oldest last", n, out[len(out)-1])
			return nil
		}
		out = append(out, n)
	}
	return out
}

// growth compares the numbers of buckets of other releases with that of this one.
func (p *parser) growth() {
	was, hasWas := p.value("was")
	next, hasNext := p.value("next")
	if !hasWas && !hasNext {
		return
	}
	now, earlier, later := p.field.Buckets, p.field.Was, p.field.Next
	if p.place == OnType {
		earlier, later = p.typ.Was, p.typ.Next
		bucket := p.typ.Key.bucket()
		switch {
		case bucket == nil && p.typ.KeyPaths == nil: // the template has an error of its own
		case bucket == nil && hasWas:
			p.fail(was, "the template has no bucket, so there is no bucket count: remove \"was\"")
		case bucket == nil:
			p.fail(next, "the template has no bucket, so there is no bucket count: remove \"next\"")
		case bucket.Fields == nil && hasWas:
			p.fail(was, "the bucket is random, and %s", whyRandom)
		default:
			now = bucket.Buckets
		}
	}
	if now == 0 {
		return // it has been reported
	}
	if len(earlier) > 0 && earlier[0] >= now {
		p.fail(was, "%d is not below the %d buckets of this release: bucket counts only grow; write only counts of earlier releases", earlier[0], now)
	}
	if hasNext && later > 0 && later <= now {
		p.fail(next, "%d is not above the %d buckets of this release: bucket counts only grow; write a greater count, or remove \"next\"", later, now)
	}
}

// bucket returns the bucket of a template of one level, or nil.
func (t Template) bucket() *Component {
	for _, level := range t.Levels {
		for _, part := range level {
			if part.Component != nil && part.Component.Buckets > 0 {
				return part.Component
			}
		}
	}
	return nil
}

// maxSortPaths is the most properties of a composite index, from the service quotas of Azure
// Cosmos DB. https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxSortPaths = 8

// descending follows a descending path in an order, after directionSign.
const (
	descending    = "desc"
	directionSign = ":"
)

const ordersExample = "orders=Speed:desc+At;Date+At"

// SortPath is a Go field path by which queries sort.
type SortPath struct {
	Path

	Descending bool
}

// orders reads orders that are separated by semicolons.
func (p *parser) orders(v span) [][]SortPath {
	var out [][]SortPath
	for s := range p.list(v, ";", "empty order: write orders separated by \";\", as in \""+ordersExample+"\"", "write fields, \"+\" and \";\" without spaces") {
		out = append(out, p.sortPaths(s))
	}
	return out
}

// sortPaths reads the paths of one order, and reports the bad ones.
func (p *parser) sortPaths(v span) []SortPath {
	var out []SortPath
	for s := range p.list(v, "+", "empty field path: write fields joined by \"+\", as in \""+ordersExample+"\"", "write fields and \"+\" without spaces") {
		path, ok := p.sortPath(s)
		switch {
		case !ok:
		case slices.ContainsFunc(out, func(o SortPath) bool { return o.Text == path.Text }):
			p.fail(s, "field path %q occurs here twice, and the second has no effect: remove one", path.Text)
		default:
			out = append(out, path)
		}
	}
	switch n := strings.Count(v.text, "+") + 1; {
	case n == 1:
		p.fail(v, "%q is an order by one property, which needs no composite index: write two fields or more joined by \"+\", or leave the order out", v.text)
	case n > maxSortPaths:
		p.fail(v, "%q is an order by %d properties, and a composite index has at most %d: leave the last ones out", v.text, n, maxSortPaths)
	}
	return out
}

// sortPath reads a path with its direction, and returns false after an error.
func (p *parser) sortPath(s span) (SortPath, bool) {
	name, direction, given := strings.Cut(s.text, directionSign)
	if given && direction != descending {
		at := s.slice(len(name)+len(directionSign), len(s.text))
		p.fail(at, "%q is not a direction: write %q for descending, and nothing for ascending", direction, directionSign+descending)
		return SortPath{}, false
	}
	path := s.slice(0, len(name))
	if err := fieldPath(path); err != nil {
		p.errs = append(p.errs, err)
		return SortPath{}, false
	}
	return SortPath{Path{path.text, path.offset}, given}, true
}

// notRenamed are the words of properties that cannot be renamed, or whose name the service
// sets.
var notRenamed = []string{"id", "pk", "synthetic", "etag", "ttl", "ts", "created", "updated", "version", "deleted", "schema", "rest", "tenant"}

// otherReleases parses the numbers of buckets, or the names, of a property in other releases.
func (p *parser) otherReleases() {
	was, next := p.release("was"), p.release("next")
	if p.place == OnType || was == nil && next == nil {
		return
	}
	if p.has([]string{"buckets", "hashsuffix", "randomsuffix"}) {
		if was != nil {
			p.field.Was = p.counts(was.value)
		}
		if next != nil {
			p.field.Next = check(p, next.value, buckets)
		}
		return
	}
	if next != nil && p.has([]string{"schema"}) {
		p.nextForm(next.value)
		next = nil
	}
	if p.bucketsMissing(was, whyWas) || p.bucketsMissing(next, whyNext) || !p.mayHaveNames(was) || !p.mayHaveNames(next) {
		return
	}
	if next != nil {
		if names := p.names(next.value, "next=name"); len(names) > 1 {
			p.fail(next.value, "the next release stores the property under one name: write one, as in \"next=name\"")
		} else if len(names) == 1 {
			p.field.Coming = names[0]
		}
	}
	if was != nil {
		p.field.Former = p.names(was.value, "was=fullName+name")
		if i := slices.Index(p.field.Former, p.field.Coming); i >= 0 {
			p.fail(was.value, "%q is the next name as well: write it after one of \"was\" and \"next\"", p.field.Coming)
			p.field.Former = nil
		}
	}
}

// nextForm parses the form of the next release. It must directly follow that of this release: a
// form between them would belong to no release.
func (p *parser) nextForm(v span) {
	p.field.Upcoming = check(p, v, schema)
	if now, then := p.field.Schema, p.field.Upcoming; now > 0 && then > 0 && then != now+1 {
		p.fail(v, "the form after %d is %d, and not %d: write \"next=%[2]d\", or remove \"next\"", now, now+1, then)
	}
}

// release returns a word with a value, or nil.
func (p *parser) release(name string) *item {
	it, ok := p.word(name)
	if !ok || it.value.text == "" {
		return nil
	}
	return &it
}

// bucketsMissing reports a number of buckets on a field without a suffix.
func (p *parser) bucketsMissing(it *item, why string) bool {
	if it == nil || strings.Trim(it.value.text, "0123456789+") != "" {
		return false
	}
	p.fail(it.word, "%q needs \"buckets\": %s", it.row.Name, why)
	return true
}

// mayHaveNames reports names of a property that cannot be renamed, or whose name the service
// sets.
func (p *parser) mayHaveNames(it *item) bool {
	if it == nil {
		return true
	}
	for _, other := range p.items {
		if slices.Contains(notRenamed, other.row.Name) {
			p.fail(it.word, "%q and \"%s=%s\" exclude each other: stored documents are found by this property, or the service knows it by its name; keep the name, or move the documents to a new type", other.row.Name, it.row.Name, it.value.text)
			return false
		}
	}
	return true
}

// names reads names of a property, and returns nil after an error.
func (p *parser) names(v span, example string) []string {
	var names []string
	for s := range v.pieces("+") {
		s = p.trim(s, "write names and \"+\" without spaces")
		switch i := strings.IndexFunc(s.text, notInName); {
		case s.text == "":
			p.fail(v, "a name is missing: write JSON names, joined by \"+\", as in %q", example)
			return nil
		case i >= 0:
			bad, _ := utf8.DecodeRuneInString(s.text[i:])
			p.fail(s, "the name %q has a %q: names of other releases are of letters, digits, and _ - . : $ @ #; give the property of old documents another name by a program", s.text, bad)
			return nil
		case slices.Contains(names, s.text):
			p.fail(s, "%q occurs here twice: write each name once, the newest first", s.text)
			return nil
		}
		names = append(names, s.text)
	}
	return names
}

// gone reads the properties that a type no longer has.
func (p *parser) gone(v span) {
	for s := range p.list(v, "+", "a name is missing: write JSON properties joined by \"+\", as in \"gone=speed+trip.from\"", "write names and \"+\" without spaces") {
		if slices.Contains(p.typ.Gone, s.text) {
			p.fail(s, "%q occurs here twice: write each property once", s.text)
			continue
		}
		p.typ.Gone = append(p.typ.Gone, s.text)
	}
}

// synthetic parses the owner of the key in a field: the document or, with a name, an index.
func (p *parser) synthetic(v span) {
	if v.text == "" {
		p.field.Synthetic = true
		return
	}
	p.field.Indexed = p.text(v, indexName)
}

// indexName checks the name of an index, which becomes a part of Go names.
func indexName(v span) *Error {
	if !token.IsIdentifier(v.text) || !token.IsExported(v.text) {
		return v.errorf("%q is no name of an index: write a Go name that begins with a capital letter, such as ByCustomer", v.text)
	}
	return nil
}

// selected reads the properties that an index has.
func (p *parser) selected(v span) {
	for s := range p.list(v, "+", "a name is missing: write JSON properties joined by \"+\", as in \"select=at+total\"", "write names and \"+\" without spaces") {
		if slices.Contains(p.typ.Select, s.text) {
			p.fail(s, "%q occurs here twice: write each property once", s.text)
			continue
		}
		p.typ.Select = append(p.typ.Select, s.text)
	}
}

// notInName reports whether a character is illegal in a name of another release.
func notInName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:$@#", r)
}

// API is an API of Cosmos DB, as named by the word api. The zero value is NoSQL.
type API string

// The APIs other than NoSQL.
const (
	Table   API = "table"
	Mongo   API = "mongo"
	Gremlin API = "gremlin"
)

// noSQL is the tag's name of the default API.
const noSQL = "nosql"

// String names the API in a message.
func (a API) String() string {
	switch a {
	case Table:
		return "Table"
	case Mongo:
		return "MongoDB"
	case Gremlin:
		return "Gremlin"
	}
	return "NoSQL"
}

// apiNames are the names of the APIs in tags.
var apiNames = []string{noSQL, string(Table), string(Mongo), string(Gremlin)}

// oneOf returns a function that parses one of several words. The advice is for a text without a
// similar word.
func oneOf(what string, words []string, advice string) func(span) (string, *Error) {
	return func(v span) (string, *Error) {
		if !slices.Contains(words, v.text) {
			return "", v.unknown(what, words, advice)
		}
		return v.text, nil
	}
}

// api reads the name of an API.
func (p *parser) api(v span) {
	if name := check(p, v, oneOf("API", apiNames, "write nosql, table, mongo or gremlin")); name != noSQL {
		p.typ.API = API(name)
	}
}

// row parses the template of row keys. Its texts must not run together. The model, which has
// the fields, checks whether and where it has the id.
func (p *parser) row(v span) {
	errs := len(p.errs)
	t, read, ok := p.template(v, templateParser{rows: true})
	if !ok {
		return
	}
	var texts []string
	at := read.components
	for _, part := range t.Levels[0] {
		c := part.Component
		if c == nil {
			continue
		}
		switch s := at[0]; {
		case c.Buckets > 0:
			p.fail(s, "%s is a bucket: buckets spread documents over partition keys, and a row key only sorts the rows of one; remove it", s.text)
		case slices.Contains(texts, c.Fields[0]):
			p.fail(s, "field %q occurs here twice: its text is in the row key already; remove one", c.Fields[0])
		default:
			texts = append(texts, c.Fields[0])
		}
		at = at[1:]
	}
	if len(p.errs) == errs {
		p.typ.Row, p.typ.RowPaths = t, read.fields
	}
}

// apis checks the words that only one API has.
func (p *parser) apis() {
	if p.place != OnType {
		return
	}
	if v, ok := p.value("api"); ok && p.typ.API == "" && v.text != noSQL {
		return // the name of the API has an error of its own
	}
	if it, ok := p.word("row"); ok && p.typ.API != Table {
		p.fail(it.word, "\"row\" is the row key of a table, and the %s API has none: write \"api=table,row=…\", or remove it", p.typ.API)
	}
	if it, ok := p.word("edge"); ok && p.typ.API != Gremlin {
		p.fail(it.word, "\"edge\" is for the edges of a graph, and the %s API has none: write \"api=gremlin,edge\", or remove it", p.typ.API)
	}
}

// Limits of vectors: "Vector search in Azure Cosmos DB for NoSQL", and for indexes "Indexing
// policies in Azure Cosmos DB", vector indexes.
const (
	maxDimensions        = 4096
	maxFlatDimensions    = 505 // of a flat index
	maxQuantizationBytes = 512
	minSearchList        = 25 // VectorIndex of @azure/cosmos; that page says 10
	maxSearchList        = 500
)

// Flat is the exact vector index, and DiskANN the one that is a graph.
const (
	Flat    = "flat"
	DiskANN = "diskANN"
)

// spherical is the quantizer without a number of bytes.
const spherical = "spherical"

// The metrics of vectors, their indexes and compression methods, as written in policies.
var (
	metrics       = []string{"cosine", "dotproduct", "euclidean"}
	vectorIndexes = []string{Flat, "quantizedFlat", DiskANN}
	quantizers    = []string{"product", spherical}
)

// Reasons that the words of search share.
const (
	whyMetric    = "it says how vectors are compared; write \"vector=1536,cosine,index=diskANN\""
	whyOneMetric = "a property has one metric; keep one of \"cosine\", \"dotproduct\" and \"euclidean\""
	whyVector    = "it belongs to a vector; write \"vector=1536,cosine,index=diskANN\""
	whyIndex     = "name the index: flat, which is exact, up to 505 dimensions; quantizedFlat; or diskANN"
	whyNotText   = "a property has one policy; a vector is a list of numbers, and a text a string"
)

// vectorIndex reads the type of a vector index.
var vectorIndex = oneOf("vector index", vectorIndexes,
	fmt.Sprintf("write flat, which is exact, up to %d dimensions; quantizedFlat; or diskANN", maxFlatDimensions))

// Values of vector indexes.
var (
	quantizer = oneOf("quantizer", quantizers, "write product, which is the default, or spherical")

	quantizationBytes = number(maxQuantizationBytes, fmt.Sprintf("not a number of bytes: a vector is compressed to 1 to %d; write the number in digits, or leave it to the service", maxQuantizationBytes))
)

// searchList parses the number of vectors searched while an index is built.
func searchList(v span) (int, *Error) {
	otherwise := fmt.Sprintf("not the size of a search list: write a whole number from %d to %d in digits; the service takes 100 if you leave it out", minSearchList, maxSearchList)
	n, err := number(maxSearchList, otherwise)(v)
	if err == nil && n < minSearchList {
		return 0, v.errorf("%q is %s", v.text, otherwise)
	}
	return n, err
}

// shardKey parses the field by which an index is divided.
func (p *parser) shardKey(v span) {
	p.field.Sharded = true
	if v.text == "" {
		return
	}
	if err := fieldPath(v); err != nil {
		p.errs = append(p.errs, err)
		return
	}
	p.field.ShardKey = v.text
}

// language parses a language: two lower-case letters, and two upper-case ones for a region.
func language(v span) (string, *Error) {
	within := func(text, letters string) bool { return len(text) == 2 && strings.Trim(text, letters) == "" }
	small, large, _ := strings.Cut(v.text, "-")
	if !within(small, "abcdefghijklmnopqrstuvwxyz") || !within(large, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return "", v.errorf("%q is not a language of full text: write it as en-US, de-DE, es-ES or fr-FR", v.text)
	}
	return v.text, nil
}

// setMetric returns the function that stores a metric.
func setMetric(name string) func(p *parser, _ span) {
	return func(p *parser, _ span) { p.field.Metric = name }
}

// search checks the words of a vector together.
func (p *parser) search() {
	if v, ok := p.value("index"); ok && p.field.Index == Flat && p.field.Dimensions > maxFlatDimensions {
		p.fail(v, "a flat index is for at most %d dimensions, and these vectors have %d: write \"index=quantizedFlat\" or \"index=diskANN\", which are approximate", maxFlatDimensions, p.field.Dimensions)
	}
	for _, word := range []string{"quantizer", "quantizationbytes", "searchlist", "shardkey"} {
		if it, ok := p.word(word); ok && p.field.Index == Flat {
			p.fail(it.word, "%q applies to an index that compresses vectors, and flat stores them unchanged: write \"index=quantizedFlat\" or \"index=diskANN\", or remove it", word)
		}
	}
	if it, ok := p.word("searchlist"); ok && p.field.Index == "quantizedFlat" {
		p.fail(it.word, "\"searchlist\" is for the graph of a diskANN index, and quantizedFlat has no graph: write \"index=diskANN\", or remove it")
	}
	if it, ok := p.word("quantizationbytes"); ok && p.field.Quantizer == spherical {
		p.fail(it.word, "\"quantizationbytes\" applies to product quantization, and the quantizer is spherical: remove one of them")
	}
	if v, ok := p.value("quantizationbytes"); ok && p.field.Dimensions > 0 && p.field.QuantizationBytes > p.field.Dimensions {
		p.fail(v, "a vector of %d numbers cannot be compressed to %d bytes: write at most %d", p.field.Dimensions, p.field.QuantizationBytes, p.field.Dimensions)
	}
}

// unknownMetric reports a word in place of the metric of a tag with a vector, and whether it is
// one.
func (p *parser) unknownMetric(word span) bool {
	if p.place != OnField || !p.has([]string{"vector"}) || p.has(metrics) || spelling.Nearest(word.text, names(p.place)) != "" {
		return false
	}
	if _, err := strconv.Atoi(word.text); err == nil {
		return false
	}
	p.meant = append(p.meant, metrics[0])
	p.fail(word, "unknown metric %q: write cosine, dotproduct or euclidean, as documented for the model that makes the vectors", word.text)
	return true
}

// Note is a row of the table of notes. A note concerns a type and is not an error; a tag
// acknowledges it by name.
type Note struct {
	Name string
	// OnField reports that the note concerns a field, so that the tag of the field acknowledges
	// it. The tag of the blank field acknowledges every note of the type.
	OnField bool
	Help    string // the note in one line, in the present tense
}

// The names of notes.
const (
	NoteAmbiguous   = "ambiguous"
	NoteSynthetic   = "synthetic"
	NoteInt64       = "int64"
	NoteHashedTime  = "hashedtime"
	NoteUnpadded    = "unpadded"
	NoteNoParse     = "noparse"
	NoteLevelSuffix = "levelsuffix"
	NoteTimeOrder   = "timeorder"
	NoteETag        = "etag"
	NoteTTL         = "ttl"
	NoteHashedID    = "hashedid"
	NoteElsewhere   = "elsewhere"
	NoteRenamed     = "renamed"
	NoteRetyped     = "retyped"
)

// notes is the only list of named notes.
var notes = []Note{
	{NoteAmbiguous, false, "different field values can make the same key, so writes read first"},
	{NoteSynthetic, false, "no synthetic field stores the key, so Upsert stores a second document after a field of the key has changed"},
	{NoteInt64, true, "integers beyond 2^53 are refused before they are stored"},
	{NoteHashedTime, false, "a time is hashed, so the repository has no query by it"},
	{NoteUnpadded, false, "a time has no zero padding, so the repository has no query over a range of it"},
	{NoteNoParse, false, "no function parses the escaped key"},
	{NoteLevelSuffix, false, "a suffix on a later level does not spread one busy first level"},
	{NoteTimeOrder, false, "an order by a time.Time does not sort by time"},
	{NoteETag, true, "the property _etag is not a string, and Replace does not send it"},
	{NoteTTL, true, "the service does not read this property ttl"},
	{NoteHashedID, true, "documents with different hashed values can share a key and an id, and overwrite each other, unless ids are unique"},
	{NoteElsewhere, false, "another package declares a container of this id with other properties; acknowledge it if the container is in another database"},
	{NoteRenamed, true, "a property is renamed in one release; acknowledge it if no program of the previous release is running"},
	{NoteRetyped, true, "a property has another JSON type; acknowledge it if no stored document has the old type"},
}

// Notes returns a copy of the table of notes, in the order of the documentation.
func Notes() []Note { return slices.Clone(notes) }

// Acknowledgement is the name of a note in a tag. Offset is its byte offset in the tag's value.
type Acknowledgement struct {
	Name   string
	Offset int
}

// acknowledged parses names of notes that are joined by plus signs, and reports wrong ones.
func (p *parser) acknowledged(v span) []Acknowledgement {
	var out []Acknowledgement
	for s := range p.list(v, "+", "empty name of a note: write names joined by \"+\", for example \"note=ambiguous+synthetic\"", "write names and \"+\" without spaces") {
		i := slices.IndexFunc(notes, func(n Note) bool { return n.Name == s.text })
		switch {
		case i < 0:
			var known []string
			for _, n := range notes {
				if p.place == OnType || n.OnField {
					known = append(known, n.Name)
				}
			}
			p.errs = append(p.errs, s.unknown("note", known, "the notes are "+strings.Join(known, ", ")))
		case slices.ContainsFunc(out, func(o Acknowledgement) bool { return o.Name == s.text }):
			p.fail(s, "note %q occurs here twice: say it once", s.text)
		case p.place == OnField && !notes[i].OnField:
			p.fail(s, "note %q applies to the type: acknowledge it on the blank field, _ struct{} `cosmos:\"note=%s\"`", s.text, s.text)
		default:
			out = append(out, Acknowledgement{s.text, s.offset})
		}
	}
	return out
}
