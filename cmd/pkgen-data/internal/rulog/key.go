package rulog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// rule says how to parse keys of a type.
type rule struct {
	entry  lock.Entry
	key    pk.Key
	parts  map[string]*pk.Component // components whose text is in the key, by property
	bucket *pk.Bucket               // the suffix, or nil
}

// newRule returns the rule of a type.
func newRule(e lock.Entry) (*rule, error) {
	key, err := e.Key()
	if err != nil {
		return nil, err
	}
	r := &rule{entry: e, key: key, parts: map[string]*pk.Component{}}
	for _, level := range key.Levels {
		for _, p := range level.Parts {
			switch {
			case p.Component != nil:
				r.parts[p.Component.Property] = p.Component
			case p.Bucket != nil:
				r.bucket = p.Bucket
			}
		}
	}
	return r, nil
}

// pieces are the parts of a key.
type pieces struct {
	properties map[string]json.RawMessage
	bucket     int // 0 if the key has none
}

// apart parses a key. It fails if the layout does not make the key, or if parsing is ambiguous.
func (r *rule) apart(values []any) (pieces, bool) {
	found := pieces{properties: map[string]json.RawMessage{}}
	if len(values) != len(r.key.Levels) {
		return found, false
	}
	for i, value := range values {
		level := r.key.Levels[i]
		if !level.Made {
			raw, err := json.Marshal(value)
			if err != nil || !found.set(level.Parts[0].Component.Property, raw) {
				return found, false
			}
			continue
		}
		text, ok := value.(string)
		if !ok {
			return found, false
		}
		m := matcher{level: level, escape: r.key.Escape, separators: level.Separators()}
		m.match(0, text, nil)
		if m.ways != 1 {
			return found, false
		}
		for j, raw := range m.texts {
			switch p := level.Parts[j]; {
			case p.Bucket != nil:
				found.bucket, _ = strconv.Atoi(string(raw))
			case p.Component != nil && !found.set(p.Component.Property, raw):
				return found, false
			}
		}
	}
	return found, true
}

// set sets a property, and fails if it has another value.
func (p pieces) set(property string, raw json.RawMessage) bool {
	before, known := p.properties[property]
	p.properties[property] = raw
	return !known || string(before) == string(raw)
}

// matcher finds the ways to split a text into the parts of a level.
type matcher struct {
	level      pk.Level
	escape     bool
	separators string
	ways       int
	texts      []json.RawMessage // of the parts, as JSON, in the last way
}

// match matches part i and those after it. It stops at two ways, which are ambiguous.
func (m *matcher) match(i int, rest string, before []json.RawMessage) {
	switch {
	case m.ways > 1:
		return
	case i == len(m.level.Parts):
		if rest == "" {
			m.ways++
			m.texts = slices.Clone(before)
		}
		return
	}
	p := m.level.Parts[i]
	if p.Literal != "" {
		if after, ok := strings.CutPrefix(rest, p.Literal); ok {
			m.match(i+1, after, append(before, nil))
		}
		return
	}
	next := ""
	if i+1 < len(m.level.Parts) {
		next = m.level.Parts[i+1].Literal
	}
	for end := 1; end <= len(rest); end++ {
		if next == "" && end < len(rest) || !strings.HasPrefix(rest[end:], next) {
			continue
		}
		if raw, ok := m.read(p, rest[:end]); ok {
			m.match(i+1, rest[end:], append(before, raw))
		}
	}
}

// read returns the property of a component's text as JSON, or the number of a bucket.
func (m *matcher) read(p pk.Part, text string) (json.RawMessage, bool) {
	if p.Bucket != nil {
		n, err := strconv.Atoi(text)
		return json.RawMessage(text), err == nil && strconv.Itoa(n) == text && n >= 1 && n <= p.Bucket.Count
	}
	c := p.Component
	if c.Value == pk.Time {
		t, err := time.Parse(c.Layout, text)
		if err != nil || t.Format(c.Layout) != text {
			return nil, false
		}
		raw, err := json.Marshal(t)
		return raw, err == nil
	}
	if m.escape {
		p := partition.Parse("", text, m.separators)
		text = p.Text("")
		if p.Err() != nil {
			return nil, false
		}
	}
	switch c.Value {
	case pk.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != text {
			u, err := strconv.ParseUint(text, 10, 64)
			return json.RawMessage(text), err == nil && strconv.FormatUint(u, 10) == text
		}
		return json.RawMessage(text), true
	case pk.Bool:
		return json.RawMessage(text), text == "true" || text == "false"
	}
	raw, err := json.Marshal(text)
	return raw, err == nil && (!c.Lower || string(partition.AppendLower(nil, text)) == text)
}

// tells returns why keys of a type do not determine those of another layout, or "". Suffix is set
// if the other suffix follows from the one in the key.
func (r *rule) tells(template string) (suffix bool, reason string) {
	t, problem := annotations.ParseTemplate(template)
	if problem != nil {
		return false, problem.Error()
	}
	for _, level := range r.entry.KeyOf(t).Levels {
		for _, p := range level.Parts {
			switch b := p.Bucket; {
			case b != nil && b.Hash == nil:
				return false, "its suffix is random for each document, and the log has no documents"
			case b != nil && r.divides(b):
				suffix = true
				continue
			}
			for _, c := range p.Components() {
				if reason := r.lacks(c); reason != "" {
					return false, fmt.Sprintf("it needs %s, and a key of layout %s %s", c.Property, r.entry.Layout, reason)
				}
			}
		}
	}
	return suffix, ""
}

// divides reports whether a suffix of fewer buckets follows from the one in the key: a hash modulo
// 400 determines it modulo 100.
func (r *rule) divides(b *pk.Bucket) bool {
	return r.bucket != nil && r.bucket.Count%b.Count == 0 && slices.EqualFunc(r.bucket.Hash, b.Hash, func(c, other pk.Component) bool {
		return c.Property == other.Property && c.Layout == other.Layout && c.Lower == other.Lower
	})
}

// lacks returns why a key does not contain a property in the form of another component, or "".
func (r *rule) lacks(as *pk.Component) string {
	c := r.parts[as.Property]
	switch {
	case c == nil && r.bucket != nil && slices.ContainsFunc(r.bucket.Hash, func(h pk.Component) bool { return h.Property == as.Property }):
		return "has only its bucket"
	case c == nil:
		return "does not have it"
	case c.Lower && !as.Lower:
		return "has it in lower case"
	case c.Layout != "" && (as.Layout == "" || timelayout.Finer(as.Layout, c.Layout)):
		return "has it with less precision"
	}
	return ""
}
