package annotations

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseTemplate reads the notation of [Template]. A format may be one of the
// names that [Layout] knows and is kept as the layout. The error is the first
// one, with offsets into the text. Every template that it returns has one
// level with at least one component, and prints as text that it reads as the
// same template.
func ParseTemplate(s string) (Template, *Error) {
	whole := span{s, 0}
	if s == "" {
		return Template{}, whole.errorf("empty template: name a field in braces, as in {date}")
	}
	var level Level
	components := 0
	for rest := whole; rest.text != ""; {
		n, part, err := nextPart(rest)
		if err != nil {
			return Template{}, err
		}
		if part.Component != nil {
			components++
			if err := joins(rest.slice(0, n), level, part.Component); err != nil {
				return Template{}, err
			}
		}
		level = append(level, part)
		rest = rest.slice(n, len(rest.text))
	}
	if components == 0 {
		return Template{}, whole.errorf("template %q has no field, so that all documents get one key: name one in braces, as in {date}", s)
	}
	return Template{Levels: []Level{level}}, nil
}

// nextPart reads the literal text or the component that the text begins with,
// and returns its length in bytes.
func nextPart(s span) (int, Part, *Error) {
	switch s.text[0] {
	case '}':
		return 0, Part{}, s.slice(0, 1).errorf("\"}\" without a \"{\" before it: braces hold a field, and cannot stand in a key")
	case '{':
		end := strings.IndexAny(s.text[1:], "{}") + 1
		if end == 0 || s.text[end] == '{' {
			return 0, Part{}, s.slice(0, 1).errorf("\"{\" is not closed: write \"}\" after the field")
		}
		c, err := component(s.slice(1, end))
		return end + 1, Part{Component: c}, err
	}
	end := strings.IndexAny(s.text, "{}")
	if end < 0 {
		end = len(s.text)
	}
	text := s.slice(0, end)
	return end, Part{Literal: text.text}, keyText(text, ",", "text in a template")
}

// joins checks a component, which stands at the span, against the parts before
// it: their texts must not run together.
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

// component reads what stands between braces: fields, | and a format, % and a
// number of buckets.
func component(s span) (*Component, *Error) {
	end := strings.IndexAny(s.text, "|%")
	if end < 0 {
		end = len(s.text)
	}
	fields, err := fieldNames(s.slice(0, end))
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
		if c.Format, err = layout(rest.slice(1, end)); err != nil {
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

// combination checks the parts of a component against each other.
func combination(s span, c *Component) *Error {
	switch {
	case len(c.Fields) == 0 && c.Buckets == 0:
		return s.errorf("{%s} lacks the number of buckets: write it as in {*%%400}", s.text)
	case len(c.Fields) == 0 && c.Format != "":
		return s.errorf("{%s} formats a random bucket, which is no time: remove the format", s.text)
	case len(c.Fields) > 1 && c.Buckets == 0:
		return s.errorf("{%s} joins fields without a bucket: write each in braces of its own, or the number of buckets, as in {vin+region%%400}", s.text)
	}
	return nil
}

// fieldNames reads names that are joined by plus signs; nil for the random
// bucket.
func fieldNames(s span) ([]string, *Error) {
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
			return nil, part.errorf("field %q stands here twice: hashing a field again adds nothing; remove one", name)
		}
		out = append(out, name)
	}
	return out, nil
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
		return name.errorf("field %q lacks a name beside a point: write names joined by \".\"", name.text)
	case !utf8.ValidString(name.text):
		return name.errorf("field %q holds bytes that are not UTF-8: save the file as UTF-8", name.text)
	case strings.ContainsFunc(name.text, unicode.IsControl):
		return name.errorf("field %q holds a control character: remove it", name.text)
	case strings.Contains(name.text, ","):
		return name.errorf("field %q holds a comma, which ends the template in a tag: close the braces before it", name.text)
	}
	return nil
}
