package annotations

import (
	"slices"
	"unicode/utf8"
)

// key reads the template of a whole key. Its value has no comma, which would
// have ended it, and so one level.
func (p *parser) key(v span) {
	var read templateParser
	t, err := read.template(v)
	if err != nil {
		p.errs = append(p.errs, err)
		return
	}
	errs := len(p.errs)
	for _, path := range read.fields {
		if err := fieldPath(span{path.Text, path.Offset}); err != nil {
			p.errs = append(p.errs, err)
		}
	}
	p.parts(t.Levels[0], read.components)
	if len(p.errs) > errs {
		return
	}
	p.typ.Key, p.typ.KeyPaths, p.after = t, read.fields, read.after
}

// parts checks the components of a key, which are at the spans, against each other.
func (p *parser) parts(l Level, at []span) {
	var texts []string // fields whose text is in the key
	bucket := false
	for i, part := range l {
		c := part.Component
		if c == nil {
			continue
		}
		s := at[0]
		at = at[1:]
		switch {
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
}

// separators checks the texts between components against escape.
func (p *parser) separators() {
	if !p.typ.Escape {
		return
	}
	for _, it := range p.items {
		if it.row.Value == Separator && it.value.text != "" {
			p.separator(it.value)
		}
	}
	for _, s := range p.after {
		p.separator(s)
	}
}

// separator reports a text that components cannot be told from when they are
// percent-encoded, since their encoding, numbers and bools begin alike.
func (p *parser) separator(s span) {
	_, size := utf8.DecodeRuneInString(s.text)
	if first := s.slice(0, size); first.text == "%" || first.text != "_" && isNameRune(rune(first.text[0])) {
		p.fail(first, "separator %q begins with %q, which percent-encoding needs: with \"escape\" begin it with another sign, such as \"-\"", s.text, first.text)
	}
}
