package annotations

// Field is what the cosmos tag of a field says. The zero value is a field
// without a tag.
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
	Schema    int  // schema: the number of the form in which the item is stored; 0 when not given
	Rest      bool // rest: holds the properties that no other field does

	Hash    []Path // hashsuffix: the fields whose hash is the suffix, in order; nil without
	Buckets int    // buckets: how many suffixes there are, 2 to 10,000; 0 when not given
	Was     []int  // was: the numbers of suffixes before, each below the one before it; nil when not given
	Next    int    // next: the number of suffixes of the next release; 0 when not given
	Format  string // format: the layout for package time, as [Layout] returns it; "" when not given
	Lower   bool   // lower: the text of the component is in ASCII lower case
	Order   int    // order: the position of the component among the concatenated ones, from 1; 0 when not given
	Level   int    // level: which level of a hierarchical key this is, 1 to 3; 0 when not given

	Prefix string // prefix: what every id begins with; "" when not given
	Purge  int    // purge: the seconds for which a deleted document is kept; 0 when not given

	Dimensions int    // vector: how many numbers a vector has, 1 to 4,096; 0 when not given
	Metric     string // cosine, dotproduct or euclidean: how vectors are compared; "" when not given
	Index      string // index: flat, quantizedFlat or diskANN; "" when not given
	Language   string // text: the language of full text, such as en-US; "" when not given

	Later   bool              // later: stored documents may lack the property
	Aliases []string          // alias: the other names of the property, the newest first; nil when not given
	Unique  bool              // unique: no two documents have one value
	Tenant  bool              // tenant: whose the document is
	Notes   []Acknowledgement // note: the notes that are acknowledged, in order

	Within string // field: which field of the tagged struct is meant, a Go field path; "" when not given

	words positions
}

// Offset returns the byte offset of a word in the tag's value, and -1 when the
// tag does not have the word.
func (f Field) Offset(word string) int { return f.words.word(word) }

// ValueOffset returns the byte offset of what follows the word's equals sign
// in the tag's value, and -1 when the tag does not have the word or gives it no
// value.
func (f Field) ValueOffset(word string) int { return f.words.value(word) }

// HasRole reports whether the tag says what the field is to the document: its
// id, its key, or what the service or the run time keep in it. A tag without a
// role is about the property alone.
func (f Field) HasRole() bool {
	return f.ID || f.PK || f.Synthetic || f.ETag || f.TTL || f.TS || f.Created || f.Updated || f.Version || f.Deleted || f.Schema > 0 || f.Rest
}

// Path is a Go field path in a tag, such as VIN or ResourceID.SubscriptionID:
// identifiers joined by points. Offset is where it begins in the tag's value,
// in bytes.
type Path struct {
	Text   string
	Offset int
}

// Type is what the cosmos tag of the blank field says about the whole type. An
// empty text means that the tag does not say it; the defaults are the
// caller's.
type Type struct {
	API       API    // api: the API that stores the documents; "" for NoSQL, and when not given
	Container string // container: the id of the container, if that is fixed
	Path      string // path: the container's partition key path, such as /partitionKey
	Sep       string // sep: the text between concatenated components
	SuffixSep string // suffixsep: the text between the key and its suffix
	NoMethods bool   // methods=none: only the key type gets methods
	Escape    bool   // escape: components are percent-encoded, so that the key can be taken apart

	// Key is what key says: a template of one level, whose fields are Go field
	// paths. It has no levels when the tag does not say it.
	Key Template
	// KeyPaths are the fields of Key, those of buckets included, in the order of
	// the text, each with its place.
	KeyPaths []Path
	Was      []int // was: the numbers of suffixes of Key before, each below the one before it; nil when not given
	Next     int   // next: the number of suffixes of Key in the next release; 0 when not given

	// Containers is what container says, if it is a template of ids: one level, whose
	// fields are Go field paths. It has no levels otherwise. At most one component is a
	// time, by a format that names a year, a month, a day or an hour.
	Containers Template
	// ContainerPaths are the fields of Containers, in order, each with its place.
	ContainerPaths []Path

	// Own is what own says: the template of the ids of containers that tenants have of
	// their own, of one level with one field. It has no levels when the tag does not say
	// it. OwnPaths are its field, with its place.
	Own      Template
	OwnPaths []Path

	// Row is what row says: the template of row keys, of one level, by Go field paths. It
	// has no levels when the tag does not say it. RowPaths are its fields, in order.
	Row      Template
	RowPaths []Path

	Edge     bool   // edge: the documents are edges of a graph
	From, To string // from, to: the types of the vertices at the ends of an edge

	Discriminator string // type: what documents say of their type
	// Formerly is formerly: the type whose layout and container documents have before
	// they move.
	Formerly string
	Prefix   string // prefix: what every id begins with, where the id is declared in another struct
	// TTL is ttl: the container's default time to live in seconds, -1 for none
	// though documents may have one of their own; 0 when not given.
	TTL int
	// Orders are what orders says: by which fields queries sort, each two or more.
	Orders [][]SortPath
	// Notes are the notes that are acknowledged, in order.
	Notes []Acknowledgement

	words positions
}

// Offset returns the byte offset of a word in the tag's value, and -1 when the
// tag does not have the word.
func (t Type) Offset(word string) int { return t.words.word(word) }

// ValueOffset returns the byte offset of what follows the word's equals sign
// in the tag's value, and -1 when the tag does not have the word or gives it no
// value.
func (t Type) ValueOffset(word string) int { return t.words.value(word) }

// Words returns the number of words that the tag has.
func (t Type) Words() int { return len(t.words) }

// ParseField reads the value of the cosmos tag of a field, without the quotes.
// It returns what it understood and all errors, sorted by offset; with an error
// the Field is for further diagnostics only.
func ParseField(tag string) (Field, []*Error) {
	p := parser{place: OnField}
	p.parse(tag)
	p.field.words = p.positions()
	return p.field, p.errs
}

// ParseType reads the value of the cosmos tag of the blank field, without the
// quotes. It returns what it understood and all errors, sorted by offset; with
// an error the Type is for further diagnostics only.
func ParseType(tag string) (Type, []*Error) {
	p := parser{place: OnType}
	p.parse(tag)
	p.typ.words = p.positions()
	return p.typ, p.errs
}

// positions are the positions of the words of a tag, in the order of the tag.
type positions []position

// position is one word's place: byte offsets in the tag's value of the word and
// of its value, which is -1 for a word without one.
type position struct {
	name        string
	word, value int
}

func (ps positions) word(name string) int {
	for _, p := range ps {
		if p.name == name {
			return p.word
		}
	}
	return -1
}

func (ps positions) value(name string) int {
	for _, p := range ps {
		if p.name == name {
			return p.value
		}
	}
	return -1
}
