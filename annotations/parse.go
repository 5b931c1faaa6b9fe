package annotations

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// parser reads one tag.
type parser struct {
	place Place
	field Field
	typ   Type
	items []item   // the words of the tag that the place has, without repetitions
	meant []string // words that a misspelt one was probably meant to be
	after []span   // literal texts of the template that follow a component
	errs  []*Error
}

// item is a known word in the tag.
type item struct {
	row   *row
	word  span
	value span // its text is "" for a word without a value
}

// parse reads the whole tag and leaves the errors sorted.
func (p *parser) parse(tag string) {
	whole := span{tag, 0}
	for s := range whole.pieces(",") {
		p.item(tag, s)
	}
	for i := range p.items {
		p.roles(i)
		p.conflicts(i)
	}
	p.needs()
	p.separators()
	p.aliases()
	p.growth()
	p.search()
	p.apis()
	byOffset(p.errs)
}

// value returns the value of a word of the tag, and false if it has none.
func (p *parser) value(word string) (span, bool) {
	for _, it := range p.items {
		if it.row.Name == word && it.value.text != "" {
			return it.value, true
		}
	}
	return span{}, false
}

// fail reports an error over the span.
func (p *parser) fail(s span, format string, args ...any) {
	p.errs = append(p.errs, s.errorf(format, args...))
}

// item reads the text between two commas.
func (p *parser) item(tag string, s span) {
	if strings.TrimSpace(s.text) == "" {
		p.empty(tag, s)
		return
	}
	name, text, hasValue := strings.Cut(s.text, "=")
	word := p.trim(s.slice(0, len(name)), "a comma alone separates words, as in \"pk,concat\"")
	if word.text == "" {
		p.fail(s, "no word before \"=\": write word=value, for example \"buckets=400\"")
		return
	}
	r := find(p.place, word.text)
	if r == nil {
		p.unknown(word)
		return
	}
	if slices.ContainsFunc(p.items, func(it item) bool { return it.row == r }) {
		p.fail(word, "duplicate word %q: say it once", word.text)
		return
	}
	it := item{row: r, word: word}
	switch {
	case r.Value == NoValue && hasValue:
		p.needless(r, s.slice(len(name), len(s.text)))
	case r.Value == NoValue:
		r.set(p, span{})
	case strings.TrimSpace(text) == "":
		p.fail(word, "%q needs a value, as in %q", r.Name, r.Example)
	default:
		it.value = p.trim(s.slice(len(name)+len("="), len(s.text)), "write the value right after the \"=\"")
		r.set(p, it.value)
	}
	p.items = append(p.items, it)
}

// needless reports a value of a word that takes none, at least in this place.
func (p *parser) needless(r *row, value span) {
	if other := find(p.place.other(), r.Name); other != nil {
		p.fail(value, "%q takes no value on a field: write %q alone; %q %s", r.Name, r.Name, other.Usage(), belongs(other))
		return
	}
	p.fail(value, "%q takes no value: write %q alone", r.Name, r.Name)
}

// empty reports an item without text.
func (p *parser) empty(tag string, s span) {
	switch {
	case !strings.Contains(tag, ","):
		p.fail(s, "empty tag: write at least one word, for example %q, or remove the tag", example(p.place))
	case s.offset+len(s.text) == len(tag):
		p.fail(s, "empty word after the last comma: remove the comma")
	default:
		p.fail(s, "empty word before a comma: remove the comma")
	}
}

// trim reports spaces around the text, and returns the span without them.
func (p *parser) trim(s span, advice string) span {
	left := len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace))
	right := max(left, len(strings.TrimRightFunc(s.text, unicode.IsSpace)))
	trimmed := s.slice(left, right)
	if trimmed.text != s.text && trimmed.text != "" {
		p.fail(s, "spaces around %q: %s", trimmed.text, advice)
	}
	return trimmed
}

// unknown reports a word that the place does not have.
func (p *parser) unknown(word span) {
	if other := find(p.place.other(), word.text); other != nil {
		p.fail(word, "%q %s", word.text, belongs(other))
		return
	}
	if strings.Trim(word.text, "0123456789") == "" {
		p.fail(word, "unknown word %q: a comma ends the value before it; write fractions of a second with a point, as in 05.000", word.text)
		return
	}
	if p.place == OnType && strings.ContainsAny(word.text, "{}") {
		p.fail(word, "unknown word %q: a comma ends the template before it; a key of several levels has \"pk,level=1\", \"pk,level=2\" on its fields", word.text)
		return
	}
	if p.unknownMetric(word) {
		return
	}
	if near := spelling.Nearest(word.text, names(p.place)); near != "" {
		p.meant = append(p.meant, near)
		p.errs = append(p.errs, word.misspelt("word", near))
		return
	}
	if near := spelling.Nearest(word.text, names(p.place.other())); near != "" {
		p.fail(word, "unknown word %q: did you mean %q? It %s", word.text, near, belongs(find(p.place.other(), near)))
		return
	}
	p.fail(word, "unknown word %q: %s", word.text, legal(p.place))
}

// roles reports a second role that does not go with the first.
func (p *parser) roles(i int) {
	it := p.items[i]
	if !it.row.Role {
		return
	}
	for _, earlier := range p.items[:i] {
		if earlier.row.Role && !slices.Contains(it.row.Together, earlier.row.Name) {
			p.fail(it.word, "a field cannot be both %q and %q: give each role a field of its own; only \"id,pk\" can be combined",
				earlier.row.Name, it.row.Name)
			return
		}
	}
}

// conflicts reports words that exclude an earlier one.
func (p *parser) conflicts(i int) {
	it := p.items[i]
	for _, c := range it.row.Excludes {
		if slices.ContainsFunc(p.items[:i], func(e item) bool { return e.row.Name == c.Word }) {
			p.fail(it.word, "%q and %q exclude each other: %s", c.Word, it.row.Name, c.Why)
		}
	}
}

// needs reports words that miss another. What several words miss is reported
// once, at the first; what a misspelt word was meant to be counts as present.
func (p *parser) needs() {
	var missing []string
	for _, it := range p.items {
		for _, need := range it.row.Needs {
			quoted := quote(need.OneOf, " or ")
			if p.has(need.OneOf) || slices.Contains(missing, quoted) {
				continue
			}
			missing = append(missing, quoted)
			p.fail(it.word, "%q needs %s: %s", it.row.Name, quoted, need.Why)
		}
	}
}

// has reports whether the tag holds, or was meant to hold, one of the words.
func (p *parser) has(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains(p.meant, w) ||
			slices.ContainsFunc(p.items, func(it item) bool { return it.row.Name == w })
	})
}

// positions returns the positions of the words of the tag.
func (p *parser) positions() positions {
	ps := make(positions, len(p.items))
	for i, it := range p.items {
		ps[i] = position{it.row.Name, it.word.offset, -1}
		if it.value.text != "" {
			ps[i].value = it.value.offset
		}
	}
	return ps
}
