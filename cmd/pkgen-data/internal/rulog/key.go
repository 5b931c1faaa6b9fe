package rulog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// rule says how keys of a type are taken apart.
type rule struct {
	entry  lock.Entry
	levels []levelRule
	parts  map[string]*annotations.Component // by property: those whose text is in the key
	bucket *annotations.Component            // the suffix, or nil
}

// levelRule is one value of the key.
type levelRule struct {
	parts      annotations.Level
	plain      bool // the value is that of a property
	separators string
}

// newRule returns the rule of a type.
func newRule(e lock.Entry) (*rule, error) {
	t, problem := annotations.ParseTemplate(e.Layout)
	if problem != nil {
		return nil, problem
	}
	r := &rule{entry: e, parts: map[string]*annotations.Component{}}
	paths := strings.Split(e.Path, ",")
	for i, level := range t.Levels {
		l := levelRule{parts: level}
		for j, p := range level {
			switch c := p.Component; {
			case c == nil:
				first, _ := utf8.DecodeRuneInString(p.Literal)
				if j > 0 && !strings.ContainsRune(l.separators, first) {
					l.separators += string(first)
				}
			case c.Buckets > 0:
				r.bucket = c
			default:
				r.parts[c.Fields[0]] = c
				l.plain = len(level) == 1 && c.Format == "" && !c.Lower && i < len(paths) && paths[i] == "/"+strings.ReplaceAll(c.Fields[0], ".", "/")
			}
		}
		r.levels = append(r.levels, l)
	}
	return r, nil
}

// pieces are what a key is made of.
type pieces struct {
	properties map[string]json.RawMessage
	bucket     int // 0 if the key has none
}

// apart takes a key apart. It fails if the layout makes no such key, or if there are
// several ways.
func (r *rule) apart(values []any) (pieces, bool) {
	found := pieces{properties: map[string]json.RawMessage{}}
	if len(values) != len(r.levels) {
		return found, false
	}
	for i, value := range values {
		level := r.levels[i]
		if level.plain {
			raw, err := json.Marshal(value)
			if err != nil || !found.set(level.parts[0].Component.Fields[0], raw) {
				return found, false
			}
			continue
		}
		text, ok := value.(string)
		if !ok {
			return found, false
		}
		m := matcher{rule: r, level: level}
		m.match(0, text, nil)
		if m.ways != 1 {
			return found, false
		}
		for j, raw := range m.texts {
			switch c := level.parts[j].Component; {
			case c == nil:
			case c.Buckets > 0:
				found.bucket, _ = strconv.Atoi(string(raw))
			case !found.set(c.Fields[0], raw):
				return found, false
			}
		}
	}
	return found, true
}

// set sets a property, and fails if it has had another value.
func (p pieces) set(property string, raw json.RawMessage) bool {
	before, known := p.properties[property]
	p.properties[property] = raw
	return !known || string(before) == string(raw)
}

// matcher finds the ways in which a text is made of the parts of a level.
type matcher struct {
	rule  *rule
	level levelRule
	ways  int
	texts []json.RawMessage // of the parts, as JSON, of the last way
}

// match matches part i and those after it. Two ways are enough to know.
func (m *matcher) match(i int, rest string, before []json.RawMessage) {
	switch {
	case m.ways > 1:
		return
	case i == len(m.level.parts):
		if rest == "" {
			m.ways++
			m.texts = slices.Clone(before)
		}
		return
	}
	p := m.level.parts[i]
	if p.Component == nil {
		if after, ok := strings.CutPrefix(rest, p.Literal); ok {
			m.match(i+1, after, append(before, nil))
		}
		return
	}
	next := ""
	if i+1 < len(m.level.parts) {
		next = m.level.parts[i+1].Literal
	}
	for end := 1; end <= len(rest); end++ {
		if next == "" && end < len(rest) || !strings.HasPrefix(rest[end:], next) {
			continue
		}
		if raw, ok := m.read(p.Component, rest[:end]); ok {
			m.match(i+1, rest[end:], append(before, raw))
		}
	}
}

// read returns the property of a component's text as JSON, or the number of a bucket.
func (m *matcher) read(c *annotations.Component, text string) (json.RawMessage, bool) {
	if c.Buckets > 0 {
		n, err := strconv.Atoi(text)
		return json.RawMessage(text), err == nil && strconv.Itoa(n) == text && n >= 1 && n <= c.Buckets
	}
	kind := m.rule.kind(c)
	if kind == lock.Time {
		t, err := time.Parse(c.Format, text)
		if err != nil || t.Format(c.Format) != text {
			return nil, false
		}
		raw, err := json.Marshal(t)
		return raw, err == nil
	}
	if m.rule.entry.Escape {
		p := partition.Parse("", text, m.level.separators)
		text = p.Text("")
		if p.Err() != nil {
			return nil, false
		}
	}
	switch kind {
	case lock.Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != text {
			u, err := strconv.ParseUint(text, 10, 64)
			return json.RawMessage(text), err == nil && strconv.FormatUint(u, 10) == text
		}
		return json.RawMessage(text), true
	case lock.Bool:
		return json.RawMessage(text), text == "true" || text == "false"
	}
	raw, err := json.Marshal(text)
	return raw, err == nil && (!c.Lower || string(partition.AppendLower(nil, text)) == text)
}

// kind returns the kind of a component.
func (r *rule) kind(c *annotations.Component) string {
	for _, k := range r.entry.Kinds {
		if k.Property == c.Fields[0] {
			return k.Kind
		}
	}
	if c.Format != "" {
		return lock.Time
	}
	return lock.Text
}

// tells returns why keys of a type do not tell those of another layout, or "". Suffix
// says that the other suffix follows from the one in the key.
func (r *rule) tells(template string) (suffix bool, reason string) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return false, problem.Error()
	}
	for _, level := range t.Levels {
		for _, p := range level {
			c := p.Component
			switch {
			case c == nil:
				continue
			case c.Buckets > 0 && len(c.Fields) == 0:
				return false, "its suffix is drawn for each document, and the log has no documents"
			case c.Buckets > 0 && r.divides(c):
				suffix = true
				continue
			}
			for _, field := range c.Fields {
				if reason := r.lacks(field, c); reason != "" {
					return false, fmt.Sprintf("it needs %s, and a key of layout %s %s", field, r.entry.Layout, reason)
				}
			}
		}
	}
	return suffix, ""
}

// divides reports whether a suffix of fewer buckets follows from the one in the key: the
// remainder of a hash by 400 tells the one by 100.
func (r *rule) divides(c *annotations.Component) bool {
	b := r.bucket
	return b != nil && slices.Equal(b.Fields, c.Fields) && len(b.Fields) > 0 && b.Format == c.Format && b.Lower == c.Lower && b.Buckets%c.Buckets == 0
}

// lacks returns why a key does not have a property as another component needs it, or "".
func (r *rule) lacks(field string, as *annotations.Component) string {
	c := r.parts[field]
	switch {
	case c == nil && r.bucket != nil && slices.Contains(r.bucket.Fields, field):
		return "has its bucket alone"
	case c == nil:
		return "does not have it"
	case c.Lower && !as.Lower:
		return "has it in lower case"
	case c.Format != "" && (as.Format == "" || timelayout.Finer(as.Format, c.Format)):
		return "has it less exactly"
	}
	return ""
}
