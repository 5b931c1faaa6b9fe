// Package annotations parses the texts that define a document's partition key: the cosmos
// struct tag, the formats of times in it, and the template as which every key layout is
// printed.
//
// A cosmos tag is a comma-separated list of words, each alone or with a value:
//
//	type VehicleEvent struct {
//		_    struct{}  `cosmos:"container=events,path=/partitionKey"`
//		ID   string    `json:"id"   cosmos:"id"`
//		Date time.Time `json:"date" cosmos:"pk,format=day,hashsuffix=VIN,buckets=400"`
//		VIN  string    `json:"vin"`
//	}
//
// One table of words, see [Words], drives the parser, its messages and the help: a new word
// needs a row, and a field for its value. [ParseField] parses the tag of a field, [ParseType]
// the tag of the blank field, which has the options of the type. Both report every problem,
// with the byte offsets of the wrong text.
//
// [Layout] converts the value of the word format into a layout for package time, and accepts
// only layouts whose texts map one to one to periods.
//
// [Template] is the notation for layouts of keys, also for short tags:
//
//	{deviceId}-{date}        two components, concatenated
//	{date}.{vin%400}         a suffix computed from the vin, 1 to 400
//	{date}.{*%400}           a random suffix, 1 to 400
//	{at|2006-01-02}.{vin|lower%400}
//	{tenantId},{userId}      two levels of a hierarchical key
//
// The tags are short forms of it; the word key of the blank field takes a whole template, with
// Go field paths:
//
//	_ struct{} `cosmos:"key=customer:{CustomerID}:{Month|month},escape"`
//
// The blank field also has options that do not concern the key: the container, its time to
// live, the orders that it has indexes for, and the value of the property type, which
// distinguishes its documents from documents of other types.
//
// Each further blank field declares a global secondary index, whose key may have levels:
//
//	_ struct{} `cosmos:"index=ByCustomer,key={TenantID},{CustomerID}"`
//
// The package only parses text. The package that loads Go source checks whether a field exists,
// what type it has, whether its type may be a component, and which of several fields is the
// last. All functions are pure and safe for concurrent use.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may change with
// any release; the words of tags do not.
package annotations

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Error is one problem in a tag, a format or a template. Offset and End are the bounds, in
// bytes, of the wrong text in the parsed string: 0 <= Offset <= End <= len. Offset equals End
// if text is missing. Message is in lower case, with the remedy. Instead is the probably
// intended word, or "" if unknown.
type Error struct {
	Offset, End int
	Message     string
	Instead     string
}

// Error returns only the message: the caller, who knows the file, adds the position.
func (e *Error) Error() string { return e.Message }

// span is a piece of the parsed string, with its offset there.
type span struct {
	text   string
	offset int
}

// slice returns the part of the span from byte i to byte j of its text.
func (s span) slice(i, j int) span { return span{s.text[i:j], s.offset + i} }

// pieces returns the texts between separators, empty ones too.
func (s span) pieces(separator string) iter.Seq[span] {
	return func(yield func(span) bool) {
		at := 0
		for text := range strings.SplitSeq(s.text, separator) {
			if !yield(s.slice(at, at+len(text))) {
				return
			}
			at += len(text) + len(separator)
		}
	}
}

// errorf returns an error that covers the span.
func (s span) errorf(format string, args ...any) *Error {
	return &Error{Offset: s.offset, End: s.offset + len(s.text), Message: fmt.Sprintf(format, args...)}
}

// misspelt reports the span as a misspelling of a word, whose kind is what, such as "word".
func (s span) misspelt(what, word string) *Error {
	err := s.errorf("unknown %s %q: did you mean %q?", what, s.text, word)
	err.Instead = word
	return err
}

// unknown reports that the span is not a word of a kind, and suggests a similar word. Without a
// similar word it gives the advice.
func (s span) unknown(what string, words []string, advice string) *Error {
	if near := spelling.Nearest(s.text, words); near != "" {
		return s.misspelt(what, near)
	}
	return s.errorf("unknown %s %q: %s", what, s.text, advice)
}

// Field is the content of a field's cosmos tag. The zero value is a field without a tag.
type Field struct {
	ID        bool // id: the item id
	PK        bool // pk: the partition key, or a component of it
	Concat    bool // concat: a component that is joined with the others
	Random    bool // randomsuffix: a random bucket follows the key
	Synthetic bool // synthetic: holds the synthetic key in the document
	ETag      bool // etag: holds the item's entity tag
	TTL       bool // ttl: holds the item's own time to live
	TS        bool // ts: holds the time of the item's last change
	Created   bool // created: holds the time when the item was created
	Updated   bool // updated: holds the time of the item's last write
	Version   bool // version: holds a number that grows with each write
	Deleted   bool // deleted: holds the time when the item was deleted
	Schema    int  // schema: the number of the item's form; 0 when not given
	Upcoming  int  // next: after schema, the number of the form of the next release; 0 when not given
	Rest      bool // rest: holds the properties without a field

	Hash    []Path // hashsuffix: the fields whose hash is the suffix, in order; nil without
	Buckets int    // buckets: the number of suffixes, 2 to 10,000; 0 when not given
	Was     []int  // was: earlier numbers of suffixes, descending; nil when not given
	Next    int    // next: the number of suffixes of the next release; 0 when not given
	Format  string // format: the layout for package time, as [Layout] returns it; "" when not given
	Lower   bool   // lower: the text of the component is in ASCII lower case
	Order   int    // order: the position of the component among the concatenated ones, from 1; 0 when not given
	Level   int    // level: the level of a hierarchical key, 1 to 3; 0 when not given

	Prefix string // prefix: the prefix of every id; "" when not given
	Purge  int    // purge: how many seconds a deleted document is kept; 0 when not given

	Dimensions int    // vector: the number of dimensions, 1 to 4,096; 0 when not given
	Metric     string // cosine, dotproduct or euclidean: the metric; "" when not given
	Index      string // index: flat, quantizedFlat or diskANN; "" when not given
	Float16    bool   // float16: the container keeps the numbers in 16 bits
	Quantizer  string // quantizer: product or spherical; "" when not given
	SearchList int    // searchlist: the number of vectors searched to build the index, 25 to 500; 0 when not given
	Sharded    bool   // shardkey: the index is divided
	ShardKey   string // shardkey: by the values of this field, a Go field path; "" is the partition key
	Language   string // text: the language of full text, such as en-US; "" when not given
	Elements   bool   // elements: queries have conditions on the elements of the list

	QuantizationBytes int // quantizationbytes: of a compressed vector, 1 to 512; 0 when not given

	// Computed is computed: the expression with which the service computes the property,
	// checked by package cosmossql; "" when not given.
	Computed string

	Later  bool              // later: stored documents may lack the property
	Former []string          // was: former names of the property, the newest first; nil when not given
	Coming string            // next: the name of the property in the next release; "" when not given
	Unique bool              // unique: no two documents have the same value
	Tenant bool              // tenant: the owner of the document
	Notes  []Acknowledgement // note: the notes that are acknowledged, in order

	Within string // field: a field of the tagged struct, as a Go field path; "" when not given

	Indexed string // synthetic: the name of the index whose key the field holds; "" when not given

	positions
}

// Aliases returns the other names under which documents may have the property, the newest
// first; nil if there are none.
func (f Field) Aliases() []string {
	if f.Coming == "" {
		return f.Former
	}
	return append([]string{f.Coming}, f.Former...)
}

// AliasWord returns the word with the first of the Aliases.
func (f Field) AliasWord() string {
	if f.Coming != "" {
		return "next"
	}
	return "was"
}

// HasRole reports whether the tag gives the field a role in the document: its id, its key, or a
// value that the service or the run time sets. A tag without a role concerns only the property.
func (f Field) HasRole() bool {
	return f.ID || f.PK || f.Synthetic || f.Indexed != "" || f.ETag || f.TTL || f.TS || f.Created || f.Updated || f.Version || f.Deleted || f.Schema > 0 || f.Rest
}

// Path is a Go field path in a tag, such as VIN or ResourceID.SubscriptionID: identifiers
// joined by points. Offset is its byte offset in the tag's value.
type Path struct {
	Text   string
	Offset int
}

// Type is the content of the blank field's cosmos tag, which concerns the whole type. A text is
// empty if the tag lacks it; the caller sets defaults.
type Type struct {
	API       API    // api: the API that stores the documents; "" for NoSQL, and when not given
	Container string // container: the id of the container, if fixed
	Path      string // path: the container's partition key path, such as /partitionKey
	Sep       string // sep: the text between concatenated components
	SuffixSep string // suffixsep: the text between the key and its suffix
	NoMethods bool   // methods=none: only the key type gets methods
	Escape    bool   // escape: components are percent-encoded, so that the key can be split

	// Key is key: a template of one level, with Go field paths; that of an Index has up to
	// three. It has no levels when not given.
	Key Template
	// KeyPaths are the fields of Key, including fields of buckets, in the order of the text,
	// each with its offset.
	KeyPaths []Path
	Was      []int // was: earlier numbers of suffixes of Key, descending; nil when not given
	Next     int   // next: the number of suffixes of Key in the next release; 0 when not given

	// Containers is container, if it is a template of ids: one level, with Go field paths.
	// Otherwise it has no levels. At most one component is a time, in a format that names a
	// year, a month, a day or an hour.
	Containers Template
	// ContainerPaths are the fields of Containers, in order, each with its offset.
	ContainerPaths []Path

	// Own is own: the template of the ids of tenants' own containers, of one level with one
	// field. It has no levels when not given. OwnPaths are its field, with its offset.
	Own      Template
	OwnPaths []Path

	// Leases and Directory are the ids of the containers for leases of processors and for the
	// directory of tenants; "" when not given.
	Leases, Directory string

	// Row is row: the template of row keys, of one level, with Go field paths. It has no levels
	// when not given. RowPaths are its fields, in order.
	Row      Template
	RowPaths []Path

	Edge     bool   // edge: the documents are edges of a graph
	From, To string // from, to: the types of the vertices at the ends of an edge

	Discriminator string   // type: the documents' name of the type
	Gone          []string // gone: the JSON properties that the type no longer has, nested ones with points
	// Formerly is formerly: the type with the layout and container of documents that have not
	// moved yet.
	Formerly string
	Prefix   string // prefix: the prefix of every id, if the id is declared in another struct
	// TTL is ttl: the container's default time to live in seconds, or -1 if only documents with
	// their own expire; 0 when not given.
	TTL int
	// Conflict is conflict: the path of the number by which the last writer wins, if several
	// write regions have conflicting writes: TSPath if the tag names none, and "" when not
	// given.
	Conflict string
	// Index is index: the name of the global secondary index that the whole tag describes. It
	// is "" for the options of the type. Its Key may have several levels.
	Index string
	// Select is select: the JSON names of the index's properties; nil when not given.
	Select []string
	// Later is later: this release writes the property of the index, but does not read it.
	Later bool

	// Orders is orders: the fields by which queries sort, two or more for each order.
	Orders [][]SortPath
	// Notes are the notes that are acknowledged, in order.
	Notes []Acknowledgement

	positions
}

// ParseField parses the value of a field's cosmos tag, without the quotes. It returns the
// parsed words and all errors, sorted by offset. With an error, use the Field only for further
// diagnostics.
func ParseField(tag string) (Field, []*Error) {
	p := parser{place: OnField}
	p.parse(tag)
	p.field.positions = p.positions()
	return p.field, p.errs
}

// ParseType parses the value of the blank field's cosmos tag, without the quotes. It returns
// the parsed words and all errors, sorted by offset. With an error, use the Type only for
// further diagnostics.
func ParseType(tag string) (Type, []*Error) {
	p := parser{place: OnType}
	p.parse(tag)
	p.typ.positions = p.positions()
	return p.typ, p.errs
}

// positions are the positions of the words of a tag, in the order of the tag.
type positions []position

// position is the place of a word: the byte offsets of the word and of its value in the tag's
// value, -1 for a word without a value.
type position struct {
	name        string
	word, value int
}

// Words returns the number of words in the tag.
func (ps positions) Words() int { return len(ps) }

// Offset returns the byte offset of a word in the tag's value, or -1 if the tag lacks the word.
func (ps positions) Offset(word string) int { return ps.find(word).word }

// ValueOffset returns the byte offset of the text after the word's equals sign in the tag's
// value, or -1 if the tag lacks the word or its value.
func (ps positions) ValueOffset(word string) int { return ps.find(word).value }

func (ps positions) find(word string) position {
	for _, p := range ps {
		if p.name == word {
			return p
		}
	}
	return position{word, -1, -1}
}

// parser reads one tag.
type parser struct {
	place Place
	field Field
	typ   Type
	items []item   // the words of the tag that the place has, without repetitions
	index bool     // the tag is about an index
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

// parse parses the whole tag and sorts the errors.
func (p *parser) parse(tag string) {
	for _, s := range p.words(span{tag, 0}) {
		p.item(tag, s)
	}
	for i := range p.items {
		p.roles(i)
		p.conflicts(i)
	}
	p.needs()
	p.separators()
	p.otherReleases()
	p.growth()
	p.search()
	p.apis()
	slices.SortStableFunc(p.errs, func(a, b *Error) int { return a.Offset - b.Offset }) // errors of one place as they were found
}

// words returns the words of a tag with their values, separated by commas. In the tag of an
// index a comma also separates the levels of the key: a level after the first begins with a
// brace. The expression of a computed property has commas within parentheses, brackets and
// quotes.
func (p *parser) words(whole span) []span {
	all := slices.Collect(whole.pieces(","))
	if p.place == OnField {
		return whole.expressions(all)
	}
	begins := func(s span, text string) bool { return strings.HasPrefix(strings.TrimSpace(s.text), text) }
	p.index = p.place == OnType && slices.ContainsFunc(all, func(s span) bool { return begins(s, "index=") })
	if !p.index {
		return all
	}
	var out []span
	for _, s := range all {
		if last := len(out) - 1; last >= 0 && begins(out[last], "key=") && begins(s, "{") {
			out[last] = whole.slice(out[last].offset, s.offset+len(s.text))
			continue
		}
		out = append(out, s)
	}
	return out
}

// expressions joins those pieces between commas that belong to one expression.
func (s span) expressions(pieces []span) []span {
	var out []span
	end := 0 // of the last expression
	for _, piece := range pieces {
		if piece.offset < end {
			continue
		}
		if name, text, ok := strings.Cut(piece.text, "="); ok && strings.TrimSpace(name) == "computed" {
			start := piece.offset - s.offset
			value := start + len(piece.text) - len(text)
			length := value - start + cosmossql.Comma(s.text[value:])
			piece = s.slice(start, start+length)
			end = piece.offset + length
		}
		out = append(out, piece)
	}
	return out
}

// word returns a word of the tag, or false if the tag lacks it.
func (p *parser) word(name string) (item, bool) {
	i := slices.IndexFunc(p.items, func(it item) bool { return it.row.Name == name })
	if i < 0 {
		return item{}, false
	}
	return p.items[i], true
}

// value returns the value of a word of the tag, or false if the word lacks one.
func (p *parser) value(word string) (span, bool) {
	it, _ := p.word(word)
	return it.value, it.value.text != ""
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
	if _, twice := p.word(word.text); twice {
		p.fail(word, "duplicate word %q: say it once", word.text)
		return
	}
	it := item{row: r, word: word}
	switch {
	case r.Value == NoValue && hasValue:
		p.needless(r, s.slice(len(name), len(s.text)))
	case r.Value == NoValue || r.Optional && !hasValue:
		r.set(p, span{})
	case strings.TrimSpace(text) == "" && r.Optional:
		p.fail(word, "%q needs a value, as in \"%[1]s=ByCustomer\": for the key of the document itself write %[1]q alone", r.Name)
	case strings.TrimSpace(text) == "":
		p.fail(word, "%q needs a value, as in %q", r.Name, r.Example)
	default:
		it.value = p.trim(s.slice(len(name)+len("="), len(s.text)), "write the value right after the \"=\"")
		r.set(p, it.value)
	}
	p.items = append(p.items, it)
}

// needless reports the value of a word that takes none here.
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
		example := "pk"
		if p.place == OnType {
			example = find(OnType, "container").Example
		}
		p.fail(s, "empty tag: write at least one word, for example %q, or remove the tag", example)
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

// list returns the texts of a list without surrounding spaces, and reports such spaces and
// missing texts. The advice describes the notation.
func (p *parser) list(v span, separator, missing, advice string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for s := range v.pieces(separator) {
			if strings.TrimSpace(s.text) == "" {
				p.fail(s, "%s", missing)
			} else if !yield(p.trim(s, advice)) {
				return
			}
		}
	}
}

// unknown reports a word that is not allowed here.
func (p *parser) unknown(word span) {
	if other := find(p.place.other(), word.text); other != nil {
		p.fail(word, "%q %s", word.text, belongs(other))
		return
	}
	if strings.Trim(word.text, "0123456789") == "" {
		p.fail(word, "unknown word %q: a comma ends the value before it; write fractions of a second with a point, as in 05.000", word.text)
		return
	}
	if p.index && strings.ContainsAny(word.text, "{}") {
		p.fail(word, "unknown word %q: a comma ends the level before it; begin each level of the key with a field, as in \"key={TenantID},{CustomerID}\"", word.text)
		return
	}
	if p.place == OnType && strings.ContainsAny(word.text, "{}") {
		p.fail(word, "unknown word %q: a comma ends the template before it; a key of several levels has \"pk,level=1\", \"pk,level=2\" on its fields", word.text)
		return
	}
	if p.unknownMetric(word) {
		return
	}
	if _, computed := p.word("computed"); computed && strings.ContainsAny(word.text, "().[]'\"") {
		p.fail(word, "unknown word %q: a comma outside of parentheses, brackets and quotes ends the expression before it", word.text)
		return
	}
	if p.place == OnField && word.text == "alias" {
		p.fail(word, "unknown word %q: write \"was=OLD\" for a name that stored documents have for the property, or \"next=NEW\" for the one that the next release stores", word.text)
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
	where := "a field"
	if p.place == OnType {
		where = "the blank field"
	}
	p.fail(word, "unknown word %q: %s may have %s", word.text, where, strings.Join(names(p.place), ", "))
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
	for _, c := range excludes(it.row.Word) {
		if slices.ContainsFunc(p.items[:i], func(e item) bool { return e.row.Name == c.Word }) {
			p.fail(it.word, "%q and %q exclude each other: %s", c.Word, it.row.Name, c.Why)
		}
	}
}

// needs reports words that lack another. A word that several words need is reported once, at
// the first; the intended word of a misspelt one counts as present.
func (p *parser) needs() {
	var missing []string
	for _, it := range p.items {
		for _, need := range it.row.Needs {
			quoted := `"` + strings.Join(need.OneOf, `" or "`) + `"`
			if p.has(need.OneOf) || slices.Contains(missing, quoted) {
				continue
			}
			missing = append(missing, quoted)
			p.fail(it.word, "%q needs %s: %s", it.row.Name, quoted, need.Why)
		}
	}
}

// has reports whether the tag has, or was meant to have, one of the words.
func (p *parser) has(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		_, ok := p.word(w)
		return ok || slices.Contains(p.meant, w)
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

// other returns the other place.
func (p Place) other() Place {
	if p == OnField {
		return OnType
	}
	return OnField
}

// find returns the row of a word that is allowed at the place, or nil.
func find(place Place, name string) *row {
	for i := range table {
		if table[i].Name == name && table[i].Place == place {
			return &table[i]
		}
	}
	return nil
}

// names returns the words of the place in the order of the table.
func names(place Place) []string {
	var out []string
	for _, r := range table {
		if r.Place == place {
			out = append(out, r.Name)
		}
	}
	return out
}

// belongs returns where a word is allowed, as a text that follows its name.
func belongs(r *row) string {
	if r.Place == OnField {
		return "belongs on a field of the document: the blank field holds the options of the type"
	}
	return "belongs on the blank field: _ struct{} `cosmos:\"" + r.Example + "\"`"
}
