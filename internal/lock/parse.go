package lock

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Error is a syntax error of a lock.
type Error struct {
	Line    int    // counts from 1
	Message string // in lower case
}

// Error returns "line 3: message".
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Parse parses a file of version 2 or 3, with line breaks of Unix or Windows. It returns the first
// error, except that merge markers come before all others. It accepts only the output of
// [Lock.Format], but with containers and types in any order, and any spaces between words.
//
// In version 3 the line of each type that is no draft has a digest of the lines that its keys
// depend on. If they differ, Parse returns an error.
func Parse(text []byte) (Lock, *Error) {
	p := &parser{lines: strings.Split(string(text), "\n"), containers: make(map[string]int)}
	if strings.HasPrefix(p.lines[0], "\ufeff") {
		return nil, &Error{Line: 1, Message: "the file begins with a byte order mark: save it as UTF-8 without one"}
	}
	if err := p.markers(); err != nil {
		return nil, err
	}
	for !p.ended {
		if p.n == len(p.lines)-1 { // the text after the last line break
			return nil, p.cutOff()
		}
		p.n++
		words, err := p.words()
		if err != nil {
			return nil, err
		}
		if len(words) == 0 {
			continue
		}
		if err := p.line(words); err != nil {
			return nil, err
		}
	}
	for p.n < len(p.lines) {
		p.n++
		if strings.TrimSpace(p.lines[p.n-1]) != "" {
			return nil, p.errorf("text after the line %q: remove it", endWord)
		}
	}
	return p.lock, nil
}

// parser parses a text line by line.
type parser struct {
	lines []string
	n     int // number of the current line
	lock  Lock

	version   int // of the file; 0 before it is read
	ended     bool
	container *Entry // the current container, without a type; nil before the first
	filled    bool   // the container has a type, the last one of lock

	containers map[string]int // lines of containers, by id
	types      []typeLine     // lines of the types in lock
}

func (p *parser) errorf(format string, args ...any) *Error {
	return &Error{Line: p.n, Message: fmt.Sprintf(format, args...)}
}

// cutOff returns the error for a truncated text.
func (p *parser) cutOff() *Error {
	p.n = len(p.lines)
	if p.lines[p.n-1] == "" && p.n > 1 {
		p.n--
	}
	return p.errorf("the file is cut off: there is no line %q at its end", endWord)
}

// conflictMarkers begin the lines that git, and diff3, put around the two sides of a conflict.
var conflictMarkers = []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}

// markers finds the first merge marker.
func (p *parser) markers() *Error {
	for i, line := range p.lines {
		for _, m := range conflictMarkers {
			if strings.HasPrefix(line, m) {
				p.n = i + 1
				return p.errorf("merge marker %q: resolve the conflict by hand", m)
			}
		}
	}
	return nil
}

// words splits the line into words.
func (p *parser) words() ([]string, *Error) {
	line := strings.TrimSuffix(p.lines[p.n-1], "\r")
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || strings.HasPrefix(line, "#") && words == nil {
			return words, nil
		}
		word, end := line, strings.IndexAny(line, " \t")
		if end >= 0 {
			word = line[:end]
		}
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, p.errorf("the quoted text is not closed: %.60q", line)
			}
			unquoted, err := strconv.Unquote(quoted)
			if rest := line[len(quoted):]; err != nil || rest != "" && !strings.ContainsRune(" \t", rune(rest[0])) {
				return nil, p.errorf("a quoted text is followed by %.60q: write a space between them", rest)
			}
			words, line = append(words, unquoted), line[len(quoted):]
			continue
		}
		if quote(word) != word {
			return nil, p.errorf("%.60q must be in quotes, as Go writes a string", word)
		}
		words, line = append(words, word), line[len(word):]
	}
}

// arguments is the number of words after each first word of a line, in files of version 3. Facts
// may follow a layout.
var arguments = map[string]int{
	containerWord: 1, pathWord: 1, kindWord: 1, versionWord: 1, ttlWord: 1, conflictWord: 1,
	typeWord: 2, componentWord: 2, propertyWord: 2, computedWord: 2, indexWord: 3, endWord: 0,
}

// most returns the maximum number of words after a first word: a component or a property may have
// its place as well.
func most(word string) int {
	switch word {
	case typeWord, indexWord:
		return math.MaxInt
	case componentWord, propertyWord:
		return arguments[word] + 1
	}
	return arguments[word]
}

// line parses a line that is neither empty nor a comment.
func (p *parser) line(words []string) *Error {
	word, args := words[0], words[1:]
	if p.version == 0 {
		return p.fileVersion(words)
	}
	n, ok := arguments[word]
	switch {
	case !ok:
		return p.errorf("%.60q is not a word that begins a line", word)
	case len(args) < n || len(args) > most(word):
		return p.errorf("%q is followed by %d words, and not by %d", word, n, len(args))
	case slices.Contains(args[:n], ""):
		return p.errorf("%q is followed by an empty text", word)
	}
	switch word {
	case containerWord:
		return p.begin(args[0])
	case endWord:
		p.ended = true
		return p.complete()
	}
	if p.container == nil {
		return p.errorf("%q comes before the first container", word)
	}
	switch word {
	case typeWord:
		return p.typ(args)
	case componentWord, propertyWord:
		return p.detail(word, args)
	case computedWord:
		return p.computed(args)
	case indexWord:
		return p.index(args)
	}
	return p.containerLine(word, args[0])
}

// containerLine parses a line about the current container.
func (p *parser) containerLine(word, value string) *Error {
	c := p.container
	switch word {
	case pathWord:
		return p.set(&c.Path, word, value)
	case kindWord:
		return p.set(&c.Kind, word, value)
	case ttlWord:
		if v, err := strconv.Atoi(value); err != nil || v < -1 || v == 0 || strconv.Itoa(v) != value {
			return p.errorf("%.60q is not a time to live", value)
		}
		if p.filled {
			return p.errorf("%q comes after a type of its container", word)
		}
		return p.set(&c.TTL, word, value)
	case conflictWord:
		if !strings.HasPrefix(value, "/") {
			return p.errorf("%.60q is not the path of a property", value)
		}
		if p.filled {
			return p.errorf("%q comes after a type of its container", word)
		}
		return p.set(&c.Conflict, word, value)
	}
	v, err := strconv.Atoi(value)
	if err != nil || v < 1 || strconv.Itoa(v) != value {
		return p.errorf("%.60q is not a version of a partition key definition", value)
	}
	if c.Version != 0 {
		return p.errorf("%q appears twice in one container", word)
	}
	c.Version = v
	return nil
}

// jsonKinds are the JSON types of properties.
var jsonKinds = []string{"string", "number", "boolean", "object", "array", "any"}

// detail parses a component or a property of the current type.
func (p *parser) detail(word string, args []string) *Error {
	if !p.filled {
		return p.errorf("%q comes before the first type of its container", word)
	}
	e := &p.lock[len(p.lock)-1]
	stored := ""
	if len(args) > arguments[word] {
		stored = args[arguments[word]]
		if !strings.HasPrefix(stored, "/") && (stored != Unstored || word == componentWord) {
			return p.errorf("%.60q is not where a property is stored", stored)
		}
	}
	twice := func() *Error {
		return p.errorf("%s %.60q appears twice in type %s, perhaps after a merge: keep one of them", word, args[0], e.Type)
	}
	if word == componentWord {
		if slices.ContainsFunc(e.Kinds, func(c PropertyKind) bool { return c.Property == args[0] }) {
			return twice()
		}
		e.Kinds = append(e.Kinds, PropertyKind{args[0], args[1], stored})
		return nil
	}
	read := Property{Pointer: args[0], JSON: args[1], Stored: stored}
	if slices.Contains(numberTypes, args[1]) {
		read.JSON, read.Number = "number", args[1]
	}
	if !strings.HasPrefix(read.Pointer, "/") || !slices.Contains(jsonKinds, read.JSON) {
		return p.errorf("%.60q is not a property and its JSON type", args[0]+" "+args[1])
	}
	if slices.ContainsFunc(e.Properties, func(other Property) bool { return other.Pointer == args[0] }) {
		return twice()
	}
	e.Properties = append(e.Properties, read)
	return nil
}

// computed parses a computed property of the current type.
func (p *parser) computed(args []string) *Error {
	if !p.filled {
		return p.errorf("%q comes before the first type of its container", computedWord)
	}
	e := &p.lock[len(p.lock)-1]
	if slices.ContainsFunc(e.Computed, func(c Computed) bool { return c.Name == args[0] }) {
		return p.errorf("%s %.60q appears twice in type %s, perhaps after a merge: keep one of them", computedWord, args[0], e.Type)
	}
	e.Computed = append(e.Computed, Computed{args[0], args[1]})
	return nil
}

// fileVersion parses the first line.
func (p *parser) fileVersion(words []string) *Error {
	if len(words) != 2 || words[0] != versionWord {
		return p.errorf("%.60q is not the %q of the file, which comes first", strings.Join(words, " "), versionWord+" "+strconv.Itoa(formatVersion))
	}
	v, err := strconv.Atoi(words[1])
	switch {
	case err != nil || v < 1 || words[1] != strconv.Itoa(v):
		return p.errorf("%.60q is not a version of the file: this pkgen reads versions %d and %d", words[1], earlierVersion, formatVersion)
	case v < earlierVersion || v > formatVersion:
		return p.errorf("the file has version %d, and this pkgen reads versions %d and %d: use the pkgen that wrote it", v, earlierVersion, formatVersion)
	}
	p.version = v
	return nil
}

// begin completes the previous container, and begins another.
func (p *parser) begin(id string) *Error {
	if err := p.complete(); err != nil {
		return err
	}
	if line, ok := p.containers[id]; ok {
		return p.errorf("container %q is in line %d already, perhaps after a merge: keep one of them", id, line)
	}
	p.containers[id] = p.n
	p.container, p.filled = &Entry{Container: id}, false
	return nil
}

// complete checks that the container lacks nothing, and completes its last type.
func (p *parser) complete() *Error {
	if c := p.container; c != nil && !p.filled {
		return p.errorf("container %q has no type", c.Container)
	}
	return p.sealed()
}

// set sets a property of the container once.
func (p *parser) set(property *string, word, value string) *Error {
	if *property != "" {
		return p.errorf("%q appears twice in one container", word)
	}
	*property = value
	return nil
}

// typ parses the words after type.
func (p *parser) typ(args []string) *Error {
	if p.filled {
		if err := p.sealed(); err != nil {
			return err
		}
	}
	c := p.container
	if c.Path == "" || c.Kind == "" || c.Version == 0 {
		return p.errorf("container %q lacks its %s, %s or %s, which come before its types", c.Container, pathWord, kindWord, versionWord)
	}
	e := *c
	e.Type, e.Layout = args[0], args[1]
	at, words := typeLine{n: p.n}, args[2:]
	if last := len(words) - 1; last >= 0 && p.version == formatVersion {
		if digest, found := strings.CutPrefix(words[last], sealWord); found {
			at.seal, words = digest, words[:last]
		}
	}
	for _, word := range words {
		if !e.set(word) {
			return p.errorf("%.60q does not follow a layout", word)
		}
	}
	if e.Draft && e.Gone {
		return p.errorf("type %s is both a draft and gone: remove its lines", e.Type)
	}
	if !e.falls() {
		return p.errorf("the bucket counts of type %s contradict each other: was= must have smaller counts than the layout, next= a greater one, and the layout one bucket", e.Type)
	}
	if !strings.Contains(e.Layout, "{") {
		return p.errorf("%.60q is not a layout, which names properties in braces", e.Layout)
	}
	for i, other := range p.lock {
		if other.Type == e.Type && (other.Container == e.Container || !other.Gone && !e.Gone) {
			return p.errorf("type %s is in line %d already, perhaps after a merge: keep one of them", e.Type, p.types[i].n)
		}
	}
	p.types = append(p.types, at)
	p.lock, p.filled = append(p.lock, e), true
	return nil
}
