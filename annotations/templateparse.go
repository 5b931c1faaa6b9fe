package annotations

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// ParseTemplate reads the notation of [Template]. A format may be one of the
// names that [Layout] knows and is kept as the layout. The error is the first
// one, with offsets into the text. Every template that it returns has one to
// three levels with at least one component each, and prints as text that it
// reads as the same template.
func ParseTemplate(s string) (Template, *Error) {
	return new(templateParser).template(span{s, 0})
}

// templateParser reads one template, and remembers the places of its parts.
type templateParser struct {
	rows       bool   // times may be newest, as in the row keys of tables
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
				return Template{}, text.errorf("level %d repeats level %d: a level that says nothing new spreads nothing; remove one", len(t.Levels)+1, i+1)
			}
		}
		if len(t.Levels) == maxLevels {
			return Template{}, text.errorf("template %q has more than %d levels, the most that Cosmos DB allows: join fields, or leave some out", whole.text, maxLevels)
		}
		t.Levels = append(t.Levels, level)
		if rest = rest.slice(n, len(rest.text)); rest.text == "" {
			return t, nil
		}
	}
}

// levelProblem checks a level of the whole template, which has several or one.
func levelProblem(text, whole span, level Level, several bool) *Error {
	hasField := slices.ContainsFunc(level, func(p Part) bool { return p.Component != nil })
	switch {
	case strings.TrimSpace(text.text) == "" && several:
		return text.errorf("empty level before or after a comma: name a field in braces, as in {tenantId},{userId}")
	case several && strings.TrimSpace(text.text) != text.text:
		return text.errorf("spaces around the level %q: a comma alone separates levels, as in {tenantId},{userId}", strings.TrimSpace(text.text))
	case several && !hasField:
		return text.errorf("level %q has no field, so that all documents get one value there: name one in braces, as in {tenantId},{userId}", text.text)
	case !hasField:
		return text.errorf("template %q has no field, so that all documents get one key: name one in braces, as in {date}", whole.text)
	}
	return nil
}

// level reads parts up to a comma or the end, and returns their length in
// bytes.
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

// part reads the literal text or the component that the text begins with, and
// returns its length in bytes.
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

// joins checks a component, which is at the span, against the parts before it:
// their texts must not run together.
func joins(at span, before Level, c *Component) *Error {
	if len(before) == 0 {
		return nil
	}
	last := before[len(before)-1]
	if last.Component != nil {
		return at.errorf("%s touches the field before it, so that their texts run together: write text between them, such as \"-\"", at.text)
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

// form reads what follows the |: lower, newest, or the format of a time.
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
		return s.errorf("%q says more than %q: a formatted time has no case; keep one", s.text, lowerName)
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
	at := 0
	for name := range strings.SplitSeq(s.text, "+") {
		part := s.slice(at, at+len(name))
		at += len(name) + len("+")
		if err := fieldName(part, s); err != nil {
			return nil, err
		}
		if slices.Contains(out, name) {
			return nil, part.errorf("field %q occurs here twice: hashing a field again adds nothing; remove one", name)
		}
		out = append(out, name)
		p.fields = append(p.fields, Path{part.text, part.offset})
	}
	return out, nil
}

// CanName reports whether a [Template] can name a field so.
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
