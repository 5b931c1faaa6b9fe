package annotations

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// Template is the layout of a partition key, and the only notation for it:
//
//	{deviceId}-{date}              components and the literal text between them
//	{at|2006-01-02}                a time, by its Go layout, in UTC
//	{date}.{vin%400}               the bucket, 1 to 400, of the hash of a field
//	{vin+region%400}               the bucket of the hash of several fields
//	{date}.{*%400}                 a random bucket, 1 to 400
//	{vin|lower}                    a text in ASCII lower case
//	{tenantId},{userId}            the levels of a hierarchical key, up to three
//	{tenantId},{userId},{id}       one that ends in the id of the item, of up to four levels
//
// The notation does not show whether components are percent-encoded.
//
// A field is named by its JSON property or by its Go field path; the template does not
// distinguish them. Names are nested with points and may have any character except { } | % +
// and the comma, control characters, and a space at either end; the name * alone is the random
// bucket. Literal text may have any character that is legal in a key, except {, } and the
// comma.
type Template struct {
	Levels []Level // one, or up to three of a hierarchical key, and a fourth that is the item id
}

// Level is the text of one value of a key: literals and components in order. Components never
// touch, since their texts would run together.
type Level []Part

// Part is a piece of a level: a component or literal text.
type Part struct {
	Literal   string
	Component *Component
}

// Component is a part of a key that comes from the document.
type Component struct {
	// Fields are the names of the fields: several only for a bucket, which hashes them all, and
	// none for a random bucket.
	Fields []string
	// Format is the layout for package time of the fields that are times, or "". It is never
	// one of Layout's names.
	Format string
	// Newest makes the text of a time count backwards, so that the newest sorts first. Only row
	// keys of tables have it, without a Format.
	Newest bool
	// Lower converts the texts of the fields to ASCII lower case. It excludes Format: times
	// have no case.
	Lower bool
	// Buckets is the number of buckets; 0 if the component is the text of its field.
	Buckets int
}

// String returns the template's notation, with a comma between levels. [ParseTemplate] is its
// inverse for every template that keeps the rules of [Template].
func (t Template) String() string {
	var b strings.Builder
	for i, level := range t.Levels {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, part := range level {
			b.WriteString(part.Literal)
			if part.Component != nil {
				b.WriteString(part.Component.notation())
			}
		}
	}
	return b.String()
}

// notation returns the notation of a component, with its braces.
func (c *Component) notation() string {
	text := cmp.Or(strings.Join(c.Fields, "+"), randomName)
	if c.Format != "" {
		text += "|" + c.Format
	}
	if c.Newest {
		text += "|" + newestName
	}
	if c.Lower {
		text += "|" + lowerName
	}
	if c.Buckets > 0 {
		text += "%" + strconv.Itoa(c.Buckets)
	}
	return "{" + text + "}"
}

// lowerName is the notation of Lower in a component.
const lowerName = "lower"

// newestName is the notation of Newest in a component.
const newestName = "newest"

// randomName is the notation of a random bucket, which has no field.
const randomName = "*"

// ParseTemplate parses the notation of [Template]. A format may be one of [Layout]'s names; it
// is returned as the layout. The error is the first one, with offsets into the text. Every
// returned template has one to four levels with at least one component each, the fourth being
// {id}, and parses again from its notation.
func ParseTemplate(s string) (Template, *Error) {
	return new(templateParser).template(span{s, 0})
}

// templateParser parses one template, and records the offsets of its parts.
type templateParser struct {
	rows       bool   // times may be newest, as in the row keys of tables
	index      bool   // it is the key of an index, which does not end in the id
	components []span // with their braces
	fields     []Path // of all components
	after      []span // literal texts that follow a component
}

// template reads levels between commas.
func (p *templateParser) template(whole span) (Template, *Error) {
	if whole.text == "" {
		return Template{}, whole.errorf("empty template: name a field in braces, as in {date}")
	}
	var t Template
	for rest := whole; ; rest = rest.slice(1, len(rest.text)) {
		level, n, err := p.level(rest)
		if err != nil {
			return Template{}, err
		}
		text := rest.slice(0, n)
		several := len(t.Levels) > 0 || n < len(rest.text)
		if err := levelProblem(text, whole, level, several); err != nil {
			return Template{}, err
		}
		for i, other := range t.Levels {
			if same := (Template{Levels: []Level{other}}).String(); same == (Template{Levels: []Level{level}}).String() {
				return Template{}, text.errorf("level %d repeats level %d, and spreads nothing: remove one", len(t.Levels)+1, i+1)
			}
		}
		switch len(t.Levels) {
		case MaxLevels:
			return Template{}, text.errorf("template %q has more than %d levels, the most that Cosmos DB allows: join fields, or leave some out", whole.text, MaxLevels)
		case MaxLevels - 1:
			if p.index {
				return Template{}, text.errorf("template %q has a fourth level, and the key of an index has three at most: join fields, or leave some out", whole.text)
			}
			if text.text != IDLevel {
				return Template{}, text.errorf("template %q has a fourth level, which in Cosmos DB has to be %s, the id of the item: join fields, or leave one out", whole.text, IDLevel)
			}
		}
		t.Levels = append(t.Levels, level)
		if rest = rest.slice(n, len(rest.text)); rest.text == "" {
			return t, nil
		}
	}
}

// levelProblem checks a level of the whole template. Several reports whether there are other
// levels.
func levelProblem(text, whole span, level Level, several bool) *Error {
	hasField := slices.ContainsFunc(level, func(p Part) bool { return p.Component != nil })
	switch {
	case strings.TrimSpace(text.text) == "" && several:
		return text.errorf("empty level before or after a comma: name a field in braces, as in {tenantId},{userId}")
	case several && strings.TrimSpace(text.text) != text.text:
		return text.errorf("spaces around the level %q: a comma alone separates levels, as in {tenantId},{userId}", strings.TrimSpace(text.text))
	case several && !hasField:
		return text.errorf("level %q has no field, so all documents get the same value there: name one in braces, as in {tenantId},{userId}", text.text)
	case !hasField:
		return text.errorf("template %q has no field, so all documents get the same key: name one in braces, as in {date}", whole.text)
	}
	return nil
}

// level reads parts up to a comma or the end, and returns their length in bytes.
func (p *templateParser) level(s span) (Level, int, *Error) {
	var out Level
	at := 0
	for at < len(s.text) && s.text[at] != ',' {
		n, part, err := p.part(s.slice(at, len(s.text)))
		if err != nil {
			return nil, 0, err
		}
		text := s.slice(at, at+n)
		if part.Component != nil {
			if err := joins(text, out, part.Component); err != nil {
				return nil, 0, err
			}
			p.components = append(p.components, text)
		} else if len(out) > 0 {
			p.after = append(p.after, text)
		}
		out = append(out, part)
		at += n
	}
	return out, at, nil
}

// part reads the literal text or the component at the start of s, and returns its length in
// bytes.
func (p *templateParser) part(s span) (int, Part, *Error) {
	switch s.text[0] {
	case '}':
		return 0, Part{}, s.slice(0, 1).errorf("\"}\" without a \"{\" before it: braces hold a field, and a key cannot hold them")
	case '{':
		end := strings.IndexAny(s.text[1:], "{}") + 1
		if end == 0 || s.text[end] == '{' {
			return 0, Part{}, s.slice(0, 1).errorf("\"{\" is not closed: write \"}\" after the field")
		}
		c, err := p.component(s.slice(1, end))
		return end + 1, Part{Component: c}, err
	}
	end := strings.IndexAny(s.text, "{},")
	if end < 0 {
		end = len(s.text)
	}
	text := s.slice(0, end)
	return end, Part{Literal: text.text}, keyText(text, "", "text in a template")
}

// joins checks that the text of a component, at the span, cannot run together with the parts
// before it.
func joins(at span, before Level, c *Component) *Error {
	if len(before) == 0 {
		return nil
	}
	last := before[len(before)-1]
	if last.Component != nil {
		return at.errorf("%s follows the field before it directly, so their texts run together: write text between them, such as \"-\"", at.text)
	}
	digit := strings.ContainsAny(last.Literal[len(last.Literal)-1:], "0123456789")
	if digit && c.Buckets > 0 {
		return at.errorf("%s follows a digit, which reads like a part of the bucket: write a sign before it, such as \".\"", at.text)
	}
	return nil
}

// component reads the text between braces: fields, | and a format or lower, % and
// a number of buckets.
func (p *templateParser) component(s span) (*Component, *Error) {
	end := strings.IndexAny(s.text, "|%")
	if end < 0 {
		end = len(s.text)
	}
	fields, err := p.names(s.slice(0, end))
	if err != nil {
		return nil, err
	}
	c := &Component{Fields: fields}
	rest := s.slice(end, len(s.text))
	if strings.HasPrefix(rest.text, "|") {
		end := strings.IndexByte(rest.text, '%')
		if end < 0 {
			end = len(rest.text)
		}
		if err := p.form(c, rest.slice(1, end)); err != nil {
			return nil, err
		}
		rest = rest.slice(end, len(rest.text))
	}
	if strings.HasPrefix(rest.text, "%") {
		if c.Buckets, err = buckets(rest.slice(1, len(rest.text))); err != nil {
			return nil, err
		}
	}
	return c, combination(s, c)
}

// form reads the text after the |: lower, newest, or the format of a time.
func (p *templateParser) form(c *Component, s span) (err *Error) {
	words := strings.Split(s.text, "|")
	switch {
	case s.text == newestName && !p.rows:
		return s.errorf("%q is for the row keys of tables, which sort: write year, month, day, hour, or a Go layout", s.text)
	case s.text == newestName:
		c.Newest = true
	case p.rows && spelling.Nearest(s.text, []string{newestName}) != "":
		return s.misspelt("format", newestName)
	case s.text == lowerName:
		c.Lower = true
	case len(words) > 1 && slices.Contains(words, lowerName):
		return s.errorf("%q follows %q, but a formatted time has no case: keep one", s.text, lowerName)
	case spelling.Nearest(s.text, []string{lowerName}) != "":
		return s.misspelt("format", lowerName)
	default:
		c.Format, err = layout(s)
	}
	return err
}

// combination checks the parts of a component against each other.
func combination(s span, c *Component) *Error {
	switch {
	case len(c.Fields) == 0 && c.Buckets == 0:
		return s.errorf("{%s} lacks the number of buckets: write it as in {*%%400}", s.text)
	case len(c.Fields) == 0 && c.Lower:
		return s.errorf("{%s} lower-cases a random bucket, which has no letters: remove \"|lower\"", s.text)
	case len(c.Fields) == 0 && c.Format != "":
		return s.errorf("{%s} formats a random bucket, which is no time: remove the format", s.text)
	case len(c.Fields) > 1 && c.Buckets == 0:
		return s.errorf("{%s} joins fields without a bucket: write each in braces of its own, or the number of buckets, as in {vin+region%%400}", s.text)
	}
	return nil
}

// names reads names that are joined by plus signs; nil for the random bucket.
func (p *templateParser) names(s span) ([]string, *Error) {
	if s.text == randomName {
		return nil, nil
	}
	var out []string
	for part := range s.pieces("+") {
		if err := fieldName(part, s); err != nil {
			return nil, err
		}
		if slices.Contains(out, part.text) {
			return nil, part.errorf("field %q occurs here twice: hashing a field again adds nothing; remove one", part.text)
		}
		out = append(out, part.text)
		p.fields = append(p.fields, Path{part.text, part.offset})
	}
	return out, nil
}

// CanName reports whether field is a legal name in a [Template].
func CanName(field string) bool {
	s := span{field, 0}
	return !strings.ContainsAny(field, "{}|%+") && fieldName(s, s) == nil
}

// fieldName checks the name of a field, one of those at the whole span.
func fieldName(name, whole span) *Error {
	switch {
	case name.text == "":
		return name.errorf("no field here: write a name, as in {date}")
	case name.text == randomName:
		return name.errorf("{%s%%…} mixes a random bucket with a computed one: keep the fields or the \"*\"", whole.text)
	case strings.TrimSpace(name.text) != name.text:
		return name.errorf("spaces around the field %q: remove them", name.text)
	case strings.HasPrefix(name.text, ".") || strings.HasSuffix(name.text, ".") || strings.Contains(name.text, ".."):
		return name.errorf("field %q lacks a name before or after a point: write names joined by \".\"", name.text)
	case !utf8.ValidString(name.text):
		return name.errorf("field %q holds bytes that are not UTF-8: save the file as UTF-8", name.text)
	case strings.ContainsFunc(name.text, unicode.IsControl):
		return name.errorf("field %q holds a control character: remove it", name.text)
	case strings.Contains(name.text, ","):
		return name.errorf("field %q holds a comma, which separates levels: close the braces before it", name.text)
	}
	return nil
}

// container reads the id of a container, or the template of ids.
func (p *parser) container(v span) {
	if !strings.ContainsAny(v.text, "{}") {
		p.typ.Container = p.text(v, containerID)
		return
	}
	if p.index {
		p.fail(v, "%q is a template of ids, and an index is one container: write its id, as in \"container=order-by-customer\"", v.text)
		return
	}
	p.typ.Containers, p.typ.ContainerPaths = p.containerTemplate(v)
}

// own reads the template of the ids of own containers, whose one field is the tenant.
func (p *parser) own(v span) {
	if !strings.ContainsAny(v.text, "{}") {
		p.fail(v, "%q is one container, and each tenant has one of its own: name the field of the tenant, as in own=orders-{TenantID}", v.text)
		return
	}
	t, paths := p.containerTemplate(v)
	if len(paths) > 1 {
		p.fail(span{paths[1].Text, paths[1].Offset}, "field %q is a second field, but an own container belongs to one tenant: name only the field of the tenant, as in own=orders-{TenantID}", paths[1].Text)
		return
	}
	for _, part := range slices.Concat(t.Levels...) {
		if part.Component != nil && part.Component.Format != "" {
			p.fail(v, "%s has a format, which is for times, but an own container belongs to a tenant: name the field of the tenant, as in own=orders-{TenantID}", v.text)
			return
		}
	}
	p.typ.Own, p.typ.OwnPaths = t, paths
}

// containerTemplate reads a template of ids of containers. It returns nothing after an
// error.
func (p *parser) containerTemplate(v span) (Template, []Path) {
	errs := len(p.errs)
	t, read, ok := p.template(v, templateParser{})
	if !ok {
		return Template{}, nil
	}
	p.containerParts(v, t.Levels[0], read.components)
	if len(p.errs) > errs {
		return Template{}, nil
	}
	return t, read.fields
}

// containerParts checks the parts of a template of ids, whose components are at the spans: ids
// allow few characters, and components that differ must make ids that differ.
func (p *parser) containerParts(whole span, l Level, at []span) {
	components := len(at)
	var texts []string
	var time string // the field of the component that is a time
	fixed := 0
	offset := 0
	for i, part := range l {
		c := part.Component
		if c == nil {
			text := whole.slice(offset, offset+len(part.Literal))
			offset += len(part.Literal)
			fixed += len(part.Literal)
			p.containerLiteral(text, i > 0 && components > 1 && i < len(l)-1)
			continue
		}
		s := at[0]
		at = at[1:]
		offset += len(s.text)
		switch {
		case c.Buckets > 0:
			p.fail(s, "%s is a bucket: a bucket spreads keys within a container; name a field, as in container=orders-{TenantID}", s.text)
			continue
		case c.Lower:
			p.fail(s, "%s is in lower case, so texts that differ only in case would share a container: remove \"|lower\"; ids encode capital letters", s.text)
		case slices.Contains(texts, c.Fields[0]):
			p.fail(s, "field %q occurs here twice: its text is in the id already; remove one", c.Fields[0])
		case c.Format != "" && time != "":
			p.fail(s, "%s is a second time besides %s, and a window is a period of one time: keep one", s.text, time)
		case c.Format != "":
			time = c.Fields[0]
			p.window(s, c.Format)
		}
		texts = append(texts, c.Fields[0])
	}
	if fixed+components > maxContainerID {
		p.fail(whole, "the ids have %d characters or more: Cosmos DB allows %d", fixed+components, maxContainerID)
	}
}

// containerLiteral checks the fixed text of a template. Text between components must begin with
// a hyphen, which components cannot contain.
func (p *parser) containerLiteral(text span, between bool) {
	for i, r := range text.text {
		if !isContainerRune(r) {
			c := text.slice(i, i+len(string(r)))
			p.fail(c, "the fixed text of a container template may not hold %q: use lower-case letters a to z, digits and \"-\", so that ids differ in any letter case", c.text)
			return
		}
	}
	if between && text.text[0] != '-' {
		p.fail(text, "text %q between two fields does not begin with \"-\", so different fields could make the same id: write it as %q", text.text, "-"+text.text)
	}
}

// window checks that a format, which is in the component at the span, names a year, a
// month, a day or an hour, in the characters of ids.
func (p *parser) window(s span, format string) {
	finest := timelayout.Finest(format)
	field, _, _ := strings.Cut(strings.TrimPrefix(s.text, "{"), "|")
	write := func(format string) string { return "{" + field + "|" + format + "}" }
	switch {
	case finest > timelayout.Hour:
		p.fail(s, "%s is a window of a %s: a window is a year, a month, a day or an hour; write %s", s.text, finest, write(windowFormat(timelayout.Hour)))
	case !timelayout.FixedWidth(format):
		p.fail(s, "%s has no zero padding, so ids do not sort by time: write 01 and 02", s.text)
	case strings.ContainsFunc(format, func(r rune) bool { return !isContainerRune(r) }):
		p.fail(s, "%s makes ids with other characters than a to z, digits and \"-\": write %s", s.text, write(windowFormat(finest)))
	}
}

// windowFormat returns the format of windows whose finest element is a unit.
func windowFormat(finest timelayout.Unit) string {
	return strings.ReplaceAll(finest.Layout(), "T", "-")
}

// isContainerRune reports whether a character is legal in the fixed text of a template.
func isContainerRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-'
}
